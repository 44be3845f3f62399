"""SSL-Relief on problems that hypothesis makes up, against the plain reference."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from references import relief as reference
from sslrank.core.features import Features
from sslrank.core.targets import encode_targets
from sslrank.rankers.relief.ssl_relief import SSLRelief


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(3, 26),
    n_columns=st.integers(1, 12),
    missing=st.sampled_from([0.0, 0.1, 0.6]),
    levels=st.sampled_from([2, 5, 10**9]),
    k=st.integers(1, 30),
    weights=st.sampled_from([(0.0, 0.0), (0.0, 1.0), (0.25, 0.75), (1.0, 1.0)]),
)
def test_against_the_reference(seed, n, n_columns, missing, levels, k, weights):
    rng = np.random.default_rng(seed)
    n_categories = np.where(rng.random(n_columns) < 0.4, rng.integers(2, 120, n_columns), 0).astype(np.int32)
    values = rng.integers(0, levels, (n, n_columns)) / levels
    nominal = n_categories > 0
    values[:, nominal] = rng.integers(0, n_categories[nominal], (n, nominal.sum()))
    values[rng.random(values.shape) < missing] = np.nan
    for j in np.flatnonzero(nominal):  # the ranker counts the categories that occur
        known = ~np.isnan(values[:, j])
        categories, values[known, j] = np.unique(values[known, j], return_inverse=True)
        n_categories[j] = max(len(categories), 1)
    y = np.where(rng.random(n) < 0.6, rng.integers(0, 3, n), np.nan)
    y[:2] = 0, 1
    targets = encode_targets(y, n, task="classification")
    ranker = SSLRelief(
        n_neighbors=k, w0=weights[0], w1=weights[1], task="classification", categorical_features=nominal
    ).fit(values, y)
    expected = reference.importances(Features(values, n_categories), targets, k, *weights)
    np.testing.assert_allclose(ranker.feature_importances_, expected, rtol=0, atol=1e-10)
