"""Tables whose truth is known: which columns are related to the target, and which add information beyond the others."""

from dataclasses import dataclass, field

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine

from sslrank.core.features import Features
from sslrank.core.targets import encode_targets
from sslrank.hypothesis_tests.estimators import adjusted


@dataclass
class Table:
    """A table and its truth.

    Attributes
    ----------
    X : ndarray of shape (n, D)
    y : ndarray of shape (n,) or (n, T)
    task : str
    true : ndarray of shape (D,), bool
        Columns that are related to the target, or in the families `ADDED` those that add information beyond the others.
    levels : dict of int to int
        Number of levels of the nominal columns.
    groups, time : ndarray of shape (n,), optional
    event : ndarray of shape (n,), optional
        Whether the event of a follow-up time `y` happened.
    adjust : ndarray of shape (n, k), optional
        Columns to adjust for.
    """

    X: np.ndarray
    y: np.ndarray
    task: str
    true: np.ndarray
    levels: dict = field(default_factory=dict)
    groups: np.ndarray | None = None
    time: np.ndarray | None = None
    event: np.ndarray | None = None
    adjust: np.ndarray | None = None

    def coded_features(self):
        """Features as the tests take them."""
        counts = np.zeros(self.X.shape[1], dtype=np.int32)
        counts[list(self.levels)] = list(self.levels.values())
        return Features(np.ascontiguousarray(self.X, dtype=np.float64), counts)

    def coded(self):
        """Features and targets as the tests take them."""
        y = self.y if self.event is None else np.column_stack([self.y, self.event])
        targets = encode_targets(y, len(self.X), task=self.task)
        return (
            (self.coded_features(), targets)
            if self.adjust is None
            else adjusted(self.coded_features(), targets, self.adjust)
        )

    @property
    def rows(self):
        """Groups or times of the rows, as keyword arguments of the tests."""
        return {name: found for name in ("groups", "time") if (found := getattr(self, name)) is not None}


def _target(rng, kind, signal, noise=None):
    """A target of a kind and its task: numbers, or classes of a continuous one of the same size each."""
    y = signal + (rng.normal(size=len(signal)) if noise is None else noise)
    if kind == "number":
        return y, "regression"
    if kind == "numbers":
        return np.column_stack([y, rng.permutation(y), -signal + rng.normal(size=len(y))]), "multitarget"
    n_classes = {"binary": 2, "classes": 3}[kind]
    return np.argsort(np.argsort(y, kind="stable")) * n_classes // len(y), "classification"


def _unrelated(rng, X, kind, y=None, **options):
    """A table without any relation."""
    y = rng.normal(size=len(X)) if y is None else y
    y, task = _target(rng, kind, y, noise=0.0)
    return Table(X, y, task, np.zeros(X.shape[1], dtype=bool), **options)


def _along(rng, n, D, slope=0.8):
    """Columns of which neighbours correlate."""
    X = rng.normal(size=(n, D))
    for j in range(1, D):
        X[:, j] = slope * X[:, j - 1] + np.sqrt(1 - slope**2) * X[:, j]
    return X


def _series(rng, n, D, slope):
    """Columns whose rows are autocorrelated; random walks if the slope is 1."""
    steps = rng.normal(size=(n + 50, D))
    for i in range(1, len(steps)):
        steps[i] += slope * steps[i - 1]
    return steps[50:]


def _factors(rng, n, D):
    """Columns that three factors move."""
    return rng.normal(size=(n, 3)) @ rng.normal(size=(3, D)) * 0.7 + rng.normal(size=(n, D))


def _public(rng, n, D):
    """Rows and columns of a table that scikit-learn ships, standardised."""
    X = (load_breast_cancer, load_wine, load_diabetes, load_digits)[rng.integers(4)]().data
    X = X[:, X.std(axis=0) > 1e-9]
    X = X[:, rng.permutation(X.shape[1])[:D]]
    return ((X - X.mean(axis=0)) / X.std(axis=0))[rng.permutation(len(X))[:n]]


