"""Checks that your own ranker keeps the contract of :class:`sslrank.core.base.BaseRanker`.

:func:`check_ranker` runs all of them, like scikit-learn's ``check_estimator``; :func:`ranker_checks` lists them, for
pytest. They also test the rankers of this package.
"""

import inspect
import pickle
import sys
import warnings
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
from sklearn.base import clone

from sslrank.core.base import BaseRanker, WeightedRanker
from sslrank.core.tasks import EVERY_TASK, TASKS

#: Parents of each of the four labels of the hierarchical problem.
HIERARCHY = [[], [0], [0], [1, 2]]
#: Parameters that every ranker has.
COMMON = ("task", "n_features_to_select", "categorical_features", "n_jobs", "random_state")


def check_ranker(ranker, *, skip=()):
    """Check that a ranker keeps the contract, for every kind of target that it lists.

    Most checks fit the ranker to a generated table of 60 rows, a third of them unlabelled, and 7 features. Use few
    trees or iterations if a fit is slow. If you override ``fit`` or ``transform``, also run scikit-learn's
    ``check_estimator``.

    Parameters
    ----------
    ranker : BaseRanker or type
        A ranker, with its parameters, or its class. It is not changed.
    skip : sequence of str
        Names in :data:`CHECKS` to leave out.

    Raises
    ------
    AssertionError
        If a check fails. The message names the check, and says what was expected and what to do.
    TypeError
        If the class has no `rank_coded`, or a parameter without a default.
    ValueError
        If `skip` names no check.

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank import BaseRanker
    >>> class Spread(BaseRanker):
    ...     tasks = frozenset({"classification", "none"})
    ...     def rank_coded(self, features, targets):
    ...         return np.nan_to_num(np.nanstd(features.values, axis=0))
    >>> check_ranker(Spread())
    >>> class Longer(Spread):
    ...     def rank_coded(self, features, targets):
    ...         return np.ones(features.shape[1] + 1)
    >>> check_ranker(Longer())
    Traceback (most recent call last):
        ...
    AssertionError: Longer, check 'fit', kind of target 'classification': expected a fit without an exception, got \
ValueError: the ranker: expected 7 importances, one per feature, got 8. rank_coded has to return one finite number per \
feature
    """
    unknown = set(skip) - set(CHECKS)
    if unknown:
        raise ValueError(f"skip: there is no check {sorted(unknown)[0]!r}; there are {', '.join(CHECKS)}")
    for name, _, check in ranker_checks(ranker):
        if name not in skip:
            check()


def ranker_checks(ranker):
    """List the checks of :func:`check_ranker`, to run them separately.

    Parameters
    ----------
    ranker : BaseRanker or type

    Yields
    ------
    name : str
        One of :data:`CHECKS`.
    task : str
        Kind of target; "" for checks without a target.
    check : callable
        Takes no argument, and raises AssertionError.

    Examples
    --------
    >>> from sslrank import get_ranker
    >>> for name, task, check in ranker_checks(get_ranker("information_gain")):
    ...     check()
    >>> name, task
    ('order', 'classification')
    """
    if inspect.isclass(ranker):
        ranker = ranker()
    for name, check in _PLAIN_CHECKS.items():
        yield name, "", partial(check, ranker)
    for task in (*TASKS, "none"):
        if task in ranker.tasks:
            for name, check in _TASK_CHECKS.items():
                yield name, task, partial(check, ranker, task)


# ---- helpers of the checks


