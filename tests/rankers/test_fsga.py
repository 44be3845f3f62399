"""The threshold of FSGA is compared with its definition, self-learning with plain rounds, the search with a plant."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

from sslrank.rankers.fsga import FSGA, N_POINTS, pseudo_label, pseudo_label_threshold


def naive_threshold(votes, chosen, k):
    """Bound of Feofanov et al. (2019), as sums over rows."""
    own, best = votes[:, k], (np.inf, own_min := votes[:, k].min())
    for step in range(N_POINTS):
        threshold = own_min + step * (own.max() - own_min) / N_POINTS
        labeled = np.sum((own >= threshold) & (chosen == k))
        error = 0.0
        for i in set(range(votes.shape[1])) - {k}:
            bounds = []
            for g in threshold + (1 - threshold) * np.arange(1, N_POINTS + 1) / N_POINTS:
                between = sum(v[i] for v in votes if threshold <= v[k] < g)
                gibbs = sum(v[i] * v[k] for v, c in zip(votes, chosen, strict=True) if c == k)
                under = [sum(v[i] * v[k] for v in votes if v[k] < margin) for margin in (threshold, g)]
                bounds.append(between + max(gibbs + under[0] - under[1], 0) / g)
            error += min(bounds)
        if labeled and error / labeled < best[0] - 1e-12:
            best = error / labeled, threshold
    return best[1]


def test_threshold_minimises_the_bound():
    rng = np.random.default_rng(5)
    votes = rng.multinomial(20, rng.dirichlet([1, 1, 2]), size=15) / 20
    chosen = votes.argmax(axis=1)
    for k in range(3):
        assert pseudo_label_threshold(votes, chosen, k) == pytest.approx(naive_threshold(votes, chosen, k))


def blobs(n=80):
    rng = np.random.default_rng(0)
    true = np.arange(n) % 3
    X = rng.normal(size=(n, 9))
    X[:, 2] += 3 * true
    X[:, 5] += 3 * (true == 1)
    return X, true, np.where(np.arange(n) < 18, true, -1)


def test_self_learning_adds_rows_round_by_round():
    X, true, y = blobs()
    found = pseudo_label(RandomForestClassifier(25, random_state=0), X, y)
    labels, rounds = y.copy(), 0
    while (labels < 0).any():
        added, left = np.flatnonzero((y < 0) & (labels >= 0)), np.flatnonzero(labels < 0)
        rows = np.concatenate([np.flatnonzero(y >= 0), added])
        weights = np.repeat([1 / 18, 1 / max(len(added), 1)], [18, len(added)])
        order = np.argsort(rows)
        forest = RandomForestClassifier(25, random_state=0)
        forest.fit(X[rows[order]], labels[rows[order]], sample_weight=weights[order])
        votes = forest.predict_proba(X[left])
        chosen = votes.argmax(axis=1)
        limits = [pseudo_label_threshold(votes, chosen, k) for k in range(3)]
        confident = [row for row, v, c in zip(left, votes, chosen, strict=True) if v[c] >= limits[c]]
        if not confident:
            break
        labels[confident] = chosen[np.isin(left, confident)]
        rounds += 1
    np.testing.assert_array_equal(found, labels)
    assert rounds > 1
    assert (found == true)[found >= 0].mean() > 0.8


def test_search_finds_the_planted_features():
    X, _, y = blobs()
    found = FSGA(n_estimators=15, n_generations=4, n_candidates=12, n_parents=4, random_state=1).fit(X, y)
    assert set(np.flatnonzero(found.ranking_ <= 2)) == {2, 5} <= set(found.selected_)
    assert found.fitness_ > 0.8
    alone = FSGA(n_estimators=15, n_generations=1, n_candidates=9, supervised=True, random_state=1).fit(X, y)
    assert len(alone.labels_) == 18
    with pytest.raises(ValueError, match="n_candidates"):
        FSGA(n_parents=8, n_candidates=8).fit(X, y)
