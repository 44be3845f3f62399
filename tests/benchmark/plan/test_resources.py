"""What jobs ask a cluster for, by the committed durations and the studies of the repository."""

import subprocess
import sys

import pytest

from repository import CONFIG, ROOT
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.plan.resources import GROWTH, SHORT, UNKNOWN

LONG_JOB = {"study": "ssl-ranking", "dataset": "gasdrift", "method": "forest_bagging", "L": "500"}
SHORT_JOB = {"study": "demo", "dataset": "vehicle", "method": "random_ranking", "L": "50"}


def plan(is_checked=True, **changes):
    return Plan(CONFIG | changes, ROOT, is_checked=is_checked)


@pytest.fixture(scope="module")
def resources():
    return plan().resources


def test_walltime_is_a_multiple_of_the_estimate(resources):
    seconds = resources.seconds("ranking", LONG_JOB)
    assert seconds > 900
    assert 3 * seconds / 60 <= resources.minutes("ranking", LONG_JOB) <= 3 * seconds / 60 + 2
    assert resources.minutes("ranking", SHORT_JOB) <= 3
    assert resources.minutes("ranking", LONG_JOB | {"dataset": "digits"}) < resources.minutes("ranking", LONG_JOB)


def test_retries_request_more_up_to_the_limit(resources):
    asked = [resources.minutes("ranking", LONG_JOB, attempt) for attempt in (1, 2, 3)]
    assert asked[1] == pytest.approx(GROWTH * asked[0], rel=0.02)
    limited = plan(limits={"job": "12h"}).resources
    assert limited.minutes("ranking", LONG_JOB) == asked[0]
    assert limited.minutes("ranking", LONG_JOB, 3) == 12 * 60 < asked[2]
    sizes = [resources.megabytes("ranking", LONG_JOB, attempt) for attempt in (1, 2)]
    assert sizes[1] == 2 * sizes[0]


def test_only_long_forests_get_threads(resources):
    assert resources.threads(LONG_JOB) > 1
    assert resources.threads(SHORT_JOB) == resources.threads(LONG_JOB | {"method": "relief"}) == 1


def test_only_short_jobs_are_grouped(resources):
    assert resources.is_short("ranking", SHORT_JOB)
    assert not resources.is_short("ranking", LONG_JOB)
    # A score would wait in its group for the ranking that is in none.
    assert resources.seconds("scores", LONG_JOB) < SHORT
    assert not resources.is_short("scores", LONG_JOB)


def test_methods_without_history_request_hours():
    unknown = plan().resources
    unknown._table = {}
    assert unknown.minutes("ranking", SHORT_JOB) == UNKNOWN
    assert unknown.megabytes("ranking", SHORT_JOB) >= 1500
    assert not unknown.is_short("ranking", SHORT_JOB)
    assert unknown.threads(LONG_JOB) == 1


def test_first_attempts_take_at_most_a_day():
    found = plan()
    for study in found.studies:
        for dataset, method in found.study(study).pairs():
            job = {"study": study, "dataset": dataset, "method": method}
            for step in ("ranking", "scores"):
                assert 1 <= found.resources.minutes(step, job) <= 24 * 60, job


def test_jobs_reuse_the_plan_and_skip_scikit_learn():
    """A job reads the workflow again; what the run has checked is not checked in each of its jobs.

    Loading scikit-learn takes longer than most of a study's jobs that score by kNN.
    """
    program = """
import sys, yaml
from pathlib import Path
import pandas as pd
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.scoring import load_evaluator
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
config = yaml.safe_load(Path("config.yaml").read_text())
Plan(config, is_checked=True)
features = encode_features(pd.DataFrame({"a": [0.0, 1.0, 9.0], "b": list("uvu")}))
targets = encode_targets([0, 0, 1], 3)
load_evaluator("knn").evaluate(features, targets, [0, 2], [1], [0, 2], [1.0, 0.5], {"n_neighbors": 1})
print("sklearn" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
    run, job = plan(is_checked=False), plan()
    assert all(run.study(study).config() == job.study(study).config() for study in run.studies)
