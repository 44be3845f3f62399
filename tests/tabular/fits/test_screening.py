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
    forest = RankingMethod("genie3", {"supervised": True, "n_estimators": 20})
    kept = screening.screen(problem, rows)
    f_scores = get_ranker("f_score", task="classification").fit(X[rows], y[rows]).feature_importances_
    assert kept.tolist() == sorted(np.argsort(-f_scores)[:5])
    assert (fit(RankingMethod("f_score"), problem, rows, kept=kept).importances > 0).all()  # uses all features
    fitted = fit(forest, problem, rows, seed=1, kept=kept)
    found = fitted.importances
    assert found.shape == (40,)
    assert set(np.flatnonzero(found)) <= set(kept)
    assert set(np.argsort(-found)[:2]) == {3, 31}
    assert all(fitted.score(name).shape == (40,) for name in fitted.ranker.importances_)
    ranker = fitted.ranker  # stays as it was fitted
    np.testing.assert_array_equal(ranker.ranking_, rank_features(ranker.feature_importances_))
    alone = get_ranker("genie3", supervised=True, n_estimators=20, random_state=1, task="classification")
    np.testing.assert_array_equal(alone.fit(X[rows][:, kept], y[rows]).feature_importances_, found[kept])


def test_screening_is_reported_in_a_note(wide):
    X, y = wide
    ranking = rank(X, y, effort="order")
    assert any("only the 5 of 40 features with the largest F statistics" in note for note in ranking.notes)
    assert set(ranking.to_frame()["feature"][:2]) == {"x4", "x32"}
