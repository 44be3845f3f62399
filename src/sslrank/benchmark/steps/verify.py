"""Checking the archive: random cells are recomputed from the data on and compared with it."""

import json
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark.archive.experiments import job_name, parts_of
from sslrank.benchmark.archive.record import commits
from sslrank.benchmark.archive.store import Archive, read_listed
from sslrank.benchmark.archive.summaries import digests
from sslrank.benchmark.environment import environment
from sslrank.benchmark.logs import file_hashes
from sslrank.benchmark.steps.experiment_part import compute_part
from sslrank.benchmark.steps.rank import rank_dataset
from sslrank.benchmark.steps.score_rankings import score_rankings
from sslrank.benchmark.steps.share import share
from sslrank.benchmark.steps.splits import splits_job
from sslrank.core.random_state import derive_seed
from sslrank.datasets.dataset import Dataset
from sslrank.datasets.fingerprint import fingerprint
from sslrank.evaluation.evaluators import is_shared, load_evaluator
from sslrank.model_selection.folds import Splits

#: Packages whose version can change a result.
COMPUTING = ("numpy", "scipy", "scikit-learn", "pandas")
COLUMNS = [
    *("study", "dataset", "method", "L", "fold", "experiment", "part", "verdict"),
    *("rankings", "equal_bits", "equal_order", "scores", "equal_scores", "largest_difference", "explained_by"),
    *("other_code", "commit"),
]
SAME = "equal bits"
NOTHING = "nothing to compare: every fit took too long"
_SCORE = ["mode", "ranking", "evaluator", "measure", "k"]


class VerifyError(Exception):
    """Recomputed results differ from the archive, and no other version or machine explains it; or there are none."""


def verify_cell(archive, file, budget, data, *, seed=0, n_jobs=1, code=None):
    """Recompute one fold of a record for one L, and compare.

    Parameters
    ----------
    archive : path-like
        Folder of the archive.
    file : str
        A file of it.
    budget : str
        L.
    data : path-like
        Folder of the prepared dataset.
    seed : int, default=0
        Of the choice of the fold.
    n_jobs : int, default=1
    code : dict, optional
        Hash of the code that is here, by job, as a record's "how" has it.

    Returns
    -------
    dict
        :data:`COLUMNS`. The verdict is "equal bits" of all rankings and scores, "equal ranking" (every feature has the
        same rank, and scores the same bits), or what differs: "other data", "other splits", "other status" or "other
        ranking". Other versions, another processor and other instructions explain a difference. Other code does not, as
        it is meant to give the same; jobs whose code is not the one here are `other_code`.
    """
    record = Archive(archive).read(file)
    what, parts = record.what, record.parts
    fits = parts["fit"][(parts["fit"]["L"] == budget) & (parts["fit"]["status"] != "timeout")]
    folds = sorted(fits["fold"].unique())
    fold = int(folds[derive_seed(seed, "verify", file, budget) % len(folds)]) if folds else -1
    row = {"study": what["study"], "dataset": what["dataset"]["name"], "method": what["method"]["name"]}
    jobs = {f"ranking {budget}"} | {f"scores {name}" for name in what["evaluators"]}
    row |= {"L": budget, "fold": fold} | _explanations(record, jobs, code)
    if not folds:
        return row | {"verdict": NOTHING}
    dataset = Dataset.load(data)
    if fingerprint(dataset) != what["dataset"]["fingerprint"]:
        return row | {"verdict": "other data"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "splits.json")
        splits_job(data, path, protocol=what["splits"], seed=what["seed"])
        if file_hashes([path])[str(path)] != what["splits_sha256"]:
            return row | {"verdict": "other splits"}
        splits = Splits.load(path)
    splits = replace(splits, folds=tuple(item for item in splits.folds if item.fold == fold))
    rankings, status = rank_dataset(
        dataset, splits, budget, what["method"]["spec"], modes=what["modes"], seed=what["seed"], n_jobs=n_jobs
    )
    row |= _compared_rankings(rankings, _cell(parts["ranking"], budget, fold))
    row |= _compared_scores(_scores(dataset, splits, budget, rankings, what), _cell(parts["score"], budget, fold))
    before = _cell(parts["fit"], budget, fold).set_index("mode")["status"].to_dict()
    if before != status.set_index("mode")["status"].to_dict():
        return row | {"verdict": "other status"}
    exact = row["scores"] == row["equal_scores"]
    for name, verdict in (("equal_bits", SAME), ("equal_order", "equal ranking")):
        if exact and row[name] == row["rankings"]:
            return row | {"verdict": verdict}
    return row | {"verdict": "other scores" if row["equal_order"] == row["rankings"] else "other ranking"}


def verify_part(path, part, *, n_jobs=1, code=None):
    """Recompute a part of an experiment, and compare.

    Parameters
    ----------
    path : path-like
        The file of the experiment in the archive.
    part : str
        Name of the part.
    n_jobs : int, default=1
    code : dict, optional
        As for :func:`verify_cell`.

    Returns
    -------
    dict
        :data:`COLUMNS`, of which `scores` are the numbers with a fraction. The verdict is "equal bits", "other values",
        or "other rows" where texts or whole numbers differ.
    """
    record = read_listed(path)
    what, archived = record.what, parts_of(record)[part]
    row = {"study": what["study"], "experiment": what["experiment"]["name"], "part": part}
    row |= _explanations(record, {job_name(part)}, code)
    found = compute_part(what["experiment"]["module"], archived.params, seed=what["seed"], n_jobs=n_jobs)
    keys, values = zip(*(_keys_and_values(tables) for tables in (archived.tables, found)), strict=True)
    if keys[0] != keys[1]:
        return row | {"verdict": "other rows"}
    row |= _compared_values(*map(pd.Series, values))
    return row | {"verdict": SAME if row["scores"] == row["equal_scores"] else "other values"}


