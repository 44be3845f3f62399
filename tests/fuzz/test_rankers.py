"""A short campaign with a fixed seed, and what long ones found; see README.md."""

import pytest

from fuzz.children import campaign
from fuzz.rankers import NAMES, run_case


@pytest.mark.parametrize("name", NAMES)
def test_random_fits(name):
    counts, findings = campaign(lambda case, folder: run_case(name, 0, case), cases=2)
    assert findings == []
    assert counts["cases"] == 2
    assert counts["fits"] >= 4
