"""Archived results are used only if every setting that identifies a result matches."""

from copy import deepcopy

import pytest

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


def changed(block, path, value):
    """A copy of a block with another value."""
    block = deepcopy(block)
    *parents, last = path.split("/")
    inner = block
    for key in parents:
        inner = inner[key]
    inner[last] = value
    return block


def test_complete_matching_result_is_used():
    archived = SPEC | {"L": ["50", "100", "all"], "splits_sha256": "0" * 64}
    more = archived | {"evaluators": archived["evaluators"] | {"eca": {}}}
    assert has_all(archived, SPEC)
    assert has_all(more, SPEC)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("study", "other"),
        ("dataset/name", "other"),
        ("dataset/task", "multitarget"),
        ("dataset/fingerprint", "other"),
        ("splits/scheme", "cross-validation"),
        ("splits/folds", 3),
        ("splits/L", ["50"]),
        ("seed", 2),
        ("modes", ["ssl", "sl"]),
        ("method/name", "other"),
        ("method/spec/ranker", "symbolic"),
        ("method/spec/params", {"n_estimators": 6}),
        ("method/spec/labels", "all"),
        ("evaluators/knn/evaluator", "eca"),
        ("evaluators/knn/params", {"n_neighbors": [40]}),
        ("evaluators/knn/L", ["50"]),
        ("L", ["50"]),
        ("evaluators", {}),
    ],
)
def test_result_with_other_settings_is_not_used(path, value):
    archived = SPEC | {"L": ["50", "all"], "splits_sha256": "0" * 64}
    assert not has_all(changed(archived, path, value), SPEC)


def test_own_dataset_has_no_archived_result():
    archived = SPEC | {"L": ["50", "all"]}
    assert not has_all(archived, changed(SPEC, "dataset/fingerprint", None))
