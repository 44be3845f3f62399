"""Rank the features of one table by several methods, and find out how much that says."""

import warnings
from collections.abc import Mapping
from dataclasses import replace
from inspect import signature
from time import monotonic

import numpy as np
import pandas as pd

from sslrank.core.base import WEIGHTED
from sslrank.core.durations import duration
from sslrank.core.errors import DataError
from sslrank.core.messages import listed, quoted, suggestion
from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.threads import one_blas_thread
from sslrank.tabular.fits.feature_blocks import numbered_blocks
from sslrank.tabular.fits.fitting import fit_methods, takes_weights, uses_unlabeled
from sslrank.tabular.fits.folds import FOLDS, n_repeats
from sslrank.tabular.fits.methods import drawn_note
from sslrank.tabular.fits.screening import screening_note
from sslrank.tabular.fits.settings import RankingSettings
from sslrank.tabular.fits.work import Work
from sslrank.tabular.result import Ranking
from sslrank.tabular.trust.assess import assess
from sslrank.tabular.trust.checks import stop_without_labels
from sslrank.tabular.trust.stability.feature_curve import why_not
from sslrank.tabular.trust.stability.measures import choose_measure
from sslrank.tabular.trust.tests.related import FORESTS
from sslrank.tabular.understanding.roles import ColumnRoles
from sslrank.tabular.understanding.table import MAX_CELLS, own_table

#: Parameters of earlier versions, and what to do without them.
_GONE = {
    "shuffles": "leave it out, the tests choose their permutations themselves",
    "calibrate": "leave it out, `tests.smallest_effect` of the result says what these labels show",
}
#: Options of the command, and the parameters of :func:`rank` that they are.
_OF_COMMAND = {"seed": "random_state", "jobs": "n_jobs", "weights": "sample_weight", "target": "y"}