def _skewed(rng, n, D):
    X = np.exp(1.5 * rng.normal(size=(n, D + 1)))
    return _unrelated(rng, X[:, :D], "number", X[:, D])


def _rare_levels(rng, n, D):
    X = np.minimum(rng.geometric(0.5, size=(n, D)) - 1, 7)
    return _unrelated(rng, X, "binary", levels=dict.fromkeys(range(D), 8))


def _independent_series(rng, n, D, slope, period=0, height=2):
    X = _series(rng, n, D + 1, slope)
    if period:
        X += height * np.cos(2 * np.pi * (np.arange(n)[:, None] / period + rng.random(D + 1)))
    return _unrelated(rng, X[:, :D], "number", X[:, D], time=np.arange(n))


def _subjects(rng, sizes, D, by_subject):
    """Independent columns and target that differ between subjects; the target may be one for each subject."""
    groups = np.repeat(np.arange(len(sizes)), sizes)
    X = rng.normal(size=(len(sizes), D + 1))[groups]
    X[:, : D if by_subject else None] += rng.normal(size=(len(groups), D if by_subject else D + 1))
    return _unrelated(rng, X[:, :D], "number", X[:, D], groups=groups)


def _censored(rng, life, limit):
    """Follow-up times and events."""
    return np.minimum(life, limit), 1.0 * (life <= limit)


def _adjusted(rng, kind, n, k, D=15):
    """Columns and target depend on k others, which are adjusted for."""
    Z = rng.normal(size=(n, k))
    X = Z @ rng.normal(size=(k, D)) * 0.5 + rng.normal(size=(n, D))
    signal, event = Z @ rng.normal(size=k) / np.sqrt(k), None
    if kind == "times":
        y, event = _censored(rng, rng.exponential(size=n) * np.exp(-signal), rng.exponential(size=n))
        task = "survival"
    else:
        y, task = _target(rng, kind, signal)
    return Table(X, y, task, np.zeros(D, dtype=bool), event=event, adjust=Z)


def _panel(rng, n_groups, n_times, D=10, slope=0.0, by=None):
    """Columns and target of shops and weeks have effects of both; the target may be one for each shop or week."""
    groups, time = np.repeat(np.arange(n_groups), n_times), np.tile(np.arange(n_times), n_groups)
    of_group, of_time = rng.normal(size=(n_groups, D + 1)), _series(rng, n_times, D + 1, slope)
    X = of_group[groups] + of_time[time] + rng.normal(size=(len(groups), D + 1))
    y = {None: X[:, D], "group": of_group[groups, D], "time": of_time[time, D]}[by]
    return _unrelated(rng, X[:, :D], "number", y, groups=groups, time=time)


def _uneven_series(rng, n, D, kind):
    """Independent series that share a path of variance, or have trends or a shift of level of their own."""
    X, u = _series(rng, n, D + 1, 0.0 if kind == "variance" else 0.3), np.linspace(-1, 1, n)[:, None]
    if kind == "variance":
        X *= np.exp(0.25 * np.cumsum(rng.normal(size=n)))[:, None]
    elif kind == "trend":
        X += 3 * rng.normal(size=D + 1) * u + 3 * rng.normal(size=D + 1) * u**2
    else:
        X += 2.5 * (np.arange(n)[:, None] > rng.integers(20, n - 20, D + 1)) * rng.choice([-1, 1], D + 1)
    return _unrelated(rng, X[:, :D], "number", X[:, D], time=np.arange(n))


def _far_targets(rng, n, D, effect):
    """Half of the columns are 0/1, half have four levels; the errors of the target have 1.5 degrees of freedom."""
    half = D // 2
    X = np.column_stack([rng.integers(0, 2, (n, half)), rng.integers(0, 4, (n, half))]).astype(float)
    y = effect * ((X[:, 0] == 1) + 1.0 * (X[:, half] == 1)) + rng.standard_t(1.5, n)
    true = np.isin(np.arange(D), (0, half)) & (effect > 0)
    return Table(X, y, "regression", true, levels=dict.fromkeys(range(half, D), 4))


