"""A short campaign with a fixed seed; see README.md for long ones."""

import pytest

from fuzz.readers import campaign, samples

SAMPLES = samples()


@pytest.mark.parametrize("name", SAMPLES)
def test_readers_give_a_right_table_or_a_data_error(name):
    counts, findings = campaign(SAMPLES[name], name, seed=0, cases=200)
    assert findings == []
    assert sum(counts.values()) == 200
    assert counts["table"] > 0  # the mutations are not all fatal
    assert counts["refused"] > 0
