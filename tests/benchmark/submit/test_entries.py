"""Entries of the arena: what a folder has, the table of places, and one dataset of each committed entry again."""

import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

from repository import ROOT, drawn_number, repository_plan
from sslrank.benchmark.results.tables.arena_points import PLACE_COLUMNS, entries
from sslrank.benchmark.results.tables.leaderboard import first_contest, place
from sslrank.benchmark.submit.compare import Entered, archive_plan, write_comparison
from sslrank.benchmark.submit.enter import load_entry
from sslrank.benchmark.submit.entries import write_entry
from sslrank.benchmark.submit.evaluating import score_ranker

COMMITTED = sorted(path.parent for path in (ROOT / "results/entries").glob("*/entry.yaml"))
PLACES = ROOT / "results/entries/places.csv"
SCORES = pd.DataFrame({"dataset": ["d", "e"], "ranking": "mine", "mode": "ssl", "L": "50", "fold": 0})
SCORES = SCORES.assign(measure="auc", k=5, value=0.5)
BOARD = pd.DataFrame({"method": ["other", "mine"], "entry": ["other", "mine"], "average_rank": [1.25, 1.75]})
BOARD = BOARD.assign(task="all", mode="ssl", n_datasets=2)


def read_entry(folder):
    """Read an entry's description and its scores."""
    about = yaml.safe_load((folder / "entry.yaml").read_text(encoding="utf-8"))
    return about, pd.read_csv(folder / "scores.csv", dtype={"L": str})


def test_entry_has_class_scores_and_rank(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("class Mine: ...\n", encoding="utf-8")
    for version in ("0.1", "0.2", "0.2"):
        monkeypatch.setattr("sslrank.benchmark.submit.entries.version", lambda name, version=version: version)
        folder = write_entry("mine", "mine.py:Mine", {"power": 0.5}, SCORES, BOARD)
    about, scores = read_entry(folder)
    assert (about["entry"], about["params"], about["datasets"]) == ("mine.py:Mine", {"power": 0.5}, ["d", "e"])
    assert (folder / "mine.py").read_bytes() == Path("mine.py").read_bytes()
    pd.testing.assert_frame_equal(scores, SCORES, check_dtype=False)
    places = pd.read_csv("results/entries/places.csv")
    assert list(places) == PLACE_COLUMNS
    pd.testing.assert_frame_equal(entries(None), places.astype({"version": str}))
    assert places[["version", "place", "of", "datasets"]].values.tolist() == [[0.1, 2, 2, 2], [0.2, 2, 2, 2]]


@pytest.mark.parametrize("folder", COMMITTED, ids=lambda path: path.name)
def test_committed_entry_is_recomputed(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    about, scores = read_entry(folder)
    assert set(scores["dataset"]) == set(about["datasets"])
    path = load_entry(about["entry"])
    monkeypatch.chdir(ROOT)
    plan = repository_plan()
    heads = {name: head for (name, _), head in plan.sources("arena").heads.items() if name in about["datasets"]}
    name = sorted(heads)[drawn_number() % len(heads)]
    spec = {"name": about["name"], "ranker": path, "params": about["params"], "rankings": None}
    evaluator = plan.studies["arena"].comparison.evaluator
    _, again, _ = score_ranker(spec, heads[name].spec, evaluator, plan.catalogue[name], plan.data)
    keys = ["mode", "L", "fold", "measure", "k"]
    both = scores[scores["dataset"] == name].merge(again, on=keys, suffixes=("", "_again"))
    assert len(both) == len(again) == (scores["dataset"] == name).sum()
    assert both["value"].to_numpy() == pytest.approx(both["value_again"].to_numpy(), abs=1e-9, nan_ok=True)
    sys.modules.pop(about["entry"].partition(":")[0].removesuffix(".py"), None)


@pytest.mark.parametrize("folder", COMMITTED, ids=lambda path: path.name)
def test_committed_place_follows_from_scores(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    about, scores = read_entry(folder)
    plan, name = archive_plan("config.yaml", "arena")[0], about["name"]
    scores = scores.assign(evaluator=plan.studies["arena"].comparison.evaluator).astype({"k": "Int64"})
    rankings = pd.DataFrame(columns=["dataset", "L", "mode", "fold", "ranking", "feature", "importance"])
    page = {"title": name, "description": "", "marks": [], "spec": {"rule": name, "params": {}}, "command": "sslrank"}
    entered, target = Entered(scores, rankings), tmp_path / "compared"
    write_comparison(lambda _: entered, plan, "arena", name, about["datasets"], target, about=page)
    found = first_contest(pd.read_csv(target / "tables/leaderboard.csv"), name)
    row = found[found["method"] == name].iloc[0]
    last = pd.read_csv(PLACES).query("name == @name").iloc[-1]
    assert (last["place"], last["of"], last["datasets"]) == (*place(found, row["entry"]), row["n_datasets"])
    assert last["average_rank"] == pytest.approx(row["average_rank"], abs=1e-3)


def test_places_are_of_committed_entries():
    names = pd.read_csv(PLACES)["entry"] if PLACES.is_file() else ()
    assert set(names) <= {folder.name for folder in COMMITTED}
