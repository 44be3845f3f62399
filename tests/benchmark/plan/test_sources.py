"""Archived results are used only if every setting that identifies a result matches."""

import pytest

from sslrank.benchmark.config.load import _merge
from sslrank.benchmark.plan.sources import has_all

SPEC = {
    "study": "s",
    "dataset": {"name": "d", "task": "regression", "fingerprint": "f"},
    "splits": {"scheme": "holdout", "folds": 10, "L": ["50", "all"]},
    "seed": 1,
    "modes": ["ssl"],
    "method": {"name": "m", "spec": {"ranker": "genie3", "params": {"n_estimators": 5}}},
    "evaluators": {"knn": {"evaluator": "knn", "params": {"n_neighbors": [20]}, "L": ["50", "all"]}},
}
ARCHIVED = SPEC | {"L": ["50", "all"], "splits_sha256": "0" * 64}


def test_complete_matching_result_is_used():
    assert has_all(ARCHIVED | {"L": ["50", "100", "all"]}, SPEC)
    assert has_all(_merge(ARCHIVED, {"evaluators": {"eca": {}}}), SPEC)


@pytest.mark.parametrize(
    "change",
    [
        {"study": "other"},
        {"dataset": {"name": "other"}},
        {"dataset": {"task": "multitarget"}},
        {"dataset": {"fingerprint": "other"}},
        {"splits": {"scheme": "cross-validation"}},
        {"splits": {"folds": 3}},
        {"splits": {"L": ["50"]}},
        {"seed": 2},
        {"modes": ["ssl", "sl"]},
        {"method": {"name": "other"}},
        {"method": {"spec": {"ranker": "symbolic"}}},
        {"method": {"spec": {"params": {"n_estimators": 6}}}},
        {"method": {"spec": {"labels": "all"}}},
        {"evaluators": {"knn": {"evaluator": "eca"}}},
        {"evaluators": {"knn": {"params": {"n_neighbors": [40]}}}},
        {"evaluators": {"knn": {"L": ["50"]}}},
        {"L": ["50"]},
    ],
    ids=str,
)
def test_result_with_other_settings_is_not_used(change):
    assert not has_all(_merge(ARCHIVED, change), SPEC)


def test_result_without_an_evaluator_or_of_an_own_dataset_is_not_used():
    assert not has_all(ARCHIVED | {"evaluators": {}}, SPEC)
    assert not has_all(ARCHIVED, _merge(SPEC, {"dataset": {"fingerprint": None}}))