def _keys_and_values(tables):
    """Of the columns of some tables: names, texts and whole numbers by table, and all other numbers in their order."""
    keys, values = {}, []
    for name, table in sorted(tables.items()):
        floats = table.select_dtypes("float")
        keys[name] = {column: None if column in floats else table[column].tolist() for column in table}
        values += floats.to_numpy().ravel().tolist()
    return keys | {"numbers": len(values)}, values


def _cell(table, budget, fold):
    return table[(table["L"] == budget) & (table["fold"] == fold)]


def _compared_rankings(rankings, archived):
    keys = ["mode", "ranking"]
    found = [
        dict(zip(keys, key, strict=True)) | digests(part["importance"].to_numpy())
        for key, part in rankings.groupby(keys, sort=False)
    ]
    found = pd.DataFrame(found, columns=[*keys, "bits", "order"])
    both = archived.merge(found, on=keys, how="outer", suffixes=("", "_here"))
    return {
        "rankings": len(both),
        "equal_bits": int((both["bits"] == both["bits_here"]).sum()),
        "equal_order": int((both["order"] == both["order_here"]).sum()),
    }


def _scores(dataset, splits, budget, rankings, what):
    rows = []
    for name, block in what["evaluators"].items():
        if budget not in block["L"]:
            continue
        evaluator, params = block["evaluator"], block["params"]
        shared = None
        if is_shared(evaluator, params):
            shared = share(dataset, splits, [budget], evaluator, params=params, seed=what["seed"])
        evaluate = load_evaluator(evaluator).evaluate
        options = {"params": params, "seed": what["seed"], "shared": shared}
        found = score_rankings(dataset, splits, {budget: rankings}, evaluate, **options)
        rows += [item | {"evaluator": name} for item in found]
    return pd.DataFrame(rows, columns=[*_SCORE, "value"]).astype({"k": "Int64"})


def _compared_scores(scores, archived):
    both = archived.merge(scores, on=_SCORE, how="outer", suffixes=("", "_here"), indicator=True)
    there = both["_merge"] == "both"
    return _compared_values(*(both[name].astype(float) for name in ("value", "value_here")), there)


def _compared_values(first, second, there=True):
    equal = there & ((first == second) | (first.isna() & second.isna()))
    largest = (first - second).abs().max()
    return {
        "scores": len(first),
        "equal_scores": int(equal.sum()),
        "largest_difference": None if np.isnan(largest) else float(largest),
    }


def _explanations(record, names, code):
    """What of "how" is not the same here, of the jobs that made a cell."""
    now, found, other = environment(), [], []
    for group in record.how:
        jobs = [job for job in group["code"] if job in names]
        if not jobs:
            continue
        other += [job for job in jobs if code is not None and code.get(job, group["code"][job]) != group["code"][job]]
        then = {name: group["versions"].get(name) for name in COMPUTING} | {"python": group["machine"]["python"]}
        here = {name: now["versions"].get(name) for name in COMPUTING} | {"python": now["machine"]["python"]}
        found += [f"{name} {then[name]}, here {here[name]}" for name in then if then[name] != here[name]]
        for name, old, new in (
            ("instructions", group["instructions"], now["instructions"]),
            ("processor", group["machine"]["processor"], now["machine"]["processor"]),
        ):
            if old != new:
                found.append(f"{name} {old}, here {new}")
    return {
        "explained_by": "; ".join(dict.fromkeys(found)),
        "other_code": "; ".join(dict.fromkeys(other)),
        "commit": " ".join(commits(record)),
    }


def verify_job(cells, output):
    """Gather the results of cells in a table.

    Parameters
    ----------
    cells : list of path-like
        JSON of :func:`verify_cell` or :func:`verify_part`; they are deleted, so that the next run computes them anew.
    output : path-like

    Returns
    -------
    list of str
        Lines to be shown.

    Raises
    ------
    VerifyError
        If there are no cells, or there is a difference that nothing explains; the table is written before.
    """
    if not cells:
        raise VerifyError(
            "the archive has nothing to verify of these studies, datasets and methods (and of methods with a rule of "
            "their own nothing is)"
        )
    table = pd.DataFrame([json.loads(Path(path).read_text(encoding="utf-8")) for path in cells], columns=COLUMNS)
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(output, index=False)
    for path in cells:
        Path(path).unlink()
    lines = [f"{verdict}: {count} of {len(table)} cells" for verdict, count in table["verdict"].value_counts().items()]
    different = table[~table["verdict"].isin([SAME, NOTHING])]
    explained = different["explained_by"].fillna("") != ""
    for reasons, count in different.loc[explained, "explained_by"].value_counts().items():
        lines.append(f"{count} cells differ, which may come from: {reasons}")
    bad = different[~explained]
    if len(bad):
        cell = bad.iloc[0]
        code = f" (by other code: {cell['other_code']})" if cell["other_code"] else ""
        raise VerifyError(
            f"{len(bad)} of {len(table)} cells differ from the archive, and neither versions nor machine explain it; "
            f"the first: {_called(cell)}: {cell['verdict']}{code}. All are in {output}"
        )
    return [*lines, f"the table is {output}"]


def _called(cell):
    if isinstance(cell["experiment"], str) and cell["experiment"]:
        return f"{cell['study']}, experiment {cell['experiment']}, part {cell['part']}"
    return f"{cell['study']}, {cell['dataset']}, {cell['method']}, L {cell['L']}, fold {cell['fold']}"
