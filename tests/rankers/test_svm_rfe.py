import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.feature_selection import RFE
from sklearn.preprocessing import MinMaxScaler
from sklearn.svm import SVC

from sslrank import get_ranker
from sslrank.rankers.svm_rfe import squared_weights


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n_samples", [20, 120])
def test_ranking_equals_scikit_learn_rfe(n_classes, n_samples):
    # 20 rows and 40 features take the way over the products of rows
    X, y = make_classification(
        n_samples, 40, n_informative=6, n_redundant=2, n_classes=n_classes, n_clusters_per_class=1, random_state=3
    )
    ranker = get_ranker("svm_rfe").fit(X, y)
    scaled = MinMaxScaler().fit_transform(X)
    expected = RFE(SVC(kernel="linear", C=0.1), n_features_to_select=1, step=1).fit(scaled, y)
    assert np.mean(ranker.ranking_ == expected.ranking_) > 0.9  # near ties may swap
    assert np.corrcoef(ranker.ranking_, expected.ranking_)[0, 1] > 0.99
    assert sorted(ranker.feature_importances_) == list(range(1, 41))


def test_weights_equal_linear_svm():
    X, y = load_iris(return_X_y=True)
    machine = SVC(kernel="linear", C=0.1).fit(X, y)
    np.testing.assert_allclose(squared_weights(X, y, 0.1), (machine.coef_**2).sum(axis=0))
    np.testing.assert_allclose(squared_weights(X, y, 0.1, X @ X.T), (machine.coef_**2).sum(axis=0), rtol=1e-4)
    np.testing.assert_array_equal(squared_weights(X, np.zeros(150, dtype=int), 0.1), np.zeros(4))


def test_nominal_feature_weights_are_summed(monkeypatch):
    monkeypatch.setattr("sslrank.rankers.svm_rfe.squared_weights", lambda X, *others: np.ones(X.shape[1]))
    X = pd.DataFrame({"number": np.arange(6.0), "kind": pd.Categorical(list("uvwuvw"))})
    assert get_ranker("svm_rfe").fit(X, [0, 1] * 3).ranking_.tolist() == [2, 1]


def test_step_eliminates_several_features():
    X, y = make_classification(60, 25, n_informative=4, shuffle=False, random_state=0)
    for step in (7, 0.3, 100):
        importances = get_ranker("svm_rfe", step=step).fit(X, y).feature_importances_
        assert sorted(importances) == list(range(1, 26))
    whole = get_ranker("svm_rfe", step=100).fit(X, y).feature_importances_
    scaled = MinMaxScaler().fit_transform(X)
    np.testing.assert_array_equal(np.argsort(whole), np.argsort(squared_weights(scaled, y, 0.1), kind="stable"))


def test_ties_eliminate_the_later_column_first():
    X = np.zeros((10, 3))
    assert get_ranker("svm_rfe").fit(X, [0, 1] * 5).ranking_.tolist() == [1, 2, 3]
