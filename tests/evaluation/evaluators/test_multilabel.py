import numpy as np
import pytest

from coded import all_measures
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation.evaluators.multilabel import evaluate
from sslrank.evaluation.transformers.sdr_mc import SDRMC
from sslrank.metrics.multilabel import MEASURES
from sslrank.models.multilabel.ml_knn import MLkNN


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 5))
    Y = (X[:, [3, 1]] + 0.3 * rng.normal(size=(120, 2)) > 0).astype(float)
    rows = rng.permutation(120)
    return X, Y, np.sort(rows[:80]), np.sort(rows[80:]), np.sort(rows[:20])


IMPORTANCES = np.array([0.1, 0.8, 0.2, 0.9, 0.0])


def judged(problem, **params):
    params = {"train": "all", **params}
    X, Y, train, test, labeled = problem
    found = evaluate(encode_features(X), encode_targets(Y, len(X)), train, test, labeled, IMPORTANCES, params, seed=3)
    return {(measure, size): value for measure, size, value in found}


def test_score_equals_classifier_on_top_features(problem):
    X, Y, train, test, _ = problem
    found = judged(problem, sizes=[2, 0])
    assert len(found) == 2 * len(MEASURES)
    for size, columns in ((2, [1, 3]), (0, range(5))):
        Z = X[:, columns]
        model = MLkNN("cv", random_state=3).fit(Z[train], Y[train])
        expected = all_measures(Y[test], model.predict_proba(Z[test]))
        for name, value in expected.items():
            assert found[name, size] == pytest.approx(value, abs=1e-12), name
    assert found["macro_auc", 2] > 0.9


def test_sizes_and_measures_can_be_chosen(problem):
    found = judged(problem, sizes=9, measures=["macro_auc", "coverage"], classifier_params={"n_neighbors": 3})
    assert [size for measure, size in found if measure == "coverage"] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("classifier", ["rakel", "ecc", "homer", "iblr"])
def test_other_classifiers_can_be_used(problem, classifier):
    found = judged(problem, classifier=classifier, sizes=[2], train="labeled", scale="range")
    assert found["macro_auc", 2] > 0.7
    assert found == judged(problem, classifier=classifier, sizes=[2], train="labeled", scale="range")


def test_transformers_can_be_used(problem):
    X, Y, train, test, labeled = problem
    found = judged(problem, transformer="sdr_mc", sizes=[2], classifier_params={"n_neighbors": 5})
    known = np.full_like(Y, np.nan)
    known[labeled] = Y[labeled]
    Z = SDRMC(2).fit(X[train], known[train]).transform(X)
    expected = all_measures(Y[test], MLkNN(5).fit(Z[train], Y[train]).predict_proba(Z[test]))
    assert found["macro_auc", 2] == pytest.approx(expected["macro_auc"])
    assert ("macro_auc", 1) in judged(problem, transformer="ssdr", sizes=1)


def test_rows_with_missing_labels_are_excluded(problem):
    X, Y, train, test, labeled = problem
    holes = Y.copy()
    holes[test[:5], 0] = np.nan
    holes[train[:5], 1] = np.nan
    some = X, Y, train[5:], test[5:], labeled
    one = judged((X, holes, train, test, labeled), sizes=[2])
    assert one == judged(some, sizes=[2])
    holes[train] = np.nan
    with pytest.raises(ValueError, match="has all of its labels"):
        judged((X, holes, train, test, labeled))


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"size": 3}, "unknown evaluator settings: size"),
        ({"classifier": "svm"}, "classifier must be one of 'ml_knn'"),
        ({"transformer": "pca"}, "transformer must be one of None"),
        ({"train": "test"}, "train must be one of"),
        ({"measures": ["f1"]}, "measures must be one of .*, got 'f1'"),
    ],
)
def test_invalid_settings_are_refused(problem, params, message):
    with pytest.raises(ValueError, match=message):
        judged(problem, **params)


def test_other_tasks_are_refused(problem):
    X, Y, train, test, labeled = problem
    targets = encode_targets(Y[:, 0].astype(int), 120)
    with pytest.raises(ValueError, match="for tasks 'multilabel'"):
        evaluate(encode_features(X), targets, train, test, labeled, IMPORTANCES)
