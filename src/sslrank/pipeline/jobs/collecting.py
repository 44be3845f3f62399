"""The collecting job: a study's scattered files as four tidy tables."""

import json
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from sslrank.pipeline.files import SCORE_COLUMNS, SCORING_COLUMNS, read_table
from sslrank.pipeline.rankings import STATUS_COLUMNS

DURATION_COLUMNS = ["step", "dataset", "method", "L", "evaluator", "s", "max_rss", "cpu_time"]


def collect_job(directory, *, datasets, scores, status, scoring, benchmarks):
    """Write ``datasets.csv``, ``scores.csv``, ``status.csv``, ``scoring.csv`` and ``durations.csv``.

    A dataset that an earlier job could not make is not available, for that job's reason.

    Parameters
    ----------
    directory : path-like
    datasets : list of dict
        Per dataset: dataset, task, available, reason, title, published (its name there), and where available
        header, the path of the prepared header, and hypothesis, that of the file with CH, or "".
    scores : list of path-like
    status, scoring, benchmarks : list of (dict, path-like)
        The columns that the file itself does not have, and the file.
    """
    folder = Path(directory)
    _stack([({}, path) for path in scores], [], SCORE_COLUMNS).to_csv(folder / "scores.csv", index=False)
    keys = ["dataset", "task", "method", "L"]
    fits = _stack(status, keys, STATUS_COLUMNS)
    fits.to_csv(folder / "status.csv", index=False)
    lost = fits[fits["status"] == "no data"].drop_duplicates("dataset").set_index("dataset")["message"]
    described = pd.DataFrame([_describe(item, lost.get(item["dataset"])) for item in datasets])
    described.to_csv(folder / "datasets.csv", index=False)
    keys = ["dataset", "task", "method", "evaluator"]
    _stack(scoring, keys, SCORING_COLUMNS).to_csv(folder / "scoring.csv", index=False)
    rows = []
    for columns, path in benchmarks:
        record = pd.read_csv(path, sep="\t").mean(numeric_only=True)
        rows.append(columns | {name: record.get(name) for name in ("s", "max_rss", "cpu_time")})
    pd.DataFrame(rows, columns=DURATION_COLUMNS).to_csv(folder / "durations.csv", index=False)


def _stack(parts, keys, columns):
    tables = [read_table(path).assign(**extra) for extra, path in parts]
    tables = [table for table in tables if len(table)]
    if not tables:
        return pd.DataFrame(columns=[*keys, *columns])
    return pd.concat(tables, ignore_index=True)[[*keys, *columns]]


def _describe(item, problem):
    row = {key: item.get(key) for key in ("dataset", "task", "available", "reason", "title", "published")}
    if not item.get("header"):
        return row
    path = Path(item["header"])
    header = json.loads(path.read_text(encoding="utf-8"))
    problem = header.get("problem") or problem
    if problem:
        return row | {"available": False, "reason": problem}
    row |= {
        "examples": header["n_rows"],
        "features": len(header["features"]),
        "nominal": len(header["nominal"]),
    }
    targets = pq.read_table(path.with_name("table.parquet"), columns=header["targets"]).to_pandas()
    task = header["task"]
    if task == "classification":
        counts = targets.iloc[:, 0].value_counts()
        row |= {"classes": len(counts), "majority_share": counts.iloc[0] / counts.sum()}
    elif task in ("mlc", "hmlc"):
        cardinality, count = targets.sum(axis=1).mean(), len(header["targets"])
        row |= {"labels": count, "cardinality": cardinality, "density": cardinality / count}
    else:
        row |= {"targets": len(header["targets"])}
    row["predefined_parts"] = bool(header["parts"])
    if item["hypothesis"]:
        row |= json.loads(Path(item["hypothesis"]).read_text(encoding="utf-8"))
    row["note"] = header["provenance"].get("note", "")
    return row
