import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.stats import chi2_contingency, f_oneway
from sklearn.feature_selection import f_classif, f_regression

from sslrank import get_ranker


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def test_numeric_features_and_classes_equal_f_classif(rng):
    X, y = rng.normal(size=(80, 6)), rng.integers(0, 4, 80)
    X[:, 2] += y
    np.testing.assert_allclose(get_ranker("f_score").fit(X, y).feature_importances_, f_classif(X, y)[0])


def test_numeric_features_and_target_equal_f_regression(rng):
    X, y = 1e3 + rng.normal(size=(80, 6)), rng.normal(size=80)
    X[:, 2] += y
    found = get_ranker("f_score", task="regression").fit(X, y)
    np.testing.assert_allclose(found.feature_importances_, f_regression(X, y)[0])


def test_missing_values_drop_rows_per_feature(rng):
    X, y = rng.normal(size=(90, 5)), rng.normal(size=90)
    X[rng.random(X.shape) < 0.2] = np.nan
    classes = rng.integers(0, 3, 90)
    of_number = get_ranker("f_score", task="regression").fit(X, y).feature_importances_
    of_classes = get_ranker("f_score").fit(X, classes).feature_importances_
    for j in range(5):
        known = ~np.isnan(X[:, j])
        assert of_number[j] == pytest.approx(f_regression(X[known, j : j + 1], y[known])[0][0])
        assert of_classes[j] == pytest.approx(f_classif(X[known, j : j + 1], classes[known])[0][0])


def test_nominal_feature_and_numeric_target_equal_anova(rng):
    codes, y = rng.integers(0, 4, 70), rng.normal(size=70)
    y += codes == 2
    found = get_ranker("f_score", task="regression").fit(pd.DataFrame({"a": pd.Categorical(codes)}), y)
    expected = f_oneway(*(y[codes == code] for code in range(4))).statistic
    assert found.feature_importances_[0] == pytest.approx(expected)


def test_nominal_feature_and_classes_use_cramers_v(rng):
    codes, y = rng.integers(0, 4, 70), rng.integers(0, 3, 70)
    found = get_ranker("f_score").fit(pd.DataFrame({"a": pd.Categorical(codes)}), y)
    table = pd.crosstab(codes, y).to_numpy()
    share = chi2_contingency(table, correction=False).statistic / 70 / 2
    assert found.correlations_[0] == pytest.approx(share)
    assert found.feature_importances_[0] == pytest.approx(share / (1 - share) * (70 - 1 - 3) / 3)


def test_multitarget_score_averages_squared_correlations(rng):
    X, Y = rng.normal(size=(50, 4)), rng.normal(size=(50, 3))
    Y[:, 1] += X[:, 2]
    found = get_ranker("f_score").fit(X, Y)
    squares = [[np.corrcoef(x, y)[0, 1] ** 2 for y in Y.T] for x in X.T]
    np.testing.assert_allclose(found.correlations_, np.mean(squares, axis=1))


def test_constant_features_and_perfect_ones_have_finite_scores():
    y = np.array([0, 0, 1, 1, 2, 2])
    X = np.column_stack([np.ones(6), y, np.full(6, np.nan), [0, 1, 0, 1, 0, 1]])
    found = get_ranker("f_score").fit(X, y).feature_importances_
    assert found[[0, 2, 3]].tolist() == [0, 0, 0]
    assert 1e12 < found[1] < np.inf
    assert get_ranker("f_score").fit(X, [0] * 6).feature_importances_.tolist() == [0] * 4


@pytest.mark.parametrize("name", ["f_score", "l1", "information_gain"])
@pytest.mark.parametrize("kind", ["classes", "number", "numbers"])
def test_sparse_and_dense_importances_are_equal(rng, name, kind):
    X = rng.poisson(0.4, (60, 12)) * rng.choice([1.0, -2.5, 300.0], 12)
    X[:, 7], X[:, 8] = 0, 5
    y = {"classes": rng.integers(0, 3, 60), "number": rng.normal(size=60), "numbers": rng.normal(size=(60, 2))}[kind]
    if name == "information_gain" and kind != "classes":
        return
    X[:, 2] = X[:, 2] * (y > 0 if y.ndim == 1 else y[:, 0] > 0)
    task = {"classes": "classification", "number": "regression", "numbers": "multitarget"}[kind]
    dense = get_ranker(name, task=task).fit(X, y).feature_importances_
    np.testing.assert_allclose(get_ranker(name, task=task).fit(sparse.csr_array(X), y).feature_importances_, dense,
                               rtol=1e-5, atol=1e-7)  # fmt: skip
    gaps = X.copy()
    gaps[0, 0] = np.nan
    found = get_ranker(name, task=task).fit(sparse.csr_array(gaps), y).feature_importances_
    np.testing.assert_array_equal(found, get_ranker(name, task=task).fit(gaps, y).feature_importances_)


@pytest.mark.parametrize("name", ["f_score", "l1"])
def test_sparse_column_with_large_offset_is_scored(name):
    """Found by fuzz: sums of squares of 1e9 + x have lost x."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    X = np.column_stack([np.where(rng.random(40) < 0.3, 1.0, 0.0), 1e9 + np.round(x, 3)])
    y = (x + 0.3 * rng.normal(size=40) > 0).astype(int)
    dense, found = (get_ranker(name).fit(form, y).feature_importances_ for form in (X, sparse.csc_array(X)))
    np.testing.assert_allclose(found, dense, rtol=1e-9)
    assert dense[1] > dense[0]
