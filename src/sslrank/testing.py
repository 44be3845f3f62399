"""Checks of a ranker of your own: if it keeps the contract of :class:`sslrank.core.base.BaseRanker`.

:func:`check_ranker` runs them all, as scikit-learn's ``check_estimator`` does; :func:`ranker_checks` gives them one by
one, for pytest. The package's own rankers are tested by them.
"""

import inspect
import pickle
import sys
import warnings
from functools import partial

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from sslrank.core.base import BaseRanker, WeightedRanker
from sslrank.core.tasks import EVERY_TASK, TASKS

#: Parents of each of the four labels of the hierarchical problem.
HIERARCHY = [[], [0], [0], [1, 2]]
#: Parameters that every ranker has.
COMMON = ("task", "n_features_to_select", "categorical_features", "n_jobs", "random_state")


def check_ranker(ranker, *, skip=()):
    """Check that a ranker keeps the contract, for every kind of target that it lists.

    Every check fits the ranker to a made-up table of 60 rows and 7 features, of which a third is unlabelled: give it
    few trees or iterations if a fit takes long.

    Parameters
    ----------
    ranker : BaseRanker or type
        A ranker, whose parameters are kept, or its class. It is not changed.
    skip : sequence of str
        Names of checks, of :data:`CHECKS`, that are left out.

    Raises
    ------
    AssertionError
        If a check fails. The message names the check, and says what was expected and what to do.
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
    """List the checks of :func:`check_ranker`, to be run one by one.

    Parameters
    ----------
    ranker : BaseRanker or type

    Yields
    ------
    name : str
        One of :data:`CHECKS`.
    task : str
        The kind of target; "" for checks that need none.
    check : callable
        Takes no argument, and raises AssertionError.

    Examples
    --------
    >>> from sslrank import get_ranker
    >>> for name, task, check in ranker_checks(get_ranker("information_gain")):
    ...     check()
    >>> name, task
    ('columns', 'classification')
    """
    if inspect.isclass(ranker) and issubclass(ranker, BaseRanker):
        yield "class", "", partial(_instance, ranker)
        try:
            ranker = ranker()
        except TypeError:
            return
    for name in ("class", "params", "unsupported"):
        yield name, "", partial(CHECKS[name], ranker)
    if not isinstance(ranker, BaseRanker):
        return
    for task in (*TASKS, "none"):
        if task in ranker.tasks:
            for name in CHECKS:
                if name not in ("class", "params", "unsupported"):
                    yield name, task, partial(CHECKS[name], ranker, task)


# ---- helpers of the checks


def _expect(condition, ranker, check, task, expected, advice):
    """Raise AssertionError unless a condition holds."""
    if not condition:
        name = (ranker if inspect.isclass(ranker) else type(ranker)).__name__
        kind = f", kind of target {task!r}" if task else ""
        raise AssertionError(f"{name}, check {check!r}{kind}: expected {expected}. {advice}")


def _problem(task, n_rows=60, n_features=7, seed=0):
    """A table of which a third is unlabelled: X and y."""
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


def _known(y):
    """Mask of the rows with a target."""
    return y >= 0 if y.dtype.kind == "i" else ~np.isnan(y.reshape(len(y), -1)).any(axis=1)


def _made(ranker, task, **params):
    """A copy of a ranker for a kind of target."""
    made = clone(ranker).set_params(**({"random_state": 0} | params))
    if task not in ("", "none"):
        made.set_params(task=task)
    if hasattr(made, "hierarchy") or task == "hierarchical":
        made.hierarchy = HIERARCHY if task == "hierarchical" else None  # read by fit, whether it is a parameter or not
    return made


def _fitted(ranker, check, task, X, y, advice, expected="a fit without an exception", **options):
    params = {key: value for key, value in options.items() if key != "fit_params"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _made(ranker, task, **params).fit(X, y, **options.get("fit_params", {}))
    except Exception as error:
        message = f"{expected}, got {type(error).__name__}: {str(error).partition(chr(10))[0]}"
        _expect(False, ranker, check, task, message, advice)


def _refusal(ranker, task, X, y, fit_params=None):
    """The exception of a fit, or None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _made(ranker, task).fit(X, y, **(fit_params or {}))
    except Exception as error:
        return error
    return None


def _importable(kind):
    """True if pickle can find a class: one typed into a session or inside of a function it cannot."""
    return getattr(sys.modules.get(kind.__module__), kind.__qualname__, None) is kind


