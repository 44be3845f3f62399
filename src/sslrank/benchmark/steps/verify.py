"""Check the archive: recompute random cells from the data on, and compare them with it."""

import itertools
import json
import os
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
from sslrank.benchmark.fits import rank_dataset
from sslrank.benchmark.scoring import score_rankings, share
from sslrank.benchmark.steps.experiment_part import compute_part
from sslrank.benchmark.steps.splits import splits_job
from sslrank.core.random_state import derive_seed
from sslrank.datasets.dataset import Dataset
from sslrank.datasets.fingerprint import fingerprint, sha256_of
from sslrank.evaluation.evaluators import is_shared, load_evaluator
from sslrank.model_selection.folds import Splits
from sslrank.stats.stability import ranks_of

#: Packages whose version can change a result.
COMPUTING = ("numpy", "scipy", "scikit-learn", "pandas")
COLUMNS = [
    *("study", "dataset", "method", "L", "fold", "experiment", "part", "verdict", "swapped", "difference"),
    *("rankings", "equal_bits", "equal_order", "scores", "equal_scores", "largest_difference"),
    *("explained_by", "other_code", "archived_commit", "commit", "command"),
]
#: Verdicts, the best first; "different" is the only one that no other code explains.
SAME, CLOSE, SWAPPED, DIFFERENT = "equal bits", "within 1e-9", "near ties swapped", "different"
NOTHING = "nothing to compare"
#: Scores may differ by this, relative to those above 1; importances whose gap is this share of the largest nearly tie.
TOLERANCE = 1e-9
#: Orders of near ties that are tried for one ranking, and features that may nearly tie with each other.
MOST_ORDERS, MOST_TIED = 20_000, 5
_SCORE = ["mode", "ranking", "evaluator", "measure", "k"]


class VerifyError(Exception):
    """Recomputed results differ from the archive without an explanation, or there is nothing to verify."""


def verify_cell(archive, file, budget, data, *, seed=0, n_jobs=1, code=None):
    """Recompute one fold of a record for one L, and compare.

    The archive keeps digests of the rankings. Where the order of a ranking differs, orders of its near ties are tried
    until the digest fits; scores are then those of the archive's order.

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
        :data:`COLUMNS`. The verdict is "equal bits" (of all rankings and scores), "within 1e-9" (every feature has the
        same rank, and all scores agree within 1e-9), "near ties swapped" (so they do but for `swapped` features that
        nearly tie) or "different", and `difference` names what: data, splits, status, ranking or scores. Jobs whose
        code is not the one here are `other_code`.
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
        return row | {"verdict": NOTHING, "difference": "every fit took too long"}
    dataset = Dataset.load(data)
    if fingerprint(dataset) != what["dataset"]["fingerprint"]:
        return row | {"verdict": DIFFERENT, "difference": "data"}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "splits.json")
        splits_job(data, path, protocol=what["splits"], seed=what["seed"])
        if sha256_of(path) != what["splits_sha256"]:
            return row | {"verdict": DIFFERENT, "difference": "splits"}
        splits = Splits.load(path)
    splits = replace(splits, folds=tuple(item for item in splits.folds if item.fold == fold))
    rankings, status = rank_dataset(
        dataset, splits, budget, what["method"]["spec"], modes=what["modes"], seed=what["seed"], n_jobs=n_jobs
    )
    rankings, found = _compared_rankings(rankings, _cell(parts["ranking"], budget, fold))
    row |= found | _compared_scores(
        _scores(dataset, splits, budget, rankings, what), _cell(parts["score"], budget, fold)
    )
    before = _cell(parts["fit"], budget, fold).set_index("mode")["status"].to_dict()
    if before != status.set_index("mode")["status"].to_dict():
        return row | {"verdict": DIFFERENT, "difference": "status"}
    if row["swapped"] is None:
        return row | {"verdict": DIFFERENT, "difference": "ranking"}
    return row | _verdict(row)


def _verdict(row):
    """The verdict of a cell whose rankings are those of the archive, but for near ties."""
    if row["close_scores"] < row["scores"]:
        return {"verdict": DIFFERENT, "difference": "scores"}
    if row["swapped"]:
        return {"verdict": SWAPPED}
    exact = row["equal_bits"] == row["rankings"] and row["equal_scores"] == row["scores"]
    return {"verdict": SAME if exact else CLOSE}


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
        :data:`COLUMNS`, of which `scores` are the numbers with a fraction. The verdict is as for :func:`verify_cell`;
        the `difference` is "values", or "rows" where texts or whole numbers differ.
    """
    record = read_listed(path)
    what, archived = record.what, parts_of(record)[part]
    row = {"study": what["study"], "experiment": what["experiment"]["name"], "part": part}
    row |= _explanations(record, {job_name(part)}, code)
    found = compute_part(what["experiment"]["module"], archived.params, seed=what["seed"], n_jobs=n_jobs)
    keys, values = zip(*(_keys_and_values(tables) for tables in (archived.tables, found)), strict=True)
    if keys[0] != keys[1]:
        return row | {"verdict": DIFFERENT, "difference": "rows"}
    row |= _compared_values(*map(pd.Series, values))
    if row["close_scores"] < row["scores"]:
        return row | {"verdict": DIFFERENT, "difference": "values"}
    return row | {"verdict": SAME if row["equal_scores"] == row["scores"] else CLOSE}


