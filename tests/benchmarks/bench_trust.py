"""Measure what ``sslrank rank`` claims on tables whose truth is known: the figures behind its headlines.

    python tests/benchmarks/bench_trust.py null --tables 50       # claims above chance on tables without any relation
    python tests/benchmarks/bench_trust.py fdr --tables 40        # false discoveries and power, beside other methods
    python tests/benchmarks/bench_trust.py intervals --tables 40  # coverage of the intervals of ranks

``null``: ten families, so many tables of each: rows of subjects, duplicate rows, drift, rare classes, nominal columns
of 2 to 100 levels, copies, gaps, few labels, wide tables, several targets. Printed per family: share of tables with a
claim above chance, share of those with a reason where it was named by a check, and how far the mean rank of nominal
noise is from the fair one, for each default method.

``fdr``: columns of public tables of scikit-learn. A target is made of planted columns and noise; the other columns are
those of other rows, drawn jointly, so that they are as correlated as in the table but unrelated to the target. Five
kinds of target, in turn. Beside it: Boruta, and permutation p-values (Altmann et al. 2010) of scikit-learn's forest
with the procedure of Benjamini and Hochberg.

``intervals``: the share of features whose interval holds the mean rank over all tables of the same design.
"""

import argparse
import time
import warnings

import numpy as np
import pandas as pd
from scipy.stats import false_discovery_control, rankdata
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import sslrank

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
    for count in (2, 5, 20, 50, 100):
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


def methods_for(methods, y):
    """The methods that are asked for and can rank for a target."""
    if methods == "auto" or y.dtype.kind != "f":
        return methods
    return [name for name in methods.split(",") if name != "information_gain"] or "auto"


def claims(tables, first, methods):
    """Claims on tables without any relation."""
    print("| family | tables | claims above chance | p < .1 | reason named | seconds |\n|---|---|---|---|---|---|")
    for family in FAMILIES:
        found, small, named, off, started = [], [], [], {}, time.process_time()
        for seed in range(first, first + tables):
            X, y, reason = family(np.random.default_rng([seed, FAMILIES.index(family)]))
            result = sslrank.rank(X, y, repeats=0, curve=False, methods=methods_for(methods, y), random_state=seed)
            found.append(result.chance.is_more)
            small.append(result.chance.p_value < 0.1)
            if reason:
                named.append(any(check.code == reason and check.passed is False for check in result.checks))
            nominal = result.problem.nominal
            for method, ranks in result.ranks.items():
                if nominal.any():
                    off.setdefault(method, []).append(ranks[nominal] - (X.shape[1] + 1) / 2)
        of_named = f"{np.mean(named):.0%} of {len(named)}" if named else ""
        seconds = (time.process_time() - started) / tables
        shares = f"{np.mean(found):.2f} | {np.mean(small):.2f}"
        print(f"| {family.__name__} | {tables} | {shares} | {of_named} | {seconds:.1f} |", flush=True)
        for method, differences in off.items():
            mean, error = np.mean(differences, axis=0), np.std(differences, axis=0) / tables**0.5
            shown = ", ".join(f"{a:+.1f} ({b:.1f})" for a, b in zip(mean, error, strict=True))
            print(
                f"  {method}: rank of nominal noise of 2, 5, 20, 50, 100 levels minus the fair rank: {shown}",
                flush=True,
            )


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


def forest_p_values(X, y, seed, shuffles=100):
    """Permutation p-values of scikit-learn's impurity importance, each feature against its own null."""
    is_number = y.dtype.kind == "f" and not np.isin(y, (0.0, 1.0)).all()
    forest = RandomForestRegressor if is_number else RandomForestClassifier
    rng = np.random.default_rng(seed)
    real = forest(100, random_state=seed).fit(X, y).feature_importances_
    null = np.array([
        forest(100, random_state=seed).fit(X, y[rng.permutation(len(y))]).feature_importances_ for _ in range(shuffles)
    ])  # fmt: skip
    pooled = np.sort(((null - null.mean(axis=0)) / null.std(axis=0)).ravel())
    z = (real - null.mean(axis=0)) / null.std(axis=0)
    return (1 + len(pooled) - np.searchsorted(pooled, z)) / (1 + len(pooled))