def _same(first, second):
    return first.feature_importances_.tobytes() == second.feature_importances_.tobytes()


# ---- checks without data


def _instance(ranker):
    """A class can be made without parameters."""
    try:
        ranker()
    except TypeError as error:
        _expect(
            False, ranker, "class", "", f"a class that can be made without parameters, got {error}",
            "Define rank_coded, and give every parameter a default",
        )  # fmt: skip


def check_class(ranker):
    """It is a BaseRanker, and lists kinds of target that there are.

    Parameters
    ----------
    ranker : BaseRanker
    """
    _expect(
        isinstance(ranker, BaseRanker), ranker, "class", "", "a subclass of sslrank.BaseRanker",
        "Derive the class from it",
    )  # fmt: skip
    kinds = ", ".join((*TASKS, "none"))
    tasks = ranker.tasks
    _expect(
        isinstance(tasks, set | frozenset) and tasks and tasks <= EVERY_TASK, ranker, "class", "",
        f"tasks to be a set of kinds of target, got {tasks!r}", f"Set the class attribute tasks to some of {kinds}",
    )  # fmt: skip


def check_params(ranker):
    """Parameters are stored as they are, so that get_params, clone and pickle work.

    Parameters
    ----------
    ranker : BaseRanker
    """
    advice = "Write parameters as annotated class attributes, or store them unchanged in __init__"
    try:
        found = ranker.get_params(deep=False)
        copied = clone(ranker).get_params(deep=False)
        loaded = pickle.loads(pickle.dumps(clone(ranker))) if _importable(type(ranker)) else None
    except Exception as error:
        message = f"get_params, clone and pickle to work, got {type(error).__name__}: {error}"
        _expect(False, ranker, "params", "", message, advice)
    missing = [name for name in COMMON if name not in found]
    _expect(not missing, ranker, "params", "", f"the parameters of every ranker, {missing} missing", advice)
    _expect(found.keys() == copied.keys(), ranker, "params", "", "a clone with the same parameters", advice)
    _expect(
        loaded is None or loaded.get_params(deep=False).keys() == found.keys(), ranker, "params", "",
        "a pickle with the same parameters", advice,
    )  # fmt: skip


def check_unsupported(ranker):
    """Kinds of target that it does not list, or no target where it needs one, give a ValueError that says so.

    Parameters
    ----------
    ranker : BaseRanker
    """
    for task in sorted(EVERY_TASK - ranker.tasks):
        X, y = _problem(task)
        error = _refusal(ranker, task, X, y)
        words = "requires y to be passed" if task == "none" else f"does not support targets of kind {task!r}"
        _expect(
            isinstance(error, ValueError) and words in str(error), ranker, "unsupported", task,
            f"a ValueError with {words!r}, got {error!r}",
            "Leave the check of kinds of target to BaseRanker.encode, or list this kind in tasks",
        )  # fmt: skip


# ---- checks of a kind of target


