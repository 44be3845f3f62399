"""Functions of the C library, whose bits do not depend on the processor."""

import math

import numpy as np
import pytest

from sslrank.core import libm

NAMES = {"arctan": "atan", "arctanh": "atanh"}


@pytest.mark.parametrize("name", ["exp", "log", "log1p", "cos", "sin", "tan", "arctan", "tanh", "arctanh"])
@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 4)])
def test_values_are_those_of_the_c_library(name, shape):
    x = np.random.default_rng(0).random(shape)
    found = getattr(libm, name)(x)
    assert np.shape(found) == shape
    assert np.ravel(found).tolist() == [getattr(math, NAMES.get(name, name))(value) for value in np.ravel(x)]
    np.testing.assert_allclose(found, getattr(np, name)(x), rtol=1e-14)


def test_values_beyond_the_range():
    assert libm.exp(np.array([-800.0, -np.inf])).tolist() == [0.0, 0.0]
    assert libm.log(np.array([0.0])).tolist() == [-np.inf]
    assert np.isnan(libm.tanh(np.array([np.nan]))).all()