def _keys_and_values(tables):
    """Columns of some tables: names, texts and whole numbers by table, and all other numbers in their order."""
    keys, values = {}, []
    for name, table in sorted(tables.items()):
        floats = table.select_dtypes("float")
        keys[name] = {column: None if column in floats else table[column].tolist() for column in table}
        values += floats.to_numpy().ravel().tolist()
    return keys | {"numbers": len(values)}, values


def _cell(table, budget, fold):
    return table[(table["L"] == budget) & (table["fold"] == fold)]


def _compared_rankings(rankings, archived):
    """Rankings in the archive's order of near ties, and counts of those that agree.

    `swapped` is the number of features that near ties of all rankings put elsewhere, None if a ranking has another
    order or only one side has it.
    """
    known = {(row.mode, row.ranking): row for row in archived.itertuples()}
    found, equal_bits, equal_order, swapped, tables = 0, 0, 0, 0, []
    for key, part in rankings.groupby(["mode", "ranking"], sort=False):
        found += 1
        there, here = known.pop(key, None), digests(part["importance"].to_numpy())
        tables.append(part)
        if there is None:
            swapped = None
            continue
        equal_bits += here["bits"] == there.bits
        if here["order"] == there.order:
            equal_order += 1
        elif (values := with_order(part["importance"].to_numpy(), there.order)) is None:
            swapped = None
        elif swapped is not None:
            tables[-1] = part.assign(importance=values)
            first, second = ranks_of(np.array([-values, -part["importance"].to_numpy()]))
            swapped += int((first != second).sum())
    counts = {"rankings": found + len(known), "equal_bits": equal_bits, "equal_order": equal_order}
    counts["swapped"] = None if known else swapped
    return pd.concat(tables) if tables else rankings, counts


