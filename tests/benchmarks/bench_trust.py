"""Measure what ``sslrank rank`` claims on tables whose truth is known: the figures behind its headlines.

    python tests/benchmarks/bench_trust.py null --tables 50               # claims on tables without any relation
    python tests/benchmarks/bench_trust.py fdr --tables 200 --peers 50    # false discoveries, power, other methods
    python tests/benchmarks/bench_trust.py fdr --tables 30 --noise 6000   # in tables that are screened
    python tests/benchmarks/bench_trust.py intervals --tables 40          # coverage of the intervals of ranks

``null``: ten families, so many tables of each: rows of subjects, duplicate rows, drift, rare classes, nominal columns
of 2 to 100 levels, copies, gaps, few labels, wide tables, several targets. Printed per family: share of tables with a
claim above chance, share of those with a reason where it was named by a check; and how far the mean rank of nominal
noise is from the fair one, for each default method. Of 50 tables of a family at a true rate of 2.5 %, four or more
have a claim with probability 0.04, five or more with 0.01.

``fdr``: columns of public tables of scikit-learn. A target is made of planted columns and noise; the other columns are
those of other rows, drawn jointly, so that they are as correlated as in the table but unrelated to the target. Five
kinds of target, in turn; ``--noise`` adds columns of independent noise. Beside it, on the first `--peers` tables:
permutation p-values (Altmann et al. 2010) of scikit-learn's forest with the procedure of Benjamini and Hochberg,
Boruta, and hidimstat's distilled conditional randomization test (both come with the extra "arena").

``intervals``: the share of features whose interval holds the mean rank over all tables of the same design.
"""

import argparse
import subprocess
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import binomtest, false_discovery_control, rankdata
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LassoCV

import sslrank

#: Levels of the nominal columns of the family of that name.
LEVELS = (2, 5, 20, 50, 100)
KINDS = ("binary", "classes", "number", "numbers", "labels")


def noise(rng, n, d):
    """Numbers, and binary classes, that know nothing of each other."""
    return pd.DataFrame(rng.normal(size=(n, d))).add_prefix("x"), rng.integers(0, 2, n).astype(object)


def subjects(rng):
    """16 subjects of 8 rows; their fingerprint, and a class that each subject has for itself."""
    owner = np.repeat(np.arange(16), 8)
    X, _ = noise(rng, 128, 15)
    X.iloc[:, :5] = rng.normal(size=(16, 5))[owner] + 0.05 * X.iloc[:, :5]
    return X, rng.integers(0, 2, 16).astype(object)[owner], "C07"


def duplicates(rng):
    """40 rows, each of them three to eight times."""
    X, y = noise(rng, 40, 10)
    rows = np.repeat(np.arange(40), rng.integers(3, 9, 40))
    return X.iloc[rows].reset_index(drop=True), y[rows], "C06"


def drift(rng):
    """Target and three features move with the order of the rows."""
    X, _ = noise(rng, 150, 10)
    time = np.linspace(-1, 1, 150)
    X.iloc[:, :3] += 1.5 * time[:, None]
    return X, (1.2 * time + rng.normal(size=150) > 0).astype(int).astype(object), "C08"


def rare(rng):
    """One class has 2 to 50 % of the rows."""
    X, _ = noise(rng, 200, 12)
    share = rng.choice([0.02, 0.05, 0.1, 0.5])
    y = np.zeros(200, dtype=int)
    y[rng.permutation(200)[: int(share * 200)]] = 1
    return X, y.astype(object), "C09" if share < 0.2 else None


def levels(rng):
    """Nominal columns of 2, 5, 20, 50 and 100 levels among numbers."""
    X, y = noise(rng, 100, 10)
    for count in LEVELS:
        X[f"n{count}"] = rng.integers(0, count, 100).astype(str)
    return X, y, "C10"


def copies(rng):
    """Four copies of a feature in other units."""
    X, y = noise(rng, 80, 10)
    for k in range(4):
        X[f"c{k}"] = X["x0"] * (k + 2) - k
    return X, y, "C04"


def gaps(rng):
    """Missing values, in one column most of them."""
    X, y = noise(rng, 80, 12)
    X = X.mask(rng.random(X.shape) < 0.3)
    X["x0"] = X["x0"].mask(rng.random(80) < 0.6)
    return X, y, "C02" if X["x0"].isna().mean() > 0.5 else None


