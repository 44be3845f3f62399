import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB

from coded import raw_problem
from sslrank.core.features import encode_features
from sslrank.core.stratified import stratified_folds
from sslrank.core.targets import encode_targets
from sslrank.core.tasks import TASKS
from sslrank.evaluation import error_curves, expected_curve
from sslrank.evaluation._svm_path import svm_curve
from sslrank.evaluation.curve_problem import CurveProblem, nested_sizes
from sslrank.evaluation.curves import feature_order
from sslrank.evaluation.synthetic import make_synthetic
from sslrank.models.estimators import NearestNeighbors, quadratic_svm


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("predictor", ["svm", "knn", "tree"])
def test_incremental_and_plain_curves_are_equal(task, predictor, monkeypatch):
    if predictor == "svm" and task != "classification":
        predictor = Ridge()
    X, y, hierarchy = raw_problem(task)
    importances = {"up": np.arange(6.0), "fold": np.random.default_rng(1).random((3, 6))}
    options = {"cv": 3, "task": task, "hierarchy": hierarchy, "categorical_features": [5]}
    fast = error_curves(predictor, X, y, importances, **options)
    monkeypatch.setattr(CurveProblem, "_curve", CurveProblem._fitted_curve)
    plain = error_curves(predictor, X, y, importances, **options)
    pd.testing.assert_frame_equal(fast, plain, check_exact=True)
    monkeypatch.undo()
    assert list(fast.columns) == ["ranking", "curve", "fold", "n_test", "size", "measure", "value"]
    assert len(fast) == 2 * 2 * 3 * 6
    assert fast["value"].notna().all()
    assert fast["n_test"].drop_duplicates().tolist() == [30]
    threads = error_curves(predictor, X, y, importances, n_jobs=2, **options)
    pd.testing.assert_frame_equal(fast, threads, check_exact=True)


def test_linear_curve_uses_the_best_features():
    X = np.random.default_rng(0).normal(size=(60, 5))
    curves = error_curves("linear", X, X[:, 1] + X[:, 3], {"ranking": [0, 2, 0.5, 3, 1]}, cv=3)
    errors = curves[curves["curve"] == "FFA"].groupby("size")["value"].mean()
    assert errors[1] > 0.5
    assert errors[2] < 0.1


OTHER_SVMS = ({"kernel": "rbf"}, {"class_weight": {1: 10.0}}, {"degree": 3})


@pytest.mark.parametrize("model", [GaussianNB(), *(quadratic_svm().set_params(**params) for params in OTHER_SVMS)])
def test_curve_equals_loop_over_nested_sets(model):
    X, y = load_iris(return_X_y=True)
    train, test = np.arange(0, 150, 2), np.arange(1, 150, 2)
    order = [2, 0, 3, 1]
    importances = np.array([0.6, 0.1, 0.9, 0.4])
    table = error_curves(model, X, y, importances, cv=[(train, test)])
    scaled = (X - X[train].min(axis=0)) / np.ptp(X[train], axis=0)
    for curve, direction in (("FFA", order), ("RFA", order[::-1])):
        expected = []
        for size in range(1, 5):
            model.fit(scaled[train][:, direction[:size]], y[train])
            expected.append(model.score(scaled[test][:, direction[:size]], y[test]))
        np.testing.assert_allclose(table.loc[table["curve"] == curve, "value"], expected)


def test_category_distance_equals_full_numeric_range():
    """The tested row is at 1 from the row of another category, and at 1.62 or 2 from those of its own."""
    X = pd.DataFrame({"kind": ["u", "v", "v", "w"], "p": [0.0, 0.9, 1.0, 1.0], "q": [0.0, 0.9, 1.0, 1.0]})
    X.loc[4] = ["v", 0.0, 0.0]
    problem = CurveProblem(
        encode_features(X),
        encode_targets(np.array([1, 0, 0, 0, 1]), 5),
        [([0, 1, 2, 3], [4])],
        "knn",
        predictor_params={"n_neighbors": 1},
    )
    assert problem.scores(np.array([[0, 1, 2]]))[0, 0, -1] == 1


