"""Small random problems for every ranker. A case is known by seed, ranker and number alone."""

import zlib
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from sslrank import available_rankers, get_ranker
from sslrank.rankers.registry import RANKERS

#: Rankers that are tried; those of other packages have their own tests.
NAMES = [name for name in available_rankers() if not RANKERS[name].needs]

#: Values of parameters to draw from, so far as a ranker has them; small numbers, since many fits are wanted.
OPTIONS = {
    "n_estimators": [1, 3, 5], "ensemble": ["random_forest", "extra_trees", "bagging"],
    "supervision": [0.0, 0.3, 1.0, "auto", "cv", "oob"], "bootstrap": ["auto", True], "cv_levels": [(0.0, 0.5, 1.0)],
    "cv_folds": [2, 3], "min_samples_leaf": [1, 2], "max_depth": [None, 2], "supervised": [False, False, True],
    "n_iterations": [None, 7], "n_pairs": [1, 2, 5], "scale": [None, "range", "standard"],
    "bandwidth": ["percentile", 1.0], "max_clusters": [None, 4], "max_constraints": [None, 30],
    "neighborhoods": ["clusters", "nearest"], "laplacian_rows": ["unlabeled", "all"],
    "variant": ["ratio", "difference"], "discretization": ["mdl", "frequency"], "n_prototypes": [None, None, 3],
    "min_count": [1, 6], "n_greedy": [2, 30], "max_samples": [10, 1000], "n_bins": [2, 3], "budget": [10],
    "population_size": [4], "max_iter": [2], "n_generations": [2], "n_candidates": [9, 12],
    "max_features": ["sqrt", 1.0], "scaled": [False, True], "n_confident": [1, 0.5], "sampling_times": [2],
    "forward_steps": [2], "cv": [2, 3], "step": [1, 0.5], "balance": [0.1, 0.0, 1.0],
}  # fmt: skip
#: What the same name means elsewhere.
OWN_OPTIONS = {
    "memetic": {"max_features": [3, 50]},
    "relief": {"n_neighbors": [1, 4, "cv"], "w0": [0.0, "cv"], "w1": [0.5, 1.0, "cv"]},
    "3_3fs": {"n_estimators": [None, 2]},
    "mean_rank": {"members": [{"relief": "relief", "f_score": "f_score"}]},
    "sc4": {"bandwidth": [100.0, "percentile"]},
}


@dataclass
class Case:
    """A ranker and what it is fitted to.

    Attributes
    ----------
    name, task : str
    X : DataFrame of shape (n, D)
        float64 and categorical columns.
    y : ndarray of shape (n,) or (n, T), or None
        Codes of classes, labels or numbers; NaN is missing.
    params : dict
    hierarchy : list or None
    plain : bool
        Distinct numbers with few digits, none missing: no two distances are equal, and differences are exact.
    """

    name: str
    task: str
    X: pd.DataFrame
    y: np.ndarray | None
    params: dict
    hierarchy: list | None = None
    plain: bool = False
    traits: set = field(default_factory=set)


# ---- made-up problems


