import numpy as np
import pytest
from scipy.stats import rankdata

from sslrank import get_ranker
from sslrank.core.random_state import derive_seed
from sslrank.rankers.mean_rank import MeanRank


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 8))
    y = (X[:, 2] - X[:, 5] > 0).astype(int)
    y[40:] = -1
    return X, y


def test_votes_are_mean_ranks_of_members(data):
    X, y = data
    members = {"forest": {"ranker": "genie3", "supervised": True, "n_estimators": 20}, "f": "f_score", "l": "l1"}
    found = MeanRank(members=members, votes={"two": ["f", "l"], "all": ["forest", "f", "l"]}, random_state=4).fit(X, y)
    assert list(found.importances_) == ["two", "all", "forest", "f", "l"]
    seed = derive_seed(found.resolve_seed(), "forest") % 2**32
    alone = {
        "forest": get_ranker("genie3", supervised=True, n_estimators=20, random_state=seed),
        "f": get_ranker("f_score"),
        "l": get_ranker("l1"),
    }
    ranks = {}
    for name, ranker in alone.items():
        np.testing.assert_array_equal(found.importances_[name], ranker.fit(X, y).feature_importances_)
        ranks[name] = rankdata(-ranker.feature_importances_)
    np.testing.assert_allclose(found.importances_["all"], (9 - np.mean(list(ranks.values()), axis=0)) / 8)
    np.testing.assert_allclose(found.feature_importances_, (9 - (ranks["f"] + ranks["l"]) / 2) / 8)


def test_semi_supervised_members_use_all_rows(data):
    X, y = data
    found = MeanRank(members={"graph": "lsdf"}).fit(X, y)
    np.testing.assert_array_equal(found.importances_["graph"], get_ranker("lsdf").fit(X, y).feature_importances_)


def test_single_target_members_are_wrapped_for_labels(data):
    X, _ = data
    wrapper = "sslrank.rankers.multilabel.wrapper:MultiLabel"
    found = MeanRank(members={"ig_br": {"ranker": wrapper, "estimator": "information_gain"}}).fit(X, X[:, :3] > 0)
    assert set(np.flatnonzero(found.ranking_ <= 3)) == {0, 1, 2}


def test_members_for_other_tasks_are_left_out(data):
    X, _ = data
    members = {"gain": "information_gain", "f": "f_score"}
    found = MeanRank(members=members, task="regression").fit(X, X[:, 3])
    assert list(found.importances_) == ["mean_rank", "f"]
    with pytest.raises(ValueError, match="no member of 'mean_rank' can rank for targets of kind 'regression'"):
        MeanRank(members={"gain": "information_gain"}, task="regression").fit(X, X[:, 3])


def test_members_beyond_limits_are_left_out_with_reason(data):
    X, y = data
    members = {"f": {"ranker": "f_score", "limits": {"rows": 39}}, "l": {"ranker": "l1", "limits": {"rows": 40}}}
    members["graph"] = {"ranker": "lsdf", "limits": {"rows": 100, "features": 7}}
    found = MeanRank(members=members).fit(X, y)
    assert list(found.importances_) == ["mean_rank", "l"]
    assert found.seconds_["mean_rank"] == found.seconds_["l"] > 0
    assert found.skipped_ == {"f": "40 rows, limit 39", "graph": "8 features, limit 7"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"votes": {"v": ["forrest"]}}, "votes: 'v' is of ..forrest"),
        ({"votes": {"l1": ["l1"]}}, "is the name of a member"),
        ({"members": {"a": {"ranker": "l1", "limits": {"row": 3}}}}, "limits of 'a' are of rows and features, not row"),
        ({"members": {"a": "gennie3"}}, "unknown ranker 'gennie3'"),
        ({"members": {"a": {"ranker": "genie3", "n_estimators": 0}}}, "n_estimators must be"),
    ],
)
def test_invalid_members_raise(data, options, message):
    with pytest.raises(ValueError, match=message):
        MeanRank(**options).fit(*data)
