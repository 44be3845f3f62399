"""Rank the features of a table by several methods, test them, and estimate how reliable the ranking is."""

import warnings
from dataclasses import fields, replace
from inspect import signature

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError, errors_in
from sslrank.core.messages import suggestion
from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.threads import one_blas_thread
from sslrank.tabular.fits.fitting import fit_all_rows
from sslrank.tabular.fits.settings import RankingSettings
from sslrank.tabular.fits.work import ParallelFits
from sslrank.tabular.result import Ranking
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.roles import ColumnRoles
from sslrank.tabular.schema.table import MAX_CELLS
from sslrank.tabular.trust.assess import assess
from sslrank.tabular.trust.checks import stop_without_labels
from sslrank.tabular.trust.stability.feature_curve import reason_without_curve
from sslrank.tabular.trust.stability.measures import choose_measure

_ELSEWHERE = "join the importances to `ranking.to_frame()` by feature; `sslrank curve` evaluates them"
#: Parameters of earlier versions, and what to do instead.
_REMOVED = {
    "beside": _ELSEWHERE,
    "external": _ELSEWHERE,
    "budget": "use `effort`, whose result does not depend on the speed of the machine",
    "shuffles": "leave it out, the tests choose their permutations themselves",
    "calibrate": "leave it out, the result has `tests.smallest_effect`, the detectable effect size",
}
#: Options of the command, and the equivalent parameters of :func:`rank`.
_COMMAND_OPTIONS = {"seed": "random_state", "jobs": "n_jobs", "weights": "sample_weight", "target": "y"}


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
    task=None,
    hierarchy=None,
    nominal=(),
    numeric=(),
    drop=(),
    keep=(),
    groups=None,
    time=None,
    strata=None,
    sample_weight=None,
    event=None,
    adjust=(),
    positives_only=False,
    random_state=0,
    n_jobs=None,
    **unknown,
):
    """Rank the features of a table by several methods, with tests, intervals and the number of features needed.

    Tests show whether any feature is related to the target, which ones, and which of them add information beyond the
    others. Related features come first, by the mean of the methods' ranks, then the others by p-value. Complementary
    pairs of half-samples give intervals of the ranks. Repeated cross-validation, with the ranking inside each fold,
    estimates how many features are enough.

    Parameters
    ----------
    X : array-like, DataFrame, polars or Arrow table, or sparse matrix of shape (n, D)
        NaN is missing; columns of strings and categoricals are nominal. Of a large sparse X, columns that hardly vary
        in the labelled rows are left out, and unlabelled rows that exceed the memory limit; a note reports it.
    y : array-like of shape (n,) or (n, T), or str
        The target. None and NaN, and -1 among integer classes, mean unlabelled. A string names a column of X.
    methods : str or sequence of str or BaseRanker, default="auto"
        Names in :func:`sslrank.available_rankers`, "auto", or rankers such as ``get_ranker("relief", n_neighbors=5)``,
        whose target, seed and threads are set here.
    effort : {"order", "quick", "full"}, default="full"
        "order": rank the features, and test which are related to the target. "quick": also test which add information
        beyond the others, and compute intervals from 5 complementary pairs of half-samples. "full": use 10 pairs, and
        estimate how many features are enough.
    repeats : int, optional
        Number of complementary pairs of half-samples, at least 2, or 0 for none. By default as `effort` says.
    top : int, optional
        Number of best features that count as selected; by default a quarter of the features, at most 20.
    curve : bool, optional
        Estimate how many features are enough; by default as `effort` says.
    blocks : dict of str to sequence of str, optional
        Features that are ranked and tested as one, by a name such as a pathway; `blocks` of the result has them. By
        default numeric features connected by correlations of 0.95 or more form one block in the conditional tests.
    predictor : {"knn", "tree", "svm"}, default="knn"
        Model of the curve; "svm" for classification only.
    measure : str, optional
        Measure of the curve, in :data:`sslrank.metrics.single.MEASURES`; by default balanced accuracy for classes
        (average precision of the rarer of two classes below 10 %), otherwise the default of the kind of target.
    task : str, optional
        Kind of target; by default guessed from the values.
    hierarchy : list of list of int, optional
        Parents of each label, for hierarchical multi-label classification.
    nominal, numeric, drop, keep : sequence of str
        Columns to read as categories or numbers, to leave out, and to keep although they look like identifiers,
        constants, names of rows or copies (`table.dropped` of the result lists what was left out).
    groups : array-like of shape (n,) or str, optional
        Group of each row, such as its patient, or the name of a column of X. Groups are never split between training
        and test rows. "none" if rows are independent. With `time`, too, the table is a panel, such as shops by weeks.
    time : array-like of shape (n,) or str, optional
        Time of each row (dates or numbers), or the name of a column of X; "none" if the order of the rows is arbitrary.
    strata : array-like of shape (n,) or str, optional
        Stratum of each row, such as its centre, or the name of a column of X: tests compare rows of the same stratum.
    sample_weight : array-like of shape (n,) or str, optional
        Weight of each row, or the name of a column of X.
    event : array-like of shape (n,) or str, optional
        Whether the event happened (1, true) or the time in `y` is censored (0, false), or the name of a column of X.
        A structured array of both as `y`, as scikit-survival takes, needs no `event`.
    adjust : sequence of str
        Columns of X, such as age and sex, to adjust for; they are not ranked.
    positives_only : bool, default=False
        Only positive rows are labelled; they are compared with all other rows.
    random_state : int, default=0
    n_jobs : int, optional
        Threads; the result does not depend on it.
    **unknown
        Raises TypeError with a suggestion.

    Returns
    -------
    Ranking

    Raises
    ------
    ValueError
        If X and y do not match, a parameter is invalid, or no method can rank the table or use the weights.
    TypeError
        If a parameter is unknown.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> y[::2] = -1  # unlabelled
    >>> ranking = rank(X, y, effort="order")
    >>> ranking.best(2)
    ['petal length (cm)', 'petal width (cm)']
    """
    arguments = locals()
    if unknown:
        raise TypeError(_no_parameter(next(iter(unknown))))
    roles = ColumnRoles(weights=sample_weight, **_options_of(ColumnRoles, arguments))
    settings = RankingSettings(seed=resolve_seed(random_state), **_options_of(RankingSettings, arguments)).checked()
    if y is None:
        raise DataError(
            "y is None, but rank() needs a target",
            advice="Pass y; to rank without a target, use for example get_ranker('laplacian_score').fit(X)",
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the table's notes say so
        table = own_table(X, y, roles)
    return rank_own_table(table, settings)


def _options_of(options, arguments):
    """Select the parameters of :func:`rank` that a class of options has by the same name."""
    return {option.name: arguments[option.name] for option in fields(options) if option.name in arguments}


def _no_parameter(name):
    """Write the message about an unknown parameter of :func:`rank`."""
    if name in _REMOVED:
        return f"rank() has no parameter {name!r} any more: {_REMOVED[name]}"
    if name in _COMMAND_OPTIONS:
        return f"rank() has no parameter {name!r}; in Python it is {_COMMAND_OPTIONS[name]!r}"
    known = [known for known in signature(rank).parameters if known != "unknown"]
    return f"rank() has no parameter {name!r}; {suggestion(name, known)}"


def rank_own_table(table, settings, *, log=lambda line: None):
    """Rank the features of a table; `log` is called with each line about the progress."""
    with errors_in(table.path):
        stop_without_labels(table)
        settings = settings.resolved(table)
    notes = settings.notes(table)
    if settings.curve and (reason := reason_without_curve(table)):
        settings = replace(settings, curve=False)
        notes.append(reason)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the table's notes say so, and failures of fits are reported
        part = _sample_unlabeled(table, settings, notes)
        problem = part.coded()
        reason = choose_measure(problem, settings.measure)[1]
        log(settings.describe())
        for note in notes:
            log(f"note: {note}")
        total = settings.n_fits(len(problem.labeled))
        with errors_in(table.path), one_blas_thread(), ParallelFits(settings.n_jobs, total) as work:
            fits = fit_all_rows(settings, problem, work)
            assessment = assess(part, problem, fits, settings, work)
    for note in assessment.notes:
        log(f"note: {note}")
    result = Ranking(
        table=table,
        problem=problem,
        importances=fits.importances,
        ranks=fits.ranks,
        failures=fits.failures,
        top=settings.top,
        seed=settings.seed,
        by_target=_by_target(table, fits.rankers),
        **(vars(assessment) | {"notes": [*notes, *assessment.notes]}),
    )
    if result.curve is not None and reason:
        result.notes.append(f"the curve shows the {result.curve.measure_name}: {reason}")
    if (n_first := int((result.mean_rank == result.mean_rank.min()).sum())) > 1:
        result.notes.append(f"{n_first} features tie for rank 1: these rows do not show which of them is better")
    return result


def _sample_unlabeled(table, settings, notes):
    """Sample the unlabelled rows of a table if all would take too much memory."""
    n_rows, n_features = table.X.shape
    n_labeled = int(table.labeled.sum())
    limit = max(MAX_CELLS // n_features - n_labeled, 0)
    if n_rows - n_labeled <= limit:
        return table
    rng = np.random.default_rng(derive_seed(settings.seed, "limits"))
    drawn = rng.permutation(np.flatnonzero(~table.labeled))[:limit]
    rows = np.sort(np.concatenate([np.flatnonzero(table.labeled), drawn]))
    note = f"{limit} of {n_rows - n_labeled} unlabelled rows, drawn at random, are used: all would take too much memory"
    notes += [note] if any(method.uses_unlabeled for method in settings.methods) else []
    return table.rows(rows)


def _by_target(table, rankers):
    """Return the importance of each feature for each of several targets, by the first method that provides it."""
    if len(table.target_names) < 2:
        return None
    for ranker in rankers.values():
        importances = getattr(ranker, "target_importances_", None)
        if importances is not None and importances.shape == (table.X.shape[1], len(table.target_names)):
            return pd.DataFrame(
                importances, index=list(map(str, table.X.columns)), columns=list(map(str, table.target_names))
            )
    return None