def check_fit(ranker, task):
    """One finite importance per feature, and a ranking that follows from them.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    before = X.copy(), None if y is None else y.copy()
    advice = "rank_coded has to return one finite number per feature"
    made = _fitted(ranker, "fit", task, X, y, advice)
    importances, ranking = made.feature_importances_, made.ranking_
    expect = partial(_expect, ranker=ranker, check="fit", task=task)
    size = X.shape[1]
    expect(
        importances.shape == (size,), expected=f"importances of shape ({size},), got {importances.shape}", advice=advice
    )
    expect(importances.dtype == np.float64, expected=f"importances of float64, got {importances.dtype}", advice=advice)
    expect(np.isfinite(importances).all(), expected=f"finite importances, got {importances}", advice=advice)
    expect(sorted(ranking) == list(range(1, size + 1)), expected=f"ranks 1 to {size}, got {ranking}", advice=advice)
    ordered = importances[np.argsort(ranking)]
    expect((np.diff(ordered) <= 0).all(), expected="the highest importance to have rank 1", advice="Higher is better")
    for name, values in (getattr(made, "importances_", None) or {}).items():
        good = np.shape(values) == (size,) and np.isfinite(values).all()
        expect(good, expected=f"importances_[{name!r}] to have one finite number per feature", advice=advice)
    unchanged = np.array_equal(X, before[0]) and (y is None or np.array_equal(y, before[1], equal_nan=True))
    expect(unchanged, expected="X and y as they were", advice="Copy the values of features and targets before changes")


def check_seed(ranker, task):
    """The same random_state gives the same bits, and the fit leaves the parameters as they are.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    advice = "Draw every random number from self.resolve_seed()"
    first, second = (_fitted(ranker, "seed", task, X, y, advice) for _ in range(2))
    _expect(_same(first, second), ranker, "seed", task, "the same importances for the same random_state", advice)
    made = _made(ranker, task)
    before = {key: repr(value) for key, value in made.get_params(deep=False).items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.fit(X, y)
    after = {key: repr(value) for key, value in made.get_params(deep=False).items()}
    changed = [key for key in before if before[key] != after[key]]
    _expect(
        not changed, ranker, "seed", task, f"parameters as they were, {changed} changed in the fit",
        "Store what is found under another name, ending in an underscore",
    )  # fmt: skip
    again = made.fit(X, y)
    _expect(_same(first, again), ranker, "seed", task, "the same importances in a second fit of one ranker", advice)


def check_n_jobs(ranker, task):
    """The number of threads decides nothing.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    advice = "Draw seeds by the number of the part, not of the thread, and add up in a fixed order"
    one, two = (_fitted(ranker, "n_jobs", task, X, y, advice, n_jobs=n_jobs) for n_jobs in (1, 2))
    _expect(_same(one, two), ranker, "n_jobs", task, "the same importances by one thread and by two", advice)


def check_frame(ranker, task):
    """A data frame gives what its values give; the selector keeps the best features by their names.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    advice = "Use the coded features that rank_coded gets, not X"
    plain = _fitted(ranker, "frame", task, X, y, advice)
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(X.shape[1])])
    named = _fitted(ranker, "frame", task, frame, y, advice, n_features_to_select=3)
    _expect(_same(plain, named), ranker, "frame", task, "the same importances for a data frame", advice)
    best = [f"f{j}" for j in range(X.shape[1]) if named.ranking_[j] <= 3]
    _expect(
        list(named.get_feature_names_out()) == best and named.transform(frame).shape == (len(X), 3),
        ranker, "frame", task, "transform to keep the three best features", "Leave the selection to BaseRanker",
    )  # fmt: skip


def check_unlabeled(ranker, task):
    """Unlabelled rows do not matter where the ranker says so; a table without labels gives a ranking or a ValueError.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    if y is None:
        return
    settings = [{"supervised": True}] if "supervised" in ranker.get_params(deep=False) else []
    settings += [{}] if ranker.labeled_only else []
    for params in settings:
        advice = "Leave the removal of unlabelled rows to BaseRanker.encode, or do not set labeled_only"
        other = X.copy()
        other[~_known(y)] = np.random.default_rng(1).normal(size=other[~_known(y)].shape) * 100
        first, second = (_fitted(ranker, "unlabeled", task, rows, y, advice, **params) for rows in (X, other))
        says = "supervised=True" if params else "labeled_only"
        _expect(
            _same(first, second), ranker, "unlabeled", task,
            f"the same importances where only unlabelled rows differ, as {says} promises", advice,
        )  # fmt: skip
    nothing = np.full_like(y, -1 if y.dtype.kind == "i" else np.nan)
    error = _refusal(ranker, task, X, nothing)
    _expect(
        error is None or isinstance(error, ValueError), ranker, "unlabeled", task,
        f"a ranking or a ValueError where no row is labelled, got {error!r}",
        "Check targets.labeled, and say in a ValueError what is needed",
    )  # fmt: skip


def check_gaps(ranker, task):
    """Missing values, nominal and constant columns are ranked, or refused by a ValueError.

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
    for words, table in tables.items():
        target = y if y is None or len(table) == len(X) else y[_known(y)][:1]
        error = _refusal(ranker, task, table, target)
        _expect(
            error is None or isinstance(error, ValueError), ranker, "gaps", task,
            f"a ranking or a ValueError for {words}, got {type(error).__name__}: {error}",
            "Treat NaN and codes of categories (see features.n_categories), or refuse them with a ValueError",
        )  # fmt: skip
        finite = "finite numbers" not in str(error)
        _expect(
            finite, ranker, "gaps", task, f"finite importances for {words}, got: {error}",
            "Give features without information the lowest importance, not NaN",
        )  # fmt: skip