@settings(max_examples=25)
@example(seed=11098, n_classes=4, binary=False, C=100.0, coef0=0.0)  # every vector at a bound
@example(seed=0, n_classes=2, binary=False, C=100.0, coef0=0.0)  # tolerance near the rounding error
@given(
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.integers(2, 4),
    binary=st.booleans(),
    C=st.sampled_from([0.1, 1.0, 100.0]),
    coef0=st.sampled_from([0.0, 1.0]),
)
def test_decision_values_agree_with_libsvm(seed, n_classes, binary, C, coef0):
    # LIBSVM keeps its kernel matrix in single precision, so entries are made to fit it exactly.
    rng = np.random.default_rng(seed)
    n, n_features = 60, 5
    X = rng.integers(0, 2 if binary else 4, (n, n_features)) / (1.0 if binary else 4.0)
    y = np.sort(rng.permutation(np.arange(n) % n_classes))
    X_test = rng.integers(0, 5, (9, n_features)) / 4.0
    order = rng.permutation(n_features)
    edges = np.searchsorted(y, np.arange(n_classes + 1))
    columns = np.ascontiguousarray(np.vstack([X, X_test]).T)
    sizes = np.arange(1, n_features + 1)
    codes, values, _ = svm_curve(columns, np.arange(n_features + 1), order, sizes, edges, C, 1.0, coef0, 1e-11, True)
    for s, size in enumerate(sizes):
        chosen = order[:size]
        model = quadratic_svm(C, coef0, tol=1e-11).set_params(decision_function_shape="ovo")
        model.fit(X[:, chosen], y)
        theirs = model.decision_function(X_test[:, chosen]).reshape(9, -1)
        theirs = -theirs if n_classes == 2 else theirs  # scikit-learn turns the sign of two classes
        difference, bound = values[s] - theirs, 3e-8 * max(1.0, np.abs(theirs).max())
        # Without a vector between the bounds the optimum leaves the bias an interval: any of it is right.
        fixed = [has_free_vector(model, i, j) for i in range(n_classes) for j in range(i + 1, n_classes)]
        difference -= np.where(fixed, 0.0, difference.mean(axis=0))
        assert np.abs(difference).max() < bound
        if all(fixed):
            sure = np.abs(theirs).min(axis=1) > 1e-6
            np.testing.assert_array_equal(codes[s][sure], model.predict(X_test[:, chosen])[sure])


def has_free_vector(model, i, j):
    """Whether a coefficient of the classes i < j of a fitted SVC lies between 0 and C."""
    starts = np.concatenate([[0], np.cumsum(model.n_support_)])
    sides = [(j - 1, i), (i, j)]  # the rows of dual_coef_ that are about this pair, for the vectors of each class
    alpha = np.abs(np.concatenate([model.dual_coef_[row, starts[c] : starts[c + 1]] for row, c in sides]))
    return bool(((alpha > 1e-6 * model.C) & (alpha < (1 - 1e-6) * model.C)).any())


@pytest.mark.parametrize(("name", "n_features"), [("combined", 10), ("pair", 13), ("combined", 30)])
def test_decision_values_agree_for_ill_conditioned_kernels(name, n_features):
    # As many features as a consistent separation just needs or fewer: steps in small working sets alone would
    # take millions. Small feature sets have many equal rows, of both classes.
    data = make_synthetic(name, n_samples=300, n_features=36, random_state=4)
    order = np.random.default_rng(1).permutation(36)
    train = np.argsort(data.y[:240], kind="stable")
    columns = np.ascontiguousarray(np.vstack([data.X[train], data.X[240:]]).T)
    sizes = np.array([2, 5, n_features])
    edges = np.searchsorted(data.y[train], np.arange(3))
    _, values, n_steps = svm_curve(columns, np.arange(37), order, sizes, edges, 0.1, 1.0, 0.0, 1e-11, True)
    for s, size in enumerate(sizes):
        X = data.X[:, order[:size]]
        model = quadratic_svm(0.1, tol=1e-11).fit(X[train], data.y[train])
        np.testing.assert_allclose(values[s, :, 0], -model.decision_function(X[240:]), atol=1e-8)
    assert n_steps < 100_000


def test_curve_sizes():
    assert nested_sizes(5).tolist() == [1, 2, 3, 4, 5]
    assert nested_sizes(101)[-3:].tolist() == [84, 93, 101]
    assert len(nested_sizes(101, "all")) == 101
    assert nested_sizes(20, (3, 2.0)).tolist() == [1, 2, 3, 6, 12, 20]
    assert nested_sizes(2, (3, 2.0)).tolist() == [1, 2]
    assert nested_sizes(9, [4, 2]).tolist() == [2, 4, 9]
    assert len(nested_sizes(12625)) < 120
    for bad in ("every", (3, 1.0), (0, 2.0), [0], [10], []):
        with pytest.raises(ValueError, match=r"sizes|step rule"):
            nested_sizes(9, bad)


def test_equal_importances_rank_in_column_order():
    assert feature_order([1, 2, 1, 2]).tolist() == [1, 3, 0, 2]
    with pytest.raises(ValueError, match="NaN"):
        feature_order([1, np.nan])