def boruta(X, y, seed, rounds=100, level=0.05):
    """Boruta (Kursa and Rudnicki 2010) on scikit-learn's forest: hits against the best shadow, binomial tests, Holm."""
    from scipy.stats import binom

    is_number = y.dtype.kind == "f" and not np.isin(y, (0.0, 1.0)).all()
    forest = RandomForestRegressor if is_number else RandomForestClassifier
    rng, hits = np.random.default_rng(seed), np.zeros(X.shape[1])
    for i in range(rounds):
        shadow = np.column_stack([rng.permutation(column) for column in X.T])
        both = forest(100, random_state=i).fit(np.column_stack([X, shadow]), y).feature_importances_
        hits += both[: X.shape[1]] > both[X.shape[1] :].max()
    p = binom.sf(hits - 1, rounds, 0.5)
    return p * X.shape[1] <= level


def discoveries(tables, first, methods, peers):
    """Realised false discovery rate and power."""
    found = {}
    for seed in range(first, first + tables):
        kind = KINDS[seed % len(KINDS)]
        X, y, real = planted(np.random.default_rng([seed, 99]), kind)
        task = {"binary": "classification", "classes": "classification", "number": "str", "numbers": "mtr"}.get(
            kind, "mlc"
        )
        started = time.process_time()
        chosen = methods_for(methods, y)
        result = sslrank.rank(X, y, repeats=0, curve=False, task=task, methods=chosen, random_state=seed)
        claimed = {"sslrank": np.isin(np.arange(X.shape[1]), result.chance.related)}
        seconds = {"sslrank": time.process_time() - started}
        if peers:
            started = time.process_time()
            claimed["forest, permutation p"] = false_discovery_control(forest_p_values(X, y, seed)) <= 0.1
            seconds["forest, permutation p"] = time.process_time() - started
            started = time.process_time()
            claimed["Boruta"] = boruta(X, y, seed)
            seconds["Boruta"] = time.process_time() - started
        for name, features in claimed.items():
            false = (features & ~real).sum() / max(features.sum(), 1)
            found.setdefault(name, []).append((false, features[real].mean(), seconds[name], kind))
    print("| | tables | false discovery rate | standard error | power | seconds |\n|---|---|---|---|---|---|")
    for name, rows in found.items():
        false, power, seconds, kinds = map(np.array, zip(*rows, strict=True))
        print(
            f"| {name} | {len(rows)} | {false.mean():.3f} | {false.std() / len(rows) ** 0.5:.3f} | {power.mean():.2f} "
            f"| {seconds.mean():.1f} |"
        )
        parts = [
            f"{kind} {false[kinds == kind].mean():.2f}/{power[kinds == kind].mean():.2f}"
            for kind in KINDS
            if kind in kinds
        ]
        print(f"  false discovery rate / power by kind of target: {', '.join(parts)}", flush=True)


def coverage(tables, first, methods):
    """Share of features whose interval holds the mean rank over tables of the same design."""
    print("| design | tables | coverage | mean width | features |\n|---|---|---|---|---|")
    for name, strength in (("noise", 0.0), ("signal", 1.0)):
        ranks, lows, highs = [], [], []
        for seed in range(first, first + tables):
            rng = np.random.default_rng([seed, 77])
            X, y = noise(rng, 60, 20)
            if strength:
                y = (
                    (X.iloc[:, :4].sum(axis=1) * strength + rng.normal(size=60) > 0)
                    .astype(int)
                    .to_numpy()
                    .astype(object)
                )
            result = sslrank.rank(X, y, curve=False, methods=methods, random_state=seed)
            frame = result.to_frame().set_index("feature").loc[X.columns]
            ranks.append(rankdata(frame["mean_rank"]))
            lows.append(frame["low"])
            highs.append(frame["high"])
        ranks, lows, highs = map(np.array, (ranks, lows, highs))
        # the design treats the relevant features alike, and the others
        truth = np.full(20, 10.5)
        if strength:
            truth[:4], truth[4:] = ranks[:, :4].mean(), ranks[:, 4:].mean()
        inside = (lows <= truth) & (truth <= highs)
        for part, of in ((slice(0, 4), "first 4"), (slice(4, 20), "other 16")):
            width = (highs - lows)[:, part].mean()
            print(f"| {name} | {tables} | {inside[:, part].mean():.2f} | {width:.1f} | {of} |", flush=True)


def main():
    """Print the figures that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("part", choices=("null", "fdr", "intervals"))
    parser.add_argument("--tables", type=int, default=50, help="of each family or design")
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument(
        "--methods", default="auto", help="such as f_score,information_gain, which take a tenth of the time"
    )
    parser.add_argument("--no-peers", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if arguments.part == "null":
        claims(arguments.tables, arguments.first, arguments.methods)
    elif arguments.part == "fdr":
        discoveries(arguments.tables, arguments.first, arguments.methods, not arguments.no_peers)
    else:
        coverage(arguments.tables, arguments.first, arguments.methods)


if __name__ == "__main__":
    main()
