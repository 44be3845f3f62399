"""Measure what the tests of features claim on tables whose truth is known, with peers in the same run.

    python tests/measurements/bench_trust.py run --rows trust.csv [--tables 200 --families WORDS ...]
    python tests/measurements/bench_trust.py write --rows trust.csv   # trust.md and the picture of the documentation

Families are those of `made_tables.py`. `--first` is the seed of the first table, and `--peers` the number of tables on
which Boruta and dCRT are tried. Rows are saved after each table, so that a run can be stopped and goes on where it was;
`--families` takes those whose name has one of some words, separated by commas. `write` refuses rows of several commits.

nothing: the share of tables with a claim at 5 %: the headline of q, the smallest q of F after Benjamini and Hochberg,
    any feature confirmed by Boruta; and of conditional q at 10 %, also where q claims nothing and a ranking would have
    a conditional q of 1.
effect: the share of tables in which an effect of the size that the formula says, or .05 less or more, is shown.
related, added: false discovery rate where 10 % is asked for, and power, of q, F and Boruta (50 trees, 20 rounds), and
    of conditional q, partial F tests of least squares with all columns, and hidimstat's distilled conditional
    randomization test.
order: rank correlation with the strength of the related features, of `sslrank.rank`, scikit-learn's forest and F.
public: features named in public tables as they are, of more than 2,000 rows a sample; those of the catalogue come from
    the mirror in SSLRANK_MIRROR.

Peers take gaps as the mean and know nothing of groups and times. They are in the extra "arena".
"""

import time
from pathlib import Path

import numpy as np
import pandas as pd
from made_tables import FAMILIES, Table, made_table
from saved_rows import ROOT, main, save, saved_keys
from scipy.special import ndtri
from scipy.stats import f as f_distribution
from scipy.stats import false_discovery_control, spearmanr
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_selection import f_classif, f_regression
from sklearn.linear_model import LassoCV
from sklearn.utils import resample

import sslrank
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.download import DEFAULT_CACHE, fetch
from sslrank.datasets.prepare import prepare
from sslrank.hypothesis_tests.conditional import conditional_tests
from sslrank.hypothesis_tests.design import design_of
from sslrank.hypothesis_tests.marginal import MarginalTests
from sslrank.hypothesis_tests.related import find_related
from sslrank.hypothesis_tests.smallest_effect import smallest_effect

FDR, LEVEL = 0.1, 0.05
#: Peers take longer; of wider tables they are left out.
PEERS_WIDEST = 500
SHIPPED = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer, "diabetes": load_diabetes}
CATALOGUE = (
    "australian", "bank", "breast-cancer", "breast-w", "car", "chess", "coil2000", "colon", "digits", "dis", "dlbcl",
    "gasdrift", "german", "heart", "heart-c", "heart-h", "ionosphere", "madelon", "mortgage", "ovarian", "pageblocks",
    "phishing", "pol", "prostate", "sonar", "srbct", "thyroid", "tic-tac-toe", "treasury", "waveform",
)  # fmt: skip
MOST_ROWS = 2000
#: Kind of target, labels and columns of tables with one related column.
EFFECTS = {
    f"{kind}, {n} labels, {D} columns": (kind, n, D)
    for kind, sizes in {
        "two classes": ((40, 10), (40, 200), (100, 10), (100, 200), (300, 10), (300, 200)),
        "one in five": ((100, 10),), "three classes": ((100, 10),),
        "number": ((40, 10), (40, 200), (100, 10), (100, 200), (300, 10), (300, 200)),
    }.items() for n, D in sizes
}  # fmt: skip
NAMES = {
    "q": "q", "F": "F + BH", "Boruta": "Boruta", "conditional q": "conditional q", "least squares": "least squares",
    "dCRT": "hidimstat dCRT", "rank": "`sslrank.rank`", "forest": "scikit-learn's forest",
    "0.00": "the effect", "-0.05": ".05 less", "0.05": ".05 more",
}  # fmt: skip
TITLES = {
    "nothing": "No relation: share of tables with a claim (q, F, Boruta: 5 % asked for; conditional q: 10 %)",
    "related": "Related to the target: false discovery rate ± standard error (10 % asked for), **power**",
    "added": "Information beyond the others: false discovery rate ± standard error (10 % asked for), **power**",
    "order": "Rank correlation of six related features with their strength",
    "effect": "Smallest effect, by formula: share of tables in which it is shown (.80 is said)",
    "public": "Public tables: features named at 10 %",
}
#: Parts in which a method names features, or orders them.
OF_PART = {
    "nothing": ("q", "conditional q", "F", "Boruta"), "related": ("q", "F", "Boruta"),
    "added": ("conditional q", "least squares", "dCRT"), "order": ("rank", "forest", "F"),
    "effect": ("-0.05", "0.00", "0.05"), "public": ("q", "F", "conditional q", "least squares"),
}  # fmt: skip
PARTS = {**FAMILIES, "effect": EFFECTS, "public": (*SHIPPED, *CATALOGUE)}
PEERS = ("Boruta", "dCRT")


