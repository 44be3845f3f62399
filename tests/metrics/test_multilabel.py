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
@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:invalid value")
def test_measures_match_loops_and_scikit_learn(seed, ties):
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(1, 30)), int(rng.integers(1, 7))
    share = {0: 0.0, 1: 1.0}.get(seed, rng.random())  # of relevant labels: none, all and some
    Y = (rng.random(shape) < share).astype(int)
    F = rng.integers(0, 4, size=shape) / 3 if ties else rng.random(shape)
    F = F if share else 0.5 * F  # nothing is predicted
    P = (F > 0.5).astype(int)
    used = np.flatnonzero((Y | P).any(axis=0))
    both = [j for j in range(shape[1]) if 0 < Y[:, j].sum() < shape[0]]
    expected = loops(Y, F) | {
        "hamming_loss": (Y != P).mean(),
        "zero_one_loss": metrics.zero_one_loss(Y, P),
        "micro_f": 2 * (Y & P).sum() / np.float64(Y.sum() + P.sum()),
        "macro_f": np.mean([metrics.f1_score(Y[:, j], P[:, j]) for j in used]),
        "macro_auc": metrics.roc_auc_score(Y[:, both], F[:, both], average="macro") if both else np.nan,
    }
    found = all_measures(Y, F)
    assert list(found) == list(m.MEASURES)
    assert found == pytest.approx(expected, nan_ok=True)


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
