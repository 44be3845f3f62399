"""From the files of the jobs of a pair to the tables of a record.

A pair is what the plan says of one method on one dataset in one study::

    study, dataset, task, method
    header, splits, splits_log    paths
    rankings                      by L: rankings, status, log, benchmark (paths)
    scores                        by evaluator: scores, status, log, benchmark (paths), L (what it judges)
    joined                        columns of a job that does all L or evaluators: a set out of "rankings" and "scores"
"""

import json
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from sslrank.benchmark.archive.record import PARTS
from sslrank.benchmark.files import read_benchmark, read_table
from sslrank.benchmark.logs import read_record


def gather_parts(pair):
    """The tables of a pair from the files of its jobs, but for what is kept of the rankings.

    Parameters
    ----------
    pair : dict
        See the module's docstring.

    Returns
    -------
    dict of str to DataFrame
        See :data:`sslrank.benchmark.archive.record.PARTS`.
    """
    rankings, scores = pair["rankings"], pair["scores"]
    parts = {"score": _stack([read_table(files["scores"]) for files in scores.values()], "score")}
    judged = [(name, files["status"]) for name, files in scores.items() if "status" in files]
    parts["scoring"] = _stack([read_table(path).assign(evaluator=name) for name, path in judged], "scoring")
    parts["fit"] = _stack([read_table(files["status"]).assign(L=L) for L, files in rankings.items()], "fit")
    jobs, origins = {}, origins_of(pair)
    for step, column, found in (("ranking", "L", rankings), ("scores", "evaluator", scores)):
        for name, files in found.items():
            record = read_benchmark(files["benchmark"])
            if step == "ranking" and name in origins and (step not in pair["joined"] or len(origins) == len(rankings)):
                record = origins[name]["job"] or record
            row = {"step": step, column: None if step in pair["joined"] else name}
            jobs.setdefault(files["benchmark"], row | {key: record.get(key) for key in ("s", "max_rss", "cpu_time")})
    parts["job"] = pd.DataFrame(list(jobs.values()), columns=PARTS["job"])
    return parts


def origins_of(pair):
    """By L where fits were made that its job took over from the archive; see `take_over` of .unfinished."""
    made = {L: read_record(files["log"]) or {} for L, files in pair["rankings"].items()}
    return {L: record["taken"][L] for L, record in made.items() if L in record.get("taken", ())}


def _stack(tables, part):
    tables = [table for table in tables if len(table)]
    if not tables:
        return pd.DataFrame(columns=PARTS[part])
    return pd.concat(tables, ignore_index=True)[PARTS[part]]


def dataset_facts(header, hypothesis=None):
    """Facts of a prepared dataset.

    Parameters
    ----------
    header : path-like
        Beside it is the table.
    hypothesis : path-like, optional
        The file with CH.

    Returns
    -------
    dict
        examples, features, nominal, labeled (how many have a target, where some have none), what the kind of target
        has (classes, majority_share; labels, cardinality, density; targets), predefined_parts, CH where it is given,
        note.
    """
    path = Path(header)
    header = json.loads(path.read_text(encoding="utf-8"))
    row = {"examples": header["n_rows"], "features": len(header["features"]), "nominal": len(header["nominal"])}
    targets = pq.read_table(path.with_name("table.parquet"), columns=header["targets"]).to_pandas()
    labeled = int(targets.notna().any(axis=1).sum())
    if labeled < len(targets):
        row["labeled"] = labeled
    task = header["task"]
    if task == "classification":
        counts = targets.iloc[:, 0].value_counts()
        row |= {"classes": len(counts), "majority_share": float(counts.iloc[0] / counts.sum())}
    elif task in ("mlc", "hmlc"):
        cardinality, count = float(targets.sum(axis=1).mean()), len(header["targets"])
        row |= {"labels": count, "cardinality": cardinality, "density": cardinality / count}
    else:
        row |= {"targets": len(header["targets"])}
    row["predefined_parts"] = bool(header["parts"])
    if hypothesis:
        row |= json.loads(Path(hypothesis).read_text(encoding="utf-8"))
    return row | {"note": header["provenance"].get("note", "")}


def files_of(pair):
    """The files of the rankings of a pair, by L."""
    return {L: files["rankings"] for L, files in pair["rankings"].items()}
