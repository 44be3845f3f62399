"""Measure what the tests of features claim for censored, adjusted and positive-only targets whose truth is known.

    python tests/measurements/bench_null_model.py run --rows null.csv [--tables 200 --power-tables 60]
    python tests/measurements/bench_null_model.py write --rows null.csv   # null_model.md

Rows are saved after each table, so that a run can be stopped and goes on where it was. Each table has 12 features.

nothing: the share of tables with a claim: of q at 5 % that any feature is related, of conditional q at 10 %. In
    adjusted families the features go with age and sex, on which the target depends.
related: false discovery rate where 10 % is asked for, and power, for 4 related features of 12. The peer tests each
    feature by the classical score test, with the columns that are adjusted for, after Benjamini and Hochberg: Cox's for
    times, least squares for numbers, logistic regression's for classes and positives. q names features only in tables
    where it claims at 5 % that any is related; the last column is the peer with this rule.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from saved_rows import main, save, saved_keys
from scipy.stats import chi2, false_discovery_control
from scipy.stats import f as f_distribution

from sslrank.core.cox import CoxModel
from sslrank.core.null_model import class_residuals, regress_out
from sslrank.hypothesis_tests.conditional import conditional_tests
from sslrank.hypothesis_tests.related import find_related
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.roles import ColumnRoles

N, D, RELATED, FDR, LEVEL = 200, 12, 4, 0.1, 0.05
#: Kind of target, share of censored times or of labelled positives, adjusted, and what the related features do.
FAMILIES = {
    "time, half censored": ("time", 0.5, False, "x"),
    "time, 80 % censored": ("time", 0.8, False, "x"),
    "time, |x|": ("time", 0.5, False, "|x|"),
    "time, interactions": ("time", 0.5, False, "x z"),
    "time, adjusted": ("time", 0.5, True, "x"),
    "number, adjusted": ("number", 0, True, "x"),
    "two classes, adjusted": ("class", 0, True, "x"),
    "5 % of positives labelled": ("positive", 0.05, False, None),
    "30 % of positives labelled": ("positive", 0.3, False, "x"),
}
#: Families of each part; without a relation the form does not matter.
PARTS = {
    "nothing": [family for family, (*_, form) in FAMILIES.items() if form in ("x", None)],
    "related": [family for family, (*_, form) in FAMILIES.items() if form],
}


def simulate_table(kind, share, adjusted, form, seed):
    """A table, its target, and options of :func:`sslrank.rank`; the first features are related if there is a form."""
    rng = np.random.default_rng([seed, len(form or "")])
    n = 2 * N if kind == "positive" else N
    frame = pd.DataFrame(rng.normal(size=(n, D)), columns=[f"f{j}" for j in range(D)])
    frame["f5"], frame["f6"] = np.exp(frame["f5"]), (frame["f6"] > 0.5) + 0.0
    part = frame[[f"f{j}" for j in range(RELATED)]].to_numpy()
    signal = {
        None: np.zeros(n),
        "x": 0.4 * part.sum(axis=1),
        "|x|": 0.9 * np.abs(part).sum(axis=1),
        "x z": part[:, 0] * part[:, 1] + part[:, 2] * part[:, 3],
    }[form]
    options = {}
    if adjusted:
        age, sex = rng.normal(60, 10, n), rng.choice(["f", "m"], n)
        of_columns = (age - 60) / 10 + (sex == "m")
        frame = frame + 0.7 * of_columns[:, None]
        signal = signal + 1.5 * of_columns
        frame["age"], frame["sex"] = age, sex
        options["adjust"] = ["age", "sex"]
    if kind == "time":
        life = rng.exponential(size=n) * np.exp(-signal)
        ends = rng.exponential(size=n)
        low, high = -12.0, 12.0
        for _ in range(40):  # the scale of the follow-up that censors this share
            middle = (low + high) / 2
            low, high = (middle, high) if (life > ends * np.exp(middle)).mean() > share else (low, middle)
        ends = ends * np.exp(low)
        options["event"] = (life <= ends).astype(int)
        return frame, np.minimum(life, ends), options
    if kind == "number":
        return frame, signal + rng.normal(size=n), options
    y = (signal + rng.logistic(size=n) > np.median(signal)) + 0.0
    if kind == "class":
        return frame, np.where(y == 1, "ill", "well"), options
    y[(y == 0) | (rng.random(n) > share)] = np.nan
    return frame, y, options | {"positives_only": True}


def score_tests(table, frame, y, kind, code):
    """P-values of the classical score test of each feature, given the columns that are adjusted for."""
    Z = table.target.null.columns if table.target.null is not None else np.empty((len(frame), 0))
    X = frame[[f"f{j}" for j in range(D)]].to_numpy()
    if kind == "number":
        left, rest = regress_out(X - X.mean(axis=0), Z), regress_out((y - y.mean())[:, None], Z)[:, 0]
        free = len(y) - Z.shape[1] - 2
        r2 = (left.T @ rest) ** 2 / (left**2).sum(axis=0) / (rest**2).sum()
        return f_distribution.sf(r2 / (1 - r2) * free, 1, free)
    if kind == "time":
        Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
        model = CoxModel(table.target.null.time, table.target.null.event, Z)
        scores, spread = X.T @ model.residuals, np.diag(model.information(X, X))
        of_columns, both = model.information(Z, Z), model.information(X, Z)
    else:
        residuals = class_residuals(code, Z)[:, 0] if Z.shape[1] else code - code.mean()
        shares = code - residuals
        weights, scores = shares * (1 - shares), X.T @ residuals
        Z = np.column_stack([np.ones(len(Z)), Z])
        spread, both = (weights[:, None] * X**2).sum(axis=0), X.T @ (weights[:, None] * Z)
        of_columns = Z.T @ (weights[:, None] * Z)
    spread = spread - (np.einsum("ij,ij->i", both @ np.linalg.pinv(of_columns), both) if both.shape[1] else 0)
    return chi2.sf(scores**2 / spread, 1)


def measured(part, family, seed):
    """A row for each method on a table of a family."""
    kind, share, adjusted, form = FAMILIES[family]
    form = form if part == "related" else None
    frame, y, options = simulate_table(kind, share, adjusted, form, seed)
    table = own_table(frame, y, ColumnRoles(**options))
    code = (pd.Series(y).notna() & (pd.Series(y) != "well")).to_numpy() + 0.0
    coded = table.coded()
    coded = coded.rows(coded.labeled)
    true = np.arange(D) < (RELATED if form else 0)
    found = find_related(coded.features, coded.targets, seed=seed)
    named = {"q": (np.isin(np.arange(D), found.related), found.any_related)}
    conditional = conditional_tests(coded.features, coded.targets).q_values <= FDR
    named["conditional q"] = conditional & found.any_related, conditional.any()
    q = false_discovery_control(score_tests(table, frame, y, kind, code))
    named["score test"] = q <= FDR, (q <= LEVEL).any()
    named["same rule"] = (q <= FDR) & (q <= LEVEL).any(), (q <= LEVEL).any()
    for method, (features, claim) in named.items():
        false = (features & ~true).sum() / max(features.sum(), 1)
        power = features[true].mean() if form else np.nan
        yield {"part": part, "family": family, "seed": seed, "method": method, "claim": claim, "false": false,
               "power": power}  # fmt: skip


def run(arguments):
    """Measure the tables that are not among the saved rows."""
    done = saved_keys(arguments.rows)
    for i in range(arguments.tables):
        for part in PARTS if i < arguments.power_tables else ("nothing",):
            for family in PARTS[part]:
                if (part, family, seed := 80_000 + i) not in done:
                    save(arguments.rows, pd.DataFrame(measured(part, family, seed)))


def lines(frame):
    """The two tables of results."""
    names = {"q": "q", "conditional q": "conditional q", "score test": "score test + BH", "same rule": "same, 5 % rule"}
    for part, title in (
        ("nothing", "No relation: share of tables with a claim ± standard error (5 % asked for; conditional q: 10 %)"),
        ("related", "Related: false discovery rate ± standard error (10 % asked for), **power**"),
    ):
        yield f"\n{title}:\n"
        methods = list(names)[: 3 if part == "nothing" else 4]
        yield f"| target | tables | {' | '.join(names[method] for method in methods)} |"
        yield "|---" * (len(methods) + 2) + "|"
        for family, rows in frame[frame["part"] == part].groupby("family", sort=False):
            cells = []
            for method in methods:
                of = rows[rows["method"] == method]
                value = of["claim"].astype(float) if part == "nothing" else of["false"]
                power = f", **{of['power'].mean():.2f}**" if part == "related" else ""
                cells.append(f"{value.mean():.3f} ± {value.sem():.3f}{power}")
            yield f"| {family.replace('|', chr(92) + '|')} | {rows['seed'].nunique()} | {' | '.join(cells)} |"


def write(arguments):
    """Write null_model.md."""
    frame = pd.read_csv(arguments.rows, dtype={"commit": str})
    frame = frame.drop_duplicates(["part", "family", "seed", "method"])  # of two runs at once
    head = (
        f"`python tests/measurements/bench_null_model.py run`, commit {', '.join(frame['commit'].unique())}; {N} rows\n"
    )
    head += f"({2 * N} with positives only), {D} features.\n"
    (Path(__file__).parent / "null_model.md").write_text(head + "\n".join(lines(frame)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(__doc__, run, write, tables=200, power_tables=60)