def rank(
    X,
    y,
    *,
    methods="auto",
    effort="full",
    repeats=None,
    top=None,
    curve=None,
    blocks=None,
    predictor="knn",
    measure=None,
    beside=None,
    task=None,
    hierarchy=None,
    nominal=(),
    numeric=(),
    drop=(),
    keep=(),
    groups=None,
    time=None,
    sample_weight=None,
    event=None,
    adjust=(),
    positives_only=False,
    budget=None,
    random_state=0,
    n_jobs=None,
    **unknown,
):
    """Rank the features of a table by several methods, and say how much that ranking knows.

    Tests show whether any feature is related to the target, which ones, and which of them add information beyond
    the others. Related features come first, by the mean of the methods' ranks, then the others by their
    p-value. Complementary pairs of half-samples show how much ranks depend on the rows. Curves with the rankings made
    inside repeated folds show how many features are enough.

    Parameters
    ----------
    X : array-like, DataFrame, polars or Arrow table, or sparse matrix of shape (n, D)
        NaN is missing; columns of texts and categoricals are nominal. Of a large sparse X, columns that hardly vary
        among the labelled rows are left out, and unlabelled rows for which there is no memory; a note says so.
    y : array-like of shape (n,) or (n, T), or str
        None, NaN (or -1 in integers) are unlabelled. A text is the name of a column of X.
    methods : str or sequence of str or BaseRanker, default="auto"
        Names of :func:`sslrank.available_rankers`, "auto", or rankers such as ``get_ranker("relief", n_neighbors=5)``,
        of which the table decides on the target, the seed and the threads.
    effort : {"order", "quick", "full"}, default="full"
        "order": rank all rows and test which features are related to the target. "quick": also test which add
        information beyond the others, and rank 5 complementary pairs of half-samples. "full": 10 pairs, and judge how
        many features are enough.
    repeats : int, optional
        Complementary pairs of half-samples of the rows, at least 2; or 0, to rank all rows only. By default as `effort`
        says.
    top : int, optional
        How many features count as selected; by default a quarter of them, at most 20.
    curve : bool, optional
        Judge how many features are enough.
    blocks : dict of str to sequence of str, optional
        Features that are ranked and tested as one, by a name for them, such as a pathway or the dummies of a category;
        the result has them in `blocks`. By default near-duplicates are one block of the conditional tests.
    predictor : {"knn", "tree", "svm"}, default="knn"
        What the curve judges with; "svm" for classification only.
    measure : str, optional
        What the curve measures, of :data:`sslrank.metrics.single.MEASURES`; by default balanced accuracy for classes
        (average precision of the rarer of two if that is below 10 %), otherwise the measure of the kind of target.
    beside : Series, DataFrame or dict, optional
        Importances from elsewhere by feature, such as SHAP values, shown beside the ranking.
    task : str, optional
        Kind of target; by default by its values.
    hierarchy : list of list of int, optional
        Parents of each label, for hierarchical multi-label classification.
    nominal, numeric, drop, keep : sequence of str
        Columns that are categories, numbers, no features, or features though they look like none: identifiers,
        constants, texts that differ in nearly every row, and copies are left out (`table.dropped` of the result).
    groups : array-like of shape (n,) or str, optional
        The group of each row, such as its patient, or the name of a column of X with it. Rows of a group are never
        split between training and testing. "none" if rows are independent.
    time : array-like of shape (n,) or str, optional
        When each row was recorded (dates or numbers), or the name of a column of X with it; "none" if the order of the
        rows means nothing.
    sample_weight : array-like of shape (n,) or str, optional
        How much each row counts, or the name of a column of X with it; an error if no method can use it.
    event : array-like of shape (n,) or str, optional
        Whether the event happened (1, true) or the time in `y` is censored (0, false), or the name of a column of X
        with it. A structured array of both as `y`, as scikit-survival's, needs no `event`.
    adjust : sequence of str
        Columns of X, such as age and sex, given which features are ranked; they are not ranked.
    positives_only : bool, default=False
        Only positive rows are labelled: they are compared with all other rows.
    budget : str or float, optional
        Seconds, or such as "5min": nothing new begins when it is over but the tests of each feature alone.
        What is done depends on the speed of the machine; a note says it.
    random_state : int, default=0
    n_jobs : int, optional
        Threads; the result does not depend on it.
    **unknown
        Refused, with the name of the parameter that may be meant.

    Returns
    -------
    Ranking

    Raises
    ------
    ValueError
        If X and y do not fit, or no method can rank them.
    TypeError
        If there is no parameter of a name.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> y[::2] = -1  # unlabelled
    >>> found = rank(X, y, effort="order")
    >>> found.best(2)
    ['petal length (cm)', 'petal width (cm)']
    """
    if unknown:
        raise TypeError(_no_parameter(next(iter(unknown))))
    roles = ColumnRoles(
        task=task,
        hierarchy=hierarchy,
        nominal=nominal,
        numeric=numeric,
        drop=drop,
        keep=keep,
        groups=groups,
        time=time,
        weights=sample_weight,
        event=event,
        adjust=adjust,
        positives_only=positives_only,
    )
    settings = RankingSettings(
        methods=methods,
        effort=effort,
        repeats=repeats,
        top=top,
        curve=curve,
        blocks=blocks,
        predictor=predictor,
        measure=measure,
        budget=budget,
        seed=resolve_seed(random_state),
        n_jobs=n_jobs,
    ).checked()
    if y is None:
        raise DataError(
            "y is None, and a ranking is for a target",
            advice="Pass y; without any target, get_ranker('laplacian_score').fit(X) and others rank features",
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the table's notes say so
        table = own_table(X, y, roles)
    return rank_own_table(table, settings, beside=beside)


def _no_parameter(name):
    """What to say of a parameter that :func:`rank` does not have."""
    if name in _GONE:
        return f"rank() has no parameter {name!r} any more: {_GONE[name]}"
    if name in _OF_COMMAND:
        return f"rank() has no parameter {name!r}; in Python it is {_OF_COMMAND[name]!r}"
    known = [known for known in signature(rank).parameters if known != "unknown"]
    return f"rank() has no parameter {name!r}; {suggestion(name, known)}"


def rank_own_table(table, settings, *, beside=None, say=lambda line: None):
    """:func:`rank` for a table that was read; `say` is called with each line about what is going on."""
    began, notes = monotonic(), []
    settings = _settle(table, settings, notes)
    others = None if beside is None else _importances_beside(beside, table, notes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the table's notes say so, and failures of fits are reported
        part = _limit_unlabeled(table, settings, notes)
        problem = part.coded()
        reason = choose_measure(problem, settings.measure)[1]
        _check_weights(problem, settings, table.path, notes)
        say(settings.describe())
        for note in notes:
            say(f"note: {note}")
        n_folds = FOLDS * n_repeats(len(problem.labeled)) + 2 * FOLDS if settings.curve else 0
        total = len(settings.methods) + FORESTS + 2 * settings.repeats + n_folds
        with one_blas_thread(), Work(settings.n_jobs, settings.budget, total) as work:
            fits = _fit(problem, settings, work, table.path)
            found = assess(part, problem, fits, settings, work)
            is_over = settings.budget is not None and work.left < 0
    result = Ranking(
        table=table,
        problem=problem,
        importances=fits.importances,
        ranks=fits.ranks,
        failures=fits.failures,
        top=settings.top,
        seed=settings.seed,
        by_target=_by_target(table, fits.rankers),
        beside=others,
        **(vars(found) | {"notes": [*notes, *found.notes]}),
    )
    if is_over:
        result.notes.append(f"the budget of {duration(settings.budget)} was over: {_done(result, settings)}")
    for note in result.notes[len(notes) :]:
        say(f"note: {note}")
    if result.curve is not None and reason:
        result.notes.append(f"judged by the {result.curve.measure_name}: {reason}")
    if (n_first := int((result.mean_rank == result.mean_rank.min()).sum())) > 1:
        result.notes.append(f"{n_first} features tie for rank 1: these rows do not show which of them is better")
    result.seconds = monotonic() - began
    return result


def _settle(table, settings, notes):
    """Settings as this table asks for."""
    n_features = table.X.shape[1]
    settings = settings.resolved(table.task, n_features)
    stop_without_labels(table)
    settings = settings.with_methods(table.task, n_features)
    if table.names is not None:
        settings = replace(settings, blocks=table.names.blocks(settings.blocks))
    numbered_blocks(settings.blocks, list(table.X.columns))  # checks them
    notes += screening_note(settings.methods, n_features) + drawn_note(settings.methods)
    if settings.curve and (reason := why_not(table)):
        settings = replace(settings, curve=False)
        notes.append(reason)
    return settings


def _check_weights(problem, settings, path, notes):
    """Raise DataError if weights cannot be used, and note who does not use them."""
    if problem.weights is None:
        return
    if not problem.weights[problem.labeled].any():
        raise DataError("all labelled rows have the weight 0", file=path)
    unable = [method.name for method in settings.methods if not takes_weights(method)]
    if len(unable) == len(settings.methods):
        raise DataError(
            f"no method can use the weights of rows: {', '.join(unable)} cannot",
            file=path,
            advice=f"Add one that can ({', '.join(WEIGHTED)}), or leave the weights out",
        )
    notes += [f"{', '.join(unable)} cannot use the weights of rows"] if unable else []


def _fit(problem, settings, work, path):
    """Rank all rows by each method; raises DataError if none can."""
    seed = derive_seed(settings.seed, "all rows")
    fits = fit_methods(settings.methods, problem, problem.labeled, problem.unlabeled, seed, work.n_jobs)
    work.done(len(settings.methods))
    if not fits.rankers:
        why = "; ".join(f"{name}: {message}" for name, message in fits.failures.items())
        raise DataError(f"no method can rank these rows ({why})", file=path)
    return fits


def _limit_unlabeled(table, settings, notes):
    """The table with fewer unlabelled rows where memory asks for it."""
    n_rows, n_features = table.X.shape
    n_labeled = int(table.labeled.sum())
    limit = max(MAX_CELLS // n_features - n_labeled, 0)
    if n_rows - n_labeled <= limit:
        return table
    rng = np.random.default_rng(derive_seed(settings.seed, "limits"))
    drawn = rng.permutation(np.flatnonzero(~table.labeled))[:limit]
    rows = np.sort(np.concatenate([np.flatnonzero(table.labeled), drawn]))
    note = f"{limit} of {n_rows - n_labeled} unlabelled rows, drawn at random, are used: all would take too much memory"
    notes += [note] if any(map(uses_unlabeled, settings.methods)) else []
    return table.rows(rows)


def _by_target(table, rankers):
    """Importance of each feature for each of several targets, of the first method that tells."""
    if len(table.target_names) < 2:
        return None
    for ranker in rankers.values():
        found = getattr(ranker, "target_importances_", None)
        if found is not None and found.shape == (table.X.shape[1], len(table.target_names)):
            return pd.DataFrame(
                found, index=list(map(str, table.X.columns)), columns=list(map(str, table.target_names))
            )
    return None


def _importances_beside(beside, table, notes):
    """Importances from elsewhere as numbers by feature."""
    if isinstance(beside, Mapping) and all(np.ndim(x) == 0 and not isinstance(x, Mapping) for x in beside.values()):
        beside = pd.Series(beside, dtype=object)
    if isinstance(beside, pd.Series):
        beside = beside.to_frame(beside.name if beside.name is not None else "beside")
    if not isinstance(beside, pd.DataFrame | Mapping):
        raise DataError(f"beside must be a Series, DataFrame or dict of importances by feature, got {quoted(beside)}")
    frame = pd.DataFrame(beside)
    text = str if table.names is None else table.names.text
    frame.index, frame.columns = [str(text(name)) for name in frame.index], frame.columns.map(str)
    known = set(map(str, table.X.columns))
    if not known & set(frame.index):
        raise DataError("none of the importances beside the ranking is of a feature of the table")
    if unknown := [name for name in frame.index if name not in known]:
        notes.append(f"beside the ranking: {listed(unknown)} are no features of the table")
    if frame.index.has_duplicates:
        twice = frame.index[frame.index.duplicated()][0]
        raise DataError(f"beside the ranking: {twice!r} occurs twice", advice="Give one importance for each feature")
    numbers = frame.apply(pd.to_numeric, errors="coerce")
    if empty := [name for name in numbers if numbers[name].isna().all()]:
        raise DataError(f"beside the ranking: {empty[0]!r} has no numbers")
    return numbers


def _done(result, settings):
    """What the budget cut short, in one text."""
    pairs = result.n_pairs
    parts = ["no forests with shadow features"] if result.tests.is_cut else []
    parts += ["no conditional tests"] if settings.conditional and result.conditional is None else []
    parts += [f"{pairs} of {settings.repeats} pairs of half-samples"] if pairs < settings.repeats else []
    if settings.curve and result.curve is None:
        parts.append("no curve")
    elif settings.curve and result.curve.n_repeats < n_repeats(len(result.problem.labeled)):
        parts.append(f"a curve of {result.curve.n_repeats} x {FOLDS} folds")
    return "; ".join(parts)
