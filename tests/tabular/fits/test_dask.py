"""Samples and shuffled targets are ranked by any backend of joblib, with the same numbers."""

import joblib
import numpy as np
import pandas as pd
import pytest

import sslrank
from sslrank.tabular.fits import work

distributed = pytest.importorskip("distributed")


@pytest.mark.slow
def test_a_cluster_of_dask_gives_the_same_numbers(monkeypatch):
    monkeypatch.setattr(work, "_WORTH", 1e-6)  # also where little is to be done
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 12))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=120) > 0, "yes", "no").astype(object)
    y[60:] = None
    options = {"effort": "quick", "repeats": 2, "n_jobs": 2}
    here = sslrank.rank(X, y, **options)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
        joblib.parallel_config("dask"),
    ):
        there = sslrank.rank(X, y, **options)
        assert cluster.scheduler.transition_counter > 0
    pd.testing.assert_frame_equal(here.to_frame(), there.to_frame())
