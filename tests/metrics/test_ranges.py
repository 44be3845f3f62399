"""Values that measures can have."""

import pytest

from sslrank.metrics.ranges import measure_range

INFINITE = float("inf")


@pytest.mark.parametrize(
    ("measure", "limits"),
    [
        ("accuracy", (0.0, 1.0)),
        ("rfa accuracy", (0.0, 1.0)),
        ("rrmse", (0.0, INFINITE)),
        ("neighbors all r2", (-INFINITE, 1.0)),
        ("eca accuracy", (-1.0, 1.0)),
        ("eca r2", (-INFINITE, INFINITE)),
        ("area all", (0.0, 1.0)),
        ("of_my_own", (-INFINITE, INFINITE)),
    ],
)
def test_limits(measure, limits):
    assert measure_range(measure) == limits
