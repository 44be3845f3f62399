"""A job whose log says other settings than planned does not go into the archive: each setting."""

import json

import pytest

from sslrank.benchmark.archive.finished_jobs import experiment_record, pair_record
from sslrank.benchmark.logs import RECORD
from sslrank.core.errors import DataError

PLANNED = {
    "method": {"name": "m", "spec": {"ranker": "genie3"}},
    "modes": ["ssl"],
    "seed": 1,
    "splits": {"folds": 3, "L": ["50"]},
    "evaluators": {"knn": {}},
}


def log(path, **params):
    record = {"rule": "rank", "params": {"code": "c", "used": "u"} | params, "environment": {}, "date": "2026-01-01"}
    path.write_text(f"a line\n{RECORD}{json.dumps(record)}\n")
    return str(path)


@pytest.fixture
def pair(tmp_path):
    """Files of finished jobs of a pair, as far as their settings are looked at."""
    for name in ("header.json", "splits.json"):
        (tmp_path / name).write_text("{}")

    def make(splits=None, ranking=None):
        as_planned = {"spec": PLANNED["method"]["spec"], "modes": ["ssl"], "seed": 1}
        return {
            "spec": PLANNED,
            "header": tmp_path / "header.json",
            "splits": tmp_path / "splits.json",
            "splits_log": log(tmp_path / "splits.log", **({"protocol": PLANNED["splits"], "seed": 1} | (splits or {}))),
            "ranking_log": log(tmp_path / "rank.log", **(as_planned | (ranking or {}))),
            "scoring_log": str(tmp_path / "no.log"),
        }

    return make


def test_planned_settings_are_accepted(pair):
    with pytest.raises(DataError, match=r"no\.log has no record of a finished job"):
        pair_record(pair())


@pytest.mark.parametrize(
    ("jobs", "message"),
    [
        ({"splits": {"protocol": {"folds": 4}}}, r"splits\.log: the job had protocol .*4.*, planned is .*3"),
        ({"splits": {"seed": 2}}, r"splits\.log: the job had seed 2, planned is 1"),
        ({"ranking": {"spec": {"ranker": "symbolic"}}}, r"rank\.log: the job had spec .*symbolic.*planned.*genie3"),
        ({"ranking": {"modes": ["sl"]}}, r"rank\.log: the job had modes \['sl'\], planned is \['ssl'\]"),
        ({"ranking": {"seed": 2}}, r"rank\.log: the job had seed 2, planned is 1"),
    ],
)
def test_changed_settings_are_refused(pair, jobs, message):
    with pytest.raises(DataError, match=message):
        pair_record(pair(**jobs))


@pytest.mark.parametrize(("setting", "other"), [("part", {"size": 2}), ("seed", 2)])
def test_changed_settings_of_a_part_are_refused(tmp_path, setting, other):
    spec = {"study": "s", "experiment": {"name": "e", "module": "noise"}, "seed": 1, "parts": {"a": {"size": 1}}}
    path = log(tmp_path / "part.log", **({"part": {"size": 1}, "seed": 1} | {setting: other}))
    experiment = {"spec": spec, "parts": {"a": {"log": path, "benchmark": "none.tsv", "tables": tmp_path}}}
    with pytest.raises(DataError, match=f"the job had {setting} .*2"):
        experiment_record(experiment)