def filled(X):
    """Columns without gaps, which are the means."""
    return np.where(np.isnan(X), np.nanmean(X, axis=0), X)


def f_p_values(table):
    """The smallest p-value of F over the targets, times their number."""
    test = f_classif if table.task == "classification" else f_regression
    targets = np.reshape(table.y, (len(table.y), -1)).T
    found = np.array([np.nan_to_num(test(filled(table.X), y)[1], nan=1.0) for y in targets])
    return np.minimum(found.min(axis=0) * len(found), 1.0)


def least_squares(table):
    """Partial F tests of each feature in a linear model of all, with all levels of nominal ones.

    Of several classes the smallest p-value over those, each against the others, times their number.
    """
    n, D = table.X.shape
    X, columns, owners = filled(table.X), [np.ones(n)], [-1]
    for j in range(D):
        found = [X[:, j]] if j not in table.levels else [X[:, j] == level for level in np.unique(X[:, j])[1:]]
        columns += found
        owners += [j] * len(found)
    design, owners, Y = np.column_stack(columns) * 1.0, np.array(owners), table.y[:, None].astype(float)
    if table.task == "classification" and len(classes := np.unique(table.y)) > 2:
        Y = np.equal(Y, classes) * 1.0
    free = n - np.linalg.matrix_rank(design)
    if free < 1:
        return np.ones(D)

    def squares(part):
        return ((Y - part @ np.linalg.lstsq(part, Y, rcond=None)[0]) ** 2).sum(axis=0)

    p, whole = np.ones(D), squares(design)
    for j in range(D):
        df = (owners == j).sum()
        if df:
            found = f_distribution.sf((squares(design[:, owners != j]) - whole) / df / (whole / free), df, free)
            p[j] = min(np.nan_to_num(found, nan=1.0).min() * Y.shape[1], 1.0)
    return p


def boruta(table, seed):
    """True for the features that Boruta confirms."""
    from boruta import BorutaPy

    forest = RandomForestClassifier if table.task == "classification" else RandomForestRegressor
    search = BorutaPy(forest(50, random_state=seed), n_estimators=50, max_iter=20, random_state=seed)
    return search.fit(filled(table.X), table.y).support_


def dcrt(table, seed):
    """P-values of hidimstat's distilled conditional randomization test."""
    from hidimstat import D0CRT

    test = D0CRT(LassoCV(alphas=10), screening_threshold=100, random_state=seed)
    test.fit_importance(filled(table.X), table.y.astype(float))
    return np.nan_to_num(test.pvalues_, nan=1.0).clip(0, 1)


def named(method, part, table, seed):
    """Features that a method names, and whether it claims that there are some at all."""
    features, targets = table.coded()
    design = design_of(targets.values, **table.rows)
    if method == "q":
        found = find_related(features, targets, seed=seed, design=design)
        return np.isin(np.arange(table.X.shape[1]), found.related), found.any_related
    if method == "conditional q":
        alone = find_related(features, targets, seed=seed, design=design)
        found = conditional_tests(features, targets, related=alone.p_values, design=design)
        return found.q_values <= FDR, (found.q_values <= FDR).any()
    if method == "Boruta":
        found = boruta(table, seed)
        return found, found.any()
    p_values = {"F": f_p_values, "least squares": least_squares, "dCRT": lambda table: dcrt(table, seed)}[method](table)
    q = false_discovery_control(p_values)
    return q <= FDR, (q <= LEVEL).any()


