"""Jobs of a dataset that an earlier job could not make say so, and read nothing else."""

import json

import pandas as pd
import pytest

from sslrank.benchmark.files import count_failures, note_failure, write_problem
from sslrank.benchmark.steps.clustering_hypothesis import clustering_hypothesis_job
from sslrank.benchmark.steps.export import export_job
from sslrank.benchmark.steps.import_rankings import import_rankings_job
from sslrank.benchmark.steps.prepare import prepare_job
from sslrank.benchmark.steps.rank import rank_job
from sslrank.benchmark.steps.score import score_job
from sslrank.benchmark.steps.share import share_job
from sslrank.benchmark.steps.splits import splits_job
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.folds import Splits


@pytest.fixture
def lost(tmp_path):
    """Folder of a dataset that could not be downloaded, prepared and split."""
    (tmp_path / "data").mkdir()
    write_problem(tmp_path / "source.json", "it is lost")
    entry = {"dataset": "d", "catalogue": "no catalogue", "own": None, "failures": tmp_path / "failures.log"}
    said = prepare_job(data=tmp_path / "data", **entry, source=tmp_path / "source.json")
    assert said == []  # which the download has said
    assert splits_job(data=tmp_path / "data", splits=tmp_path / "splits.json", protocol={}, seed=0) == []
    return tmp_path


def test_readers_raise_no_data_error(lost):
    for read, path in ((Dataset.load, lost / "data"), (Splits.load, lost / "splits.json")):
        with pytest.raises(NoDataError, match=r"^it is lost$"):
            read(path)
    assert count_failures(lost / "failures.log") == 0  # it is the download that is tried again


def test_unavailable_dataset_gives_one_status_per_mode(lost):
    files = (lost / "rankings.parquet", lost / "status.csv")
    common = {"splits": lost / "splits.json", "rankings": files[0], "status": files[1]}
    common |= {"budgets": ["10"], "modes": ["ssl", "sl"]}
    sources = {"sources": [lost / "nothing.csv"], "benchmarks": [lost / "nothing.tsv"]}
    import_rankings_job(data=lost / "data", **common, **sources)
    imported = [path.read_bytes() for path in files]
    spec = {"ranker": "laplacian_score"}
    rank_job(header=lost / "data/header.json", **common, spec=spec, seed=0, code_key="")
    assert [path.read_bytes() for path in files] == imported
    status = pd.read_csv(files[1])
    assert status["mode"].tolist() == ["ssl", "sl"]
    assert set(status["status"]) == {"no data"}
    assert set(status["message"]) == {"it is lost"}
    assert pd.read_parquet(files[0]).empty


def test_each_job_writes_the_input_of_the_next_one(lost):
    common = {"data": lost / "data", "splits": lost / "splits.json"}
    export_job(**common, L="10", exported=lost / "exported")
    clustering_hypothesis_job(data=lost / "data", hypothesis=lost / "ch.json")
    for path in (lost / "exported/about.json", lost / "ch.json"):
        assert json.loads(path.read_text(encoding="utf-8")) == {"problem": "it is lost"}
    evaluator = {"evaluator": "eca", "params": {}}
    scoring, shared = {"evaluator": evaluator, "budgets": ["10"], "seed": 0}, lost / "eca.csv"
    assert share_job(**common, scoring=scoring, shared=shared) == []
    assert pd.read_csv(shared)["problem"].tolist() == ["it is lost"]
    (lost / "rankings.parquet").touch()
    written = {"scores": lost / "scores.csv", "status": lost / "scores.status.csv"}
    files = written | {"header": lost / "data/header.json", "splits": lost / "splits.json", "shared": [shared]}
    files |= {"rankings": lost / "rankings.parquet", "imported": [], "import_benchmarks": []}
    score_job(files=files, evaluators={"eca": scoring}, study="s", dataset="d", method="m")
    assert pd.read_csv(files["scores"]).empty
    assert pd.read_csv(files["status"])[["status", "message"]].to_numpy().tolist() == [["no data", "it is lost"]]


def test_failures_are_counted(tmp_path):
    path = tmp_path / "failures.log"
    assert count_failures(path) == 0
    for problem in ("", "one\nof two lines", "another"):
        note_failure(path, problem)
    assert count_failures(path) == 2
    assert path.read_text(encoding="utf-8") == "one of two lines\nanother\n"
