"""The exponential function of rankers, whose bits no processor decides."""

import math

import numpy as np
import pytest

from sslrank.core._exp import exponential


@pytest.mark.parametrize("shape", [(0,), (7,), (3, 4)])
def test_values_are_those_of_the_c_library(shape):
    x = np.random.default_rng(0).normal(scale=20, size=shape)
    found = exponential(x)
    assert found.shape == shape
    assert found.ravel().tolist() == [math.exp(value) for value in x.ravel()]
    np.testing.assert_allclose(found, np.exp(x), rtol=1e-15)
    assert exponential(np.array([-800.0, -np.inf])).tolist() == [0.0, 0.0]