def few(rng):
    """12 to 20 of 200 rows have a label."""
    X, y = noise(rng, 200, 12)
    y[rng.permutation(200)[rng.integers(12, 21) :]] = None
    return X, y, "C11"


def wide(rng):
    """60 rows of 300 features."""
    X, y = noise(rng, 60, 300)
    return X, y, None


def targets(rng):
    """Four labels, or three numbers, that hang together."""
    X, _ = noise(rng, 80, 12)
    hidden = rng.normal(size=(80, 1))
    if rng.random() < 0.5:
        return X, (hidden + rng.normal(size=(80, 4)) > 0).astype(float), None
    return X, hidden + rng.normal(size=(80, 3)), None


FAMILIES = (subjects, duplicates, drift, rare, levels, copies, gaps, few, wide, targets)


def able(methods, has_classes):
    """The methods that are asked for and can rank for a target."""
    return methods if has_classes else ",".join(name for name in methods.split(",") if name != "information_gain")


def share(count, of):
    """A share with its 95 % interval (Clopper and Pearson)."""
    low, high = binomtest(int(count), of).proportion_ci()
    return f"{count / of:.1%} ({low:.1%} to {high:.1%})"


def claims(seed, methods, families):
    """Claims on a table of each family."""
    for family in FAMILIES:
        if families and family.__name__ not in families:
            continue
        started = time.process_time()
        X, y, reason = family(np.random.default_rng([seed, FAMILIES.index(family)]))
        result = sslrank.rank(
            X, y, methods=able(methods, y.dtype.kind != "f"), repeats=0, curve=False, random_state=seed
        )
        named = reason and any(check.code == reason and check.passed is False for check in result.checks)
        row = {"seed": seed, "family": family.__name__, "claim": result.chance.is_more, "p": result.chance.p_value}
        row |= {"named": named, "seconds": time.process_time() - started}
        if family is levels:
            for method, ranks in result.ranks.items():
                off = ranks[result.problem.nominal] - (X.shape[1] + 1) / 2
                row |= {f"{method} {count}": value for count, value in zip(LEVELS, off, strict=True)}
        yield row


def table_of_claims(frame):
    """The rows of :func:`claims` as lines of a table."""
    yield "| family | tables | claims above chance (95 % interval) | p < .1 | reason named | seconds |"
    yield "|---|---|---|---|---|---|"
    for family, part in [*frame.groupby("family", sort=False), ("all", frame)]:
        named = part["named"].dropna().astype(float)
        of_named = f"{named.mean():.0%} of {len(named)}" if len(named) else ""
        yield (
            f"| {family} | {len(part)} | {share(part['claim'].sum(), len(part))} | {(part['p'] < 0.1).mean():.2f} "
            f"| {of_named} | {part['seconds'].mean():.1f} |"
        )
    yield "\nRank of nominal noise minus the fair rank, by its number of levels (standard error):\n"
    yield f"| method | {' | '.join(map(str, LEVELS))} |\n|---|---|---|---|---|---|"
    part = frame[frame["family"] == "levels"]
    for method in dict.fromkeys(name.rpartition(" ")[0] for name in frame if " " in name):
        off = [part[f"{method} {count}"] for count in LEVELS]
        yield f"| {method} | " + " | ".join(f"{x.mean():+.1f} ({x.sem():.1f})" for x in off) + " |"


def public_table(rng):
    """Some columns of a public table."""
    load = (load_breast_cancer, load_wine, load_diabetes, load_digits)[rng.integers(4)]
    X = load().data
    X = X[:, X.std(axis=0) > 1e-9]
    X = X[:, rng.permutation(X.shape[1])[:20]]
    return (X - X.mean(axis=0)) / X.std(axis=0)


def planted(rng, kind, n=120):
    """Planted columns beside columns of other rows, and the target that the planted ones make."""
    source = public_table(rng)
    k = 4 if source.shape[1] > 8 else 3
    rows, others = rng.permutation(len(source))[:n], rng.permutation(len(source))[:n]
    real, null = source[np.ix_(rows, range(k))], source[others][:, k:]
    T = {"numbers": 3, "labels": 4}.get(kind, 1)
    signal = real @ rng.normal(size=(k, T))
    signal /= signal.std(axis=0)
    signal += rng.normal(size=signal.shape)
    y = signal if T > 1 else signal[:, 0]
    if kind == "labels":
        y = (y > 0) * 1.0
    elif kind == "binary":
        y = (y > np.median(y)).astype(int)
    elif kind == "classes":
        y = np.searchsorted(np.quantile(y, [1 / 3, 2 / 3]), y)
    order = rng.permutation(k + null.shape[1])
    X = np.column_stack([real, null])[:, order]
    return X, y, order < k


