"""Methods are names or rankers, and misspelt words are refused before anything is read."""

import numpy as np
import pytest

import sslrank
from sslrank import BaseRanker, get_ranker
from sslrank.core.errors import DataError
from sslrank.tabular.fits.fitting import rank_below_dominating
from sslrank.tabular.fits.methods import RankingMethod, check_names

RNG = np.random.default_rng(2)
Y = RNG.integers(0, 2, 70)
X = RNG.normal(size=(70, 4)) + np.outer(Y, [0, 2, 0, 1])
FAST = {"effort": "order", "random_state": 0}


class Spread(BaseRanker):
    """Rank by a power of the spread."""

    tasks = frozenset({"classification"})
    power: float = 1.0

    def rank_coded(self, features, targets):
        return np.nanstd(features.values, axis=0) ** self.power


@pytest.mark.parametrize("name", ["genie3", "symbolic", "ssl_permutation", "relief", "l1", "f_score"])
def test_ranker_object_equals_its_name(name):
    by_name = sslrank.rank(X, Y, methods=name, **FAST)
    by_ranker = sslrank.rank(X, Y, methods=[get_ranker(name)], **FAST)
    assert list(by_ranker.ranks) == [name]
    np.testing.assert_array_equal(by_ranker.importances[name], by_name.importances[name])


def test_ranker_parameters_have_effect():
    methods = [get_ranker("relief", n_neighbors=3), Spread(power=2), "f_score"]
    found = sslrank.rank(X, Y, methods=methods, **FAST)
    spread = f"{__name__}:Spread"
    assert list(found.ranks) == ["relief", spread, "f_score"]
    np.testing.assert_allclose(found.importances[spread], X.var(axis=0))
    plain = sslrank.rank(X, Y, methods="relief", **FAST)
    assert not np.allclose(found.importances["relief"], plain.importances["relief"])
    assert check_names(methods)[0].params == {"n_neighbors": 3}


def test_dominant_feature_is_removed_to_rank_the_rest():
    values = np.array([0.9, 0.1, 0.0, 0.0])
    found = rank_below_dominating(values, lambda left: np.array([1.0, 2.0, 3.0])[left - 1])
    np.testing.assert_allclose(found, [0.9, 0.1 / 6, 0.1 / 3, 0.05])
    alone = rank_below_dominating(np.array([1.0, 0.0, 0.0, 0.0]), lambda left: np.ones(3))
    np.testing.assert_allclose(alone, [1, 0.01 / 3, 0.01 / 3, 0.01 / 3])
    assert rank_below_dominating(np.full(4, 0.25), None) is not None
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 8))
    y = X[:, 1:5] @ [1.5, 1.0, 0.7, 0.5] + rng.normal(size=200)
    X[:, 0] = y + 0.05 * rng.normal(size=200)
    order = sslrank.rank(X, y, **FAST).order[:5].tolist()
    assert order[:3] == [0, 1, 2]
    assert sorted(order) == [0, 1, 2, 3, 4]


def test_misspelt_options_are_refused_before_reading(run):
    with pytest.raises(DataError, match="did you mean 'f_score'"):
        sslrank.rank(None, None, methods="f_scor, relief")
    code, _, error = run("rank", "there-is-none.csv", "--target", "y", "--measure", "acuracy")
    assert code == 1
    assert "did you mean 'accuracy'" in error


def test_misspelt_option_suggests_the_nearest(run, capsys):
    for words, hint in (
        (("rank", "a.csv", "--mesure", "accuracy"), "unknown option --mesure; did you mean '--measure'?"),
        (("rank", "a.csv", "--effort", "ful"), "did you mean 'full'?"),
        (("rank", "a.csv", "--reader", "delimitr=;"), "unknown key 'delimitr'; did you mean 'delimiter'?"),
        (("rnk", "a.csv"), "did you mean 'rank'?"),
    ):
        with pytest.raises(SystemExit):
            run(*words)
        assert hint in capsys.readouterr().err


def test_unsupported_weights_raise():
    weights = RNG.integers(1, 4, 70)
    with pytest.raises(DataError, match=r"no method can use the weights of rows: relief cannot.*f_score"):
        sslrank.rank(X, Y, methods="relief", sample_weight=weights, **FAST)
    found = sslrank.rank(X, Y, methods="relief,f_score", sample_weight=weights, **FAST)
    assert "relief cannot use the weights of rows" in found.notes


def test_variants_without_and_with_unlabelled_rows():
    method = RankingMethod("genie3", {"max_samples": 100})
    assert method.semi_supervised().params["max_samples"] == 200
    assert method.supervised().params["supervised"]
