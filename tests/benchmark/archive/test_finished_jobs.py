"""Results of a job with other settings than planned are refused: each setting."""

import json

import pytest

from sslrank.benchmark.archive.finished_jobs import experiment_record, made_by
from sslrank.core.errors import DataError

SETTINGS = {"spec": {"ranker": "genie3"}, "modes": ["ssl"], "seed": 1, "protocol": {"folds": 3, "L": ["50"]}}


def benchmark(path, **params):
    """The benchmark of a finished job with some params."""
    measured = {"s": 3.5, "max_rss": 100.25, "cpu_time": 2.5}
    made = {"params": {"code": "c", "used": "u"} | params, "environment": {}, "date": "2026-01-01"}
    path.write_text(json.dumps(measured | made))
    return path


def test_planned_settings_are_accepted(tmp_path):
    path = benchmark(tmp_path / "a.json", **SETTINGS, evaluators={"knn": {"used": "k"}})
    assert made_by(path, **SETTINGS) == ({}, "c u", "2026-01-01")
    assert made_by(path, "knn")[1] == "c k"


@pytest.mark.parametrize(
    ("setting", "other"), [("protocol", {"folds": 4}), ("seed", 2), ("spec", {"ranker": "symbolic"}), ("modes", ["sl"])]
)
def test_changed_settings_are_refused(tmp_path, setting, other):
    path = benchmark(tmp_path / "a.json", **SETTINGS | {setting: other})
    with pytest.raises(DataError, match=r"a\.json: the job had ") as error:
        made_by(path, **SETTINGS)
    assert f"the job had {setting} {other}, planned is {SETTINGS[setting]}; run it again" in str(error.value)


@pytest.mark.parametrize(("setting", "other"), [("part", {"size": 2}), ("seed", 2)])
def test_changed_settings_of_a_part_are_refused(tmp_path, setting, other):
    spec = {"study": "s", "experiment": {"name": "e", "module": "noise"}, "seed": 1, "parts": {"a": {"size": 1}}}
    path = benchmark(tmp_path / "part.json", **({"part": {"size": 1}, "seed": 1} | {setting: other}))
    with pytest.raises(DataError, match=f"the job had {setting} .*2"):
        experiment_record(spec, [tmp_path], [path])
