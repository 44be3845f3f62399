"""Jobs of a dataset that an earlier job could not make say so, and read nothing else."""

import json

import pandas as pd
import pytest

from prepared import prepared_files
from sslrank.benchmark.files import count_failures, note_failure, write_problem
from sslrank.benchmark.steps.clustering_hypothesis import HypothesisJob, clustering_hypothesis_job
from sslrank.benchmark.steps.export import ExportJob, export_job
from sslrank.benchmark.steps.import_rankings import ImportJob, import_rankings_job
from sslrank.benchmark.steps.prepare import PrepareJob, prepare_job
from sslrank.benchmark.steps.rank import RankJob, rank_job
from sslrank.benchmark.steps.score import ScoreJob, score_job
from sslrank.benchmark.steps.share import ShareJob, share_job
from sslrank.benchmark.steps.splits import SplitsJob, splits_job
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.folds import Splits


@pytest.fixture
def lost(tmp_path):
    """Folder of a dataset that could not be downloaded, prepared and split."""
    (tmp_path / "data").mkdir()
    write_problem(tmp_path / "source.json", "it is lost")
    data = prepared_files(tmp_path / "data")
    entry = {"dataset": "d", "catalogue": "no catalogue", "own": None, "content": {}}
    entry["failures"] = tmp_path / "failures.log"
    said = prepare_job(PrepareJob(**data, **entry, source=tmp_path / "source.json"))
    assert said == []  # which the download has said
    assert splits_job(SplitsJob(**data, splits=tmp_path / "splits.json", protocol={}, seed=0)) == []
    return tmp_path


def test_readers_raise_no_data_error(lost):
    for read, path in ((Dataset.load, lost / "data"), (Splits.load, lost / "splits.json")):
        with pytest.raises(NoDataError, match=r"^it is lost$"):
            read(path)
    assert count_failures(lost / "failures.log") == 0  # it is the download that is tried again


def test_unavailable_dataset_gives_one_status_per_mode(lost):
    files = (lost / "rankings.parquet", lost / "status.csv")
    common = prepared_files(lost / "data") | {"splits": lost / "splits.json", "rankings": files[0], "status": files[1]}
    common |= {"budgets": ["10"], "modes": ["ssl", "sl"], "spec": {"ranker": "laplacian_score"}}
    import_rankings_job(ImportJob(**common, sources=[lost / "nothing.csv"], benchmarks=[lost / "nothing.tsv"]))
    imported = [path.read_bytes() for path in files]
    rank_job(RankJob(**common, seed=0))
    assert [path.read_bytes() for path in files] == imported
    status = pd.read_csv(files[1])
    assert status["mode"].tolist() == ["ssl", "sl"]
    assert set(status["status"]) == {"no data"}
    assert set(status["message"]) == {"it is lost"}
    assert pd.read_parquet(files[0]).empty


def test_each_job_writes_the_input_of_the_next_one(lost):
    data = prepared_files(lost / "data")
    common = data | {"splits": lost / "splits.json"}
    export_job(ExportJob(**common, L="10", exported=lost / "exported"))
    clustering_hypothesis_job(HypothesisJob(**data, hypothesis=lost / "ch.json"))
    for path in (lost / "exported/about.json", lost / "ch.json"):
        assert json.loads(path.read_text(encoding="utf-8")) == {"problem": "it is lost"}
    evaluator = {"evaluator": "eca", "params": {}}
    scoring, shared = {"evaluator": evaluator, "budgets": ["10"], "seed": 0}, lost / "eca.csv"
    assert share_job(ShareJob(**common, scoring=scoring, shared=shared)) == []
    assert pd.read_csv(shared)["problem"].tolist() == ["it is lost"]
    names = {"study": "s", "dataset": "d", "method": "m"}
    files = (lost / "scores.csv", lost / "scores.status.csv")
    (lost / "rankings.parquet").touch()
    names |= {"rankings": lost / "rankings.parquet", "scores": files[0], "status": files[1]}
    score_job(ScoreJob(**common, **names, evaluators={"eca": scoring}, shared=[shared]))
    assert pd.read_csv(files[0]).empty
    assert pd.read_csv(files[1])[["status", "message"]].to_numpy().tolist() == [["no data", "it is lost"]]


def test_failures_are_counted(tmp_path):
    path = tmp_path / "failures.log"
    assert count_failures(path) == 0
    for problem in ("", "one\nof two lines", "another"):
        note_failure(path, problem)
    assert count_failures(path) == 2
    assert path.read_text(encoding="utf-8") == "one of two lines\nanother\n"
