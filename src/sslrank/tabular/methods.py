"""Which methods rank a table by default, with which settings, and how long that takes."""

import time
from dataclasses import dataclass, field

import numpy as np

from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion
from sslrank.rankers.registry import available_rankers, get_ranker, ranker_info

#: The default set of each kind of target: a forest, neighbours, and a fast view of each feature. What it finds of
#: planted features, and why relief has no unlabelled neighbours here, is in tests/benchmarks/README.md.
AUTO = {
    "classification": ("genie3", "relief", "information_gain"),
    "mlc": ("genie3", "relief", "random_forest"),
    "hmlc": ("genie3", "relief", "random_forest"),
    "str": ("genie3", "relief", "random_forest"),
    "mtr": ("genie3", "relief", "random_forest"),
}
AUTO_SETTINGS = {"relief": {"supervised": True}}
#: More rows than this are too many for a default method whose time grows with their square.
MAX_QUADRATIC_ROWS = 10_000
#: What relief adds was measured on up to so many features; among more, all of them make its neighbours.
MAX_RELIEF_FEATURES = 500
#: Settings where they differ from the ranker's own: the level of supervision is chosen from fewer and smaller forests.
_FOREST = {"cv_n_estimators": 20}
SETTINGS = dict.fromkeys(("genie3", "random_forest", "symbolic"), _FOREST)
#: Tables of at most so many cells get more trees: with 100, few of 500 features are tried often enough. On larger ones
#: that takes too long.
MANY_TREES_CELLS = 200_000
MANY_TREES = {name: {**_FOREST, "cv_n_estimators": 50, "n_estimators": 500} for name in SETTINGS}
#: Among many features each is tried seldom. Where all rows are labelled, trees without the choice of the level of
#: supervision are quick, so there can be many: tests/benchmarks/README.md has what they find.
WIDE = {name: {"supervised": True, "n_estimators": 1000} for name in SETTINGS}
WIDE_QUICK = {name: {"supervised": True, "n_estimators": 100} for name in SETTINGS}
QUICK = {name: {**_FOREST, "cv_n_estimators": 10, "n_estimators": 30} for name in SETTINGS}
#: Method -> exponents of rows and of features in its time; the others are quadratic in rows.
GROWTH = {
    "genie3": (1.2, 0.7),
    "random_forest": (1.2, 0.7),
    "symbolic": (1.2, 0.7),
    "rf": (1.2, 0.7),
    "information_gain": (0.8, 1.0),
}
_QUADRATIC = (2.0, 1.0)
#: Rows and features of the part on which the time is measured.
PILOT = (300, 500)
#: Time of a fit on a sample, relative to one on all rows, which also chooses settings.
SAMPLE_SHARE = 0.6


@dataclass(frozen=True)
class Method:
    """A method as it is run.

    Attributes
    ----------
    name : str
    params : dict
        Parameters of its ranker besides task, seed and threads.
    """

    name: str
    params: dict = field(default_factory=dict)

    def tuned(self, ranker):
        """The method with the settings that `ranker` chose by its internal cross-validation."""
        params = dict(self.params)
        if getattr(ranker, "cv_results_", None) is None:
            return self
        if hasattr(ranker, "supervision_"):
            params |= {"supervised": True} if ranker.supervision_ == 1.0 else {"supervision": ranker.supervision_}
        elif hasattr(ranker, "w0_"):
            params |= {"n_neighbors": ranker.n_neighbors_, "w0": ranker.w0_, "w1": ranker.w1_}
        return Method(self.name, params)


