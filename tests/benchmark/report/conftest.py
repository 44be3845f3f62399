"""A finished study of made-up numbers with odd names, its page, and a browser to open it with."""

import json

import numpy as np
import pandas as pd
import pytest

from made_study import study_of
from sslrank.benchmark.config.load import STANDARD_TABLES
from sslrank.benchmark.files import SCORING_COLUMNS
from sslrank.benchmark.report.dataset_views import BLIND
from sslrank.benchmark.report.page import write_page
from sslrank.benchmark.results.study import StudyData
from sslrank.benchmark.steps.tables import write_tables
from sslrank.metrics.single import measure_for

ODD = ['<b>bold</b>"quoted"', "αβγ 'single' & \\ `tick`", "n" * 300, "</script><script>alert(1)</script>"]
TABLES = (*STANDARD_TABLES, "areas", "friedman", "ssl_minus_sl")


def table_block(name):
    verdict = "Same in {{ len(cells('full/compared/a.csv')) }} of {{ len(cells('reduced/a.csv')) }} cells."
    empty = {"about": "", "note": "", "options": {}, "variants": {}, "published": []}
    return {"function": name, "title": f"Table {name}", "verdict": verdict} | empty


def page_config(methods, controls):
    """Return the keys of a study's block that only its page reads."""
    used = {name: {"name": name, "ranker": "genie3", "params": {"n_estimators": 4, ODD[1]: ODD[0]}} for name in methods}
    for name in controls:
        used[name] = {"name": name, "ranker": "genie3" if name == "oracle" else BLIND[0], "params": {}}
    return {
        "name": "made-up", "title": f"Made up {ODD[0]}", "description": ODD[3], "scale": "test",
        "changes": "everything", "filtered": False, "evaluators": ["knn"],
        "figures": {"kind": "labels", "k": [20, 40]},
        "published": "made-up",
        "tables": {name: table_block(name) for name in TABLES},
        "titles": {"random_forest": "Random forest score", ODD[0]: ODD[3]},
        "methods_used": used,
        "evaluators_used": {"knn": {"evaluator": "knn", "params": {}, "title": "kNN of friends"}},
    }  # fmt: skip


def features_table(scores, names, rng):
    """The best features of every ranking."""
    rankings = scores[["dataset", "task", "method", "ranking", "mode", "L"]].drop_duplicates()
    features = rankings.loc[rankings.index.repeat(30)].reset_index(drop=True)
    features["feature"] = np.concatenate([rng.permutation(names)[:30] for _ in range(len(rankings))]).astype(object)
    return features.assign(mean_rank=np.tile(np.arange(30) + 1.5, len(rankings)))


