"""Forests with very many features use those with the largest F statistics in each fit."""

import numpy as np
import pytest

from sslrank.core.base import rank_features
from sslrank.core.coded_table import CodedTable
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.rankers.registry import get_ranker
from sslrank.tabular.fits import screening
from sslrank.tabular.fits.fitting import fit
from sslrank.tabular.fits.methods import RankingMethod
from sslrank.tabular.ranking import rank


@pytest.fixture
def wide(monkeypatch):
    """Forty features, two of them informative, and screening that keeps five."""
    monkeypatch.setattr(screening, "N_SCREENED", 5)
    monkeypatch.setattr(screening, "WIDE", 30)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 40))
    y = (X[:, 3] + X[:, 31] > 0).astype(float)
    X[::7, 4] = np.nan
    y[60:] = np.nan
    return X, y


def test_forest_is_fitted_on_screened_features(wide):
    X, y = wide
    problem = CodedTable(encode_features(X), encode_targets(y, len(y), task="classification"))
    rows = problem.labeled
    fitted = fit(RankingMethod("genie3", {"supervised": True, "n_estimators": 20}), problem, rows, seed=1)
    kept = np.argsort(-get_ranker("f_score", task="classification").fit(X[rows], y[rows]).feature_importances_)[:5]
    found = fitted.importances
    assert found.shape == (40,)
    assert set(np.flatnonzero(found)) <= set(kept)
    assert set(np.argsort(-found)[:2]) == {3, 31}
    assert all(fitted.score(name).shape == (40,) for name in fitted.ranker.importances_)
    ranker = fitted.ranker  # stays as it was fitted
    np.testing.assert_array_equal(ranker.ranking_, rank_features(ranker.feature_importances_))
    alone = get_ranker("genie3", supervised=True, n_estimators=20, random_state=1, task="classification")
    np.testing.assert_array_equal(
        alone.fit(X[rows][:, np.sort(kept)], y[rows]).feature_importances_, found[np.sort(kept)]
    )


def test_univariate_scores_use_all_features(wide):
    X, y = wide
    problem = CodedTable(encode_features(X), encode_targets(y, len(y), task="classification"))
    found = fit(RankingMethod("f_score"), problem, problem.labeled).importances
    assert (found > 0).all()


def test_screening_is_reported_in_a_note(wide):
    X, y = wide
    ranking = rank(X, y, effort="order")
    assert any("only the 5 of 40 features with the largest F statistics" in note for note in ranking.notes)
    assert set(ranking.to_frame()["feature"][:2]) == {"x4", "x32"}


def test_related_features_are_found_among_thousands(monkeypatch):
    monkeypatch.setattr(screening, "N_SCREENED", 40)
    monkeypatch.setattr(screening, "WIDE", 300)
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 400))
    y = (X[:, :4].sum(axis=1) + rng.normal(size=150) > 0).astype(float)
    found = rank(X, y, effort="order")
    assert found.tests.any_related
    assert set(found.best(4)) == {"x1", "x2", "x3", "x4"}
    assert set(found.tests.related) >= {0, 1, 2, 3}
    noise = rank(X, rng.permutation(y), effort="order")
    assert not len(noise.tests.related)