def test_single_and_constant_features_are_accepted():
    X, y = load_iris(return_X_y=True)
    for predictor in ("svm", "knn", "tree"):
        one = error_curves(predictor, X[:, 3:], y, [0.5], cv=3)
        assert one.groupby(["curve", "fold"])["value"].first().unstack(0).diff(axis=1).iloc[:, 1].eq(0).all()
        constant = np.column_stack([X[:, 3], np.full(150, 7.0), np.zeros(150)])
        table = error_curves(predictor, constant, y, [3, 2, 1], cv=3)
        values = table.pivot_table(index="size", columns="curve", values="value")
        assert values["FFA"].nunique() == 1  # constant features change nothing
        assert values.loc[1, "RFA"] < 0.45 < values.loc[3, "RFA"]


def test_class_with_fewer_rows_than_folds_is_accepted():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(43, 3))
    y = np.array(["a"] * 20 + ["b"] * 20 + ["rare"] * 3)
    for predictor in ("svm", "knn", "tree"):
        table = error_curves(predictor, X, y, [1, 2, 3], cv=10)
        assert table["value"].between(0, 1).all()
    folds = stratified_folds(encode_targets(y, 43), 10)
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(43))
    assert {len(test) for _, test in folds} == {4, 5}
    for svm in ("svm", quadratic_svm().set_params(kernel="rbf")):
        only = error_curves(svm, X, y, [1, 2, 3], cv=[(np.arange(20), np.arange(20, 43))])
        assert (only["value"] == 0).all()  # trained on one class, which the test part does not have
    with pytest.raises(ValueError, match=r"cv must be in 2\.\.43"):
        error_curves("knn", X, y, [1, 2, 3], cv=44)
    X, y = load_iris(return_X_y=True)  # trained on the first and the last class
    two = error_curves("svm", X, y, [1, 2, 3, 4], cv=[(np.r_[0:40, 100:140], np.r_[40:50, 140:150])])
    assert (two.loc[two["size"] == 4, "value"] == 1).all()


def test_unlabelled_rows_are_ignored():
    X, y = load_iris(return_X_y=True)
    hidden = np.where(np.arange(150) % 3 == 0, -1, y)
    known = np.arange(150) % 3 != 0
    with_hidden = error_curves("knn", X, hidden, [1, 2, 3, 4], cv=4)
    without = error_curves("knn", X[known], y[known], [1, 2, 3, 4], cv=4)
    assert with_hidden["n_test"].sum() == without["n_test"].sum()
    with pytest.raises(ValueError, match="no predictor can be trained"):
        error_curves("knn", X, hidden, [1, 2, 3, 4], cv=[(np.arange(0, 150, 3), [1])])


def test_expected_curve_has_standard_error():
    data = make_synthetic("single", n_samples=200, n_features=12, random_state=2)
    options = {"cv": 3, "random_state": 5}
    expected = expected_curve("knn", data.X, data.y, n_rankings=40, **options)
    assert list(expected.columns) == ["size", "value", "standard_error", "n_rankings", "measure"]
    again = expected_curve("knn", data.X, data.y, n_rankings=40, n_jobs=2, **options)
    pd.testing.assert_frame_equal(expected, again, check_exact=True)
    # All features: every ranking gives the same set, though neighbours may be summed up in another order.
    assert expected["standard_error"].iloc[-1] < expected["standard_error"].iloc[0]
    # One feature: the expectation is the mean over all single features.
    single = {str(j): np.eye(12)[j] for j in range(12)}
    singles = error_curves("knn", data.X, data.y, single, sizes=[1], **options)
    first = singles[(singles["curve"] == "FFA") & (singles["size"] == 1)]
    truth = (first["value"] * first["n_test"]).sum() / first["n_test"].sum()
    assert abs(expected["value"].iloc[0] - truth) < 4 * expected["standard_error"].iloc[0]
    one = expected_curve("knn", data.X, data.y, n_rankings=1, **options)
    assert one["standard_error"].isna().all()
    two = expected_curve("knn", data.X, data.y, n_rankings=2, **options)
    np.testing.assert_allclose(two["standard_error"], (two["value"] - one["value"]).abs(), atol=1e-12)


def test_seed_of_tied_neighbours_matters():
    def values(seed):
        predictor = NearestNeighbors(5, classify=False, ties="random", random_state=seed)
        return error_curves(predictor, np.zeros((60, 1)), np.arange(60) + 0.5, [1.0], cv=2)["value"].tolist()

    assert values(0) != values(1) == values(1)


def test_curves_need_a_target():
    with pytest.raises(ValueError, match="curves need a target"):
        error_curves("knn", np.zeros((4, 1)), None, [1.0])
