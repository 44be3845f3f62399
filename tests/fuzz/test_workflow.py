"""A few disturbed runs with a fixed seed; see README.md."""

import pytest

from fuzz.workflow import Campaign

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    return Campaign(tmp_path_factory.mktemp("disturbed"), seed=3)


def test_a_method_that_dies(campaign):
    assert campaign.dying() == (1, [])
