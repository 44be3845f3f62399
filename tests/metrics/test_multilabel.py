import numpy as np
import pytest
from sklearn import metrics

from coded import all_measures
from sslrank.metrics import multilabel as m
from sslrank.metrics.single import get_measure

Y = np.array([[1, 0, 1, 0], [0, 0, 1, 1], [1, 1, 0, 0]])
HIGHER_IS_BETTER = ("macro_f", "micro_f", "average_precision", "macro_auc")


def loops(Y, F):
    """Eqs. (4.16)-(4.19) label by label; rank(f) is the number of labels with at least its score."""
    result = {"average_precision": [], "one_error": [], "coverage": [], "ranking_loss": []}
    for y, f in zip(Y, F, strict=True):
        rank = [sum(g >= score for g in f) for score in f]
        yes, no = np.flatnonzero(y), np.flatnonzero(1 - y)
        top = [i for i in range(len(f)) if f[i] == max(f)]
        result["coverage"].append(max((rank[i] for i in yes), default=1) - 1)
        if len(yes):
            result["one_error"].append(np.mean([i not in yes for i in top]))
            share = [sum(rank[j] <= rank[i] for j in yes) / rank[i] for i in yes]
            result["average_precision"].append(np.mean(share))
        if len(yes) and len(no):
            result["ranking_loss"].append(np.mean([f[s] <= f[t] for s in yes for t in no]))
    return {name: np.mean(values) if values else np.nan for name, values in result.items()}


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("ties", [False, True])
def test_measures_match_loops_and_scikit_learn(seed, ties):
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(1, 30)), int(rng.integers(1, 7))
    Y = (rng.random(shape) < rng.random()).astype(int)
    F = rng.integers(0, 4, size=shape) / 3 if ties else rng.random(shape)
    P = (F > 0.5).astype(int)
    found = all_measures(Y, F)
    assert list(found) == list(m.MEASURES)
    for name, value in loops(Y, F).items():
        assert found[name] == pytest.approx(value, nan_ok=True), name
    assert found["hamming_loss"] == pytest.approx((Y != P).mean())
    assert found["zero_one_loss"] == pytest.approx(metrics.zero_one_loss(Y, P))
    if (Y | P).any():
        assert found["micro_f"] == pytest.approx(2 * (Y & P).sum() / (Y.sum() + P.sum()))
    used = (Y | P).any(axis=0)
    if used.any():
        expected = [metrics.f1_score(Y[:, j], P[:, j]) for j in np.flatnonzero(used)]
        assert found["macro_f"] == pytest.approx(np.mean(expected))
    both = [j for j in range(shape[1]) if 0 < Y[:, j].sum() < shape[0]]
    if both:
        expected = metrics.roc_auc_score(Y[:, both], F[:, both], average="macro")
        assert found["macro_auc"] == pytest.approx(expected)


def test_rows_without_labels_are_defined():
    found = all_measures(np.zeros((3, 2)), np.full((3, 2), 0.1))
    undefined = {name for name, value in found.items() if np.isnan(value)}
    assert undefined == {"macro_f", "micro_f", "average_precision", "one_error", "ranking_loss", "macro_auc"}
    assert found["hamming_loss"] == found["zero_one_loss"] == found["coverage"] == 0.0


def test_rows_with_all_labels_are_defined():
    found = all_measures(np.ones((3, 2)), np.full((3, 2), 0.9))
    assert np.isnan(found["ranking_loss"])
    assert np.isnan(found["macro_auc"])
    assert found["average_precision"] == found["macro_f"] == found["micro_f"] == 1.0
    assert found["one_error"] == 0.0
    assert found["coverage"] == 1.0


@pytest.mark.parametrize(
    ("truth", "scores", "message"),
    [
        (np.ones((2, 2)), np.ones((2, 3)), "of the same shape"),
        (np.ones(3), np.ones(3), "2-d"),
        (np.full((2, 2), np.nan), np.ones((2, 2)), "0 or 1"),
        (np.ones((2, 2)), np.full((2, 2), np.nan), "missing values"),
    ],
)
def test_invalid_input_raises(truth, scores, message):
    with pytest.raises(ValueError, match=message):
        all_measures(truth, scores, np.ones(np.shape(scores)) if "missing" not in message else scores)


@pytest.mark.parametrize("name", list(m.MEASURES))
def test_scores_above_half_become_labels(name):
    scores = np.array([[0.5, 0.9, 0.1, 0.51], [0.2, 0.5, 0.7, 0.6], [0.4, 0.6, 0.5, 0.1], [0.9, 0.9, 0.9, 0.9]])
    truth = np.vstack([Y, [[1, np.nan, 0, 1]]])  # the last row is not known
    assert m.of_known_rows(name)(truth, scores) == all_measures(Y, scores[:3])[name]
    assert get_measure(name, "multilabel").higher_is_better == (name in HIGHER_IS_BETTER)
    predicted = [[0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 0, 0]]
    assert all_measures(Y, scores[:3])[name] == all_measures(Y, scores[:3], predicted)[name]