def with_order(importances, order):
    """Importances with the order of a digest, if that breaks near ties otherwise.

    Parameters
    ----------
    importances : ndarray of shape (D,)
    order : int
        See :func:`sslrank.benchmark.archive.summaries.digests`.

    Returns
    -------
    ndarray or None
        Values with near ties in another order, or made equal; None if no order of near ties that was tried fits.

    Examples
    --------
    >>> import numpy as np
    >>> with_order(np.array([0.5, 0.25, 0.5 + 1e-12]), digests([2, 1, 2])["order"]).tolist()
    [0.500000000001, 0.25, 0.500000000001]
    """
    importances = np.asarray(importances, dtype=float)
    best = np.argsort(-importances, kind="stable")
    ordered = importances[best]
    apart = np.flatnonzero(-np.diff(ordered) > TOLERANCE * np.abs(importances).max(initial=0.0)) + 1
    groups = [group for group in np.split(best, apart) if len(group) > 1]
    if not groups:
        return None
    # By group: values of each of its weak orders, some units in the last place apart; a large group may only tie.
    choices = []
    for group in groups:
        levels = itertools.product(range(len(group)), repeat=len(group)) if len(group) <= MOST_TIED else []
        orders = {tuple(np.unique(each, return_inverse=True)[1].tolist()) for each in [(0,) * len(group), *levels]}
        largest = importances[group[0]]
        choices.append([largest - np.array(each) * np.spacing(abs(largest)) for each in sorted(orders)])
    # The fewest changes first: a change in one group, then in two, ...
    tried = 0
    for number in range(1, len(groups) + 1):
        for changed in itertools.combinations(range(len(groups)), number):
            for picked in itertools.product(*(choices[each] for each in changed)):
                found = importances.copy()
                for each, values in zip(changed, picked, strict=True):
                    found[groups[each]] = values
                if digests(found)["order"] == order:
                    return found
                tried += 1
                if tried == MOST_ORDERS:
                    return None
    return None


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
    gap = (first - second).abs()
    close = equal | (there & (gap <= TOLERANCE * first.abs().clip(lower=1)))
    largest = gap.max()
    return {
        "scores": len(first),
        "equal_scores": int(equal.sum()),
        "close_scores": int(close.sum()),
        "largest_difference": None if np.isnan(largest) else float(largest),
    }


def _explanations(record, names, code):
    """List what differs here from the environment and the code of the jobs that made a cell."""
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
        "archived_commit": " ".join(commits(record)),
        "commit": now["commit"],
        "command": os.environ.get("SSLRANK_COMMAND", ""),
    }


def verify_job(cells, output):
    """Gather the results of cells in a table.

    Parameters
    ----------
    cells : list of path-like
        JSON of :func:`verify_cell` or :func:`verify_part`.
    output : path-like

    Returns
    -------
    list of str
        Lines to be shown.

    Raises
    ------
    VerifyError
        If there are no cells, or there is a difference that nothing explains; the table is written before. Other
        versions, another processor and other instructions explain every difference, other code that near ties are
        swapped.
    """
    if not cells:
        raise VerifyError(
            "the archive has nothing to verify of these studies, datasets and methods (and of methods with a rule of "
            "their own nothing is)"
        )
    table = pd.DataFrame([json.loads(Path(path).read_text(encoding="utf-8")) for path in cells], columns=COLUMNS)
    table["swapped"] = table["swapped"].astype("Int64")
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(output, index=False)
    lines = [f"{verdict}: {count} of {len(table)} cells" for verdict, count in table["verdict"].value_counts().items()]
    different = table[table["verdict"].isin([SWAPPED, DIFFERENT])]
    explained = different["explained_by"].fillna("") != ""
    for reasons, count in different.loc[explained, "explained_by"].value_counts().items():
        lines.append(f"{count} cells differ, which may come from: {reasons}")
    later = (different["verdict"] == SWAPPED) & (different["other_code"].fillna("") != "")
    bad = different[~explained & ~later]
    if len(bad):
        cell = bad.iloc[0]
        code = f" (by other code: {cell['other_code']})" if cell["other_code"] else ""
        raise VerifyError(
            f"{len(bad)} of {len(table)} cells differ from the archive, and neither versions nor machine explain it; "
            f"the first: {_called(cell)}: {cell['verdict']}{_difference(cell)}{code}. All are in {output}"
        )
    return [*lines, f"the table is {output}"]


def _difference(cell):
    return f" {cell['difference']}" if isinstance(cell["difference"], str) and cell["difference"] else ""


def _called(cell):
    if isinstance(cell["experiment"], str) and cell["experiment"]:
        return f"{cell['study']}, experiment {cell['experiment']}, part {cell['part']}"
    return f"{cell['study']}, {cell['dataset']}, {cell['method']}, L {cell['L']}, fold {cell['fold']}"
