"""Which side is better, and how wide an interval is: signs and quantiles of what is said about a ranking."""

import numpy as np
import pandas as pd
from scipy.stats import t

import sslrank


def test_a_gain_by_unlabelled_rows_has_the_same_sign_whatever_the_measure():
    """The features but two vary together; a number follows one of the two."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, 8))).add_prefix("f")
    X.iloc[:, 2:] = rng.normal(size=(80, 1)) + 0.1 * X.iloc[:, 2:]
    y = X["f0"] + rng.normal(size=80)
    y[30:] = np.nan
    options = {"methods": "relief", "effort": "order", "curve": True, "random_state": 0, "n_jobs": 1}
    higher, lower = (sslrank.rank(X, y, measure=measure, **options) for measure in ("r2", "rrmse"))
    assert (higher.curve.higher_is_better, lower.curve.higher_is_better) == (True, False)
    for found in (higher.unlabeled, lower.unlabeled):
        assert found.low < found.change < found.high
        assert abs(found.change) > 0.005
    assert np.sign(higher.unlabeled.change) == np.sign(lower.unlabeled.change)


def test_intervals_of_ranks_have_the_two_sided_quantile_of_students_t():
    """80 % in the middle: a tenth beyond each end, with as many degrees of freedom as pairs."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 30)), np.arange(60) % 2
    samples = sslrank.rank(X, y, methods="f_score", effort="order", repeats=8, random_state=0).samples
    assert samples.n_pairs == 8
    for q, share in ((1.0, 1.0), (0.0, 0.5)):  # noise; related, of which the whole table has half a half's variance
        low, high = samples.intervals(np.full(30, 15.5), np.full(30, q))
        inside = (low > 1) & (high < 30)
        assert inside.any()
        np.testing.assert_allclose((high - low)[inside], 2 * t.ppf(0.9, 8) * samples.spread[inside] * np.sqrt(share))
