"""Archived results are used only if every setting that identifies a result matches."""

from copy import deepcopy

import pytest

from sample_records import make_record
from sslrank.benchmark.config.load import _merge
from sslrank.benchmark.plan.sources import has_all


@pytest.fixture(scope="module")
def archived():
    return make_record().spec


@pytest.fixture
def planned(archived):
    """Return the spec without the hash of the splits, which a plan does not know."""
    return {key: value for key, value in archived.items() if key != "splits_sha256"}


def settings(block):
    """All pairs of a nested block and a key of it that has a value."""
    for key, value in block.items():
        yield from settings(value) if isinstance(value, dict) else [(block, key)]


def test_complete_matching_result_is_used(archived, planned):
    assert has_all(archived | {"L": ["10", "100", "all"]}, planned)
    assert has_all(_merge(archived, {"evaluators": {"eca": {}}}), planned)


def test_result_with_another_setting_is_not_used(planned):
    other = deepcopy(planned)
    for block, key in [*settings(other)]:
        kept, block[key] = block[key], ["another"]
        assert not has_all(other, planned), key
        block[key] = kept
    assert has_all(other, planned)
    assert not has_all(_merge(planned, {"method": {"spec": {"labels": "all"}}}), planned)


def test_result_without_an_evaluator_or_of_an_own_dataset_is_not_used(archived, planned):
    assert not has_all(archived | {"evaluators": {}}, planned)
    assert not has_all(archived, _merge(planned, {"dataset": {"fingerprint": None}}))