def is_numeric(y):
    """Whether targets are numbers, not classes or labels."""
    return y.dtype.kind == "f" and not np.isin(y, (0.0, 1.0)).all()


def forest_p_values(X, y, seed, shuffles=100):
    """Permutation p-values of scikit-learn's impurity importance (Altmann et al. 2010), pooled over the features."""
    forest = (RandomForestRegressor if is_numeric(y) else RandomForestClassifier)(50, random_state=seed)
    rng = np.random.default_rng(seed)
    real = forest.fit(X, y).feature_importances_
    null = np.array([forest.fit(X, y[rng.permutation(len(y))]).feature_importances_ for _ in range(shuffles)])
    z, pooled = (
        (real - null.mean(axis=0)) / null.std(axis=0),
        np.sort(((null - null.mean(axis=0)) / null.std(axis=0)).ravel()),
    )
    return false_discovery_control((1 + len(pooled) - np.searchsorted(pooled, z)) / (1 + len(pooled))) <= 0.1


def boruta(X, y, seed):
    """BorutaPy (Kursa and Rudnicki 2010) with scikit-learn's forest; one target."""
    from boruta import BorutaPy

    forest = (RandomForestRegressor if is_numeric(y) else RandomForestClassifier)(50, random_state=seed)
    return BorutaPy(forest, max_iter=50, random_state=seed).fit(X, y).support_


def hidimstat_dcrt(X, y, seed):
    """The distilled conditional randomization test of hidimstat; one number or two classes."""
    from hidimstat import D0CRT

    test = D0CRT(LassoCV(alphas=10), screening_threshold=100, random_state=seed)
    test.fit_importance(X, y.astype(float))
    p_values = np.nan_to_num(test.pvalues_, nan=1.0).clip(0, 1)  # NaN for a constant column
    return false_discovery_control(p_values) <= 0.1


#: Other methods, and the kinds of target that they take.
PEERS = {
    "forest, permutation p-values": (forest_p_values, KINDS),
    "Boruta": (boruta, ("binary", "classes", "number")),
    "hidimstat, dCRT": (hidimstat_dcrt, ("binary", "number")),
}
TASKS = {
    "binary": "classification",
    "classes": "classification",
    "number": "regression",
    "numbers": "multitarget",
    "labels": "multilabel",
}


def discoveries(seed, methods, with_peers, n_noise):
    """False discoveries and power of each method on a table."""
    kind, rng = KINDS[seed % len(KINDS)], np.random.default_rng([seed, 99])
    X, y, real = planted(rng, kind)
    X, real = np.column_stack([X, rng.normal(size=(len(X), n_noise))]), np.append(real, np.zeros(n_noise, dtype=bool))
    chosen = able(methods, TASKS[kind] == "classification")
    compared = {"sslrank": lambda X, y, seed: own_discoveries(X, y, seed, TASKS[kind], chosen)}
    if with_peers:
        compared |= {name: peer for name, (peer, kinds) in PEERS.items() if kind in kinds}
    for name, method in compared.items():
        started = time.process_time()
        claimed = method(X, y, seed)
        false = (claimed & ~real).sum() / max(claimed.sum(), 1)
        yield {
            "seed": seed, "method": name, "kind": kind, "false": false, "power": claimed[real].mean(),
            "seconds": time.process_time() - started,
        }  # fmt: skip


def own_discoveries(X, y, seed, task, methods):
    """Features that are called related to the target."""
    result = sslrank.rank(X, y, methods=methods, repeats=0, curve=False, task=task, random_state=seed)
    kept = list(map(str, result.table.X.columns))  # constant columns were left out
    related = {kept[j] for j in result.chance.related}
    return np.array([f"x{j + 1}" in related for j in range(X.shape[1])])