#: Kind of target, rows and numbers of columns to adjust for, from a tenth to six tenths.
_ADJUSTED = (("number", 60, (6, 20, 36)), ("binary", 120, (12, 36, 72)), ("times", 100, (10, 25, 60)))
#: Tables without any relation: of the claims at 5 % at most one in twenty may be made.
NOTHING = {
    "numbers, 60 x 20": lambda rng: _unrelated(rng, rng.normal(size=(60, 20)), "number"),
    "classes of public columns, 80 x 12": lambda rng: _unrelated(rng, _public(rng, 80, 12), "classes"),
    "three targets, 60 x 20": lambda rng: _unrelated(rng, _along(rng, 60, 20), "numbers"),
    "t of 1.5 degrees, 60 x 20": lambda rng: _unrelated(
        rng, rng.standard_t(1.5, (60, 20)), "number", rng.standard_t(1.5, 60)
    ),
    "t of 1.5 degrees, 0/1 and levels, 60 x 16": lambda rng: _far_targets(rng, 60, 16, 0.0),
    "12 labels, 1,000 columns of 0/1": lambda rng: _unrelated(rng, 1.0 * (rng.random((12, 1000)) < 0.5), "binary"),
    "18 labels, 600 counts, three classes": lambda rng: _unrelated(rng, rng.poisson(0.7, (18, 600)), "classes"),
    "40 labels, 900 lognormal columns": lambda rng: _skewed(rng, 40, 900),
    "40 labels, 500 nominal with rare levels": lambda rng: _rare_levels(rng, 40, 500),
    "AR(.6), 150 x 20, time": lambda rng: _independent_series(rng, 150, 20, 0.6),
    "AR(.9), 150 x 20, time": lambda rng: _independent_series(rng, 150, 20, 0.9),
    "random walks, 150 x 20, time": lambda rng: _independent_series(rng, 150, 20, 1.0),
    "random walks, 60 x 20, time": lambda rng: _independent_series(rng, 60, 20, 1.0),
    "seasons of 12, 144 x 20, time": lambda rng: _independent_series(rng, 144, 20, 0.3, period=12),
    "weak seasons of 12, 150 x 20, time": lambda rng: _independent_series(rng, 150, 20, 0.3, period=12, height=1),
    "20 subjects x 5, target by row": lambda rng: _subjects(rng, [5] * 20, 20, False),
    "20 subjects x 5, target by subject": lambda rng: _subjects(rng, [5] * 20, 20, True),
    "24 subjects of 1 to 12 rows": lambda rng: _subjects(rng, np.resize([1, 2, 4, 12], 24), 20, False),
    **{
        f"{kind}, {n} x 15, adjusted for {k} columns": lambda rng, kind=kind, n=n, k=k: _adjusted(rng, kind, n, k)
        for kind, n, counts in _ADJUSTED
        for k in counts
    },
    "panel, 40 shops x 10 weeks": lambda rng: _panel(rng, 40, 10),
    "panel, 40 shops x 10 weeks, AR(.7)": lambda rng: _panel(rng, 40, 10, slope=0.7),
    "panel, 40 shops x 10 weeks, target by week": lambda rng: _panel(rng, 40, 10, by="time"),
    "panel, 40 shops x 10 weeks, target by shop": lambda rng: _panel(rng, 40, 10, by="group"),
    "panel, 5 shops x 60 weeks": lambda rng: _panel(rng, 5, 60, slope=0.5),
    "moving variance, 200 x 10, time": lambda rng: _uneven_series(rng, 200, 10, "variance"),
    "own trends, 150 x 10, time": lambda rng: _uneven_series(rng, 150, 10, "trend"),
    "level shifts, 150 x 10, time": lambda rng: _uneven_series(rng, 150, 10, "shift"),
}


