"""Measure the answer of a ranking where the truth is known: order, printed score, pairs, with peers in the same run.

    python tests/measurements/bench_answer.py run --rows answer.csv [--tables 4 --parts order,score,pairs,joint]
    python tests/measurements/bench_answer.py write --rows answer.csv   # answer.md

order: average precision of the true features, of `sslrank.rank`, its members, F, least squares, scikit-learn's forest,
    Boruta (features that it confirms first, then by the forest) and the mean absolute SHAP value of LightGBM's trees.
score: printed score of "enough" minus that of the named model on 1,000 new rows with the delivered features.
pairs: share of tables with a false pair, share of the true pairs that are found, and false discovery rate of features
    named as related or in a pair.
joint: share of tables without any relation whose features together are said to predict the target.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from bench_trust import boruta, f_p_values, least_squares
from made_tables import Table
from saved_rows import main, save, saved_keys
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from sslrank import rank
from sslrank.core.coded_table import CodedTable
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation.curve_problem import CurveProblem
from sslrank.hypothesis_tests.pairs import find_pairs
from sslrank.hypothesis_tests.related import find_related
from sslrank.tabular.trust.dependence import Dependence
from sslrank.tabular.trust.joint import joint_test
from sslrank.tabular.trust.procedure import Procedure

NEW = 1_000
#: Family -> rows, columns, true features, true pairs, signal of normal columns (levels where said), noise, classes.
FAMILIES = {
    "linear": (150, 20, range(5), (), lambda X: X[:, :5] @ [1, 0.8, 0.6, 0.5, 0.4], 1.2, 0),
    "linear, classes": (150, 20, range(5), (), lambda X: X[:, :5] @ [1, 0.8, 0.6, 0.5, 0.4], 1.0, 2),
    "few labels": (30, 50, range(4), (), lambda X: X[:, :4].sum(axis=1), 0.7, 2),
    "wide": (80, 500, range(5), (), lambda X: X[:, :5].sum(axis=1), 1.0, 0),
    "wide, blocks of ten": (60, 600, range(30), (), lambda X: X[:, :30:10].sum(axis=1), 0.7, 2),
    "correlated": (150, 50, range(5, 50, 10), (), lambda X: X[:, 5::10].sum(axis=1), 1.5, 0),
    "nominal": (200, 16, (0, 1, 8), (), lambda X: 1.5 * (X[:, 0] == 1) + (X[:, 1] >= 2) + 0.7 * X[:, 8], 1.0, 0),
    "sine, abs, step": (
        200, 20, range(4), (),
        lambda X: np.sin(2 * X[:, 0]) + np.abs(X[:, 1]) + 0.7 * X[:, 2] + 1.5 * (X[:, 3] > 1), 0.7, 0,
    ),
    "ring": (200, 15, (0, 1), (), lambda X: X[:, 0] ** 2 + X[:, 1] ** 2, 0.5, 2),
    "XOR": (300, 15, (0, 1), ((0, 1),), lambda X: np.sign(X[:, 0] * X[:, 1]), 0.5, 2),
    "product": (200, 20, (0, 1), ((0, 1),), lambda X: X[:, 0] * X[:, 1], 1.0, 0),
    "product, one alone": (200, 20, (0, 1), ((0, 1),), lambda X: X[:, 0] * X[:, 1] + X[:, 0], 1.0, 0),
    "product and another, classes": (500, 10, (0, 1, 2), ((0, 1),), lambda X: X[:, 0] * X[:, 1] + X[:, 2] / 2, 0.3, 2),
    "slopes by a nominal column": (
        300, 12, (0, 4, 5), ((0, 4),), lambda X: 1.2 * X[:, 4] * (X[:, 0] - 1) + X[:, 5] / 2, 1.0, 0
    ),
    "0/1 times a number": (300, 12, (0, 4), ((0, 4),), lambda X: X[:, 4] * (X[:, 0] > 0), 1.0, 0),
    "nothing": (120, 20, (), (), lambda X: np.zeros(len(X)), 1.0, 0),
    "nothing, classes": (120, 20, (), (), lambda X: np.zeros(len(X)), 1.0, 2),
    "interaction of the tests' benchmark": (120, 20, (0, 1), ((0, 1),), lambda X: 0.7 * X[:, 0] * X[:, 1], 1.0, 0),
}  # fmt: skip
#: Nominal columns (number of the first ones, levels), blocks and correlation of neighbours of some families.
LEVELS = {"nominal": (8, 4), "slopes by a nominal column": (2, 3)}
AIMS = {
    "order": "average precision; mean at least .75, no family more than .1 behind the best single member",
    "score": "printed score less that on 1,000 new rows; mean within .05",
    "pairs": "share of tables with a false pair, at most .05 + 2 standard errors; power at least .6 on the interaction "
    "of the tests' benchmark and .9 on the product; false discovery rate of features at most .10 + 2 standard errors",
    "joint": "share of tables said to be predictable, at most .05 + 2 standard errors",
}
#: Names of the columns of each part.
COLUMNS = {
    "score": ["printed", "on new rows", "features"],
    "pairs": ["false pair", "power", "false features"],
    "joint": ["said to be predictable", "", ""],
}


def made(family, seed):
    """Make a table with new rows below its own, and the names of its true pairs."""
    n, D, true, pairs, signal, noise, n_classes = FAMILIES[family]
    rng = np.random.default_rng([seed, *map(ord, family)])
    X = rng.normal(size=(n + NEW, D))
    if family == "correlated":
        for j in range(1, D):
            X[:, j] = 0.8 * X[:, j - 1] + 0.6 * X[:, j]
    if "blocks" in family:
        X = 0.6 * X + 0.8 * np.repeat(rng.normal(size=(n + NEW, D // 10)), 10, axis=1)
    count, levels = LEVELS.get(family, (0, 0))
    X[:, :count] = rng.integers(0, max(levels, 1), size=(n + NEW, count))
    if family.startswith("0/1"):
        X[:, 0] = X[:, 0] > 0
    y = signal(X) + noise * rng.normal(size=n + NEW)
    if n_classes:
        y = np.searchsorted(np.quantile(y[:n], np.arange(1, n_classes) / n_classes), y)
    mask = np.isin(np.arange(D), list(true))
    return Table(
        X, y, "classification" if n_classes else "regression", mask, dict.fromkeys(range(count), levels)
    ), pairs


def average_precision(values, true):
    """Compute the average precision of features by values, the lowest first; equal ones in random order."""
    hits = true[np.lexsort((np.random.default_rng(0).permutation(len(true)), values))]
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())


def shap_of_lightgbm(table, seed):
    """Mean absolute SHAP values of 100 boosted trees."""
    import lightgbm

    options = {"objective": "multiclass", "num_class": len(np.unique(table.y))}
    options = options if table.task == "classification" else {"objective": "regression"}
    options |= {"min_data_in_leaf": 5, "seed": seed, "num_threads": 1, "verbosity": -1}
    values = lightgbm.train(options, lightgbm.Dataset(table.X, table.y), 100).predict(table.X, pred_contrib=True)
    return np.abs(values).reshape(len(table.y), -1, table.X.shape[1] + 1)[:, :, :-1].mean(axis=(0, 1))


def frame_of(table, rows):
    """Return the columns as `rank` takes them."""
    X = pd.DataFrame(table.X[rows]).add_prefix("x")
    return X.astype({f"x{j}": pd.CategoricalDtype(range(k)) for j, k in table.levels.items()})


def measured(part, family, seed):
    """Yield method and values of a table."""
    table, pairs = made(family, seed)
    n = FAMILIES[family][0]
    own = Table(table.X[:n], table.y[:n], table.task, table.true, table.levels)
    if part == "pairs":
        features, targets = own.coded()
        found, related = find_pairs(features, targets, seed=seed), find_related(features, targets, seed=seed)
        got, named = {tuple(pair) for pair in found.pairs.tolist()}, {*related.related, *found.features}
        false = len([j for j in named if not own.true[j]]) / max(len(named), 1)
        yield "sslrank", bool(got - set(pairs)), len(got & set(pairs)) / len(pairs) if pairs else np.nan, false
    elif part == "order":
        ranking = rank(frame_of(table, slice(n)), own.y, effort="order", random_state=seed)
        forest = RandomForestClassifier if own.task == "classification" else RandomForestRegressor
        forest = forest(300, random_state=seed).fit(own.X, own.y).feature_importances_
        orders = {"sslrank": ranking.rank_of, **ranking.ranks, "p": ranking.tests.p_values, "forest": -forest}
        orders |= {"F": f_p_values(own), "least squares": least_squares(own)}
        orders["SHAP (LightGBM)"] = -shap_of_lightgbm(own, seed)
        if own.X.shape[1] <= 50:
            orders["Boruta"] = -forest - boruta(own, seed)
        for name, values in orders.items():
            yield name, average_precision(values, own.true), np.nan, np.nan
    elif part == "joint":
        found = joint_test(Procedure(CodedTable(*own.coded()), Dependence(), [], seed))
        yield "sslrank", found.is_shown, np.nan, np.nan
    else:
        ranking = rank(frame_of(table, slice(n)), own.y, measure=None if own.task != "regression" else "r2",
                       random_state=seed)  # fmt: skip
        curve = ranking.curve
        if curve is None or not curve.is_conclusive:
            return
        kept = [int(name[1:]) for name in ranking.best(curve.enough)]
        model = {"a linear model": "linear", "a forest": "forest"}.get(curve.predictor, "knn")
        params = {"n_neighbors": int(curve.predictor.split()[0])} if model == "knn" else {}
        features = encode_features(frame_of(table, slice(None)).iloc[:, kept])
        problem = CurveProblem(
            features, encode_targets(table.y, len(table.y), task=table.task),
            [(np.arange(n), np.arange(n, n + NEW))], model, predictor_params=params, measure=curve.measure,
            sizes=[len(kept)],
        )  # fmt: skip
        fresh = problem.scores(np.arange(len(kept))[None])[0, 0, -1]
        yield "sslrank", curve.value(curve.enough), fresh, len(kept)


def run(arguments):
    """Append the values of tables that are not there yet."""
    done = saved_keys(arguments.rows)
    for seed in range(arguments.first, arguments.first + arguments.tables):
        for part in arguments.parts.split(","):
            for family in FAMILIES:
                _, D, true, *_ = FAMILIES[family]
                is_measured = {"pairs": D <= 20, "joint": not len(true)}.get(part, len(true) > 0)
                if (part, family, seed) in done or not is_measured:
                    continue
                rows = pd.DataFrame(measured(part, family, seed), columns=["method", "value", "second", "third"])
                save(arguments.rows, rows.assign(part=part, family=family, seed=seed))


def lines(frame):
    """Write a table for each part: aim, families with the number of tables, and commits."""
    for part, aim in AIMS.items():
        rows = frame[frame["part"] == part]
        if not len(rows):
            continue
        commits = ", ".join(sorted(set(rows["commit"])))
        yield f"\n## {part.capitalize()}\n\n{aim[0].upper()}{aim[1:]}. Commits {commits}.\n"
        rows = rows.assign(value=rows["value"].astype(str).replace({"True": 1, "False": 0}).astype(float))
        if part == "order":
            means = rows.pivot_table(index="family", columns="method", values="value", sort=False)
        else:
            means = rows.groupby("family", sort=False)[["value", "second", "third"]].mean()
            means.columns = COLUMNS[part]
            means = means.dropna(axis=1, how="all")
        if part == "score":
            means["difference"] = means["printed"] - means["on new rows"]
        if part in ("order", "score"):
            means.loc["mean"] = means.mean()
        means.insert(0, "tables", rows.groupby("family", sort=False)["seed"].nunique().astype(object))
        yield from means.round(3).reset_index().pipe(markdown)


def markdown(frame):
    """Write a frame as a Markdown table; what was not measured is empty."""
    frame = frame.astype(object).where(frame.notna(), "").astype(str)
    rows = [list(frame.columns), ["---"] * len(frame.columns), *frame.to_numpy().tolist()]
    return [f"| {' | '.join(row)} |" for row in rows]


def write(arguments):
    """Write answer.md."""
    head = "# The answer where the truth is known\n\n"
    head += "`python tests/measurements/bench_answer.py run --rows FILE`, then `write`.\n"
    text = head + "\n".join(lines(pd.read_csv(arguments.rows))) + "\n"
    (Path(__file__).parent / "answer.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(__doc__, run, write, tables=4, first=0, parts="order,score,pairs,joint")
