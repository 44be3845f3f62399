"""Experiments in the archive: parts are recorded, merged, joined from there, refused where they differ, recomputed."""

import shutil
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import yaml

from experiment_parts import NOISE, finish_parts, part_files
from repository import ROOT
from sslrank.benchmark.archive.finished_jobs import experiment_record
from sslrank.benchmark.archive.record import (
    ArchiveError,
    job_name,
    part_tables,
    read_metadata,
    read_records,
    write_records,
)
from sslrank.benchmark.archive.store import SUMS, Archive
from sslrank.benchmark.audit.cells import recompute_part
from sslrank.benchmark.environment import COMMIT
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.plan.sources import cells_by_study
from sslrank.benchmark.steps.archive import ArchiveJob, archive_job
from sslrank.benchmark.steps.collect import CollectJob, collect_job
from sslrank.benchmark.steps.experiment import ExperimentJob, experiment_job
from sslrank.benchmark.steps.experiment_part import PartJob, experiment_part_job
from sslrank.core.errors import DataError

FOLDER = "results/archive"
FILE = "results/archive/s/experiments/noise.parquet.zst"
NOISE_FILE = ("s", "experiments", "noise")
PARTS = ["single-0.3-0", "single-0.3-10", "single-truth"]


def planned(archive=None, dataset="d", seed=7, **params):
    """The plan of a study that has the experiment."""
    entry = {"title": "d", "home": "nowhere", "task": "classification", "columns": {"target": ["y"]}}
    entry |= {"files": [{"file": "a.csv", "sha256": "0" * 64}], "reader": {"format": "csv"}}
    Path("datasets.yaml").write_text(yaml.safe_dump({dataset: entry}), encoding="utf-8")
    noise = NOISE | {"params": NOISE["params"] | params}
    study = {"seed": seed, "datasets": [dataset], "methods": ["m"], "evaluators": ["e"], "splits": {"L": ["all"]}}
    own = {
        "studies": {"s": study | {"experiments": {"noise": noise}}},
        "methods": {"m": {"ranker": "laplacian_score"}},
        "evaluators": {"e": {"evaluator": "knn"}},
    }
    config = {"data": {"catalogue": str(Path("datasets.yaml").absolute())}, "own": own}
    return Plan(config | {"archive": archive}, ROOT)


def commit_of(name, date, monkeypatch):
    monkeypatch.setenv(COMMIT, f"{name * 40} {date}T00:00:00+00:00")


def archive(plan):
    """Put the parts that are run here into the archive; returns what is said."""
    specs = list(plan.sources("s").experiments_here().values())
    files = [part_files("s", "noise", name) for spec in specs for name in spec["parts"]]
    tables, benchmarks = map(list, zip(*files, strict=True)) if files else ([], [])
    parts = {"part_tables": tables, "part_benchmarks": benchmarks, "experiments": specs}
    return "\n".join(archive_job(ArchiveJob(gathered=[], **parts, outcome=Path("archived.csv"))))


