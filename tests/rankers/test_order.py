"""No order of rows or columns, no name, unit or processor decides a ranking, also where many rows are equally near."""

import numpy as np
import pandas as pd
import pytest

from coded import target_of
from rankers.test_rankers import CASES, OF_EACH_CLASS, SLOW, make_ranker
from sslrank.testing import _Check

KINDS = ("nominal", "binary", "rounded", "mixed")
#: Rankers that take the first of equally good columns.
FIRST_COLUMN = ("lightgbm_gain", "lightgbm_shap", "ppt_mi")
#: LightGBM adds up in float32.
TOLERANCE = {"lightgbm_gain": 0.01, "lightgbm_shap": 0.01}
#: They take long with 200 rows.
FEWER_ROWS = ("csfs", "fwfs", "memetic", "mutual_information")
#: fastcan chooses among equally correlated columns by rounding error; the others are slow.
LEFT_OUT = ("fastcan", "fsga", *SLOW)


def problem(kind, task, n_rows=60, n_features=6):
    """A table of few values, sorted by the target, of which a third is unlabelled."""
    rng = np.random.default_rng(KINDS.index(kind))
    Z = rng.normal(size=(n_rows, n_features))
    X = pd.DataFrame(np.round(Z) if kind in ("rounded", "mixed") else (Z > 0).astype(float)).add_prefix("f")
    for j in range({"nominal": n_features, "mixed": 2}.get(kind, 0)):
        X[f"f{j}"] = pd.Categorical.from_codes(np.digitize(Z[:, j], [-0.5, 0.5]), ["a", "b", "c"])
    signal = Z[:, :4] + 0.5 * rng.normal(size=(n_rows, 4))
    order = np.argsort(signal[:, 0] > 0, kind="stable")
    X, signal = X.iloc[order].reset_index(drop=True), signal[order]
    if task == "none":
        return X, None
    y = target_of(task, np.round(signal, 1))
    y[rng.permutation(n_rows)[::3]] = np.nan
    return X, y


def rewritten(X, y, task, *, columns=True):
    """The same table with shuffled rows, reversed columns, other names and other units."""
    rows = np.random.default_rng(9).permutation(len(X))
    X = X.iloc[rows, ::-1] if columns else X.iloc[rows]
    X = X.reset_index(drop=True)
    for name in X:
        nominal = isinstance(X[name].dtype, pd.CategoricalDtype)
        X[name] = X[name].map({"a": "z", "b": "y", "c": "x"}).astype("category") if nominal else 7.3 * X[name] - 11
    if y is None:
        return X, None
    y = y[rows]
    if task == "classification":
        return X, np.nanmax(y) - y
    return X, 3.7 * y + 5 if task in ("regression", "multitarget") else y


def importances(name, task, X, y, seed=0, n_jobs=None):
    ranker = _Check(make_ranker(name), "order", task).make(random_state=seed, n_jobs=n_jobs)
    if "scale" in ranker.get_params():
        ranker.set_params(scale="range")
    found = pd.Series(ranker.fit(X, y).feature_importances_, index=X.columns)
    return found[sorted(X.columns)].to_numpy() / (found.abs().max() or 1.0)


QUICK = [(name, task) for name, task in CASES if name not in LEFT_OUT]


@pytest.mark.parametrize(("name", "task"), QUICK)
def test_ranking_is_of_the_table_not_of_its_form(name, task):
    """Equal where nothing is random; otherwise the means of three seeds differ as those of other seeds do."""
    number = QUICK.index((name, task)) % len(KINDS)
    for kind in KINDS[number:] + KINDS[:number]:
        X, y = problem(kind, task)
        other = rewritten(X, y, task, columns=name not in FIRST_COLUMN)
        first, second = (importances(name, task, X, y, seed) for seed in (0, 1))
        if np.array_equal(first, second):
            tolerance = TOLERANCE.get(name, 1e-5)
            np.testing.assert_allclose(importances(name, task, *other), first, rtol=0, atol=tolerance, err_msg=kind)
        else:
            before = np.array([first, second, importances(name, task, X, y, 2)])
            after = np.array([importances(name, task, *other, seed) for seed in (3, 4, 5)])
            noise = np.sqrt((before.var(axis=0, ddof=1) + after.var(axis=0, ddof=1)) / 3)
            distance = np.abs(before.mean(axis=0) - after.mean(axis=0)) / np.maximum(noise, noise.mean())
            assert distance.max() < 6, kind
            break


def all_bits(n_jobs=None):
    """Importances by one ranker of each class, for one kind of target."""
    found = {}
    for name, task in {name: task for name, task in QUICK if name in OF_EACH_CLASS.values()}.items():
        X, y = large_table(task, 50 if name in FEWER_ROWS else 200)
        found[name] = importances(name, task, X, y, 0, n_jobs).tobytes()
    return found


def large_table(task, n_rows=200):
    """A table whose products of matrices BLAS computes in threads; half of the columns have few values."""
    X, y = problem("mixed", task, n_rows, 40)
    X.loc[:, "f20":] += 0.01 * np.random.default_rng(0).normal(size=(n_rows, 20))
    return X, y
