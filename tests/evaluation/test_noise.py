import numpy as np
import pandas as pd
import pytest

from coded import noise_experiment
from sslrank.evaluation.error_curve_average import WEIGHTINGS
from sslrank.evaluation.noise import noise_curves


def test_noise_increases_distance_and_lowers_scores():
    options = {"n_rankings": 3, "cv": 3, "sizes": (8, 1.6), "n_samples": 300, "n_features": 60}
    curves, summary = noise_experiment("combined", thetas=(0.1, 0.4, 1.0), **options)
    table = summary.pivot(index="weighting", columns="theta", values="value")
    assert set(table.index) == {"dist", *WEIGHTINGS}
    assert list(table.columns) == ["0.1", "0.4", "1", "correlation"]
    amounts = table[["0.1", "0.4", "1"]]
    assert (np.diff(amounts, axis=1) > 0).all()
    assert (table.loc[list(WEIGHTINGS), "correlation"] > 0.8).all()
    assert table.loc["dist", "1"] == pytest.approx(1, abs=0.3)
    assert curves.groupby(["ranking", "curve"]).ngroups == 8
    again, _ = noise_experiment("combined", thetas=(0.1, 0.4, 1.0), n_jobs=2, **options)
    pd.testing.assert_frame_equal(curves, again, check_exact=True)


def test_single_noise_level_has_no_correlation():
    _, summary = noise_experiment(
        "single", thetas=(0.0,), n_rankings=1, cv=2, predictor="knn", n_samples=60, n_features=12
    )
    assert summary.loc[summary["theta"] == "0", "value"].abs().max() == 0
    assert summary.loc[summary["theta"] == "correlation", "value"].isna().all()


def test_rankings_can_be_computed_in_parts():
    """Curves and distances of three rankings are the weighted means of those of the first two and the third."""
    options = {"cv": 2, "predictor": "knn", "sizes": [1, 4], "n_samples": 60, "n_features": 12}
    whole, distance = noise_curves("single", 0.5, n_rankings=3, **options)
    first, of_first = noise_curves("single", 0.5, n_rankings=2, **options)
    last, of_last = noise_curves("single", 0.5, first=2, n_rankings=1, **options)
    np.testing.assert_allclose(whole["value"], (2 * first["value"] + last["value"]) / 3)
    assert distance == pytest.approx((2 * of_first + of_last) / 3)
    assert of_first != of_last
