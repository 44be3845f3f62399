"""Rank the features of a table by several methods, test them, and estimate how reliable the ranking is."""

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import signature
from os import PathLike
from typing import Literal, Never

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from sslrank.core.base import BaseRanker
from sslrank.core.errors import DataError, errors_in
from sslrank.core.messages import REMOVED, suggestion
from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.threads import one_blas_thread
from sslrank.tabular.fits.settings import RankingSettings
from sslrank.tabular.fits.work import ParallelFits
from sslrank.tabular.output.recipe import apply_recipe, check_columns, columns_named, read_fields
from sslrank.tabular.result import Ranking
from sslrank.tabular.schema.arrays import own_table
from sslrank.tabular.schema.column_map import map_columns
from sslrank.tabular.schema.roles import COLUMN_LISTS, ColumnRoles
from sslrank.tabular.schema.table import MAX_CELLS
from sslrank.tabular.trust.checks import run_checks, stop_without_labels
from sslrank.tabular.trust.dependence import detect_dependence
from sslrank.tabular.trust.joint import joint_test
from sslrank.tabular.trust.procedure import Procedure
from sslrank.tabular.trust.redundancy import find_redundancy
from sslrank.tabular.trust.significance import note_on_rows
from sslrank.tabular.trust.stability.evaluation import evaluate
from sslrank.tabular.trust.stability.feature_curve import reason_without_curve, suggest_number
from sslrank.tabular.trust.stability.measures import choose_measure
from sslrank.tabular.trust.stability.unlabeled import Unlabeled

#: Options of the command, and the equivalent parameters of :func:`rank`.
_COMMAND_OPTIONS = {"seed": "random_state", "jobs": "n_jobs", "weights": "sample_weight", "target": "y"}


