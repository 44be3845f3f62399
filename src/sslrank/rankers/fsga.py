"""FSGA: genetic search for a subset of features, on pseudo-labels by a transductive bound."""

import warnings

import numpy as np

from sslrank.core.base import BaseRanker
from sslrank.core.columns import design_matrix
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_count
from sslrank.rankers.pseudo_labels import OrderedForest

#: Points of the grids of thresholds and of margins, as in the authors' program.
N_POINTS = 50
#: Shares of an offspring's features that come from its first parent.
CROSSOVER_POINTS = np.arange(2, 9) / 10
#: A feature whose importance differs by less from that of its shuffled copy is removed.
LEAST_GAIN = 1e-4


class FSGA(BaseRanker):
    """Rank features by a genetic search of subsets, evaluated on pseudo-labelled rows (Feofanov et al.).

    1. Self-learning [1]_: a random forest of the labelled rows labels those unlabelled rows whose share of votes is at
       least their class's threshold, and is fitted again, until no row is added. Thresholds minimise a transductive
       bound of the conditional error (:func:`pseudo_label_threshold`). Given and added rows have the same total weight.
    2. Search [2]_: subsets of the square root of the number of features evolve. The fitness of a subset is the
       out-of-bag accuracy of a random forest on given and added labels. An offspring takes the most important features
       of one of the best subsets and fills up with those of another; then up to half of its features are exchanged at
       random.
    3. In each generation, features outside of the best subset with little mean importance are compared with shuffled
       copies, and removed from the search if they are not more important.

    The ranking puts the features of the best subset first, in order of their importance in its forest, then the others
    by their mean importance in the last generation's forests; of equal ones, removed features come last.

    The paper has numeric features; here nominal features take part with an indicator for each category, and missing
    values are imputed.

    Parameters
    ----------
    n_estimators : int, default=100
        Trees of each forest.
    n_generations : int, default=20
    n_candidates : int, default=40
        Subsets in a generation.
    n_parents : int, default=8
        Best subsets, which stay and have offspring.
    supervised : bool, default=False
        Remove the unlabelled rows: the search alone.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    selected_ : ndarray of int
        The best subset, sorted.
    labels_ : ndarray of shape (n_rows,), int
        Given and added class codes; -1 for rows that stay unlabelled.
    fitness_ : float
        Out-of-bag accuracy of the best subset.

    References
    ----------
    .. [1] V. Feofanov, E. Devijver, M.-R. Amini (2019), Transductive bounds for the multi-class majority vote
       classifier, AAAI 33, 3566-3573.
    .. [2] V. Feofanov, E. Devijver, M.-R. Amini (2022), Wrapper feature selection with partially labeled data, Applied
       Intelligence 52, 12316-12329.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> FSGA(n_estimators=20, n_generations=3, random_state=0).fit(X, y).selected_
    array([0, 2])
    """

    tasks = frozenset({"classification"})
    n_estimators: int = 100
    n_generations: int = 20
    n_candidates: int = 40
    n_parents: int = 8
    supervised: bool = False

    def check_params(self):
        for name in ("n_estimators", "n_generations"):
            check_count(name, getattr(self, name))
        check_count("n_parents", self.n_parents, least=2)
        check_count("n_candidates", self.n_candidates, least=self.n_parents + 1)

    def rank_coded(self, features, targets):
        if not targets.labeled.any():
            raise ValueError("FSGA needs at least one labelled row, y has none")
        seed, design = self.resolve_seed(), design_matrix(features, np.arange(features.shape[0]))
        given = np.where(targets.labeled, np.nan_to_num(targets.values[:, 0]), -1).astype(np.intp)
        forest = OrderedForest(
            self.n_estimators, oob_score=True, n_jobs=self.n_jobs, random_state=derive_seed(seed, "forest") % 2**31
        )
        with warnings.catch_warnings():  # few trees leave rows without an out-of-bag vote, which then count as wrong
            warnings.filterwarnings("ignore", message="Some inputs do not have OOB scores")
            self.labels_ = pseudo_label(forest, design.values, given)
            known = self.labels_ >= 0
            return self._search(_Fitness(forest, design, known, self.labels_[known]), derive_seed(seed, "search"))

    def _search(self, fitness, seed):
        """Evolve subsets, and return the importance of each feature."""
        rng, n_features = np.random.default_rng(seed), fitness.design.n_features
        size = int(np.sqrt(n_features))
        kept, population = np.full(n_features, True), []
        for _ in range(self.n_candidates):
            population.append(_mask(rng.choice(n_features, size, replace=False), n_features))
        for _ in range(self.n_generations):
            parents, weights = self._best(population, fitness)
            seen = kept & np.any(population, axis=0)
            irrelevant = fitness.irrelevant(parents[0], weights, seen, size, rng)
            kept[irrelevant] = False
            if not kept.any():  # nothing is better than its shuffled copy
                kept[irrelevant] = True
            ordered = []
            for parent in parents:
                parent = parent & kept
                free = np.flatnonzero(kept & ~parent)
                parent[rng.permutation(free)[: size - parent.sum()]] = True
                best_first = np.argsort(-fitness.importances(parent), kind="stable")
                ordered.append(best_first[parent[best_first]])
            population = [_mask(order, n_features) for order in ordered]
            while len(population) < self.n_candidates:
                population.append(_mutated(_child(ordered, rng), kept, size // 2, rng))
        parents, weights = self._best(population, fitness)
        self.selected_, self.fitness_ = np.flatnonzero(parents[0]), fitness.score(parents[0])
        others = weights.mean(axis=0) + 1e-9 * kept
        return np.where(parents[0], 2.0 + fitness.importances(parents[0]), others)

    def _best(self, population, fitness):
        """Return the best subsets, and the importances of all features in the forest of each subset."""
        scores = [fitness.score(subset) for subset in population]
        order = np.argsort(-np.array(scores), kind="stable")[: self.n_parents]
        return [population[i] for i in order], np.array([fitness.importances(subset) for subset in population])


class _Fitness:
    """Out-of-bag accuracy and importances of a forest of each subset, cached."""

    def __init__(self, forest, design, rows, labels):
        self.forest, self.design, self.labels = forest, design, labels
        self.X, self.known = design.values[rows], {}

    def _fit(self, subset):
        key = subset.tobytes()
        if key not in self.known:
            columns = subset[self.design.owner]
            importances = np.zeros(len(columns))
            self.forest.fit(self.X[:, columns], self.labels)
            importances[columns] = self.forest.feature_importances_
            self.known[key] = self.forest.oob_score_, self.design.sum_by_feature(importances)
        return self.known[key]

    def score(self, subset):
        """Return the out-of-bag accuracy."""
        return self._fit(subset)[0]

    def importances(self, subset):
        """Return the importance of each feature, 0 outside of the subset."""
        return self._fit(subset)[1]

    def irrelevant(self, best, weights, seen, size, rng):
        """List features of little importance that are not more important than a shuffled copy of themselves."""
        share = weights.sum(axis=0) / max(weights.sum(), 1e-12)
        small = np.flatnonzero(seen & ~best & (share <= 1 / (5 * size)))
        if not len(small):
            return small
        columns = self.design.positions_of(small)
        shuffled = self.X[rng.permutation(len(self.X))][:, columns]
        self.forest.fit(np.hstack([self.X[:, best[self.design.owner]], self.X[:, columns], shuffled]), self.labels)
        own, copy = np.split(self.forest.feature_importances_[-2 * len(columns) :], 2)
        gains = np.bincount(np.searchsorted(small, self.design.owner[columns]), weights=own - copy)
        return small[np.abs(gains) < LEAST_GAIN]


def _mask(features, n_features):
    mask = np.zeros(n_features, dtype=bool)
    mask[np.asarray(features, dtype=np.intp)] = True
    return mask


def _child(parents, rng):
    """Take the most important features of one parent, and fill up with those of another.

    `parents` are lists of features, most important first.
    """
    first, second = (parents[i] for i in rng.choice(len(parents), 2, replace=False))
    size = len(first)
    child = list(first[: int(size * rng.choice(CROSSOVER_POINTS))])
    for j in (*second, *first):
        if len(child) < size and j not in child:
            child.append(j)
    return child


def _mutated(child, kept, most, rng):
    """Exchange up to `most` features of an offspring for others that are still in the search."""
    mask = _mask(child, len(kept))
    free = np.flatnonzero(kept & ~mask)
    if most and len(free):
        count = min(rng.integers(1, most + 1), len(free), len(child))
        mask[rng.choice(child, count, replace=False)] = False
        mask[rng.choice(free, count, replace=False)] = True
    return mask


def pseudo_label(forest, X, labels):
    """Label rows by self-learning with thresholds of the transductive bound that :class:`FSGA` cites.

    Parameters
    ----------
    forest : classifier
        Fitted again in each round.
    X : ndarray of shape (n, W)
    labels : ndarray of int, shape (n,)
        -1 is unlabelled.

    Returns
    -------
    ndarray of int, shape (n,)

    Examples
    --------
    >>> X, forest = np.array([[0.0], [1.0], [9.0], [10.0], [0.5]]), OrderedForest(20, random_state=0)
    >>> pseudo_label(forest, X, np.array([0, 0, 1, 1, -1]))
    array([0, 0, 1, 1, 0])
    """
    labels, given = labels.copy(), labels >= 0
    while (labels < 0).any():
        known, open_rows = labels >= 0, np.flatnonzero(labels < 0)
        weights = np.where(given, 1 / given.sum(), 1 / max((known & ~given).sum(), 1))
        forest.fit(X[known], labels[known], sample_weight=weights[known])
        votes = forest.predict_proba(X[open_rows])
        chosen = votes.argmax(axis=1)
        thresholds = np.array([pseudo_label_threshold(votes, chosen, k) for k in range(votes.shape[1])])
        added = votes[np.arange(len(votes)), chosen] >= thresholds[chosen]
        if not added.any():
            break
        labels[open_rows[added]] = forest.classes_[chosen[added]]
    return labels


def pseudo_label_threshold(votes, chosen, k):
    """Choose the share of votes from which rows that vote for a class are labelled with it.

    It minimises a bound of the error among these rows: the sum over the other classes i of the smallest
    ``I(t, g) + max(K + M(t) - M(g), 0) / g`` over margins g above the threshold t, divided by the number of rows that
    it labels. ``I(t, g)`` sums the votes for i of the rows whose votes v for the class are in [t, g); M(t) sums the
    products of both votes over the rows with v < t, and K over the rows that vote for the class. Thresholds and margins
    are each tried at 50 points.

    Parameters
    ----------
    votes : ndarray of shape (n, n_classes)
        Shares of votes, with sum 1.
    chosen : ndarray of int, shape (n,)
        Class with the most votes.
    k : int

    Returns
    -------
    float

    Examples
    --------
    >>> votes = np.array([[0.9, 0.1], [0.85, 0.15], [0.55, 0.45], [0.1, 0.9]])
    >>> round(pseudo_label_threshold(votes, votes.argmax(axis=1), 0), 3)
    0.5
    """
    own = votes[:, k]
    thresholds = own.min() + np.arange(N_POINTS) * (own.max() - own.min()) / N_POINTS
    margins = thresholds[:, None] + (1 - thresholds[:, None]) * np.arange(1, N_POINTS + 1) / N_POINTS
    order = np.argsort(own, kind="stable")
    below = np.searchsorted(own[order], margins), np.searchsorted(own[order], thresholds)[:, None]
    bound = np.zeros(N_POINTS)
    for i in range(votes.shape[1]):
        if i != k:
            shares, products = (
                np.concatenate([[0.0], np.cumsum(values[order])]) for values in (votes[:, i], votes[:, i] * own)
            )
            most = (votes[:, i] * own)[chosen == k].sum() + products[below[1]] - products[below[0]]
            bound += (shares[below[0]] - shares[below[1]] + np.maximum(most, 0.0) / margins).min(axis=1)
    labeled = ((own >= thresholds[:, None]) & (chosen == k)).sum(axis=1)
    return float(thresholds[np.argmin(np.where(labeled > 0, bound / np.maximum(labeled, 1), np.inf))])