def table_of_discoveries(frame):
    """The rows of :func:`discoveries` as lines of a table."""
    yield "| | targets | tables | false discovery rate (standard error) | power | seconds |\n|---|---|---|---|---|---|"
    own = frame[frame["method"] == "sslrank"]
    parts = [("sslrank", "all", own)] + [("sslrank", kind, own[own["kind"] == kind]) for kind in KINDS]
    for name, (_, kinds) in PEERS.items():
        part = frame[frame["method"] == name]
        if len(part):
            parts += [(name, ", ".join(kinds), part), ("sslrank there", "", own[own["seed"].isin(part["seed"])])]
    for name, targets, part in parts:
        rate = f"{part['false'].mean():.3f} ({part['false'].sem():.3f})"
        means = f"{part['power'].mean():.2f} | {part['seconds'].mean():.1f}"
        yield f"| {name} | {targets} | {len(part)} | {rate} | {means} |"


def ranks_and_intervals(seed, methods):
    """Rank and interval of each feature of a table of each design."""
    for strength in (0.0, 1.0):
        rng = np.random.default_rng([seed, 77])
        X, y = noise(rng, 60, 20)
        if strength:
            y = (X.iloc[:, :4].sum(axis=1) * strength + rng.normal(size=60) > 0).astype(int).to_numpy().astype(object)
        result = sslrank.rank(X, y, methods=methods, curve=False, random_state=seed)
        frame = result.to_frame().set_index("feature").loc[X.columns]
        columns = zip(range(20), rankdata(frame["mean_rank"]), frame["low"], frame["high"], strict=True)
        for j, rank, low, high in columns:
            yield {"seed": seed, "strength": strength, "is_first": j < 4, "rank": rank, "low": low, "high": high}


def table_of_coverage(frame):
    """Share of intervals that hold the mean rank over tables of the same design, which treats features alike."""
    yield "| design | features | tables | coverage | mean width |\n|---|---|---|---|---|"
    for (strength, is_first), part in frame.groupby(["strength", "is_first"]):
        truth = part["rank"].mean() if strength else 10.5
        inside = ((part["low"] <= truth) & (truth <= part["high"])).mean()
        names = f"{'signal' if strength else 'noise'} | {'first 4' if is_first else 'other 16'}"
        width = (part["high"] - part["low"]).mean()
        yield f"| {names} | {part['seed'].nunique()} | {inside:.2f} | {width:.1f} |"


def main():
    """Print the figures that are asked for, and write them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("part", choices=("null", "fdr", "intervals"))
    parser.add_argument("--tables", type=int, default=50, help="of each family or design")
    parser.add_argument(
        "--families",
        nargs="+",
        default=[],
        help="of null; default: all",
        choices=[family.__name__ for family in FAMILIES],
    )
    parser.add_argument("--noise", type=int, default=0, help="of fdr: columns of noise that are added to each table")
    parser.add_argument("--peers", type=int, default=0, help="tables on which other methods are tried as well")
    parser.add_argument(
        "--methods", default="auto", help="such as f_score,information_gain, which take a tenth of the time"
    )
    parser.add_argument("--rows", type=Path, default=None, help="CSV file of rows, from which a run goes on")
    parser.add_argument("--out", type=Path, help="file to write, with the command and the commit")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    make, table = {
        "null": (claims, table_of_claims),
        "fdr": (discoveries, table_of_discoveries),
        "intervals": (ranks_and_intervals, table_of_coverage),
    }[arguments.part]
    there = arguments.rows is not None and arguments.rows.exists()
    rows = pd.read_csv(arguments.rows).to_dict("records") if there else []
    done = {row["seed"] for row in rows}
    for seed in range(arguments.tables):
        if seed not in done:
            options = {
                "fdr": {"with_peers": seed < arguments.peers, "n_noise": arguments.noise},
                "null": {"families": arguments.families},
                "intervals": {},
            }[arguments.part]
            rows += make(seed, arguments.methods, **options)
            if arguments.rows is not None:
                pd.DataFrame(rows).to_csv(arguments.rows, index=False)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    command = f"python tests/benchmarks/bench_trust.py {arguments.part} --tables {arguments.tables}"
    command += f" --families {' '.join(arguments.families)}" if arguments.families else ""
    command += f" --noise {arguments.noise}" if arguments.noise else ""
    command += f" --peers {arguments.peers}" if arguments.peers else ""
    command += f" --methods {arguments.methods}" if arguments.methods != "auto" else ""
    text = "\n".join([f"`{command}`, commit {commit}:\n", *table(pd.DataFrame(rows)), ""])
    print(text)
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
