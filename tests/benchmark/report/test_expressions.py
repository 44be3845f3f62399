"""Functions of the templates of findings, beyond what the pages show (tests/docs/test_findings.py)."""

import numpy as np
import pandas as pd
import pytest

from sslrank.benchmark.report import expressions


def test_mean_interval_matches_formula():
    assert expressions.mean_interval([0.5] * 7) == "0.5000 to 0.5000"
    low, high = map(float, expressions.mean_interval(np.r_[np.zeros(50), np.ones(50)], 2).split(" to "))
    assert (low, high) == (0.4, 0.6)


def test_sign_test_ignores_zeros():
    assert expressions.sign_p(pd.Series([1.0] * 6 + [0.0])) == pytest.approx(2 / 2**6)
    assert expressions.sign_p([0.0]) == 1


def test_tie_counts_as_leading():
    rows = pd.DataFrame(
        [("own", "str", "x", 1.5), ("own", "str", "y", 1.5), ("other", "str", "x", 1.0), ("other", "str", "y", 2.0)],
        columns=["variant", "task", "ranking", "reproduced"],
    )
    assert expressions.leads_in_variant(rows, "own", "str", "y")
    assert not expressions.leads_in_variant(rows, "other", "str", "y")
    assert expressions.leads_in_variant(rows, None, "str", "y")


def test_two_seeds_are_compared_on_the_cells_of_both():
    first = pd.DataFrame({"dataset": list("aaabbbc"), "ranking": list("xyzxyzx")})
    first = first.assign(published=[3, 2, 1, 3, 2, 1, 9], reproduced=[1, 2, 3, 11, 12, 13, 5])
    second = first.assign(reproduced=[5, 6, 7, 0.1, 0.2, 0.3, np.nan])
    assert expressions.two_seeds(first, second) == (pytest.approx(1, abs=0.1), pytest.approx(-1), 2)
