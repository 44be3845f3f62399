"""Behaviour digests: a hash of what each method, evaluator and step computes on small fixed tables.

``make digests``, for some rankers or evaluators ``python -m sslrank.benchmark.digests relief knn``, renews
``digests.csv`` next to this file, which rules, the archive and `sslrank audit` read
(:mod:`sslrank.benchmark.plan.fingerprints`). A changed row means that archived records of this method or evaluator are
of older behaviour.

The tables have every kind of target, categories, missing values and ties; some have distinct numbers only. Numbers are
rounded to a millionth of the largest, so that the last bits of another processor do not count. Code that only larger
tables reach is not covered.
"""

import contextlib
import csv
import hashlib
import io
import sys
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.benchmark.fits import rank_dataset
from sslrank.benchmark.plan.fingerprints import SIZES, digest_key, digests, sized, source_root
from sslrank.benchmark.scoring import evaluate_rankings
from sslrank.benchmark.steps.clustering_hypothesis import HypothesisJob, clustering_hypothesis_job
from sslrank.benchmark.steps.export import ExportJob, export_job
from sslrank.benchmark.steps.import_rankings import ImportJob, import_rankings_job
from sslrank.core.extras import MissingExtraError
from sslrank.core.tasks import DATASET_TASKS
from sslrank.datasets.catalogue import own_entry
from sslrank.datasets.dataset import Dataset
from sslrank.datasets.prepare import prepare
from sslrank.evaluation.evaluators import EVALUATORS, load_evaluator
from sslrank.model_selection.folds import Fold, Splits
from sslrank.model_selection.splits import SCHEMES, make_splits
from sslrank.rankers.registry import RANKERS, get_ranker

ROWS, TRAIN, LABELED = 40, 30, 15
#: A step of rounding is the largest number over this one, which keeps simple fractions away from where rounding jumps.
STEPS = 1234567.89
KINDS = ("numbers", "coarse", "mixed")
COLUMNS = ("kind", "name", "params", "digest")


# --- the tables ---------------------------------------------------------------------------------------------------


def _uniform(number):
    """Return numbers that fill [0, 1) evenly, the same on every processor and with every version of NumPy."""
    return np.arange(1, ROWS + 1) * np.sqrt(float((2, 3, 5, 7, 11, 13, 17, 19, 23)[number])) % 1


def _features(kind):
    numbers = pd.DataFrame({f"x{j}": _uniform(j) for j in range(4)})
    if kind == "numbers":
        return numbers
    shades = np.array(["dark", "light", "none", "rare"], dtype=object)[np.digitize(_uniform(7), [0.4, 0.8, 0.95])]
    sizes = np.where(_uniform(8) < 0.1, None, np.where(_uniform(1) + _uniform(8) < 1, "large", "small"))
    coarse = {"ties": np.floor(4 * _uniform(4)), "shade": pd.Categorical(shades), "size": pd.Categorical(sizes)}
    coarse = np.floor(3 * numbers[["x0", "x1"]]).assign(**coarse)
    if kind == "coarse":
        return coarse
    return coarse.assign(x2=_uniform(2), x3=_uniform(3), gaps=np.where(_uniform(5) < 0.2, np.nan, _uniform(6)))