def correlation(method, table, seed):
    """Rank correlation of a method's order with the strength of the features that have one, but the first, a leak."""
    true = np.flatnonzero(table.true)
    if method == "rank":
        values = -sslrank.rank(table.X, table.y, effort="order", random_state=seed).rank_of
    elif method == "forest":
        values = RandomForestRegressor(200, random_state=seed).fit(table.X, table.y).feature_importances_
    else:
        values = f_regression(table.X, table.y)[0]
    return spearmanr(values[true], table.true[true]).statistic


def public_table(name):
    """A table that scikit-learn ships, or one of the catalogue."""
    if name in SHIPPED:
        data = SHIPPED[name]()
        X, task, y = data.data, "classification" if len(np.unique(data.target)) < 20 else "regression", data.target
        return Table(X, y, task, np.zeros(X.shape[1], dtype=bool))
    entry = load_catalogue(ROOT / "workflow/datasets.yaml")[name]
    data = prepare(entry, fetch(entry, DEFAULT_CACHE))
    features = encode_features(data.X)
    rows = np.arange(len(data.y))
    if len(rows) > MOST_ROWS:
        strata = data.y if data.task == "classification" else None
        rows = resample(rows, replace=False, n_samples=MOST_ROWS, stratify=strata, random_state=0)
    y = np.unique(data.y, return_inverse=True)[1] if data.task == "classification" else data.y
    X, y = features.values[rows], y[rows]
    levels = {j: int(count) for j, count in enumerate(features.n_categories) if count}
    return Table(X, y, data.task, np.zeros(X.shape[1], dtype=bool), levels)


def shows(family, difference, seed):
    """Whether the headline is yes where one column has the smallest effect by formula, and some more."""
    kind, n, D = EFFECTS[family]
    rng = np.random.default_rng([seed, *map(ord, family)])
    X, y = rng.normal(size=(n, D)), rng.normal(size=n)
    if kind != "number":
        y = np.arange(n) % {"two classes": 2, "three classes": 3, "one in five": 5}[kind]
        y = np.minimum(y, 1) if kind == "one in five" else y
    targets = encode_targets(y, n, task="regression" if kind == "number" else "classification")
    value = smallest_effect(targets, D)[1] + difference
    if kind == "number":
        X[:, 0] = value * y + np.sqrt(1 - value**2) * X[:, 0]
    else:
        X[:, 0] += np.sqrt(2) * ndtri(value) * (y == 0)
    features = Table(X, y, "", None).coded_features()
    return MarginalTests(features, targets, seed=seed)().adjusted.min() <= LEVEL


def measured(part, family, seed, methods):
    """A row for each of some methods on a table of a family."""
    if part != "effect":
        table = public_table(family) if part == "public" else made_table(part, family, seed)
        several, is_wide = np.ndim(table.y) > 1, table.X.shape[1] > PEERS_WIDEST
    for method in methods:
        row = {"part": part, "family": family, "seed": seed, "method": method}
        started = time.process_time()
        if part == "effect":
            row["claim"] = shows(family, float(method), seed)
        elif (several and method in (*PEERS, "least squares")) or (method in PEERS and is_wide):
            continue
        elif part == "order":
            row["power"] = correlation(method, table, seed)
        else:
            features, row["claim"] = named(method, part, table, seed)
            row |= {"number": features.sum(), "false": (features & ~table.true).sum() / max(features.sum(), 1)}
            row["power"] = features[table.true].mean() if table.true.any() else np.nan
        yield row | {"seconds": time.process_time() - started}


def run(arguments):
    """Measure the tables that are not among the saved rows."""
    done = saved_keys(arguments.rows, "method")
    words = arguments.families.split(",")
    families = [(part, family) for part, found in PARTS.items() for family in found]
    families = [(part, family) for part, family in families if any(word in f"{part}: {family}" for word in words)]
    for number, seed in enumerate(range(arguments.first, arguments.first + arguments.tables)):
        for part, family in families:
            if part == "public" and number:
                continue
            methods = [method for method in OF_PART[part] if method not in PEERS or number < arguments.peers]
            methods = [method for method in methods if (part, family, seed, method) not in done]
            rows = pd.DataFrame(measured(part, family, seed, methods) if methods else [])
            columns = ["part", "family", "seed", "method", "claim", "number", "false", "power", "seconds"]
            save(arguments.rows, rows.reindex(columns=columns))


