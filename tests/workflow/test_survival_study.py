"""A study of a time until an event: ranked, judged by Harrell's C, archived and verified; the forest has a stand-in."""

import hashlib
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from repository import recomputed
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.steps.prepare import PrepareJob, prepare_job
from sslrank.cli import main
from sslrank.core.null_model import log_rank_scores
from sslrank.datasets.dataset import Dataset

#: What the program uses of scikit-survival; its C is that of the first column.
STAND_IN = """
from sklearn.base import BaseEstimator, RegressorMixin
class RandomSurvivalForest(RegressorMixin, BaseEstimator):
    def __init__(self, n_estimators, min_samples_leaf=1, random_state=None, low_memory=False):
        self.n_estimators, self.min_samples_leaf = n_estimators, min_samples_leaf
        self.random_state, self.low_memory = random_state, low_memory
    def fit(self, X, y):
        self.fitted_ = y.dtype.names == ("event", "time") and len(X) == 60
        return self
    def score(self, X, y):
        from sslrank.core.null_model import concordance
        return concordance(y["time"], y["event"].astype(float), X[:, -3:-2])[0][0] if self.fitted_ else 0.0
"""


def write_times(folder, n=90):
    """A table in which the column a shortens the time."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3)).round(4)
    life, followed = rng.exponential(np.exp(-2 * X[:, 0])), rng.exponential(2, size=n)
    table = pd.DataFrame(X, columns=list("abc")).assign(
        sex=rng.choice(["f", "m"], n), days=np.minimum(life, followed).round(4), status=np.where(life <= followed, 2, 1)
    )
    folder.mkdir(parents=True)
    table.to_csv(folder / "times.csv", index=False)
    return table


def test_survival_study_runs(fresh, config, tmp_path, monkeypatch):
    table = write_times(tmp_path / "mirror/times")
    file = tmp_path / "mirror/times/times.csv"
    catalogue = Path(config["data"]["catalogue"])
    source = {"file": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    entry = {"title": "Times", "task": "survival", "home": "this test", "files": [source], "reader": {"format": "csv"}}
    entry |= {"columns": {"target": "days", "event": "status"}, "shape": {"rows": 90, "features": 4, "targets": 2}}
    catalogue.write_text(yaml.safe_dump({"times": entry}))
    config["own"]["methods"] |= {
        "cox": {"ranker": "sslrank.rankers.cox_score:CoxScore"},
        "f": {"ranker": "f_score"},
        "survival_forest": {"rule": "survival_forest", "params": {"n_estimators": 3, "n_repeats": 2}},
    }
    config["own"]["evaluators"]["top"] = {
        "evaluator": "top_features",
        "params": {"predictor": "ridge", "predictor_params": {"alpha": 0.001}, "n_top": 2},
    }
    config["own"]["studies"]["tiny"] |= {
        "datasets": ["times"],
        "methods": ["f", "cox", "survival_forest"],
        "modes": ["ssl"],
        "splits": {"scheme": "cross-validation", "folds": 3},
        "evaluators": ["top", "knn"],
        "tables": {"differences": {"options": {"reference": "f_score"}}},
        "figures": {},
    }
    (tmp_path / "site/sksurv").mkdir(parents=True)
    (tmp_path / "site/sksurv/ensemble.py").write_text(STAND_IN)
    fresh.environment["PYTHONPATH"] += f":{tmp_path / 'site'}"
    fresh.environment["PATH"] = f"{Path(sys.executable).parent}:{fresh.environment['PATH']}"  # without conda
    fresh.write(config)
    fresh("--cores", 2, "tiny", "archive")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(Path(__file__).parent)  # where tiny_rankers is
    verified = recomputed(config, 9)
    config["data"]["files"] = {"times": str(file)}  # a file of the user's is read in place of the download
    assert recomputed(config, 9)["verdict"].equals(verified["verdict"])
    records = {
        record.spec["method"]["name"]: record for record in Archive(tmp_path / "results/archive").records("tiny")
    }
    for record in records.values():
        assert record.dataset["events"] == (table["status"] == 2).sum()
        assert set(record.parts["fit"]["status"]) == {"ok"}
        best = record.parts["feature"].query("place == 1")
        assert set(best["feature"]) == {"a"}
        scores = record.parts["score"]
        assert set(scores["measure"]) == {"c_index"}
        assert scores["value"].min() > 0.6
    assert set(records) == {"f", "cox", "survival_forest"}
    assert set(zip(verified["method"], verified["verdict"], strict=True)) == {
        ("f", "equal bits"),
        ("cox", "equal bits"),
    }
    rows = pd.read_csv(tmp_path / "results/tiny/tables/differences.csv").set_index("method")
    assert rows["difference"]["f"] == rows["low"]["f"] == 0
    assert (rows["low"] <= rows["difference"]).all()
    assert (rows["score_low"] < rows["score"]).all()


def test_study_new_accepts_event(tmp_path, monkeypatch):
    table = write_times(tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    words = ("study", "new", "mine", "--data", "times.csv", "--target", "days", "--event", "status", "--drop", "c")
    assert main(list(words)) == 0
    own = yaml.safe_load(Path("mine.yaml").read_text())["own"]
    assert own["datasets"]["mine"]["columns"] == {"target": "days", "event": "status"}
    assert "cox_score" in own["studies"]["mine"]["methods"]
    assert own["evaluators"]["mine-knn"]["params"]["measures"] == ["c_index"]
    Path("source.json").write_text("{}")
    named = {"dataset": "mine", "own": own["datasets"]["mine"], "catalogue": None}
    files = {"source": Path("source.json"), "header": Path("data/header.json"), "failures": Path("failures.log")}
    assert prepare_job(PrepareJob(**named, **files)) == []
    dataset = Dataset.load("data")
    assert list(dataset.X) == ["a", "b", "sex"]
    np.testing.assert_array_equal(dataset.y, np.column_stack([table["days"], table["status"] == 2]))
    found = dataset.coded().targets.scored_on(np.arange(50)).values[:, 0]
    np.testing.assert_allclose(found[:50], log_rank_scores(*dataset.y[:50].T), rtol=1e-12)
    assert np.isnan(found[50:]).all()