def make_study(folder, *, datasets, methods, controls, n_folds):
    """Write the files of a study that the page reads; returns its configuration."""
    rng, names = np.random.default_rng(5), [*methods, *controls]
    study = study_of(
        lambda *_: round(rng.random(), 6),  # in no order of merit
        {name: (task, measure_for(task).name) for name, task in datasets.items()},
        dict(zip(names, names, strict=True)),
        L=("50", "200"),
        folds=n_folds,
        controls=controls,
        sizes=(20, 40),
        comparison={"k": 20, "L": None},
        **page_config(methods, controls),
    )
    config, scores, status = study.config, study.scores, study.status
    config["splits"] |= {"folds": n_folds, "scheme": "ssl-cross-validation"}
    config["datasets"] = list(datasets)
    collected = folder / "collected"
    collected.mkdir(parents=True)
    about = pd.DataFrame({"dataset": list(datasets), "task": list(datasets.values())})
    about = about.assign(available=True, reason="", title=about["dataset"], published="", examples=100, note=ODD[0])
    gone = {"dataset": "gone", "task": "multilabel", "available": False, "reason": "its files are lost"}
    pd.concat([about, pd.DataFrame([gone])]).to_csv(collected / "datasets.csv", index=False)
    scores.to_csv(collected / "scores.csv", index=False)
    failed = status.iloc[[0]].assign(method=methods[0], L="999", status="failed", message=ODD[3])
    pd.concat([status, failed]).to_csv(collected / "status.csv", index=False)
    scoring = pd.DataFrame(columns=["dataset", "task", "method", "evaluator", *SCORING_COLUMNS])
    scoring.to_csv(collected / "scoring.csv", index=False)
    durations = status[["dataset", "method"]].drop_duplicates()
    durations = pd.concat([durations.assign(step=step) for step in ("ranking", "scores")])
    durations.assign(L="", evaluator="", s=2.0).to_csv(collected / "durations.csv", index=False)
    sources = durations[["dataset", "method"]].drop_duplicates()
    sources.assign(source="archive", commit="1" * 40, code="other").to_csv(collected / "sources.csv", index=False)
    names = [*ODD, *(f"feature {i}" for i in range(40))]
    features_table(scores, names, rng).to_parquet(collected / "features.parquet")
    write_tables(StudyData.load(config, collected), folder / "tables", config["tables"])
    _publish(folder, config)
    for length, name in enumerate(("full/compared/a.csv", "reduced/a.csv"), start=1):
        path = folder.parent / "summaries" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame({"cell": range(length)}).to_csv(path, index=False)
    manifest = {
        "study": "made-up", "finished": "2026-01-01T10:00:00", "command": "snakemake made-up", "commit": "0" * 40,
        "machine": {"processor": "", "architecture": "any", "cores": 2, "system": "any", "python": "3"},
        "versions": {"numpy": "2"}, "fit_hours": 0.1, "largest_memory_mb": 100.0,
        "fits": {"ok": len(status), "failed": 1}, "experiments": [], "config": config,
        "sources": [
            {"source": "archive", "commit": "1" * 40, "processor": "any", "results": len(sources)},
            {"source": "the file", "commit": None, "processor": None, "results": 1},
        ],
    }  # fmt: skip
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return config


def _publish(folder, config):
    """Pretend that the table of differences is printed."""
    cells = pd.read_csv(folder / "tables" / "ssl_minus_sl.csv")
    cells = cells[~cells["control"]].rename(columns={"delta": "reproduced"})
    cells = cells[["task", "dataset", "ranking", "reproduced", "spread"]].assign(source="table1", quantity="delta")
    cells["published"] = (cells["reproduced"] + 0.03).round(3)
    cells["difference"] = cells["reproduced"] - cells["published"]
    cells.loc[cells.index[-1], ["reproduced", "difference"]] = np.nan
    (folder / "compared").mkdir()
    cells.to_csv(folder / "compared" / "ssl_minus_sl.csv", index=False)
    agreement = pd.DataFrame({"quantity": ["delta"], "published": len(cells), "reproduced": 3})
    agreement.to_csv(folder / "compared" / "ssl_minus_sl.agreement.csv", index=False)
    config["tables"]["ssl_minus_sl"]["published"] = ["table1.csv"]


@pytest.fixture(scope="session")
def odd_names():
    """Names of datasets, features and methods that must break nothing."""
    return ODD


@pytest.fixture(scope="session")
def new_study():
    """Writes the files of a study: see :func:`make_study`."""
    return make_study


@pytest.fixture(scope="session")
def study_folder(tmp_path_factory):
    """The folder of a finished study with odd names, and its page."""
    folder = tmp_path_factory.mktemp("study") / "made-up"
    datasets = {**dict.fromkeys([*ODD, "plain"], "classification"), "reg": "regression", "reg2": "regression"}
    config = make_study(
        folder,
        datasets=datasets,
        methods=["random_forest", "relief", ODD[0], ODD[2]],
        controls=["equal_weights", "random_ranking", "oracle"],
        n_folds=3,
    )
    write_page(folder, folder / "report.html", config=config)
    return folder