def cell(part, rows):
    """What a method's rows of a family say, in a cell of the table."""
    if not len(rows):
        return ""
    peer = f" ({len(rows)})" if rows["method"].iloc[0] in PEERS else ""
    if part == "public":
        return f"{int(rows['number'].iloc[0])}"
    if part == "effect":
        return f"{rows['claim'].astype(float).mean():.2f}"
    if part == "order":
        return f"{rows['power'].mean():.2f} ± {rows['power'].sem():.2f}"
    value = rows["claim"].astype(float) if part == "nothing" else rows["false"]
    share = value.mean()
    error = np.sqrt(share * (1 - share) / len(rows)) if part == "nothing" else value.sem()
    power = "" if part == "nothing" else f", **{rows['power'].mean():.2f}**"
    error = f" ± {error:.2f}" if len(rows) > 1 else ""
    return f"{share:.2f}{error}{power}{peer}"


def lines(frame):
    """The tables of results, a line for each family."""
    number = 0
    for part, methods in OF_PART.items():
        of_part = frame[frame["part"] == part]
        if not len(of_part):
            continue
        yield f"\n{TITLES[part]}:\n"
        yield f"| | family | tables | {' | '.join(NAMES[method] for method in methods)} |"
        yield "|---" * (3 + len(methods)) + "|"
        for family, rows in of_part.groupby("family", sort=False):
            number += 1
            cells = [cell(part, rows[rows["method"] == method]) for method in methods]
            tables = rows.loc[~rows["method"].isin(PEERS), "seed"].nunique()
            yield f"| {number} | {family} | {tables} | {' | '.join(cells)} |"
        if part in ("related", "added"):
            yield f"| | **all** | | {' | '.join(cell(part, of_part[of_part['method'] == m]) for m in methods)} |"
        seconds = of_part.groupby("method")["seconds"].mean()
        found = (f"{seconds[method]:.2f}" if method in seconds else "" for method in methods)
        yield f"| | seconds of a processor | | {' | '.join(found)} |"


def draw(frame, path):
    """Power against the realised rate: a point for each method and family, with the number of its line."""
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "trust"})
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
    number = {pair: i for i, pair in enumerate(dict.fromkeys(map(tuple, frame[["part", "family"]].to_numpy())), 1)}
    for axis, part in zip(axes, ("related", "added"), strict=True):
        for method in OF_PART[part]:
            rows = frame[(frame["part"] == part) & (frame["method"] == method)]
            means = rows.groupby("family", sort=False)[["false", "power"]].mean()
            axis.scatter(means["false"], means["power"], s=14, label=NAMES[method])
            for family, x, y in means.itertuples():
                axis.annotate(number[part, family], (x, y), fontsize=6, xytext=(2, 2), textcoords="offset points")
        axis.axvline(FDR, color="0.6", linewidth=1)
        axis.set(xlabel="realised false discovery rate (10 % asked for)", title=f"{part} features")
        axis.legend(frameon=False, fontsize=7)
    axes[0].set_ylabel("power")
    figure.savefig(path, metadata={"Date": None})


def write(arguments):
    """Write trust.md and the picture."""
    frame = pd.read_csv(arguments.rows, dtype={"commit": str, "method": str})
    order = {pair: i for i, pair in enumerate((part, family) for part, found in PARTS.items() for family in found)}
    frame = frame.sort_values("seed", kind="stable")
    at = [order[pair] for pair in frame[["part", "family"]].itertuples(index=False, name=None)]
    frame = frame.iloc[np.argsort(at, kind="stable")]
    commits = frame.drop_duplicates(["method", "commit"]).set_index("method")["commit"]
    if not commits.index.is_unique:
        raise SystemExit(f"{arguments.rows} has rows of one method of several commits: {commits.to_dict()}")
    others = ", ".join(f"{name} {commit}" for name, commit in commits.items() if commit != commits.iloc[0])
    families = f" --families {arguments.families!r}" if arguments.families else ""
    head = f"`python tests/measurements/bench_trust.py run --first {frame['seed'].min()}{families}`"
    head += f", commit {commits.iloc[0]}"
    head += f" ({others}).\n" if others else ".\n"
    head += "In brackets: tables of peers that were tried on fewer; empty: not run, or not for this kind of table.\n"
    (Path(__file__).parent / "trust.md").write_text(head + "\n".join(lines(frame)) + "\n", encoding="utf-8")
    draw(frame, ROOT / "src/docs/_static/trust.svg")


if __name__ == "__main__":
    main(__doc__, run, write, tables=200, peers=10, first=80_000, families="")