def contents(folder=FOLDER):
    return {str(path): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@pytest.fixture(autouse=True)
def work(tmp_path, monkeypatch):
    """A working directory, at a commit."""
    monkeypatch.chdir(tmp_path)
    commit_of("a", "2026-01-02", monkeypatch)


@pytest.fixture
def run():
    """All parts were run and archived."""
    plan = planned()
    finish_parts(plan, "s", "noise")
    archive(plan)
    return plan


def joined(plan):
    """The tables of the experiment."""
    sources = plan.sources("s")
    computed = [part_files("s", "noise", name)[0] for name in sources.parts_here("noise")]
    archived = Path(FILE) if sources.is_archived("noise") else []
    parts = sources.study.experiment_parts("noise")
    files = {"archived": archived, "computed": computed, "tables": Path("joined")}
    experiment_job(ExperimentJob(name="noise", parts=parts, **files))
    return contents("joined")


def test_experiment_is_archived_and_read_back(run):
    (spec,) = run.sources("s").experiments_here().values()
    expected = experiment_record(spec, *zip(*(part_files("s", "noise", name) for name in spec["parts"]), strict=True))
    record = read_records(FILE)[0]
    assert (record.spec, record.provenance) == (expected.spec, expected.provenance)
    assert list(record.spec["parts"]) == PARTS
    assert record.spec["parts"]["single-0.3-10"]["n_rankings"] == 1
    assert record.spec["experiment"] == {"name": "noise", "module": "noise"}
    (provenance,) = record.provenance
    assert provenance["commit"] == "a" * 40
    assert provenance["code"] == run.sources("s").part_code("noise")
    assert not read_metadata(FILE)[0].parts
    for name, tables in part_tables(record).items():
        folder = Path("results/s/experiment_parts/noise", name)
        assert sorted(tables) == ["curves", "distances"]
        for table, frame in tables.items():
            pd.testing.assert_frame_equal(frame, pd.read_parquet(folder / f"{table}.parquet"), check_exact=True)
    assert record.parts["job"][["s", "max_rss", "cpu_time"]].to_numpy().tolist() == [[3.5, 100.25, 2.5]] * 3


def test_unserializable_values_are_refused(run, tmp_path, monkeypatch):
    parts = {"a": pd.DataFrame({"part": PARTS[:1], "value": [[1.0]]})}
    with pytest.raises(ArchiveError, match=r"the values of a\.value are of the"):
        write_records([replace(read_records(FILE)[0], parts=parts)], tmp_path / "x.parquet.zst")
    for table in ("a.b", "job"):  # before a part is kept, which may have taken hours
        monkeypatch.setattr(
            "sslrank.benchmark.steps.experiment_part.compute_part", lambda *_, found={table: 0}, **__: found
        )
        with pytest.raises(ValueError, match=f"table named '{table}'"):
            experiment_part_job(PartJob(name="noise", part={}, seed=0, tables=tmp_path / "part"))
        assert not (tmp_path / "part").exists()


def test_parts_are_taken_from_the_archive(run):
    expected = joined(run)
    assert sorted(run.sources("s").parts_here("noise")) == PARTS
    shutil.rmtree("results/s")
    for mode in ("use", "only"):
        plan = planned(mode)
        assert plan.sources("s").parts_here("noise") == []
        assert plan.sources("s").joined_experiments() == plan.sources("s").archived_experiments() == ["noise"]
        assert plan.sources("s").collected_experiments() == [{"experiment": "noise", "parts": 3, "archived": True}]
        assert joined(plan) == expected
    more = planned("use", thetas=[0.3, 1.0])  # one part that the archive lacks, and all are run
    assert len(more.sources("s").parts_here("noise")) == 5


def test_an_experiment_replaces_the_archived_one(run, monkeypatch):
    shutil.rmtree("results/s")
    commit_of("c", "2026-01-03", monkeypatch)
    more = planned("use", thetas=[0.3, 1.0])
    finish_parts(more, "s", "noise")
    archive(more)
    assert list(read_metadata(FILE)[0].spec["parts"]) == [*PARTS[:2], "single-1-0", "single-1-10", PARTS[2]]
    plan = planned("only")  # fewer parts than the archive has
    Path("collected").mkdir(exist_ok=True)
    sources = plan.sources("s")
    listed = {"pairs": sources.collected(), "experiments": sources.collected_experiments(), "gathered": []}
    files = {"archived": [], "archived_experiments": [Path(FILE)], "collected": [Path("collected/scores.csv")]}
    collect_job(CollectJob(study="s", datasets=sources.described(), **listed, **files))
    (row,) = pd.read_csv("collected/sources.csv").query("source == 'archive'").to_dict("records")
    assert row["commit"] == "c" * 40
    other = planned("use", seed=8)
    finish_parts(other, "s", "noise")
    assert "in place of a result with other settings: seed: 7 and 8" in archive(other)
    assert archive(planned("only")).startswith("nothing to add")


def test_missing_parts_are_named(run):
    plan = planned("only", seed=8)
    assert plan.sources("s").joined_experiments() == []
    (item,) = plan.sources("s").collected_experiments()
    assert item["parts"] == 3
    assert item["missing"] == (
        "results/archive has not all parts of the experiment noise of s, and other settings of it: seed: 7 and 8: its "
        "tables are not made"
    )
    assert planned("use", seed=8).sources("s").collected_experiments() == [{"experiment": "noise", "parts": 3}]
    plan = planned("only", thetas=[0.3, 1.0])
    (item,) = plan.sources("s").collected_experiments()
    assert item["missing"] == "results/archive has not all parts of the experiment noise of s: its tables are not made"


def test_damaged_files_are_refused(run):
    with pytest.raises(ArchiveError, match=r"is about s/experiments/noise.*, not this path"):
        read_records(shutil.copy(FILE, "elsewhere.parquet.zst"))
    changed = read_records(FILE)[0]
    changed.parts["curves"]["value"] += 0.01
    write_records([changed], FILE)
    with pytest.raises(ArchiveError, match=r"noise\.parquet\.zst: its content is not the one that SHA256SUMS lists"):
        joined(planned("use"))
    with pytest.raises(ArchiveError, match=r"noise\.parquet\.zst: its content is not the one that SHA256SUMS lists"):
        archive(run)
    assert not Path("joined").exists()
    Path(FOLDER, SUMS).unlink()
    with pytest.raises(ArchiveError, match=r"does not list 1 of 1 files, the first: s/experiments/noise\.parquet\.zst"):
        planned("use").sources("s").parts_here("noise")


def test_archived_parts_are_recomputed(run):
    code = run.sources("s").part_code("noise")
    assert sorted(cell[3] for cell in cells_by_study(run)[0]["s"]) == PARTS
    row = recompute_part(Archive(FOLDER).read(*NOISE_FILE), PARTS[0], code=code)
    assert (row["verdict"], row["scores"], row["equal_scores"], row["other_machine"]) == ("equal bits", 9, 9, "")
    assert (row["experiment"], row["part"], row["other_code"]) == ("noise", PARTS[0], "")
    changed = deepcopy(read_records(FILE)[0])
    curves = changed.parts["curves"]
    curves.loc[0, "value"] += 2**-50
    row = recompute_part(changed, PARTS[0], code=code | {job_name(PARTS[0]): "another"})
    assert (row["verdict"], row["equal_scores"], row["largest_difference"]) == ("within 1e-9", 8, 2**-50)
    assert row["other_code"] == "part single-0.3-0"
    assert recompute_part(changed, PARTS[1])["verdict"] == "equal bits"
    curves.loc[0, "size"] += 1
    assert recompute_part(changed, PARTS[0])["difference"] == "rows"
    curves.loc[0, "size"] -= 1
    curves.loc[0, "value"] += 1e-8
    assert recompute_part(changed, PARTS[0])["difference"] == "values"
    for group in changed.provenance:
        group["versions"]["numpy"] = "0.1"
    assert recompute_part(changed, PARTS[0])["verdict"] == "within 1e-6"
    curves.loc[0, "value"] += 1e-5
    assert recompute_part(changed, PARTS[0])["difference"] == "values"


def test_dataset_named_experiments_is_refused():
    with pytest.raises(DataError, match="no dataset can be called 'experiments', the name of a folder"):
        planned(dataset="experiments")
