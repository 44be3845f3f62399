"""A short campaign with a fixed seed; see README.md for long ones."""

from collections import Counter

import pytest

from fuzz.readers import run_case, samples

SAMPLES = samples()


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.filterwarnings("ignore")
def test_readers_give_a_right_table_or_a_data_error(name, tmp_path):
    outcomes = [run_case(SAMPLES[name], name, 0, case, tmp_path) for case in range(25)]
    assert [outcome for outcome in outcomes if not isinstance(outcome, Counter)] == []
    assert set().union(*outcomes) == {"table", "refused"}  # the mutations are not all fatal