def rank(
    X: ArrayLike | pd.DataFrame | object,
    y: ArrayLike | str,
    *,
    methods: str | Sequence[str | BaseRanker] = "auto",
    effort: Literal["order", "quick", "full"] = "full",
    repeats: int | None = None,
    top: int | None = None,
    curve: bool | None = None,
    blocks: Mapping[str, Sequence[str]] | None = None,
    predictor: Literal["best", "knn", "linear", "forest", "tree", "svm"] = "best",
    measure: str | None = None,
    task: Literal["classification", "multilabel", "hierarchical", "regression", "multitarget"] | None = None,
    hierarchy: list[list[int]] | None = None,
    nominal: Sequence[str] = (),
    numeric: Sequence[str] = (),
    drop: Sequence[str] = (),
    keep: Sequence[str] = (),
    ordinal: Sequence[Sequence[str]] = (),
    groups: ArrayLike | str | None = None,
    time: ArrayLike | str | None = None,
    strata: ArrayLike | str | None = None,
    sample_weight: ArrayLike | str | None = None,
    event: ArrayLike | str | None = None,
    entry: ArrayLike | str | None = None,
    adjust: Sequence[str] = (),
    positives_only: bool = False,
    dates: Literal["day-first", "month-first"] | None = None,
    like: str | PathLike | None = None,
    random_state: int | np.random.RandomState | np.random.Generator | None = 0,
    n_jobs: int | None = None,
    **unknown: Never,
) -> Ranking:
    """Rank the features of a table by several methods, with tests, intervals and the number of features needed.

    Tests show whether any feature is related to the target, which ones, and which of them add information beyond the
    others. Features that a test shows come first; in both parts the order is by the harmonic mean of the ranks by each
    method and by p-value. Complementary pairs of half-samples give intervals of the ranks. Repeated cross-validation,
    with the ranking inside each fold, estimates how many features are enough.

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
    predictor : {"best", "knn", "linear", "forest", "tree", "svm"}, default="best"
        Model of the curve; "best" is the best one of nearest neighbours, a linear model and a forest, "svm" is for
        classification only.
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
    ordinal : sequence of sequence of str
        Scales of levels, the lowest first, such as [["low", "medium", "high"]]: columns of strings with only these
        values are read as numbers, as are ordered categoricals.
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
        A structured array of both as `y`, as scikit-survival takes, needs no `event`. "status=1": other values of the
        column status are censored (cause-specific hazard).
    entry : array-like of shape (n,) or str, optional
        Time from which each row is at risk of the event (left truncation), or the name of a column of X.
    adjust : sequence of str
        Columns of X, such as age and sex, to adjust for; they are not ranked.
    positives_only : bool, default=False
        Only positive rows are labelled; they are compared with all other rows.
    dates : {"day-first", "month-first"}, optional
        Order of day and month in dates such as 03/04/2020, where other dates of the column do not show it.
    like : path-like, optional
        Folder or JSON file of a ranking saved by ``sslrank rank --out``: its options hold unless they are given here;
        lists of columns are joined. Columns that are missing or new are noted.
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
        If X and y do not match, a parameter is invalid, no method can rank the table or use the weights, or a feature
        of `like` is of another kind.
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
    fields, ranked = None, ()
    if like is not None:
        fields = read_fields(like)
        arguments = apply_recipe(arguments, fields, like, [y] if isinstance(y, str) else None)
        ranked = [row["feature"] for row in fields["features"]]
        columns = {*map(str, getattr(X, "columns", columns_named(fields)[1]))}
        lacking = {name for name in columns_named(fields)[1] if name not in columns}
        arguments |= {key: [name for name in arguments[key] if name not in lacking] for key in COLUMN_LISTS}
    roles = ColumnRoles(weights=arguments["sample_weight"], **_options_of(ColumnRoles, arguments))
    seed = resolve_seed(arguments["random_state"])
    settings = RankingSettings(seed=seed, **_options_of(RankingSettings, arguments)).checked()
    if y is None:
        raise DataError(
            "y is None, but rank() needs a target",
            advice="Pass y; to rank without a target, use for example get_ranker('laplacian_score').fit(X)",
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the table's notes say so
        table = own_table(X, y, roles, ranked)
    table = replace(table, is_polars=type(X).__module__.partition(".")[0] == "polars")
    if fields:
        table = replace(table, notes=(*table.notes, *check_columns(table, fields, like)))
    return rank_own_table(table, settings)


def _options_of(options, arguments):
    """Select the parameters of :func:`rank` that a class of options has by the same name."""
    return {option.name: arguments[option.name] for option in dataclasses.fields(options) if option.name in arguments}


def _no_parameter(name):
    """Write the message about an unknown parameter of :func:`rank`."""
    if name in REMOVED:
        return f"rank() has no parameter {name!r} any more: {REMOVED[name]}"
    if name in _COMMAND_OPTIONS:
        return f"rank() has no parameter {name!r}; in Python it is {_COMMAND_OPTIONS[name]!r}"
    known = [known for known in signature(rank).parameters if known != "unknown"]
    return f"rank() has no parameter {name!r}; {suggestion(name, known)}"


def rank_own_table(table, settings, *, log=lambda line: None, command="", saved=""):
    """Rank the features of a table.

    Parameters
    ----------
    table : sslrank.tabular.schema.table.OwnTable
    settings : sslrank.tabular.fits.settings.RankingSettings
    log : callable, optional
        Called with each line about the progress.
    command, saved : str
        See :class:`sslrank.tabular.result.Ranking`.

    Returns
    -------
    Ranking
    """
    with errors_in(table.path), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the table's notes say so, and failures of fits are reported
        stop_without_labels(table)
        resolved = settings.resolved(table)
        notes = resolved.notes(table)
        if resolved.curve and (reason := reason_without_curve(table)):
            resolved, notes = replace(resolved, curve=False), [*notes, reason]
        part, of_sample = _sample_unlabeled(table, resolved)
        coded = part.coded()
        why_measure = choose_measure(coded, resolved.measure)[1]
        names, columns = list(map(str, table.X)), map_columns(part, coded)
        dependence = detect_dependence(part, coded, columns)
        notes += [*columns.notes, *of_sample, *note_on_rows(coded, dependence.design, resolved.conditional)]
        for line in (resolved.describe(), *(f"note: {note}" for note in notes)):
            log(line)
        procedure = Procedure(coded, dependence, resolved.methods, resolved.seed, names, resolved.blocks, columns)
        conditional = blocks = samples = curve = joint = None
        change, of_curve = {}, []
        with one_blas_thread(), ParallelFits(resolved.n_jobs, resolved.n_fits(len(coded.labeled))) as work:
            ranked = procedure.ranked(work)
            if resolved.conditional:
                conditional, blocks = procedure.conditional(ranked.tests)
                if not (ranked.tests.any_related or len(ranked.pairs.pairs)):
                    joint = joint_test(procedure)
            light = procedure.light(ranked.fits.importances)
            if resolved.repeats:
                samples = light.half_samples(work, resolved.repeats)
            if resolved.curve:
                curve, change, of_curve = evaluate(light, resolved, work)
        tests, pairs, order = ranked.tests, ranked.pairs, ranked.order
        redundancy = find_redundancy(coded, order, resolved.seed)
        checks = run_checks(part, procedure, redundancy, order)
    for note in of_curve:
        log(f"note: {note}")
    if curve is not None and why_measure:
        of_curve = [*of_curve, f"the curve shows the {curve.measure_name}: {why_measure}"]
    n_enough, why_enough = suggest_number(curve, len({*tests.related, *pairs.features}), resolved.top)
    return Ranking(
        table=table,
        coded=coded,
        importances=ranked.fits.importances,
        ranks=ranked.fits.ranks,
        failures=ranked.fits.failures,
        top=resolved.top,
        seed=resolved.seed,
        settings=settings,
        tests=tests,
        pairs=pairs,
        joint=joint,
        conditional=conditional,
        order=order,
        n_enough=n_enough,
        why_enough=why_enough,
        blocks=blocks,
        samples=samples,
        curve=curve,
        unlabeled=Unlabeled(
            n_unlabeled=len(coded.unlabeled),
            methods=list(ranked.fits.importances),
            used=[method.name for method in light.methods if method.uses_unlabeled],
            **change,
        ),
        redundancy=redundancy,
        checks=checks,
        notes=[*notes, *of_curve, *_note_on_ties(ranked.joint_ranks)],
        by_target=_by_target(table, ranked.fits.by_target),
        command=command,
        saved=saved,
    )


def _sample_unlabeled(table, resolved):
    """Sample the unlabelled rows of a table if all would take too much memory; return it with a list of notes."""
    labeled = table.labeled
    n_unlabeled, limit = int((~labeled).sum()), max(MAX_CELLS // table.X.shape[1] - int(labeled.sum()), 0)
    if n_unlabeled <= limit:
        return table, []
    rng = np.random.default_rng(derive_seed(resolved.seed, "limits"))
    drawn = rng.permutation(np.flatnonzero(~labeled))[:limit]
    rows = np.sort(np.concatenate([np.flatnonzero(labeled), drawn]))
    note = f"{limit} of {n_unlabeled} unlabelled rows, drawn at random, are used: all would take too much memory"
    return table.rows(rows), [note] if any(method.uses_unlabeled for method in resolved.methods) else []


def _note_on_ties(joint_ranks):
    """Return a list with a note if several features tie for rank 1; otherwise an empty list."""
    n_first = int((joint_ranks == joint_ranks.min()).sum())
    note = f"{n_first} features tie for rank 1: these rows do not show which of them is better"
    return [note] if n_first > 1 else []


def _by_target(table, importances):
    """Return the importance of each feature for each of several targets as a table; None without importances."""
    names = list(map(str, table.target_names))
    if importances is None or len(names) < 2 or importances.shape[1] != len(names):
        return None
    return pd.DataFrame(importances, index=list(map(str, table.X)), columns=names)
