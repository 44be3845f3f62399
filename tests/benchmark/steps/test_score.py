"""An evaluator that fails or ends its process is a status row; the others score."""

import pandas as pd
import pytest

from prepared import save_toy
from sslrank.benchmark.steps.child_process import JobError
from sslrank.benchmark.steps.rank import RankJob, rank_job
from sslrank.benchmark.steps.score import ScoreJob, score_job
from sslrank.evaluation.evaluators import multilabel


@pytest.fixture(scope="module")
def ranked(tmp_path_factory):
    """Dataset, splits and rankings."""
    folder = tmp_path_factory.mktemp("ranked")
    save_toy(folder, folds=2)
    files = {"splits": folder / "splits.json", "rankings": folder / "rankings.parquet"}
    files |= {"header": folder / "data/header.json"}
    settings = {"budgets": ["10"], "spec": {"ranker": "laplacian_score"}, "modes": ["ssl"], "seed": 0}
    rank_job(RankJob(**files, **settings, status=folder / "status.csv"))
    return files


@pytest.fixture
def score(ranked, tmp_path, monkeypatch):
    """A function that scores a ranking by an evaluator of its own, and by others."""

    def run(how, names=("multilabel",), **options):
        module = {}
        exec(f"import os, signal\ndef evaluate(*given):\n    {how}\n", module)
        monkeypatch.setattr(multilabel, "evaluate", module["evaluate"])
        blocks = {}
        for name in names:
            evaluator = {"evaluator": name, "params": {"n_neighbors": [1]} if name == "knn" else {}}
            blocks[name] = {"evaluator": evaluator, "budgets": ["10"], "seed": 0}
        scores, status = tmp_path / "m.csv", tmp_path / "m.status.csv"
        files = ranked | {"shared": [], "imported": [], "import_benchmarks": [], "scores": scores, "status": status}
        score_job(ScoreJob(**files, evaluators=blocks, study="s", dataset="toy", method="m", **options))
        table, rows = pd.read_csv(scores), pd.read_csv(status, keep_default_na=False)
        return {name: (table[table["evaluator"] == name], rows[rows["evaluator"] == name]) for name in names}

    return run


@pytest.mark.parametrize(
    ("how", "status", "message"),
    [
        ("os._exit(3)", "failed", "were evaluated, the process died: exit code 3; largest memory"),
        ("raise MemoryError('too much')", "failed", "MemoryError: too much"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "failed", "signal 9 (SIGKILL); the system does that when memory runs"),
    ],
)
def test_crashed_evaluator_becomes_a_status_row(score, how, status, message):
    scores, rows = score(how)["multilabel"]
    assert rows["status"].tolist() == [status]
    assert message in rows["message"].iloc[0]
    assert scores.empty


def test_failed_evaluator_keeps_the_others(score):
    found = score("1 / 0", names=("knn", "multilabel"))
    assert found["knn"][1]["status"].tolist() == ["ok"]
    assert "ZeroDivisionError: division by zero" in found["multilabel"][1]["message"].iloc[0]
    assert list(found["multilabel"][0].columns) == list(found["knn"][0].columns)


def test_unchanged_evaluator_keeps_its_scores(score, tmp_path):
    names = ("knn", "multilabel")
    before = score("return [('accuracy', 1, 0.1 + 0.2)]", names)
    text = (tmp_path / "m.csv").read_text(encoding="utf-8")
    assert "0.30000000000000004" in text
    after = score("1 / 0", names)  # with the same code_key, the evaluator's code counts as the same
    assert (tmp_path / "m.csv").read_text(encoding="utf-8") == text
    assert after["knn"][1]["seconds"].tolist() == before["knn"][1]["seconds"].tolist()
    other = score("return [('accuracy', 1, 0.5)]", names, code_key="other code")
    assert set(other["multilabel"][0]["value"]) == {0.5}
    assert other["knn"][0]["value"].tolist() == before["knn"][0]["value"].tolist()


def test_full_disk_fails_the_job(score):
    with pytest.raises(JobError, match="No space left on device"):
        score("raise OSError(28, 'No space left on device')")


def test_killed_evaluator_fails_the_job_for_retry(score):
    with pytest.raises(JobError, match="SIGKILL"):
        score("os.kill(os.getpid(), signal.SIGKILL)", may_retry=True)
