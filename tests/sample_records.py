"""A complete record of a small dataset, computed without Snakemake."""

import tempfile
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark.archive.finished_jobs import table_facts
from sslrank.benchmark.archive.ranking_summaries import summarize_table
from sslrank.benchmark.archive.record import PARTS, Record
from sslrank.benchmark.environment import environment
from sslrank.benchmark.files import stacked
from sslrank.benchmark.fits import rank_dataset
from sslrank.benchmark.scoring import evaluate_rankings
from sslrank.benchmark.steps.splits import write_splits
from sslrank.datasets.dataset import Dataset
from sslrank.datasets.fingerprint import fingerprint, sha256_of
from sslrank.model_selection.folds import Splits

PROTOCOL = {"scheme": "cross-validation", "folds": 2, "L": ["10", "all"]}
FOREST = {"name": "forest", "ranker": "genie3", "params": {"n_estimators": 3, "supervision": 0.5}, "rankings": None}


def save_dataset(folder, name="d", n_features=6, seed=0):
    """Prepare a dataset of 40 rows in a folder."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(40, n_features)), columns=[f"x{j}" for j in range(n_features)])
    y = np.where(X["x0"] + 0.5 * X["x1"] > 0, "yes", "no").astype(object)
    Dataset(name, "classification", X, y, ["y"], provenance={}).save(folder)


def compute_record(folder, method=FOREST, modes=("ssl", "sl"), study="s", seed=1, late=None):
    """The record of a method on a prepared dataset, as its jobs would make it; one fit may be left out of the means."""
    dataset = Dataset.load(folder)
    write_splits(Dataset.load(folder), PROTOCOL, seed, folder / "splits.json")
    splits = Splits.load(folder / "splits.json")
    block = {"evaluator": "knn", "params": {"n_neighbors": [2, 3]}}
    parts, rankings = {part: [] for part in PARTS}, {}
    for budget in PROTOCOL["L"]:
        rankings[budget], status = rank_dataset(dataset, splits, budget, method, modes=modes, seed=seed)
        parts["fit"].append(status.assign(L=budget))
        kept = rankings[budget]
        if late and late[0] == budget:
            kept = kept[(kept["fold"] != late[1]) | (kept["mode"] != late[2])]
        for part, table in summarize_table(budget, kept).items():
            parts[part].append(table)
        parts["job"].append(
            pd.DataFrame([{"step": "ranking", "L": budget, "s": 2.0, "max_rss": 90.0, "cpu_time": 1.5}])
        )
    scores = pd.DataFrame(evaluate_rankings(dataset, splits, rankings, block, seed=seed)).assign(evaluator="knn")
    parts["score"].append(scores.astype({"k": "Int64"}))
    parts["scoring"].append(pd.DataFrame([{"evaluator": "knn", "status": "ok", "seconds": 0.1, "message": ""}]))
    parts["job"].append(
        pd.DataFrame([{"step": "scores", "evaluator": "knn", "s": 1.0, "max_rss": 90.0, "cpu_time": 1.0}])
    )
    columns = {"job": ["step", "L", "evaluator", "s", "max_rss", "cpu_time"]}
    tables = {
        part: stacked([table.reindex(columns=columns.get(part, PARTS[part])) for table in found], PARTS[part])
        for part, found in parts.items()
    }
    spec = {
        "study": study,
        "dataset": {"name": dataset.name, "task": "classification", "fingerprint": fingerprint(dataset)},
        "splits": PROTOCOL, "splits_sha256": sha256_of(folder / "splits.json"), "seed": seed, "modes": list(modes),
        "method": {"name": method["name"], "spec": method},
        "evaluators": {"knn": block | {"L": PROTOCOL["L"]}}, "L": PROTOCOL["L"],
    }  # fmt: skip
    jobs = ["splits", "ranking 10", "ranking all", "scores knn"]
    made = environment() | {"commit": "c" * 40, "committed": "2026-01-01T00:00:00+00:00"}
    made |= {"code": dict.fromkeys(jobs, "0" * 64), "date": datetime(2026, 1, 2, tzinfo=UTC).isoformat()}
    return Record(spec, [made], table_facts(dataset) | {"note": ""}, tables)


@cache
def _sample_record():
    with tempfile.TemporaryDirectory() as folder:
        save_dataset(folder)
        return compute_record(Path(folder))


def make_record(study="s", dataset="d", method="m", **changed):
    """A whole record under any names, and with changes of its spec."""
    record = deepcopy(_sample_record())
    about = {"study": study, "dataset": record.spec["dataset"] | {"name": dataset}}
    about["method"] = {"name": method, "spec": record.spec["method"]["spec"]}
    return replace(record, spec=record.spec | about | changed)
