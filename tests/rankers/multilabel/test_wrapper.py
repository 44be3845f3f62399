import numpy as np
import pytest

from sslrank import get_ranker
from sslrank.rankers.multilabel.wrapper import MultiLabel


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 6))
    Y = (X[:, [1, 4, 4]] + 0.3 * rng.normal(size=(150, 3)) > 0).astype(float)
    Y[100:] = np.nan
    return X, Y


@pytest.mark.parametrize("average", ["mean", "max"])
def test_binary_relevance_averages_rankings_per_label(data, average):
    X, Y = data
    of_labels = [get_ranker("information_gain").fit(X, y).feature_importances_ for y in Y.T]
    found = MultiLabel("information_gain", average=average).fit(X, Y)
    np.testing.assert_allclose(found.feature_importances_, getattr(np, average)(of_labels, axis=0))
    np.testing.assert_allclose(found.label_importances_, of_labels)


@pytest.mark.parametrize("by", ["powerset", "pruned"])
def test_label_powerset_ranks_label_sets_as_classes(data, by):
    X, Y = data
    texts = np.array(["".join(map(str, row)) for row in np.nan_to_num(Y).astype(int)], dtype=object)
    texts[100:] = None
    if by == "pruned":
        names, counts = np.unique(texts[:100].astype(str), return_counts=True)
        assert (counts < 3).any()
        texts[np.isin(texts.astype(str), names[counts < 3])] = None
    expected = get_ranker("relieff").fit(X, texts)
    found = MultiLabel("relieff", by=by).fit(X, Y)
    np.testing.assert_allclose(found.feature_importances_, expected.feature_importances_)
    assert found.n_sets_ == len({text for text in texts if text is not None})


def test_multitarget_regression_is_supported(data):
    X, _ = data
    Z = X[:, [1, 4]] + 0.0
    of_numbers = [get_ranker("f_score", task="regression").fit(X, z).feature_importances_ for z in Z.T]
    np.testing.assert_allclose(MultiLabel("f_score").fit(X, Z).feature_importances_, np.mean(of_numbers, axis=0))


def test_semi_supervised_rankers_use_all_rows(data):
    X, Y = data
    ranker = get_ranker("lsdf")
    of_labels = [get_ranker("lsdf").fit(X, y).feature_importances_ for y in Y.T]
    np.testing.assert_allclose(MultiLabel(ranker).fit(X, Y).feature_importances_, np.mean(of_labels, axis=0))


def test_invalid_settings_raise(data):
    X, Y = data
    with pytest.raises(ValueError, match="by must be one of 'relevance', 'powerset', 'pruned'"):
        MultiLabel(by="chains").fit(X, Y)
    with pytest.raises(ValueError, match="does not support targets of kind 'multitarget'"):
        MultiLabel("information_gain").fit(X, X[:, :2])
    with pytest.raises(ValueError, match="at least one labelled row"):
        MultiLabel(task="multilabel").fit(X, Y * np.nan)