@cache
def tiny(task, kind):
    """Make a table with a kind of target and one fold and budget, whose columns are "numbers", "coarse" or "mixed"."""
    X = _features(kind)
    signal = _uniform(0) + 0.5 * _uniform(1) + 0.3 * _uniform(8)
    if kind != "numbers":
        signal = signal + 0.6 * (X["shade"] == "dark").to_numpy() + 0.2 * X["ties"].to_numpy()
    signal, hierarchy = signal - np.median(signal), None
    labels = np.column_stack([signal > -0.3, signal + _uniform(2) > 0.5, signal > 0.2]).astype(float)
    if task == "classification":
        y = np.array(["a", "b", "c"], dtype=object)[np.digitize(signal, [-0.2, 0.3])]
    elif task == "regression":
        y = signal
    elif task == "multitarget":
        y = np.column_stack([signal, _uniform(3) - signal])
    elif task == "survival":
        y = np.column_stack([1 + np.exp2(np.round(4 * signal)), _uniform(7) > 0.3]).astype(float)
    else:
        y, hierarchy = labels, [[], [], [0]] if task == "hierarchical" else None
    names = ["y"] if y.ndim == 1 else [f"y{j}" for j in range(y.shape[1])]
    train = np.arange(TRAIN)
    fold = Fold(0, train, np.arange(TRAIN, ROWS), {"L": train[:: TRAIN // LABELED]})
    dataset = Dataset(f"tiny-{task}", task, X, y, names, hierarchy)
    return dataset, Splits("holdout", dataset.name, 0, ROWS, ("L",), (fold,))


# --- digests ------------------------------------------------------------------------------------------------------


def rounded(values):
    """Return numbers as text, in steps of about a millionth of the largest, which has six digits."""
    values = np.asarray(values, dtype=np.float64)
    largest = np.nanmax(np.abs(values), initial=0)
    steps = np.nan_to_num(np.round(values / (largest or 1) * STEPS) + 0.0, nan=-1e9)
    return f"{largest * STEPS:.6g} {steps.astype(np.int64).tolist()}"


def _hash(lines):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def _tables():
    return [*(tiny(task, "mixed") for task in DATASET_TASKS), *(tiny("classification", kind) for kind in KINDS[:2])]


def _reduced(params, defaults):
    """Return parameters with small sizes, and lines about the default sizes, which count."""
    sizes = {key: value for key, value in SIZES.items() if key in defaults and defaults[key] is not None}
    return sizes | sized(params), [f"{key} {defaults[key]}" for key in sizes]


def ranker_digest(ranker, params):
    """Digest the rankings and the status of the fits of a ranker; the supervised mode on the first table only."""
    params, lines = _reduced(params, get_ranker(ranker).get_params(deep=False))
    spec = {"name": "it", "ranker": ranker, "params": params}
    for number, (dataset, splits) in enumerate(_tables()):
        modes = ("ssl", "sl") if number == 0 else ("ssl",)
        with contextlib.redirect_stderr(io.StringIO()):  # the tracebacks of fits that fail, as some do here
            rankings, status = rank_dataset(dataset, splits, "L", spec, modes=modes)
        lines += [f"{dataset.task} {row.mode} {row.status}" for row in status.itertuples()]
        for key, part in rankings.groupby(["mode", "ranking"], sort=False):
            lines.append(f"{key} {rounded(part['importance'])}")
    return _hash(lines)


def evaluator_digest(evaluator, params):
    """Digest the scores of two rankings: of distinct numbers, and with ties, and zeros for columns without ties."""
    params, lines = _reduced(params, getattr(load_evaluator(evaluator), "DEFAULTS", {}))
    block = {"evaluator": evaluator, "params": params | ({"n_neighbors": [1, 20]} if evaluator == "knn" else {})}
    for dataset, splits in _tables():
        values = _uniform(2)[: dataset.X.shape[1]]
        by_name = {"numbers": values, "ties": 1 + np.round(values)}
        by_name["ties"][5:] = 0
        rankings = pd.DataFrame(by_name).assign(feature=dataset.X.columns, fold=0, mode="ssl")
        rankings = rankings.melt(["feature", "fold", "mode"], var_name="ranking", value_name="importance")
        try:
            scores = pd.DataFrame(evaluate_rankings(dataset, splits, {"L": rankings}, block))
        except ValueError as error:  # a kind of target that it does not support
            lines.append(f"{dataset.task} {type(error).__name__}")
            continue
        for key, part in scores.groupby(["ranking", "measure"], sort=False):
            lines.append(f"{dataset.task} {key} {part['k'].to_list()} {rounded(part['value'])}")
    return _hash(lines)


def step_digests():
    """Digest what the steps around ranking and evaluation compute; return the digests by name of the step."""
    dataset, splits = tiny("classification", "mixed")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        dataset.save(folder)
        splits.save(folder / "splits.json")
        read = {"header": folder / "header.json", "splits": folder / "splits.json"}
        export_job(ExportJob(**read, L="L", exported=folder / "exported"))
        exported = [path.read_text(encoding="utf-8") for path in sorted((folder / "exported").iterdir())]
        clustering_hypothesis_job(HypothesisJob(header=read["header"], hypothesis=folder / "hypothesis.json"))
        table = pd.DataFrame({"feature": dataset.X.columns, "importance": _uniform(2)[: dataset.X.shape[1]]})
        table.assign(mode="ssl", fold=0, ranking="r").to_csv(folder / "r.csv", index=False)
        (folder / "r.tsv").write_text("s\n2.0\n", encoding="utf-8")
        files = {"sources": [folder / "r.csv"], "benchmarks": [folder / "r.tsv"]}
        files |= {"rankings": folder / "r.parquet", "status": folder / "r.status.csv"}
        import_rankings_job(ImportJob(**read, **files, budgets=["L"], modes=["ssl", "sl"]))
        imported = pd.read_parquet(folder / "r.parquet").to_csv(), (folder / "r.status.csv").read_text("utf-8")
        dataset.X.assign(y=dataset.y).to_csv(folder / "own.csv", index=False)
        own = prepare(own_entry("own", "own.csv", "classification", columns={"target": "y"}), path=folder / "own.csv")
        hypothesis = (folder / "hypothesis.json").read_text(encoding="utf-8")
    y = {task: tiny(task, "mixed")[0].y for task in ("classification", "regression", "survival")}
    common = {"dataset": "tiny", "budgets": ("all", 6, "50pct"), "folds": 3, "seed": 1}
    folds = [
        f"{scheme} {task} {fold}"
        for scheme in SCHEMES
        for task, values in y.items()
        for fold in make_splits(values, task=task, scheme=scheme, **common).folds
    ]
    return {
        "prepare": _hash([own.X.to_csv(), str(own.X.dtypes), str(own.y.tolist())]),
        "splits": _hash(folds),
        "clustering_hypothesis": _hash([hypothesis]),
        "export": _hash(exported),
        "import_rankings": _hash(imported),
    }


# --- the table ----------------------------------------------------------------------------------------------------


def wanted(plan):
    """List the keys of digests: of every ranker, evaluator and step, and of all that the studies of a plan use."""
    keys = {("ranker", name, "{}"): (name, {}) for name in RANKERS}
    keys |= {("evaluator", name, "{}"): (name, {}) for name in EVALUATORS}
    for study, block in plan.studies.items():
        for method in block.ranked:
            if (ranker := plan.study(study).ranker(method)) and (ranker in RANKERS or ranker.startswith("sslrank.")):
                params = plan.study(study).spec(method)["params"]
                keys[digest_key("ranker", ranker, params)] = ranker, params
                keys["ranker", ranker, "{}"] = ranker, {}
    for evaluator in plan.evaluators.values():
        if (name := evaluator.evaluator) in EVALUATORS:
            keys[digest_key("evaluator", name, evaluator.params)] = name, evaluator.params
    return keys


def digest_of(kind, name, params):
    """Digest a ranker or an evaluator; None if a package that it needs is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return (ranker_digest if kind == "ranker" else evaluator_digest)(name, params)
        except MissingExtraError:
            return None


def write_digests(plan, names=()):
    """Renew the table of digests, or the rows of some rankers or evaluators; yield lines about changed rows.

    Rows whose packages are missing stay as they are.
    """
    before, path, jobs = digests(), source_root() / "benchmark/digests.csv", wanted(plan)
    rows = {("step", name, "{}"): digest for name, digest in step_digests().items()}
    if names:
        rows |= {key: before[key] for key in jobs if key[1] not in names and key in before}
        jobs = {key: job for key, job in jobs.items() if key not in rows}
    with ProcessPoolExecutor() as pool:
        computed = pool.map(digest_of, [key[0] for key in jobs], *zip(*jobs.values(), strict=True))
        rows |= {key: digest or before.get(key, "") for key, digest in zip(jobs, computed, strict=True)}
    for key in sorted(rows.keys() | before):
        if rows.get(key) != before.get(key):
            yield f"{' '.join(key)}: {before.get(key, 'none')} -> {rows.get(key, 'none')}"
    with open(path, "w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *((*key, rows[key]) for key in sorted(rows))])


if __name__ == "__main__":
    from sslrank.benchmark.plan.plan import whole_plan

    for line in write_digests(whole_plan("config.yaml"), sys.argv[1:]):
        print(line)
