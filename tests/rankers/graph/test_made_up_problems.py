"""Graph scores on problems that hypothesis makes up, against the plain equations."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from references import graph as reference
from sslrank import get_ranker


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(3, 18),
    n_columns=st.integers(1, 20),
    levels=st.sampled_from([2, 4, 1000]),
    k=st.integers(1, 20),
    labeled=st.sampled_from([0.0, 0.4, 1.0]),
)
def test_against_the_equations(seed, n, n_columns, levels, k, labeled):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, levels, (n, n_columns)).astype(float)  # whole numbers: ties, and exact distances
    y = np.where(rng.random(n) < labeled, rng.integers(0, 3, n), -1)
    bandwidth = reference.percentile(X)
    must, cannot = reference.pairs(y)
    S = reference.similarity(X, k, bandwidth)
    expected = {
        "laplacian_score": [reference.laplacian_score(f, S) for f in X.T],
        "cls": [reference.cls(f, X, must, cannot, k, bandwidth) for f in X.T],
        "lsdf": [reference.lsdf(f, X, y, k, 100.0) for f in X.T],
    }
    for name, scores in expected.items():
        params = {"n_neighbors": k, "scale": None} | ({"gamma": 100.0} if name == "lsdf" else {})
        params |= {"task": "classification"} if labeled else {}
        ranker = get_ranker(name, **params).fit(X, y)
        np.testing.assert_allclose(ranker.scores_, scores, rtol=1e-7, atol=1e-12, err_msg=name)
        assert np.isfinite(ranker.feature_importances_).all()