def _planted(rng, X, kind, effect=lambda S, signs: S @ signs, k=4, ratio=1.0):
    """Of the columns the first ones make the target, the others are of other rows; in random order."""
    n, D = X.shape
    X[:, k:] = X[rng.permutation(n), k:]
    signal = effect(X[:, :k], rng.choice([-1.0, 1.0], k))
    y, task = _target(rng, kind, np.sqrt(ratio) * signal / signal.std())
    order = rng.permutation(D)
    return Table(X[:, order], y, task, order < k)


def _zero_one(rng, n, D):
    return _planted(rng, 1.0 * (rng.random((n, D)) < 0.5), "binary", ratio=3.0)


#: Four related columns among others of other rows: at a rate of 10 %.
RELATED = {
    "linear, 60 x 20": lambda rng: _planted(rng, _along(rng, 60, 20), "number"),
    "linear, classes of public columns, 120 x 20": lambda rng: _planted(rng, _public(rng, 120, 20), "classes"),
    "linear, three targets, 60 x 20": lambda rng: _planted(rng, _factors(rng, 60, 20), "numbers"),
    "exponential, 60 x 20": lambda rng: _planted(
        rng, rng.normal(size=(60, 20)), "number", lambda S, signs: np.exp(1.2 * np.minimum(S, 3)) @ signs
    ),
    "distance from the middle, 120 x 20": lambda rng: _planted(
        rng, rng.normal(size=(120, 20)), "number", lambda S, signs: np.abs(S) @ signs
    ),
    "interaction, 120 x 20": lambda rng: _planted(
        rng, rng.normal(size=(120, 20)), "binary", lambda S, signs: S[:, 0] * S[:, 1] + S[:, 2] * S[:, 3]
    ),
    "t of 1.5 degrees, 60 x 20": lambda rng: _planted(
        rng, rng.standard_t(1.5, (60, 20)), "number", lambda S, signs: np.clip(S, -5, 5) @ signs
    ),
    "t of 1.5 degrees, 0/1 and levels, 120 x 16": lambda rng: _far_targets(rng, 120, 16, 1.0),
    "40 labels, 500 columns of 0/1": lambda rng: _zero_one(rng, 40, 500),
    "120 labels, 300 columns": lambda rng: _planted(rng, _along(rng, 120, 300), "binary"),
}


def _joint(rng, X, kind, effect=lambda S, signs: S @ signs, k=4, ratio=2.0, noise=None, **options):
    """Of the columns some make the target, the others are of the same rows; those of `X` come in random order."""
    S = X[:, :k]
    signal = effect(S, rng.choice([-1.0, 1.0], k))
    y, task = _target(rng, kind, np.sqrt(ratio) * signal / signal.std(), noise)
    order = rng.permutation(X.shape[1])
    return Table(X[:, order], y, task, order < k, **options)


def _mixed(rng, X):
    return X[:, rng.permutation(X.shape[1])]


_FUNCTIONS = (lambda z: 1.4 * np.sin(2 * z), np.sign, lambda z: z**2 / 1.4, lambda z: np.exp(z) / 2, np.abs)


