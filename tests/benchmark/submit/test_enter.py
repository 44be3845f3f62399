"""Comparing a result: which class is entered, on which datasets, and where it stands."""

import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel

from sslrank.benchmark.results.tables.arena import DEFAULT_RANKING
from sslrank.benchmark.submit import enter
from sslrank.benchmark.submit.compare import _datasets
from sslrank.benchmark.submit.standing import standing
from sslrank.cli import main
from sslrank.core.errors import DataError
from sslrank.datasets.arena import KEPT_ASIDE, QUICK
from sslrank.rankers.registry import get_ranker
from sslrank.stats.leaderboards import leaderboard

CLASSES = """
from sslrank import BaseRanker

class Plain:
    pass

class Short(BaseRanker):
    tasks = frozenset({"classification"})

    def rank_coded(self, features, targets):
        return [1.0]
"""


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    (tmp_path / "entered_here.py").write_text(CLASSES)
    (tmp_path / "entered_broken.py").write_text("import sys\nimport no_such_module\n")
    (tmp_path / "entered_cut.py").write_text("x = (\n")
    yield tmp_path
    sys.modules.pop("entered_here", None)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("nowhere.py:Mine", r"nowhere\.py: there is no such file"),
        ("entered_broken.py:Mine", r"entered_broken\.py, line 2: ModuleNotFoundError"),
        ("entered_cut.py:Mine", r"was never closed \(entered_cut\.py, line 1\)"),
        ("entered_here.py:Shor", r"no class 'Shor'; did you mean 'Short'\?"),
        ("entered_here.py:Plain", "is not a ranker: derive the class from"),
        ("entered_here.py", r"name a class of it, too\. As in entered_here\.py:Plain"),
        ("json.py:Mine", "a module 'json' is loaded already. Give the file another name"),
        ("releif", r"did you mean 'relief'\?.*as in mine\.py:Mine"),
        ("no_such_module:Mine", "No module named 'no_such_module'"),
    ],
)
def test_invalid_entries_are_named(files, entry, said):
    (files / "json.py").touch()
    with pytest.raises(DataError, match=said):
        enter.load_entry(entry)


def test_failed_check_is_reported_before_ranking(files):
    assert enter.load_entry("entered_here.py:Short") == "entered_here:Short"
    with pytest.raises(DataError, match=r"Short, check 'fit', kind of target 'classification': .*check_ranker"):
        enter.check_entry(sys.modules["entered_here"].Short())
    assert enter.load_entry("f_score") == "f_score"
    assert "fit" in enter.check_entry(get_ranker("f_score"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["arena", "enter", "f_score", "--param", "power"], "--param power: expected NAME=VALUE, as in --param power="),
        (["arena", "enter", "relief", "--param", "w2=1"], "relief: unknown parameter 'w2'; did you mean 'w"),
        (["audit", "--seed", "xyz"], "--seed xyz: expected a hexadecimal number"),
        (["audit", "--cells", "-1"], "--cells -1: expected a whole number of at least 0"),
    ],
)
def test_invalid_options_are_named(capsys, words, said):
    assert main(words) == 1
    assert said in capsys.readouterr().err


def test_quick_run_takes_twelve_arena_datasets():
    assert len(set(QUICK)) == len(QUICK)
    assert not KEPT_ASIDE & set(QUICK)
    there = [*sorted(QUICK), "another"]
    assert sorted(enter._quick(there)) == sorted(QUICK[: enter.QUICK_DATASETS])
    assert enter._quick(["another"]) == ["another"]


def test_final_rank_is_printed(tmp_path):
    rng = np.random.default_rng(0)
    default = 0.6 + 0.1 * rng.random(12)
    matrix = pd.DataFrame({DEFAULT_RANKING: default, "mine": default - 0.01 + 0.02 * rng.normal(size=12), "last": 0.1})
    scores = matrix.rename_axis("dataset").reset_index().melt("dataset", var_name="entry", value_name="score")
    scores.assign(mode="ssl", counts=True).to_csv(tmp_path / "contest_scores.csv", index=False)
    found = leaderboard(scores.rename(columns={"entry": "method"}))
    of = {"mode": "ssl", "task": "classification"}
    board = found.table.rename(columns={"method": "entry"}).assign(**of, relative=0.5)
    board["method"] = board["entry"].replace({DEFAULT_RANKING: "consensus"})
    board.to_csv(tmp_path / "leaderboard.csv", index=False)
    found.pairs.assign(**of).to_csv(tmp_path / "pairs.csv", index=False)
    pd.DataFrame({"name": list(matrix), "title": ["Vote", "Mine", "Last"]}).to_csv(tmp_path / "names.csv", index=False)
    first, rank, scale, against, gain, *rest = standing(tmp_path, "mine")
    assert first == "Mine has rank 2 of 3 on the 12 datasets that all rankings have:"
    ranks = matrix.rank(axis=1, ascending=False)["mine"]
    assert rank.startswith(f"  average rank {ranks.mean():.1f} (95 % interval ")
    assert "0.50 on the scale" in scale
    worse = int((matrix["mine"] < default).sum())
    assert against.endswith(f"Vote: better on {12 - worse} datasets, worse on {worse}")
    ends = ttest_rel(matrix["mine"], default).confidence_interval(0.95)
    mean = 100 * (matrix["mine"] - default).mean()
    assert gain == f"    {mean:+.2f} points (95 % interval {100 * ends.low:+.2f} to {100 * ends.high:+.2f})"
    assert [line.split("  ")[-1] for line in rest[-3:]] == ["<- the default", "<- yours", "Last"]
    assert "has no place" in next(standing(tmp_path, "nobody"))


def test_comparison_uses_datasets_of_the_file():
    plan = SimpleNamespace(
        studies={"s": SimpleNamespace(datasets=["d0", "d1", "d2", "d3"])},
        sources=lambda study: SimpleNamespace(heads={("d1", "relief"): None}),
    )
    table = pd.DataFrame({"dataset": ["d3", "d1", "d3"]})
    assert _datasets(table, plan, "s", "mine.csv") == ["d1", "d3"]
