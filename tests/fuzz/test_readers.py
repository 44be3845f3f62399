"""A short campaign with a fixed seed; see README.md for long ones."""

from functools import partial

import pytest

from fuzz.children import campaign
from fuzz.readers import run_case, samples

SAMPLES = samples()
#: Samples whose cases 0 to 5 are all refused.
LATER = ("mat", "mat-sparse", "rdata-gz")


@pytest.mark.parametrize("name", SAMPLES)
def test_readers_give_a_right_table_or_a_data_error(name):
    cases = 6 if name.startswith(("mat", "rdata")) else 50  # each starts a process
    first = 6 if name in LATER else 0
    counts, findings = campaign(partial(run_case, SAMPLES[name], name, 0), first, cases)
    assert findings == []
    assert sum(counts.values()) == cases
    assert counts["table"] > 0  # the mutations are not all fatal
    assert counts["refused"] > 0
