"""A short campaign with a fixed seed, and what long ones found; see README.md."""

from collections import Counter

import pytest

from fuzz.rankers import NAMES, run_case

#: Cases of seed 0 in which a ranker failed once.
FOUND = {"convex_csfs": 12, "mrmr": 32, "mutual_information": 20, "relieff_lp": 56, "rlsr": 36}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_random_fits(name):
    for case in (0, FOUND.get(name, 1)):
        outcome = run_case(name, 0, case)
        assert isinstance(outcome, Counter), outcome