def make_case(name, seed, number):
    """A case by its number."""
    rng = np.random.default_rng([seed, zlib.crc32(name.encode()), number])
    task = rng.choice(sorted(RANKERS[name].tasks))
    n_rows = int(rng.integers(1, 41)) if rng.random() < 0.5 else int(rng.integers(15, 41))
    n_features = int(rng.integers(1, 13))
    case = Case(name, str(task), None, None, draw_params(rng, name), plain=bool(rng.random() < 0.5))
    if case.plain:
        case.X = pd.DataFrame(plain_numbers(rng, n_rows, n_features))
    else:
        case.X = pd.concat([pd.Series(wild_column(rng, n_rows, case.traits)) for _ in range(n_features)], axis=1)
        case.X.columns = range(n_features)
        if n_features > 2 and rng.random() < 0.2:
            case.X[1] = case.X[0]
        if n_rows > 3 and rng.random() < 0.2:
            case.X = case.X.iloc[np.arange(n_rows) // 2].reset_index(drop=True)
    case.y, case.hierarchy = make_target(rng, case)
    return case


def draw_params(rng, name):
    """Some values of the ranker's parameters."""
    known = get_ranker(name).get_params()
    options = {key: values for key, values in (OPTIONS | OWN_OPTIONS.get(name, {})).items() if key in known}
    params = {key: values[rng.integers(len(values))] for key, values in options.items()}
    if not (isinstance(params.get("w0"), str) or isinstance(params.get("w1"), str)) and "w0" in params:
        params["w0"] = min(params["w0"], params["w1"])
    return {**params, "random_state": int(rng.integers(1000))}


def plain_numbers(rng, *shape):
    """Distinct multiples of 2**-12 in [-64, 64)."""
    return rng.permutation(2**19)[: np.prod(shape)].reshape(shape) / 2.0**12 - 64.0


def wild_column(rng, n, traits):
    """A column of one of many kinds."""
    kind = rng.integers(16)
    normal = rng.normal(size=n)
    if kind == 0:
        values = np.round(2 * normal)
    elif kind == 1:
        values = (normal > rng.normal()).astype(float)
    elif kind == 2:
        values = np.full(n, rng.choice([0.0, -0.0, 1.0, 0.1, 1e9]))
    elif kind == 3:
        values = normal * 10.0 ** rng.integers(-320, -150)
    elif kind == 4:
        values = normal * 10.0 ** rng.integers(20, 135)
    elif kind == 5:
        values = 1e9 + normal * 10.0 ** rng.integers(-9, 3)
    elif kind == 6:
        values = np.where(rng.random(n) < 0.1, normal, 0.0)
    elif kind == 7:
        values = rng.integers(0, 200, n).astype(float)
    elif kind == 8 and rng.random() < 0.2:
        values = normal * 10.0 ** rng.integers(140, 308)
        traits.add("too large")
    elif kind in (9, 10, 11):
        size = int(rng.choice([1, 2, 3, 5, 70]))
        codes = rng.integers(-1 if rng.random() < 0.3 else 0, size, n)
        return pd.Categorical.from_codes(codes, [f"k{i:02}" for i in range(size)])
    else:
        values = normal
    if rng.random() < 0.3:
        values[rng.random(n) < rng.choice([0.1, 0.5, 1.0])] = np.nan
    return values


def make_target(rng, case):
    """The target of a case and its hierarchy."""
    n, task = len(case.X), case.task
    if task == "none":
        return None, None
    first = case.X.iloc[:, 0]
    first = first.cat.codes.to_numpy(float) if hasattr(first, "cat") else np.nan_to_num(first.to_numpy())
    rank = np.argsort(np.argsort(first)) / max(n, 1) + 0.2 * rng.normal(size=n)  # the first feature tells
    hierarchy = None
    if task == "classification":
        y = np.floor(np.clip(rank, 0, 0.999) * rng.integers(1, 6))
    elif task == "regression":
        y = numbers_of_target(rng, case, rank)
    elif task == "multitarget":
        y = np.column_stack([numbers_of_target(rng, case, rank) for _ in range(rng.integers(2, 5))])
    else:
        y = (rank[:, None] + rng.normal(size=(n, int(rng.integers(2, 7)))) > rng.normal()).astype(float)
        if task == "hierarchical":
            hierarchy = [sorted(set(rng.integers(0, label, rng.integers(0, 3)).tolist())) if label else []
                         for label in range(y.shape[1])]  # fmt: skip
    hidden = rng.random(n) < rng.choice([0.0, 0.0, 0.3, 0.7, 1.0], p=[0.3, 0.2, 0.3, 0.18, 0.02])
    y[hidden] = np.nan
    if y.ndim == 2 and rng.random() < 0.3:
        y[rng.random(y.shape) < 0.2] = np.nan
    return y, hierarchy


def numbers_of_target(rng, case, rank):
    """One numeric target."""
    if case.plain:
        return np.round(rank * 2.0**12) / 2.0**12
    kind = rng.integers(6)
    if kind == 0:
        return np.full(len(rank), 3.0)
    if kind == 1:
        return rank * 10.0 ** rng.integers(-300, -100)
    if kind == 2:
        return rank * 10.0 ** rng.integers(20, 100)
    return np.round(3 * rank) if kind == 3 else rank


# ---- running


class Refused(Exception):
    """A fit that ended with one of the messages in :data:`REFUSALS`."""


def known(case):
    """Which targets of which rows are known."""
    if case.y is None:
        return np.zeros((len(case.X), 1), dtype=bool)
    return ~np.isnan(case.y.reshape(len(case.y), -1))


#: What may be refused: words of the message, and the cases in which they are right.
REFUSALS = (
    ("values too large", lambda case: "too large" in case.traits),
    ("needs at least one labelled row", lambda case: not known(case).any()),
    ("no labelled row has all of its targets", lambda case: not known(case).all(axis=1).any()),
    ("needs labelled rows of at least two classes", lambda case: len(np.unique(case.y[known(case)[:, 0]])) < 2),
    ("needs at least 4 labelled rows", lambda case: known(case).any(axis=1).sum() < 4),
)


def fit(case, X, y, **params):
    """Importances; `Refused` if a message rightly says why there are none."""
    ranker = get_ranker(case.name, **case.params, **params)
    ranker.task = "auto" if case.task == "none" else case.task
    ranker.hierarchy = case.hierarchy
    try:
        ranker.fit(X, y)
    except ValueError as error:
        if any(words in str(error) and right(case) for words, right in REFUSALS):
            raise Refused from None
        raise
    importances = ranker.feature_importances_
    assert importances.dtype == np.float64
    assert importances.shape == (case.X.shape[1],)
    assert np.isfinite(importances).all()
    assert sorted(ranker.ranking_) == list(range(1, len(importances) + 1))
    return importances