def choose_methods(names, task, n_rows, n_features, quick=False, has_unlabeled=True, n_labeled=None):
    """The methods to run, and what is to be said about the choice.

    Parameters
    ----------
    names : str or sequence of str
        "auto", or names; in one text separated by commas.
    task : str
    n_rows, n_features : int
    quick : bool
    has_unlabeled : bool
        Whether some rows have no target.
    n_labeled : int, optional
        How many have one; a single one tells relief nothing, and then nothing is said of its rows.

    Returns
    -------
    methods : list of Method
    notes : list of str

    Raises
    ------
    DataError
        If a name is unknown or does not support the kind of target.
    """
    notes = []
    if not has_unlabeled and n_features > MAX_RELIEF_FEATURES:
        settings = WIDE_QUICK if quick else WIDE
    else:
        settings = QUICK if quick else MANY_TREES if n_rows * n_features <= MANY_TREES_CELLS else SETTINGS
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    if names == ["auto"]:
        chosen = list(AUTO[task])
        settings = settings | AUTO_SETTINGS
        if n_rows > MAX_QUADRATIC_ROWS:
            left_out = [name for name in chosen if name not in GROWTH]
            chosen = [name for name in chosen if name in GROWTH]
            notes += [f"{name} is left out: its time grows with the square of {n_rows} rows" for name in left_out]
        elif n_features > MAX_RELIEF_FEATURES:
            chosen.remove("relief")
            notes.append(f"relief is left out: its neighbours tell little among {n_features} features")
        if "relief" in chosen and has_unlabeled and n_labeled != 1:
            notes.append(
                "relief looks at the labelled rows only, as it finds more so; with --methods relief at all rows"
            )
    else:
        chosen = list(dict.fromkeys(names))
        if not any(chosen):
            raise DataError("no method is named", advice=f"See 'sslrank methods --task {task}'")
        for name in chosen:
            if ":" in name:
                try:
                    ranker_info(name).load()
                except (ImportError, ValueError) as error:
                    raise DataError(f"method {name!r} cannot be used: {error}") from None
                continue
            known = available_rankers(task)
            if name not in known:
                if name in available_rankers():
                    problem = f"does not rank for the target's kind, {task}; these do: {', '.join(sorted(known))}"
                else:
                    problem = f"is unknown; {suggestion(name, known)}"
                raise DataError(f"method {name!r} {problem}", advice=f"See 'sslrank methods --task {task}'")
    return [Method(name, settings.get(name, {})) for name in chosen], notes


def fit(method, X, y, task, hierarchy=None, seed=0, n_jobs=None):
    """A fitted ranker.

    Raises
    ------
    ValueError
        If it cannot rank these rows, or gives importances that are not finite numbers.
    """
    ranker = get_ranker(method.name, **method.params)
    known = ranker.get_params(deep=False)
    common = {"random_state": seed, "n_jobs": n_jobs, "task": task, "hierarchy": hierarchy}
    ranker.set_params(**{key: value for key, value in common.items() if key in known})
    ranker.fit(X, y)
    if not np.isfinite(ranker.feature_importances_).all():
        raise ValueError("some importances are not finite numbers")
    return ranker


def seconds_of_fit(method, table, n_jobs=None):
    """How long a fit on a whole table takes, about: measured on a part and scaled.

    Parameters
    ----------
    method : Method
    table : sslrank.tabular.table.OwnTable
    n_jobs : int, optional

    Returns
    -------
    float
        Seconds; 0 if the method fails on the part.
    """
    n_rows, n_features = table.X.shape
    order = np.argsort(~table.labeled, kind="stable")  # labelled rows are what takes time in choosing settings
    labeled = int(table.labeled.sum())
    share = min(1.0, PILOT[0] / n_rows)
    part = np.concatenate([order[: max(2, int(labeled * share))], order[labeled:][: int((n_rows - labeled) * share)]])
    columns = min(n_features, PILOT[1])
    ranker_info(method.name).load()  # imports are not what takes long
    started = time.perf_counter()
    try:
        fit(method, table.X.iloc[part, :columns], table.y[part], table.task, table.hierarchy, 0, n_jobs)
    except ValueError:
        return 0.0
    taken = time.perf_counter() - started
    of_rows, of_features = GROWTH.get(method.name, _QUADRATIC)
    return taken * (n_rows / len(part)) ** of_rows * (n_features / columns) ** of_features


def total_seconds(per_fit, repeats, folds, judging=0.0):
    """Expected time; `per_fit` has the seconds of one fit of each method, `judging` those of the curve beside fits."""
    return sum(per_fit) * (1 + folds + SAMPLE_SHARE * repeats) + (judging if folds else 0.0)


def fit_into(methods, per_fit, repeats, folds, budget, judging=0.0):
    """Fewer repeats, then fewer methods, then no curve, until the expected time is within a budget.

    Parameters
    ----------
    methods : list of Method
    per_fit : list of float
        Seconds of one fit of each.
    repeats, folds : int
    budget : float
        Seconds.
    judging : float
        Seconds that the curve takes beside its fits.

    Returns
    -------
    methods, per_fit, repeats, folds
    """
    methods, per_fit = list(methods), list(per_fit)
    folds = 0 if judging > budget else folds
    while total_seconds(per_fit, repeats, folds, judging) > budget:
        if repeats > 2:
            repeats -= 1
        elif len(methods) > 1:
            slowest = int(np.argmax(per_fit))
            del methods[slowest], per_fit[slowest]
        elif folds:
            folds = 0
        elif repeats:
            repeats = 0
        else:
            break
    return methods, per_fit, repeats, folds
