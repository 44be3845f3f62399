import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from sslrank import LabeledOnly, get_ranker
from sslrank.core.base import WEIGHTED, BaseRanker, WeightedRanker
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.rankers.registry import RANKERS

NAN = np.nan


class ColumnSum(BaseRanker):
    """The smallest ranker: importance is the sum of a column over the rows it is given."""

    tasks = frozenset({"classification", "none"})
    supervised: bool = False

    def rank_coded(self, features, targets):
        return features.values.sum(axis=0)


X = np.array([[1.0, 5.0, 3.0, 3.0], [1.0, 5.0, 3.0, 3.0], [9.0, 0.0, 0.0, 0.0]])


@pytest.mark.parametrize("name", ["f_score", "genie3", "information_gain", "laplacian_score", "relief"])
def test_fit_coded_on_row_subset_equals_fit_on_rows(name):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(50, 4)), columns=list("abcd"))
    frame["shade"] = rng.choice(["dark", "light", "grey"], 50)
    y = pd.Series(rng.choice(["p", "q", "r"], 50)).astype(object)
    y[::4] = None
    rows = np.flatnonzero((frame["shade"] != "grey") & (y != "q"))  # neither all categories nor all classes
    features = encode_features(frame).rows(rows).without_unused_categories()
    targets = encode_targets(y, 50).rows(rows).without_unused_categories()
    weights = {"sample_weight": rng.integers(0, 3, len(rows)).astype(float)}
    for options in ({}, weights) if name in WEIGHTED else ({},):
        expected = get_ranker(name, random_state=0).fit(frame.iloc[rows], y.iloc[rows], **options)
        found = get_ranker(name, random_state=0).fit_coded(features, targets, **options)
        np.testing.assert_array_equal(found.feature_importances_, expected.feature_importances_)
        assert found.n_features_in_ == 5


@pytest.mark.parametrize(("keep", "count"), [(None, 2), (1, 1), (3, 3), (0.5, 2), (0.1, 1), (9, 4)])
def test_get_support_selects_n_features(keep, count):
    ranker = ColumnSum(n_features_to_select=keep).fit(X)
    assert ranker.get_support().sum() == count
    assert ranker.transform(X).shape == (3, count)


@pytest.mark.parametrize("keep", [0, -1, 1.5, "all", True])
def test_n_features_to_select_is_validated(keep):
    with pytest.raises(ValueError, match="n_features_to_select must be"):
        ColumnSum(n_features_to_select=keep).fit(X)


def test_unsupported_target_and_missing_labels_raise():
    with pytest.raises(ValueError, match="does not support targets of kind 'regression'"):
        ColumnSum().fit(X, [0.5, 1.5, 2.5])
    with pytest.raises(ValueError, match=r"'classification'.*supports regression; if the numbers in y .*'regression'"):
        get_ranker("ssl_laplacian").fit(X, [18, 40, 18])
    with (
        pytest.raises(ValueError, match=r"'regression'.*if the numbers in y are classes, .*task='classification'"),
        pytest.warns(UserWarning, match="taken for quantities"),
    ):
        ColumnSum().fit(X, [18, 40, 65])
    with pytest.raises(ValueError, match="its attribute tasks is not set"):
        type("Nothing", (ColumnSum,), {"tasks": frozenset()})().fit(X, [0, 1, 1])
    with pytest.raises(ValueError, match="at least one labelled row"):
        ColumnSum(supervised=True).fit(X, [-1, -1, -1])


def test_sparse_input_needs_sparse_support():
    matrix = sparse.csr_matrix(X)
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        ColumnSum().fit(matrix)
    assert sparse.issparse(encode_features(matrix, accept_sparse=True).values)


class Given(BaseRanker):
    """Importances that were given as a parameter."""

    tasks = frozenset({"none"})
    importances: list | None = None

    def rank_coded(self, features, targets):
        return self.importances