def check_weights(ranker, task):
    """A WeightedRanker weighs rows; another ranker refuses weights.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    weights = np.ones(len(X))
    if not isinstance(ranker, WeightedRanker):
        error = _refusal(ranker, task, X, y, {"sample_weight": weights})
        _expect(
            isinstance(error, TypeError), ranker, "weights", task,
            f"a TypeError for sample_weight, got {error!r}", "Derive the class from WeightedRanker to take weights",
        )  # fmt: skip
        return
    advice = "Weigh every sum over rows by sample_weight, the third argument of rank_coded"
    fitted = partial(_fitted, ranker, "weights", task, advice=advice)
    close = partial(np.allclose, rtol=1e-6, atol=1e-9)
    plain = fitted(X=X, y=y).feature_importances_
    equal = fitted(X=X, y=y, fit_params={"sample_weight": 3 * weights}).feature_importances_
    _expect(close(plain, equal), ranker, "weights", task, "equal weights to change nothing", advice)
    part = np.arange(len(X)) % 4 > 0
    fewer = fitted(X=X[part], y=None if y is None else y[part]).feature_importances_
    zeros = fitted(X=X, y=y, fit_params={"sample_weight": part.astype(float)}).feature_importances_
    _expect(close(fewer, zeros), ranker, "weights", task, "a row of weight 0 to be left out", advice)
    uneven = fitted(X=X, y=y, fit_params={"sample_weight": np.where(part, 1.0, 1e-6)}).feature_importances_
    _expect(not np.allclose(plain, uneven), ranker, "weights", task, "weights to change the importances", advice)
    error = _refusal(ranker, task, X, y, {"sample_weight": -weights})
    _expect(
        isinstance(error, ValueError),
        ranker,
        "weights",
        task,
        f"a ValueError for weights below 0, got {error!r}",
        advice,
    )


def check_misuse(ranker, task):
    """Infinite values, y of another length, and columns that differ in transform give a ValueError.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    advice = "Leave fit and transform to BaseRanker, and override rank_coded"
    infinite = X.copy()
    infinite[0, 0] = np.inf
    wrong = {"an infinite value": (infinite, y), "X of one dimension": (X[:, 0], y)}
    if y is not None:
        wrong["y of another length"] = (X, y[:-1])
    for words, data in wrong.items():
        error = _refusal(ranker, task, *data)
        _expect(
            isinstance(error, ValueError), ranker, "misuse", task, f"a ValueError for {words}, got {error!r}", advice
        )
    try:
        _made(ranker, task).transform(X)
    except NotFittedError:
        pass
    except Exception as error:
        _expect(False, ranker, "misuse", task, f"a NotFittedError before fit, got {error!r}", advice)
    else:
        _expect(False, ranker, "misuse", task, "a NotFittedError before fit", advice)
    made = _fitted(ranker, "misuse", task, X, y, advice)
    try:
        made.transform(X[:, :-1])
    except ValueError:
        return
    _expect(False, ranker, "misuse", task, "a ValueError where transform gets fewer columns than fit", advice)


def check_columns(ranker, task):
    """The order of the columns does not matter to a ranker in which nothing is random.

    A ranker whose importances change with random_state may draw features by their number, and is not checked.

    Parameters
    ----------
    ranker : BaseRanker
    task : str
    """
    X, y = _problem(task)
    advice = "If features are drawn or compared in the order of the columns on purpose, skip this check"
    first = _fitted(ranker, "columns", task, X, y, advice)
    if not _same(first, _fitted(ranker, "columns", task, X, y, advice, random_state=1)):
        return
    order = np.random.default_rng(3).permutation(X.shape[1])
    second = _fitted(ranker, "columns", task, X[:, order], y, advice)
    importances = first.feature_importances_[order]
    _expect(
        np.allclose(second.feature_importances_, importances, rtol=1e-6, atol=1e-9 * np.abs(importances).max()),
        ranker, "columns", task, "importances that move with their columns", advice,
    )  # fmt: skip


#: The checks by name; the first three need no data.
CHECKS = {
    "class": check_class,
    "params": check_params,
    "unsupported": check_unsupported,
    "fit": check_fit,
    "seed": check_seed,
    "n_jobs": check_n_jobs,
    "frame": check_frame,
    "unlabeled": check_unlabeled,
    "gaps": check_gaps,
    "weights": check_weights,
    "misuse": check_misuse,
    "columns": check_columns,
}
