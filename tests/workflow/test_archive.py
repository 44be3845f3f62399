"""The tiny study goes into the archive, comes out of it again without any job, and random cells are recomputed."""

import json
import shutil
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import yaml

from experiment_parts import NOISE, finish_parts
from repository import ROOT, recomputed
from sslrank.benchmark.archive.record import ArchiveError, read_records, write_records
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.files import read_table
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.steps.collect import CollectJob, collect_job
from sslrank.benchmark.submit import enter
from sslrank.benchmark.submit.compare import compare_file
from sslrank.benchmark.submit.evaluate_archived import evaluate_archived
from sslrank.core.errors import DataError

COMPUTING = {"download", "prepare", "splits", "rank", "score", "variance", "import_rankings", "export"}
COMPUTING |= {"experiment_part"}


@pytest.fixture(scope="module")
def archived(tiny, run_once):
    """The tiny study's results and an experiment's, with an archive of them: a runner, and what it said."""

    def make(runner):
        shutil.copytree(tiny.folder, runner.folder, dirs_exist_ok=True)
        config = deepcopy(tiny.config)
        config["own"]["studies"]["tiny"]["experiments"] = {"noise": NOISE}
        runner.write(config)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(runner.folder)
            patch.syspath_prepend(Path(__file__).parent)  # where tiny_rankers is
            finish_parts(Plan(config, ROOT), "tiny", "noise")
        (runner.folder / "said").write_text(runner("--cores", 1, "archive"), encoding="utf-8")

    runner = run_once("archived", make)
    runner.output = (runner.folder / "said").read_text(encoding="utf-8")
    return runner