@pytest.mark.parametrize(
    ("importances", "message"),
    [
        ([1.0, 2.0, 3.0], "expected 4 importances, one per feature, got 3"),
        ([[1.0, 2.0, 3.0, 4.0]], r"expected 4 importances, one per feature, got shape \(1, 4\)"),
        ([1.0, NAN, 3.0, np.inf], "nan for feature 1 .* and 1 others; are values of X or y very large"),
    ],
)
def test_invalid_importances_raise(importances, message):
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


def weighted_problem(task="classification"):
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(60, 4)), columns=list("abcd"))
    X["kind"] = rng.choice(["u", "v", "w"], 60)
    z = X["a"] + 0.5 * X["c"] + (X["kind"] == "u")
    y = z if task == "regression" else (z > 0.3).astype(float)
    return X, y.mask(np.arange(60) >= 40), rng.integers(0, 4, 60)


def test_weighted_rankers_match_the_documented_list():
    found = tuple(name for name, info in RANKERS.items() if issubclass(info.load(), WeightedRanker))
    assert tuple(sorted(found)) == WEIGHTED


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_f_score_weight_of_two_equals_two_rows(task):
    X, y, weights = weighted_problem(task)
    rows = np.repeat(np.arange(60), weights)
    repeated = get_ranker("f_score", task=task).fit(X.iloc[rows], y.iloc[rows])
    weighted = get_ranker("f_score", task=task).fit(X, y, sample_weight=weights * 0.1)
    np.testing.assert_allclose(weighted.correlations_, repeated.correlations_, rtol=1e-9)


def test_sample_weight_is_routed():
    X, y, weights = weighted_problem()
    X = X[["a", "b", "c", "d"]]
    with config_context(enable_metadata_routing=True):
        ranker = get_ranker("f_score").set_fit_request(sample_weight=True)
        predictor = KNeighborsClassifier()
        learner = make_pipeline(ranker, LabeledOnly(predictor)).fit(X, y, sample_weight=weights)
    expected = get_ranker("f_score").fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(learner[0].feature_importances_, expected.feature_importances_)


@pytest.mark.parametrize("name", ["l1", "relief", "cls", "laplacian_score"])
def test_ranker_without_weights_suggests_weighted_ones(name):
    X, y, weights = weighted_problem()
    kind = type(get_ranker(name)).__name__
    with pytest.raises(TypeError, match=f"{kind} cannot use sample_weight; .* can: f_score, genie3, inf.*, perm"):
        get_ranker(name).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize("bad", [-np.ones(60), np.ones(59), np.zeros(60), np.full(60, np.nan)])
def test_invalid_weights_are_refused(bad):
    X, y, _ = weighted_problem()
    with pytest.raises(ValueError, match=r"weight"):
        get_ranker("f_score").fit(X, y, sample_weight=bad)


def test_transform_keeps_text_columns_in_every_container():
    frame = pd.DataFrame({"a": [1, 2, None, 4.5], "is": [True, False] * 2, "text": list("uvuv")})
    containers = [frame, frame.convert_dtypes(), pa.Table.from_pandas(frame), frame.to_records(index=False)]
    for table in [*containers, frame.convert_dtypes(dtype_backend="pyarrow")]:
        ranker = get_ranker("f_score", n_features_to_select=3).fit(table, list("xyxy"))
        assert ranker.transform(table)[0].tolist() == [1.0, True, "u"]
        assert list(ranker.feature_names_in_) == list(frame)
        if isinstance(table, pd.DataFrame):  # and columns keep their types
            pd.testing.assert_frame_equal(ranker.set_output(transform="pandas").transform(table), table)


def test_different_index_is_refused():
    X, y, _ = weighted_problem()
    with pytest.raises(ValueError, match="X and y have different indices"):
        get_ranker("f_score").fit(X, y[::-1])
    get_ranker("f_score").fit(X, y[::-1].to_numpy())


def test_weight_of_labels_is_that_of_the_ranker():
    Y = [[1, 0], [1, 1], [0, 0]]
    ranker = get_ranker("genie3", hierarchy=[[], [0]], hierarchy_alpha=0.5)
    assert ranker.encode(np.eye(3), Y)[1].weights.tolist() == [1, 0.5]
