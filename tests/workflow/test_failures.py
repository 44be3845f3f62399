"""Permanent failures give a status row and an entry on the page; all other results are made."""

import hashlib
import shutil
from html import unescape

import pandas as pd
import pytest
import yaml

from sslrank.benchmark.rerun import delete_fits

RESULTS = "results/tiny"


@pytest.fixture
def broken(fresh, config, tmp_path):
    """A study of a good dataset and three that cannot be downloaded, read, and split."""
    path = tmp_path / "datasets.yaml"
    catalogue = yaml.safe_load(path.read_text(encoding="utf-8"))
    text = (tmp_path / "mirror/tiny/tiny.csv").read_text(encoding="utf-8")
    contents = {"lost": text, "damaged": text + "1,2,3\n", "small": "".join(text.splitlines(keepends=True)[:2])}
    for name, content in contents.items():
        digest = hashlib.sha256(content.encode()).hexdigest()
        catalogue[name] = catalogue["tiny"] | {"files": [{"file": "tiny.csv", "sha256": digest}], "shape": {}}
        (tmp_path / "mirror" / name).mkdir()
        if name != "lost":
            (tmp_path / "mirror" / name / "tiny.csv").write_text(content, encoding="utf-8")
    path.write_text(yaml.safe_dump(catalogue), encoding="utf-8")
    config["own"]["studies"]["tiny"] |= {
        "datasets": ["tiny", "lost", "damaged", "small"],
        "methods": ["laplacian", "variance"],
        "splits": {"folds": 2, "L": [10]},
        "evaluators": ["knn", "curves"],
        "clustering_hypothesis": True,
    }
    params = {"predictor": "knn", "n_rankings": 2, "expected": True}
    config["own"]["evaluators"]["curves"] = {"evaluator": "eca", "params": params}
    fresh.write(config)
    return fresh


def test_missing_data_leaves_other_results(broken, config, tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results/old").symlink_to("nowhere")  # does not stop it either
    output = broken("--cores", 2)
    assert output.count("dataset 'lost' could not be obtained") == 1
    assert "dataset 'damaged' cannot be read" in output
    assert "dataset 'small' cannot be split" in output
    assert "Traceback" not in output
    assert "could not be computed" not in output  # what an evaluator shares, without data
    status = pd.read_csv(tmp_path / RESULTS / "collected/status.csv")
    lost = status[status["dataset"] == "lost"]
    assert lost.groupby("method")["mode"].agg(" ".join).to_dict() == {"laplacian": "ssl sl", "variance": "ssl sl"}
    assert lost["message"].str.contains("could not be obtained").all()
    status = status[status["status"] != "unsupported"]
    found = {name: set(part["status"]) for name, part in status.groupby("dataset")}
    assert found == {"tiny": {"ok"}} | {name: {"no data"} for name in ("lost", "damaged", "small")}
    scoring = pd.read_csv(tmp_path / RESULTS / "collected/scoring.csv").set_index("dataset")["status"]
    assert set(scoring.loc[["tiny"]]) == {"ok"}
    assert set(scoring.loc[["lost"]]) == {"no data"}
    assert (tmp_path / RESULTS / "shared/tiny/curves.csv").is_file()
    measures = pd.read_csv(tmp_path / RESULTS / "collected/scores.csv").groupby("evaluator")["measure"].unique()
    assert "expected accuracy" in measures["curves"]
    datasets = pd.read_csv(tmp_path / RESULTS / "collected/datasets.csv").set_index("dataset")
    assert datasets["available"].to_dict() == {"tiny": True, "lost": False, "damaged": False, "small": False}
    page = unescape((tmp_path / RESULTS / "report.html").read_text(encoding="utf-8"))
    for text in ("has 3 values, expected 5", "cannot be split"):
        assert text in page, text
    # What failed is tried again, and what then works is as if it had never failed.
    jobs = broken.planned()
    assert (jobs["download"], jobs["prepare"]) == (1, 2)
    shutil.copy(tmp_path / "mirror/tiny/tiny.csv", tmp_path / "mirror/lost")
    broken("--cores", 2, "results/tiny/collected/datasets.csv")
    datasets = pd.read_csv(tmp_path / RESULTS / "collected/datasets.csv").set_index("dataset")
    assert datasets["available"].to_dict() == {"tiny": True, "lost": True, "damaged": False, "small": False}
    config["own"]["studies"]["tiny"]["datasets"] = ["tiny", "lost"]
    broken.write(config)
    jobs = broken.planned()
    assert {"collect", "page"} <= set(jobs)
    assert not {"download", "prepare", "splits", "rank", "score"} & set(jobs)


def test_damaged_file_is_named(tiny_copy, tmp_path):
    ranking = "results/tiny/rankings/tiny/laplacian.parquet"
    content = (tmp_path / ranking).read_bytes()
    (tmp_path / ranking).write_bytes(content[: len(content) // 2])
    output = tiny_copy("--cores", 2, ok=False)
    assert f"{ranking}: cannot be read (" in output
    assert "Run: sslrank rerun results/tiny --dataset tiny --method laplacian, and run the same command" in output
    delete_fits(tmp_path / "results/tiny", {"dataset": "tiny", "method": "laplacian"})
    tiny_copy("--cores", 2)
    assert (tmp_path / ranking).read_bytes() == content