@pytest.fixture
def clone(archived, new_runner, tmp_path, monkeypatch):
    """A working directory that has the archive and nothing else."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(Path(__file__).parent)  # where tiny_rankers is
    shutil.copytree(archived.folder / "results/archive", tmp_path / "results/archive")
    runner = new_runner(tmp_path)
    runner.config = deepcopy(archived.config)
    # What a dataset's content is must be known without it, as in the catalogue of the repository.
    blocks = yaml.safe_load(Path(runner.config["data"]["catalogue"]).read_text(encoding="utf-8"))
    (tiny, *_) = Archive(tmp_path / "results/archive").records("tiny")
    blocks["tiny"]["fingerprint"] = tiny.spec["dataset"]["fingerprint"]
    catalogue = tmp_path / "datasets.yaml"
    catalogue.write_text(yaml.safe_dump(blocks), encoding="utf-8")
    runner.config["data"]["catalogue"] = str(catalogue)
    runner.write(runner.config | {"archive": "use"})
    return runner


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_finished_results_are_archived(archived):
    assert "6 new; results/archive: 2 files" in archived.output
    table = pd.read_csv(archived.folder / "results/archived.csv")
    assert set(table["outcome"]) == {"new"}
    archive = Archive(archived.folder / "results/archive")
    records = {record.spec["method"]["name"]: record for record in archive.records("tiny")}
    assert sorted(records) == ["broken", "forest", "laplacian", "silent", "variance"]
    forest = records["forest"]
    assert forest.spec["dataset"]["name"] == "tiny"
    assert forest.spec["L"] == ["10", "40"]
    assert forest.provenance[0]["versions"]["numpy"]
    assert set(forest.provenance[0]["code"]) == {"splits", "ranking 10", "ranking 40", "scores knn"}
    assert records["broken"].parts["fit"]["status"].value_counts().to_dict() == {"failed": 4, "unsupported": 4}
    assert records["variance"].spec["method"]["spec"]["rule"] == "variance"


def test_page_is_built_from_archive_alone(clone, archived):
    jobs = clone.jobs(clone("--cores", 1, "tiny"))
    assert jobs["experiment"] == 1
    assert not COMPUTING & set(jobs)
    assert not (clone.folder / "results/data").exists()
    for folder in ("collected", "tables"):
        before, after = (contents(runner.folder / "results/tiny" / folder) for runner in (archived, clone))
        assert sorted(after) == sorted(before)
        assert [name for name in after if before[name] != after[name]] == ["sources.csv"] * (folder == "collected")
    sources = pd.read_csv(clone.folder / "results/tiny/collected/sources.csv")
    assert set(sources["source"]) == {"archive"}
    assert len(pd.read_csv(clone.folder / "results/tiny/experiments/noise/curves.csv")) == 2 * 2 * 4


def test_only_results_missing_in_the_archive_are_computed(clone):
    config = clone.config | {"archive": "use"}
    config["own"]["studies"]["tiny"]["methods"].append("relief")
    config["own"]["methods"]["forest"]["params"]["n_estimators"] = 5
    clone.write(config)
    jobs = clone.planned("tiny")
    expected = {"download": 1, "prepare": 1, "splits": 1, "rank": 1 + 1, "score": 1 + 1}
    assert {name: jobs[name] for name in jobs if name in COMPUTING} == expected
    config["own"]["studies"]["tiny"]["seed"] = 8
    clone.write(config)
    assert clone.planned("tiny")["rank"] == 5


def test_archive_only_runs_no_jobs(clone):
    config = clone.config | {"archive": "only"}
    study = config["own"]["studies"]["tiny"]
    study["methods"].append("relief")
    study["datasets"].append("tiny-str")
    study["experiments"]["other"] = NOISE
    clone.write(config)
    assert not COMPUTING & set(clone.jobs(clone("--cores", 2, "tiny")))
    collected = clone.folder / "results/tiny/collected"
    sources = pd.read_csv(collected / "sources.csv").dropna(subset="dataset").set_index(["dataset", "method"])["source"]
    assert sources["tiny"].to_dict() == dict.fromkeys(study["methods"], "archive") | {"relief": "not in the archive"}
    assert set(sources["tiny-str"]) == {"not in the archive"}
    datasets = pd.read_csv(collected / "datasets.csv").set_index("dataset")
    assert "results/archive has no complete result for it" in datasets.loc["tiny-str", "reason"]
    status = pd.read_csv(collected / "status.csv")
    assert status.loc[status["status"] == "not run", ["dataset", "method"]].value_counts().to_dict() == {
        ("tiny", "relief"): 8
    }
    missing = 1 + sources["tiny-str"].size
    page = (clone.folder / "results/tiny/report.html").read_text(encoding="utf-8")
    assert f"from the archive only: {missing} of {sources.size} results (one method on one dataset) are missing" in page
    assert "results/archive has not all parts of the experiment other of tiny: its tables are not made" in page
    assert "24 fits" in page
    manifest = json.loads((clone.folder / "results/tiny/manifest.json").read_text(encoding="utf-8"))
    assert {row["source"]: row["results"] for row in manifest["sources"]} == {
        "not in the archive": missing,
        "archive": 5,
    }
    found = [(row["experiment"], row["parts"], row["source"]) for row in manifest["experiments"]]
    assert found == [("noise", 3, "archive"), ("other", 3, "not in the archive")]
    config["own"]["studies"]["other"] = study
    with pytest.raises(DataError, match="has no complete result of the study 'other' with datasets=tiny"):
        Plan(config, ROOT).with_results(["other"])
    with pytest.raises(DataError, match="with datasets=tiny,tiny-str methods=laplacian; run it"):
        Plan(config | {"methods": ["laplacian"]}, ROOT).with_results(["other"])


def test_new_methods_are_compared_with_archived_ones(clone):
    config = clone.config | {"archive": "use"}
    config["own"]["studies"]["tiny"]["methods"] = ["laplacian", "relief"]
    clone.write(config)
    clone("--cores", 2, "results/tiny/collected/sources.csv")
    sources = pd.read_csv(clone.folder / "results/tiny/collected/sources.csv").dropna(subset="method")
    assert sources.set_index("method")["source"].to_dict() == {"laplacian": "archive", "relief": "run here"}
    sources, gathered = Plan(config, ROOT).sources("tiny"), Path("results/tiny/datasets/tiny.parquet.zst")
    record = read_records(gathered)[0]
    write_records([replace(record, spec=record.spec | {"splits_sha256": "others"})], gathered)
    files = {"archived": [Path("results/archive/tiny/tiny.parquet.zst")], "archived_experiments": []}
    files |= {"gathered": [gathered], "collected": [Path("results/tiny/collected/scores.csv")]}
    listed = {"datasets": sources.described(), "pairs": sources.collected(), "experiments": []}
    with pytest.raises(ArchiveError, match=r"its splits of tiny are not those with which other methods were run here"):
        collect_job(CollectJob(study="tiny", **files, **listed))


def test_random_cells_are_recomputed(clone):
    table = recomputed(clone.config, 4)
    assert set(table["verdict"]) == {"equal bits"}
    assert set(table["folds"].dropna()) == {2}
    assert set(table["other_machine"]) == {""}
    assert table["method"].notna().any()
    assert table["experiment"].notna().any()


def test_archived_rankings_are_reevaluated(clone):
    config = clone.config | {"archive": "use"}
    config["own"]["evaluators"] |= {"best": {"evaluator": "top_features", "params": {"n_top": 2}}}
    clone.write(config)
    lines = list(evaluate_archived("tiny", "best", root=ROOT))
    assert lines[-1] == "The scores are in results/evaluated/tiny-best.csv"
    table = pd.read_csv("results/evaluated/tiny-best.csv", dtype={"L": str})
    assert set(table["k"]) == {1, 2}
    assert {"forest", "laplacian"} <= set(table["method"])
    with pytest.raises(DataError, match="weights features by their importances"):
        next(evaluate_archived("tiny", "knn", root=ROOT))


def compared(clone, table, **options):
    table.to_csv("mine.csv", index=False)
    said = "\n".join(compare_file("mine.csv", root=ROOT, **options))
    return said, clone.folder / "results/compare" / options.get("name", "mine")


def test_entered_ranker_reproduces_its_archived_scores(clone, monkeypatch):
    monkeypatch.setattr(enter, "STUDY", "tiny")
    monkeypatch.setattr(enter, "REFERENCE", "forest")
    params = clone.config["own"]["methods"]["forest"]["params"]
    said = list(enter.enter("genie3", params=params, name="again", root=ROOT))
    assert any("1 of 1  tiny: ranked in" in line for line in said)
    assert "again has no place: that needs all scores on two datasets" in said
    folder = Path("results/compare/again")
    scores = read_table(folder / "collected/scores.csv").set_index(["method", "ranking"])
    columns = ["mode", "L", "fold", "k", "measure", "value"]
    mine, theirs = (scores.loc[key, columns] for key in (("again", "again genie3"), ("forest", "genie3")))
    assert mine.to_numpy().tolist() == theirs.to_numpy().tolist()
    assert set(mine["mode"]) == {"ssl", "sl"}
    assert '"entered": "again"' in (folder / "manifest.json").read_text(encoding="utf-8")
    compare_file(folder / "rankings.csv", study="tiny", name="evaluated", root=ROOT)
    scores = read_table("results/compare/evaluated/collected/scores.csv").set_index(["method", "ranking"])
    evaluated = scores.loc[("evaluated", "evaluated genie3"), columns]
    assert sorted(evaluated.to_numpy().tolist()) == sorted(mine.to_numpy().tolist())
    with pytest.raises(DataError, match="Broken, check 'params'"):
        next(enter.enter("tiny_rankers:Broken", root=ROOT))


def own_rankings(archived, method):
    return pd.read_parquet(archived.folder / f"results/tiny/rankings/tiny/{method}.parquet").assign(dataset="tiny")


def test_external_rankings_are_evaluated_equally(clone, archived):
    table = own_rankings(archived, "variance")
    said, folder = compared(clone, table, name="theirs")
    assert "theirs has no place: that needs all scores on two datasets" in said
    assert "Missing" not in said
    page = (folder / "report.html").read_text(encoding="utf-8")
    for text in ("theirs compared with the methods of tiny", "1 of 2 datasets of tiny", "sslrank compare mine.csv"):
        assert text in page, text
    index = (clone.folder / "results/index.html").read_text(encoding="utf-8")
    assert 'href="compare/theirs/report.html"' in index
    board = pd.read_csv(folder / "tables/leaderboard.csv").set_index(["mode", "entry"])["average_rank"]
    assert board["ssl", "theirs"] == board["ssl", "variance"]
    scores = read_table(folder / "collected/scores.csv")
    scores = scores[(scores["measure"] == "f1_macro") & (scores["k"] == 5)].sort_values(["mode", "L", "fold"])
    theirs, ours = (scores[scores["method"] == name]["value"].to_list() for name in ("theirs", "variance"))
    assert theirs == ours
    assert set(pd.read_parquet(folder / "collected/features.parquet")["method"]) > {"theirs", "variance"}
    damaged = table[~((table["fold"] == 1) & (table["feature"] == "c") & (table["L"] == "40"))]
    said, _ = compared(clone, damaged, name="theirs")
    assert "theirs has no place" in said
    assert "Missing cells (2)" in said
    assert "tiny: 2 of L 40 (ranking 'variance' lacks the feature 'c')" in said
    assert sorted(path.name for path in folder.parent.iterdir()) == ["theirs"]
    without = table[(table["mode"] == "ssl") & ~((table["L"] == "40") & (table["fold"] == 1))].drop(columns="mode")
    said, folder = compared(clone, without, name="theirs")
    assert "tiny: 1 of L 40 (the file has no ranking of it)" in said


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"dataset": "tny"}, {}, "column 'dataset': the study tiny has no dataset 'tny'; did you mean 'tiny'?"),
        ({"dataset": "gone"}, {}, "is about no dataset that results/archive has. It has tiny"),
        ({"L": "50"}, {}, "column 'L': the study tiny has no L '50'; did you mean '"),
        ({"mode": "both"}, {}, "has no mode 'both'"),
        ({"fold": 7}, {}, "line 2, column 'fold': the study tiny has no fold '7'; known are: 0, 1"),
        ({}, {"name": "forest"}, "the study has a method 'forest'. Give the result another name"),
        ({}, {"name": "a/b"}, "'a/b' cannot name a folder"),
        ({}, {"name": "NA"}, "'NA' cannot be the result's name: tables have it for a missing value. Give the result"),
        ({}, {"name": "None"}, "'None' cannot be the result's name"),
        ({}, {"study": "tny"}, "results/archive has no result of the study 'tny'; did you mean 'tiny'?"),
        ({}, {"out": "home"}, "home is not a folder of a comparison"),
    ],
)
def test_invalid_files_are_refused(clone, archived, changes, options, message):
    (clone.folder / "home").mkdir()
    (clone.folder / "home/letter.txt").touch()
    rankings = own_rankings(archived, "variance").head(1)
    with pytest.raises(DataError) as error:
        compared(clone, rankings.assign(**changes), **options)
    assert message in str(error.value)
    assert not (clone.folder / "results/compare").exists()
