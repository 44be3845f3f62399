"""A short campaign with a fixed seed; see README.md for long ones."""

from functools import partial

import pytest

from fuzz.children import campaign
from fuzz.readers import run_case, samples

SAMPLES = samples()


@pytest.mark.parametrize("name", SAMPLES)
def test_readers_give_a_right_table_or_a_data_error(name):
    counts, findings = campaign(partial(run_case, SAMPLES[name], name, 0), cases=25)
    assert findings == []
    assert sum(counts.values()) == 25
    assert counts["table"] > 0  # the mutations are not all fatal
    assert counts["refused"] > 0
