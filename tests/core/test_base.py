import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

from sslrank import get_ranker
from sslrank.core.base import BaseRanker, rank_features
from sslrank.core.features import encode_features

NAN = np.nan


class ColumnSum(BaseRanker):
    """The smallest ranker: importance is the sum of a column over the rows it is given."""

    _tasks = frozenset({"classification", "none"})
    supervised: bool = False

    def _rank(self, features, targets):
        return features.values.sum(axis=0)


X = np.array([[1.0, 5.0, 3.0, 3.0], [1.0, 5.0, 3.0, 3.0], [9.0, 0.0, 0.0, 0.0]])


def test_importances_and_ranks():
    ranker = ColumnSum().fit(X)
    np.testing.assert_array_equal(ranker.feature_importances_, [11, 10, 6, 6])
    np.testing.assert_array_equal(ranker.ranking_, [1, 2, 3, 4])


def test_supervised_removes_unlabelled_rows():
    ranker = ColumnSum(supervised=True).fit(X, [0, 1, -1])
    np.testing.assert_array_equal(ranker.ranking_, [4, 1, 2, 3])


@pytest.mark.parametrize(("keep", "count"), [(None, 2), (1, 1), (3, 3), (0.5, 2), (0.1, 1), (9, 4)])
def test_support(keep, count):
    ranker = ColumnSum(n_features_to_select=keep).fit(X)
    assert ranker.get_support().sum() == count
    assert ranker.transform(X).shape == (3, count)


@pytest.mark.parametrize("keep", [0, -1, 1.5, "all", True])
def test_support_size_is_checked(keep):
    with pytest.raises(ValueError, match="n_features_to_select must be"):
        ColumnSum(n_features_to_select=keep).fit(X)


def test_names_come_out():
    frame = pd.DataFrame(X, columns=list("abcd"))
    ranker = ColumnSum(n_features_to_select=2).fit(frame)
    assert ranker.get_feature_names_out().tolist() == ["a", "b"]


def test_unsupported_target_and_missing_labels_say_so():
    with pytest.raises(ValueError, match="does not support targets of kind 'str'"):
        ColumnSum().fit(X, [0.5, 1.5, 2.5])
    with pytest.raises(ValueError, match=r"'classification'.*supports str; if the numbers in y are quantities.*'str'"):
        get_ranker("laplace").fit(X, [18, 40, 18])
    with (
        pytest.raises(ValueError, match=r"'str'.*if the numbers in y are classes, .*task='classification'"),
        pytest.warns(UserWarning, match="taken for quantities"),
    ):
        ColumnSum().fit(X, [18, 40, 65])
    with pytest.raises(ValueError, match="at least one labelled row"):
        ColumnSum(supervised=True).fit(X, [-1, -1, -1])


def test_sparse_input_needs_a_ranker_that_takes_it():
    matrix = sparse.csr_matrix(X)
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        ColumnSum().fit(matrix)
    assert sparse.issparse(encode_features(matrix, accept_sparse=True).values)


def test_ties_rank_in_column_order():
    assert rank_features(np.array([1.0, 2.0, 2.0, 1.0])).tolist() == [3, 1, 2, 4]


class Given(BaseRanker):
    """Importances that were given as a parameter."""

    _tasks = frozenset({"none"})
    importances: list | None = None

    def _rank(self, features, targets):
        return self.importances


@pytest.mark.parametrize(
    ("importances", "message"),
    [
        ([1.0, 2.0, 3.0], "expected 4 importances, one per feature, got 3"),
        ([[1.0, 2.0, 3.0, 4.0]], r"importances of shape \(1, 4\); expected \(4,\)"),
        ([1.0, NAN, 3.0, np.inf], "nan for feature 1 .* and 1 others; are values of X or y very large"),
    ],
)
def test_wrong_importances_are_one_clear_message(importances, message):
    with pytest.raises(ValueError, match=message):
        Given(importances=importances).fit(X)


def test_annotated_attributes_are_keyword_only_parameters():
    ranker = Given(importances=[4, 3, 2, 1], n_jobs=2)
    common = {"categorical_features", "n_features_to_select", "n_jobs", "random_state", "task"}
    assert ranker.get_params().keys() == {"importances", *common}
    assert clone(ranker).fit(X).ranking_.tolist() == [1, 2, 3, 4]
    assert vars(Given()).keys() == ranker.get_params().keys()
    with pytest.raises(TypeError):
        Given([1, 2])


def test_a_ranker_without_kinds_of_target_says_so():
    class Nothing(Given):
        _tasks = frozenset()

    with pytest.raises(ValueError, match="its attribute _tasks is not set"):
        Nothing().fit(X, [0, 1, 1])