@dataclass(frozen=True)
class _Check:
    """A check of a ranker for a kind of target; messages end with `advice`."""

    ranker: object
    name: str
    task: str = ""
    advice: str = ""

    def expect(self, condition, expected, advice=None):
        """Raise AssertionError unless a condition holds."""
        if not condition:
            kind = f", kind of target {self.task!r}" if self.task else ""
            where = f"{type(self.ranker).__name__}, check {self.name!r}{kind}"
            raise AssertionError(f"{where}: expected {expected}. {advice or self.advice}")

    def make(self, **params):
        """Copy the ranker for the kind of target."""
        ranker = clone(self.ranker).set_params(**({"random_state": 0} | params))
        if self.task not in ("", "none"):
            ranker.set_params(task=self.task)
        if hasattr(ranker, "hierarchy") or self.task == "hierarchical":
            # read by fit, whether it is a parameter or not
            ranker.hierarchy = HIERARCHY if self.task == "hierarchical" else None
        return ranker

    def refusal(self, X, y, fit_params=None, ranker=None, **params):
        """Return the exception of a fit, or None."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                (ranker or self.make(**params)).fit(X, y, **(fit_params or {}))
        except Exception as error:
            return error
        return None

    def fit(self, X, y, fit_params=None, **params):
        """Fit a copy; an exception fails the check."""
        ranker = self.make(**params)
        error = self.refusal(X, y, fit_params, ranker)
        first = str(error).partition("\n")[0]
        self.expect(error is None, f"a fit without an exception, got {type(error).__name__}: {first}")
        return ranker


def _problem(task, n_rows=60, n_features=7, seed=0):
    """Make a table X, y; a third of its rows are unlabelled."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features))
    signal = X[:, :4] + 0.3 * rng.normal(size=(n_rows, 4))
    unlabeled = rng.permutation(n_rows)[: n_rows // 3]
    if task == "none":
        return X, None
    if task == "classification":
        y = (signal[:, 0] > 0).astype(int)
        y[unlabeled] = -1
        return X, y
    if task == "regression":
        y = signal[:, 0].copy()
    elif task == "multitarget":
        y = signal[:, :3].copy()
    else:
        y = (signal > 0).astype(float)
        if task == "hierarchical":  # a label implies its parents
            y[:, 0] = 1.0
            y[:, 3] *= np.maximum(y[:, 1], y[:, 2])
    y[unlabeled] = np.nan
    return X, y


def _labeled(y):
    """Mark the rows with a target."""
    return y >= 0 if y.dtype.kind == "i" else ~np.isnan(y.reshape(len(y), -1)).any(axis=1)


def _importable(kind):
    """Check if pickle can find a class, which it cannot in a session or inside a function."""
    return getattr(sys.modules.get(kind.__module__), kind.__qualname__, None) is kind


def _equal_bits(first, second):
    return first.feature_importances_.tobytes() == second.feature_importances_.tobytes()


# ---- checks without data


def check_class(ranker):
    """Check that the ranker is a BaseRanker and lists existing kinds of target.

    Parameters
    ----------
    ranker : BaseRanker
    """
    check = _Check(ranker, "class")
    check.expect(isinstance(ranker, BaseRanker), "a subclass of sslrank.BaseRanker", "Derive the class from it")
    tasks = ranker.tasks
    check.expect(
        isinstance(tasks, set | frozenset) and tasks and tasks <= EVERY_TASK,
        f"tasks to be a set of kinds of target, got {tasks!r}",
        f"Set the class attribute tasks to some of {', '.join((*TASKS, 'none'))}",
    )


def check_params(ranker):
    """Check that parameters are stored unchanged, so that clone and pickle work.

    Parameters
    ----------
    ranker : BaseRanker
    """
    advice = "Write parameters as annotated class attributes, or store them unchanged in __init__"
    check = _Check(ranker, "params", "", advice)
    try:
        params = clone(ranker).get_params(deep=False)
        if _importable(type(ranker)):
            pickle.loads(pickle.dumps(clone(ranker)))
    except Exception as error:
        check.expect(False, f"clone and pickle to work, got {type(error).__name__}: {error}")
    missing = [name for name in COMMON if name not in params]
    check.expect(not missing, f"the parameters of every ranker, {missing} missing")


def check_unsupported(ranker):
    """Check that unsupported kinds of target, or a missing target, give a ValueError that names them.

    Parameters
    ----------
    ranker : BaseRanker
    """
    advice = "Leave the check of kinds of target to BaseRanker.encode, or list this kind in tasks"
    for task in sorted(EVERY_TASK - ranker.tasks):
        check = _Check(ranker, "unsupported", task, advice)
        error = check.refusal(*_problem(task))
        words = "requires y to be passed" if task == "none" else f"does not support targets of kind {task!r}"
        is_good = isinstance(error, ValueError) and words in str(error)
        check.expect(is_good, f"a ValueError with {words!r}, got {error!r}")


# ---- checks of a kind of target


def check_fit(ranker, task):
    """Check that there is one finite importance per feature, and that the ranking follows from them.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    before = X.copy(), None if y is None else y.copy()
    check = _Check(ranker, "fit", task, "rank_coded has to return one finite number per feature")
    fitted = check.fit(X, y)
    importances, ranking, size = fitted.feature_importances_, fitted.ranking_, X.shape[1]
    check.expect(importances.shape == (size,), f"importances of shape ({size},), got {importances.shape}")
    check.expect(importances.dtype == np.float64, f"importances of float64, got {importances.dtype}")
    check.expect(np.isfinite(importances).all(), f"finite importances, got {importances}")
    check.expect(sorted(ranking) == list(range(1, size + 1)), f"ranks 1 to {size}, got {ranking}")
    ordered = importances[np.argsort(ranking)]
    check.expect((np.diff(ordered) <= 0).all(), "the highest importance to have rank 1", "Higher is better")
    for name, values in (getattr(fitted, "importances_", None) or {}).items():
        good = np.shape(values) == (size,) and np.isfinite(values).all()
        check.expect(good, f"importances_[{name!r}] to have one finite number per feature")
    unchanged = np.array_equal(X, before[0]) and (y is None or np.array_equal(y, before[1], equal_nan=True))
    check.expect(unchanged, "X and y as they were", "Copy the values of features and targets before changes")


def check_seed(ranker, task):
    """Check that the same random_state gives the same bits with any number of threads, and a fit changes no parameter.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    check = _Check(ranker, "seed", task, "Draw every random number from self.resolve_seed()")
    first = check.fit(X, y)
    check.expect(_equal_bits(first, check.fit(X, y)), "the same importances for the same random_state")
    advice = "Draw seeds by the number of the part, not of the thread, and add up in a fixed order"
    check.expect(_equal_bits(first, check.fit(X, y, n_jobs=2)), "the same importances by one thread and by two", advice)
    copy = check.make()
    before = {key: repr(value) for key, value in copy.get_params(deep=False).items()}
    check.refusal(X, y, ranker=copy)
    after = {key: repr(value) for key, value in copy.get_params(deep=False).items()}
    changed = [key for key in before if before[key] != after[key]]
    advice = "Store what is found under another name, ending in an underscore"
    check.expect(not changed, f"parameters as they were, {changed} changed in the fit", advice)
    again = copy.fit(X, y)
    check.expect(_equal_bits(first, again), "the same importances in a second fit of one ranker")


def check_frame(ranker, task):
    """Check that a data frame gives the same as its values.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    check = _Check(ranker, "frame", task, "Use the coded features that rank_coded gets, not X")
    plain = check.fit(X, y)
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
    check.expect(_equal_bits(plain, check.fit(frame, y)), "the same importances for a data frame")


def check_unlabeled(ranker, task):
    """Check that unlabelled rows change nothing if declared so; without labels there is a ranking or a ValueError.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    if y is None:
        return
    advice = "Leave the removal of unlabelled rows to BaseRanker.encode, or do not set labeled_only"
    check = _Check(ranker, "unlabeled", task, advice)
    settings = [{"supervised": True}] if "supervised" in ranker.get_params(deep=False) else []
    settings += [{}] if ranker.labeled_only else []
    for params in settings:
        other = X.copy()
        other[~_labeled(y)] = np.random.default_rng(1).normal(size=other[~_labeled(y)].shape) * 100
        first, second = (check.fit(rows, y, **params) for rows in (X, other))
        says = "supervised=True" if params else "labeled_only"
        expected = f"the same importances where only unlabelled rows differ, as {says} promises"
        check.expect(_equal_bits(first, second), expected)
    error = check.refusal(X, np.full_like(y, -1 if y.dtype.kind == "i" else np.nan))
    check.expect(
        error is None or isinstance(error, ValueError),
        f"a ranking or a ValueError where no row is labelled, got {error!r}",
        "Check targets.labeled, and say in a ValueError what is needed",
    )


def check_gaps(ranker, task):
    """Check that missing values, nominal and constant columns are ranked, or refused by a ValueError.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    rng = np.random.default_rng(2)
    holes = X.copy()
    holes[rng.random(X.shape) < 0.1] = np.nan
    kinds = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
    kinds["f1"] = pd.Categorical(np.where(X[:, 1] > 0, "high", "low"))
    constant = X.copy()
    constant[:, 2] = 1.0
    tables = {"missing values": holes, "a nominal column": kinds, "a constant column": constant, "one row": X[:1]}
    advice = "Treat NaN and codes of categories (see features.n_categories), or refuse them with a ValueError"
    check = _Check(ranker, "gaps", task, advice)
    for words, table in tables.items():
        error = check.refusal(table, y if y is None or len(table) == len(X) else y[_labeled(y)][:1])
        expected = f"a ranking or a ValueError for {words}, got {type(error).__name__}: {error}"
        check.expect(error is None or isinstance(error, ValueError), expected)
        check.expect(
            "finite numbers" not in str(error),
            f"finite importances for {words}, got: {error}",
            "Give features without information the lowest importance, not NaN",
        )


def check_weights(ranker, task):
    """Check that a WeightedRanker uses weights, and another ranker refuses them.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    weights = np.ones(len(X))
    check = _Check(
        ranker, "weights", task, "Weigh every sum over rows by sample_weight, the third argument of rank_coded"
    )
    if not isinstance(ranker, WeightedRanker):
        error = check.refusal(X, y, {"sample_weight": weights})
        advice = "Derive the class from WeightedRanker to take weights"
        check.expect(isinstance(error, TypeError), f"a TypeError for sample_weight, got {error!r}", advice)
        return

    def importances(sample_weight=None, rows=slice(None)):
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        return check.fit(X[rows], None if y is None else y[rows], weights).feature_importances_

    close = partial(np.allclose, rtol=1e-6, atol=1e-9)
    plain, part = importances(), np.arange(len(X)) % 4 > 0
    check.expect(close(plain, importances(3 * weights)), "equal weights to change nothing")
    is_left_out = close(importances(rows=part), importances(part.astype(float)))
    check.expect(is_left_out, "a row of weight 0 to be left out")
    uneven = importances(np.where(part, 1.0, 1e-6))
    check.expect(not np.allclose(plain, uneven), "weights to change the importances")


def check_order(ranker, task):
    """Check that the order of rows and columns does not matter to a deterministic ranker, with many equal values.

    A ranker whose importances depend on random_state may draw rows and features by index, and is not checked.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    X = X.round(1)
    advice = "Let equally near rows share their places; if the order of rows or columns is meant, skip this check"
    check = _Check(ranker, "order", task, advice)
    first = check.fit(X, y)
    if not _equal_bits(first, check.fit(X, y, random_state=1)):
        return
    rows, columns = (np.random.default_rng(3).permutation(size) for size in X.shape)
    moved = check.fit(X[rows][:, columns], None if y is None else y[rows]).feature_importances_
    importances = first.feature_importances_[columns]
    same = np.allclose(moved, importances, rtol=1e-6, atol=1e-9 * np.abs(importances).max())
    check.expect(same, "importances that move with their columns, whatever the order of the rows")


def _by_name(*checks):
    return {check.__name__.removeprefix("check_"): check for check in checks}


_PLAIN_CHECKS = _by_name(check_class, check_params, check_unsupported)
_TASK_CHECKS = _by_name(check_fit, check_seed, check_frame, check_unlabeled, check_gaps, check_weights, check_order)
#: The checks by name.
CHECKS = _PLAIN_CHECKS | _TASK_CHECKS