def _proxies(rng, n, D, effect):
    """The second half of the columns are functions of the first one, with noise."""
    X = rng.normal(size=(n, D))
    for j in range(D // 2):
        X[:, D // 2 + j] = _FUNCTIONS[j % len(_FUNCTIONS)](X[:, j]) + 0.3 * X[:, D // 2 + j]
    return _joint(rng, X, "number", effect)


def _of_two(rng, n):
    """A function of two columns makes the target and, with noise, three others."""
    X = rng.normal(size=(n, 10))
    a, b = X[:, 0], X[:, 1]
    found = (np.maximum(a, b), np.hypot(a, b), a * b)[rng.integers(3)]
    found = (found - found.mean()) / found.std()
    X[:, 2:5] = found[:, None] + 0.5 * rng.normal(size=(n, 3))
    y, task = _target(rng, "number", 1.4 * found)
    return Table(X, y, task, np.arange(10) < 2)


def _cities(rng, n, n_levels):
    """A city makes the target and three columns, with noise."""
    city = rng.integers(0, n_levels, n)
    of_city = rng.normal(size=(n_levels, 4))
    of_city[:, 1:] += of_city[:, :1]
    X = rng.normal(size=(n, 10))
    X[:, 0] = city
    X[:, 1:4] = of_city[city, 1:] + 0.3 * rng.normal(size=(n, 3))
    y, task = _target(rng, "number", 1.4 * of_city[city, 0])
    return Table(X, y, task, np.arange(10) == 0, {0: n_levels})


def _gaps(rng, n):
    """The gaps of a column make the target; another one is a noisy sign of the gap."""
    X = rng.normal(size=(n, 10))
    gap = rng.random(n) < 0.3
    X[:, 1] = gap + 0.5 * rng.normal(size=n)
    y, task = _target(rng, "number", 3.0 * gap)
    X[gap, 0] = np.nan
    return Table(X, y, task, np.arange(10) == 0)


def _related_series(rng, n, D, slope):
    """Autocorrelated columns that correlate, two of which make a target with autocorrelated noise."""
    X = _along(rng, n, D, 0.5)
    for i in range(1, n):
        X[i] = slope * X[i - 1] + np.sqrt(1 - slope**2) * X[i]
    X = _mixed(rng, X)
    noise = _series(rng, n, 1, slope)[:, 0]
    return _joint(rng, X, "number", k=2, noise=noise / noise.std(), time=np.arange(n))


def _related_subjects(rng, n_subjects, size, D):
    """Columns that correlate and differ between subjects, two of which make a target that does so, too."""
    groups = np.repeat(np.arange(n_subjects), size)
    X = _mixed(rng, _along(rng, n_subjects, D, 0.5))[groups] + 0.3 * rng.normal(size=(len(groups), D))
    noise = rng.normal(size=n_subjects)[groups] + 0.3 * rng.normal(size=len(groups))
    return _joint(rng, X, "number", k=2, noise=noise, groups=groups)


def _product(rng, kind, n=200, D=8):
    """Two columns make the target by their product, and with noise another one; of nominal ones two others."""
    X = rng.normal(size=(n, D))
    levels, a = {}, rng.integers(0, 2, n)
    if kind in ("product", "xor"):
        b = rng.integers(0, 2, n)
        found = a * b if kind == "product" else a ^ b
    elif kind == "number":
        b = X[:, 1]
        found = a * b
    else:
        a, b = rng.integers(0, 5, n), X[:, 1]
        levels = {0: 5}
        if kind == "slopes":
            found = rng.normal(size=5)[a] * b
        else:
            b, levels = rng.integers(0, 5, n), {0: 5, 1: 5}
            found = rng.normal(size=(5, 5))[a, b]
    found = (found - found.mean()) / found.std()
    X[:, 0], X[:, 1] = a, b
    X[:, 2] = found + 0.5 * rng.normal(size=n)
    y, task = _target(rng, "number", 1.4 * found)
    return Table(X, y, task, np.arange(D) < 2, levels)


def _by_sums(rng, n=800):
    """Three columns make three classes, which are nearly separate; the others are sums of these, with noise."""
    F = rng.normal(size=(n, 3))
    X = np.column_stack([F, F @ rng.normal(size=(3, 5)) + 0.7 * rng.normal(size=(n, 5))])
    y = np.argmax(3 * F @ rng.normal(size=(3, 3)) + rng.gumbel(size=(n, 3)), axis=1)
    return Table(X, y, "classification", np.arange(8) < 3)


def _by_era(rng, n=300, D=10):
    """Two columns make the hazard; a third correlates with both and decides the follow-up."""
    X, era = rng.normal(size=(n, D)), rng.random(n)
    X[:, 0], X[:, 1], X[:, 2] = era, X[:, 1] + 3 * (era - 0.5), X[:, 2] - 2 * (era - 0.5)
    life = rng.exponential(size=n) / (0.3 * np.exp(X[:, 1] + 0.7 * X[:, 2]))
    y, event = _censored(rng, life, 6 * (1 - era) + 0.2)
    return Table(X, y, "survival", np.isin(np.arange(D), (1, 2)), event=event)


#: Columns of the same rows, some of which add information beyond the others: at a rate of 10 %.
ADDED = {
    "linear, 60 x 50": lambda rng: _joint(rng, _mixed(rng, _along(rng, 60, 50)), "number"),
    "linear, classes, 100 x 50": lambda rng: _joint(rng, _factors(rng, 100, 50), "binary"),
    "linear, public columns, 100 x 25": lambda rng: _joint(rng, _public(rng, 100, 25), "number"),
    "wide, 60 x 60": lambda rng: _joint(rng, rng.normal(size=(60, 60)), "number"),
    "few columns, 40 x 10": lambda rng: _joint(rng, _mixed(rng, _along(rng, 40, 10, 0.7)), "number"),
    "few columns, logistic, 150 x 10": lambda rng: _joint(rng, _mixed(rng, _along(rng, 150, 10, 0.7)), "binary"),
    "distance from the middle, 120 x 30": lambda rng: _joint(
        rng, _mixed(rng, _along(rng, 120, 30)), "number", lambda S, signs: np.abs(S) @ signs
    ),
    "sines and functions of features, 120 x 20": lambda rng: _proxies(
        rng, 120, 20, lambda S, signs: np.sin(2 * S) @ signs
    ),
    "functions of two columns, 200 x 10": lambda rng: _of_two(rng, 200),
    "25 cities, 200 x 10": lambda rng: _cities(rng, 200, 25),
    "40 cities, 120 x 10": lambda rng: _cities(rng, 120, 40),
    "gaps, 150 x 10": lambda rng: _gaps(rng, 150),
    "AR(.6), 150 x 20, time": lambda rng: _related_series(rng, 150, 20, 0.6),
    "AR(.9), 150 x 20, time": lambda rng: _related_series(rng, 150, 20, 0.9),
    "25 subjects x 4": lambda rng: _related_subjects(rng, 25, 4, 10),
    "60 subjects x 4": lambda rng: _related_subjects(rng, 60, 4, 10),
    "product of two 0/1 and a copy, 200 x 8": lambda rng: _product(rng, "product"),
    "XOR of two 0/1 and a copy, 200 x 8": lambda rng: _product(rng, "xor"),
    "0/1 times number and a copy, 200 x 8": lambda rng: _product(rng, "number"),
    "slopes of 5 groups and a copy, 200 x 8": lambda rng: _product(rng, "slopes"),
    "cells of 5 x 5 levels and a copy, 200 x 8": lambda rng: _product(rng, "cells"),
    "follow-up by a feature, 300 x 10": lambda rng: _by_era(rng),
    "three classes by sums of columns, 800 x 8": lambda rng: _by_sums(rng),
}


def _leak(rng, n=200, D=20):
    """A column that nearly is the target, six related ones of decreasing strength (the truth), and noise."""
    X = rng.normal(size=(n, D))
    strength = np.zeros(D)
    strength[1:7] = np.linspace(1.0, 0.3, 6)
    y = X @ strength + rng.normal(size=n)
    X[:, 0] = y + 0.05 * rng.normal(size=n)
    return Table(X, y, "regression", strength)


FAMILIES = {"nothing": NOTHING, "related": RELATED, "added": ADDED, "order": {"below a leak, 200 x 20": _leak}}


def made_table(part, family, seed):
    """Draw a table of a family, which depends on the names and the seed only."""
    return FAMILIES[part][family](np.random.default_rng([seed, *map(ord, part + family)]))
