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
    said = prepare_job("no catalogue", "d", tmp_path / "source.json", tmp_path / "data")
    assert said == []  # which the download has said
    assert splits_job(tmp_path / "data", tmp_path / "splits.json", protocol={}, seed=0) == []
    return tmp_path


def test_readers_raise_no_data_error(lost):
    for read, path in ((Dataset.load, lost / "data"), (Splits.load, lost / "splits.json")):
        with pytest.raises(NoDataError, match=r"^it is lost$"):
            read(path)
    assert count_failures(lost / "data/failures.log", "prepare") == 0  # it is the download that is tried again


def test_unavailable_dataset_gives_one_status_per_mode(lost):
    common = (lost / "data", lost / "splits.json")
    files = (lost / "rankings.parquet", lost / "status.csv")
    import_rankings_job([lost / "nothing.csv"], [lost / "nothing.tsv"], ["10"], *common, *files, modes=["ssl", "sl"])
    imported = [path.read_bytes() for path in files]
    rank_job(*common, ["10"], {"ranker": "laplacian_score"}, *files, modes=["ssl", "sl"])
    assert [path.read_bytes() for path in files] == imported
    status = pd.read_csv(files[1])
    assert status["mode"].tolist() == ["ssl", "sl"]
    assert set(status["status"]) == {"no data"}
    assert set(status["message"]) == {"it is lost"}
    assert pd.read_parquet(files[0]).empty


def test_each_job_writes_the_input_of_the_next_one(lost):
    common = (lost / "data", lost / "splits.json")
    export_job(*common, "10", lost / "exported")
    clustering_hypothesis_job(lost / "data", lost / "ch.json")
    for path in (lost / "exported/about.json", lost / "ch.json"):
        assert json.loads(path.read_text(encoding="utf-8")) == {"problem": "it is lost"}
    evaluator = {"evaluator": "eca", "params": {}}
    assert share_job(*common, ["10"], evaluator, lost / "shared.csv") == []
    assert pd.read_csv(lost / "shared.csv")["problem"].tolist() == ["it is lost"]
    names = {"study": "s", "dataset": "d", "method": "m"}
    files = (lost / "scores.csv", lost / "scores.status.csv")
    (lost / "rankings.parquet").touch()
    block = {"evaluator": evaluator, "budgets": ["10"], "seed": 0}
    shared = {"eca": lost / "shared.csv"}
    score_job(*common, lost / "rankings.parquet", {"eca": block}, *files, names=names, shared=shared)
    assert pd.read_csv(files[0]).empty
    assert pd.read_csv(files[1])[["status", "message"]].to_numpy().tolist() == [["no data", "it is lost"]]


def test_failures_are_counted_by_step(tmp_path):
    path = tmp_path / "failures.log"
    assert count_failures(path, "download") == 0
    note_failure(path, "download", "one\nof two lines")
    note_failure(path, "prepare", "another")
    assert (count_failures(path, "download"), count_failures(path, "prepare")) == (1, 1)
    assert path.read_text(encoding="utf-8") == "download: one of two lines\nprepare: another\n"
