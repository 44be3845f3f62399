"""A ranking of one table by several methods, with how sure it is and how many features are enough."""

import warnings
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import rankdata
from tqdm import tqdm

from sslrank.core.durations import duration, parse_duration
from sslrank.core.errors import DataError
from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.stats.stability import selection_stability
from sslrank.tabular.feature_curve import (
    FOLDS,
    Curve,
    check_predictor,
    judge,
    limit_judged,
    make_folds,
    seconds_to_judge,
    why_not,
)
from sslrank.tabular.methods import (
    choose_methods,
    fit,
    fit_into,
    seconds_of_fit,
    total_seconds,
)
from sslrank.tabular.table import OwnTable, own_table

#: Share of the labelled and of the unlabelled rows in a sample.
SAMPLE = 0.8
#: The interval of a rank holds this share of the samples.
INTERVAL = 0.8
#: Fewer samples give no interval: what is shown is the least and the largest rank.
FEW = 5
#: Tables of more cells are ranked from a sample of their unlabelled rows.
MAX_CELLS = 5_000_000
MAX_TOP = 20


@dataclass(repr=False)
class Ranking:
    """What :func:`rank` found.

    Attributes
    ----------
    table : sslrank.tabular.table.OwnTable
    importances : dict of str to ndarray of shape (D,)
        Of each method, from all rows; higher is better.
    ranks : dict of str to ndarray of shape (R, D)
        Of each method, over the samples; 1 is the best, equal importances share the mean of their ranks. Without
        samples the one ranking from all rows.
    failures : dict of str to str
        Methods that could not rank, and why.
    notes : list of str
    top : int
        How many features count as selected.
    seed : int
    n_rows : int
        Rows that rankings were made from.
    curve : sslrank.tabular.feature_curve.Curve or None
    """

    table: OwnTable
    importances: dict
    ranks: dict
    failures: dict
    notes: list
    top: int
    seed: int
    n_rows: int
    curve: Curve | None = None

    @property
    def n_samples(self):
        """Number of samples of rows behind the intervals; 1 means none."""
        return len(next(iter(self.ranks.values())))

    @property
    def has_few_samples(self):
        """Whether there are too few for intervals."""
        return self.n_samples < FEW

    @property
    def spread(self):
        """What the intervals of ranks are, in words."""
        return f"{self.n_samples} samples only" if self.has_few_samples else "80 % of samples"

    @property
    def consensus(self):
        """Ranks of the mean rank over the methods, one row per sample, shape (R, D)."""
        return np.array([rankdata(row) for row in np.mean(list(self.ranks.values()), axis=0)])

    def stability(self, method=None):
        """Stability of the selected features over the samples (Nogueira et al. 2018, Eq. 4).

        Parameters
        ----------
        method : str, optional
            By default of the consensus.

        Returns
        -------
        float or None
            1: always the same features, 0: as random ones. None without samples, or if all are selected.
        """
        ranks = self.consensus if method is None else self.ranks[method]
        value = selection_stability(_selected(ranks, self.top, self.seed)).value
        return None if np.isnan(value) else value

    def to_frame(self):
        """The ranking as a table, best feature first.

        Returns
        -------
        DataFrame
            Columns feature, rank, mean_rank, low, high (the middle 80 % of the samples' ranks, with fewer than five
            samples the least and the largest), selected (share of the samples that have it among the best `top`; these
            three are NaN without samples), kind, and rank:METHOD and importance:METHOD of each method, from all rows.
        """
        consensus = self.consensus
        margin = 0.0 if self.has_few_samples else (1 - INTERVAL) / 2
        low, high = np.quantile(consensus, [margin, 1 - margin], axis=0)
        mean, selected = consensus.mean(axis=0), _selected(consensus, self.top, self.seed).mean(axis=0)
        if self.n_samples == 1:
            low = high = selected = np.full(len(mean), np.nan)
        rank = np.empty(len(mean), dtype=np.intp)
        rank[np.argsort(mean, kind="stable")] = np.arange(1, len(mean) + 1)
        nominal = set(self.table.nominal)
        names = list(self.table.X.columns)
        columns = {
            "feature": names,
            "rank": rank,
            "mean_rank": mean,
            "low": low,
            "high": high,
            "selected": selected,
            "kind": ["nominal" if name in nominal else "numeric" for name in names],
        }
        for method, found in self.importances.items():
            columns[f"rank:{method}"] = rankdata(-found)
            columns[f"importance:{method}"] = found
        return pd.DataFrame(columns).sort_values("rank", ignore_index=True)

    def best(self, count=None):
        """Names of the best features; by default as many as are enough, or `top` where that is not known."""
        count = count or (self.curve.enough if self.curve else self.top)
        return list(self.to_frame()["feature"][:count])

    def summary(self):
        """The ranking as a dict of plain values, for JSON."""
        table = self.table
        curve = None
        if self.curve:
            curve = {key: value for key, value in vars(self.curve).items() if key != "table"}
            curve["points"] = self.curve.table.to_dict("records")
        return {
            "file": None if table.path is None else str(table.path),
            "rows": len(table.X),
            "labeled": int(table.labeled.sum()),
            "rows_ranked": self.n_rows,
            "task": table.task,
            "targets": table.target_names,
            "seed": self.seed,
            "samples": self.n_samples if self.n_samples > 1 else 0,
            "top": self.top,
            "stability": {"consensus": self.stability(), **{name: self.stability(name) for name in self.ranks}},
            "methods": list(self.ranks),
            "failures": self.failures,
            "left_out": table.dropped,
            "notes": [*table.notes, *self.notes],
            "enough": curve,
            "ranking": self.to_frame().to_dict("records"),
        }

    def plot(self, count=MAX_TOP, ax=None):
        """Mean ranks of the best features with their intervals.

        Parameters
        ----------
        count : int
        ax : matplotlib Axes, optional

        Returns
        -------
        matplotlib.figure.Figure
        """
        from sslrank.plotting import intervals

        return intervals(self.to_frame().head(count), value="mean_rank", xlabel="rank (1 is the best)", ax=ax)

    def __repr__(self):
        best = ", ".join(map(str, self.to_frame()["feature"][:5]))
        return f"<Ranking of {self.table.X.shape[1]} features by {', '.join(self.ranks)}; the best: {best}>"

    def _repr_html_(self):
        from sslrank.tabular.html import fragment

        return fragment(self)


def rank(
    X,
    y,
    *,
    methods="auto",
    repeats=10,
    top=None,
    curve=True,
    predictor="knn",
    task=None,
    hierarchy=None,
    nominal=(),
    numeric=(),
    drop=(),
    keep=(),
    groups=None,
    time=None,
    sample_weight=None,
    quick=False,
    budget=None,
    random_state=0,
    n_jobs=None,
):
    """Rank the features of a table by several methods.

    The methods' ranks are averaged. Samples of the rows (80 % of the labelled and of the unlabelled ones) show how
    much the ranks depend on the rows. Error curves with the rankings made inside each fold show how many features
    are enough.

    Parameters
    ----------
    X : array-like, DataFrame, polars or Arrow table, or sparse matrix of shape (n, D)
        NaN is missing; columns of texts and categoricals are nominal. A sparse X stays sparse for the forests
        (genie3, random_forest, symbolic); other methods and the curve make it dense.
    y : array-like of shape (n,) or (n, T)
        None, NaN (or -1 in integers) are unlabelled.
    methods : str or sequence of str, default="auto"
        Names of :func:`sslrank.available_rankers`, or "auto".
    repeats : int, default=10
        Samples of the rows, at least 2; or 0, to rank from all rows only.
    top : int, optional
        How many features count as selected; by default a quarter of them, at most 20.
    curve : bool, default=True
        Judge how many features are enough.
    predictor : {"knn", "tree", "svm"}, default="knn"
        What the curve judges with; "svm" for classification only.
    task : str, optional
        Kind of target; by default by its values.
    hierarchy : list of list of int, optional
        Parents of each label, for hierarchical multi-label classification.
    nominal, numeric, drop, keep : sequence of str
        Columns that are categories, numbers, no features, or features though they look like none: identifiers, dates,
        constants, texts that differ in nearly every row, and copies are left out (`table.dropped` of the result).
    groups : array-like of shape (n,) or str, optional
        The group of each row, such as its patient, or the name of a column of X with it. Rows of a group are never
        split between training and testing.
    time : array-like of shape (n,) or str, optional
        When each row was recorded (dates or numbers), or the name of a column of X with it.
    sample_weight : array-like of shape (n,) or str, optional
        How much each row counts, or the name of a column of X with it.
    quick : bool, default=False
        Smaller forests, at most 3 samples, and no curve.
    budget : str or float, optional
        Seconds, or such as "5min": samples, methods and curve are cut until the expected time is within it. What is
        cut depends on the speed of the machine; notes say it.
    random_state : int, default=0
    n_jobs : int, optional
        Threads; the result does not depend on it.

    Returns
    -------
    Ranking

    Raises
    ------
    ValueError
        If X and y do not fit, or no method can rank them.
    """
    table = own_table(
        X,
        y,
        task=task,
        hierarchy=hierarchy,
        nominal=nominal,
        numeric=numeric,
        drop=drop,
        keep=keep,
        groups=groups,
        time=time,
        sample_weight=sample_weight,
    )
    return rank_table(
        table,
        methods=methods,
        repeats=repeats,
        top=top,
        curve=curve,
        predictor=predictor,
        quick=quick,
        budget=budget,
        seed=resolve_seed(random_state),
        n_jobs=n_jobs,
    )


def rank_table(
    table,
    *,
    methods="auto",
    repeats=10,
    top=None,
    curve=True,
    predictor="knn",
    quick=False,
    budget=None,
    seed=0,
    n_jobs=None,
    say=None,
):
    """:func:`rank` for a table that was read; `say` is called with each line about what is going on."""
    say = say or (lambda line: None)
    n_features = table.X.shape[1]
    if top is not None and not 1 <= top <= n_features:
        raise DataError(f"top must be in 1..{n_features}, got {top}")
    if repeats < 0 or repeats == 1:
        raise DataError(f"repeats must be 0, to rank from all rows only, or at least 2, got {repeats}")
    check_predictor(predictor, table.task)
    seconds = None if budget is None else parse_duration(budget)
    notes = []
    part, note = _within_limits(table, seed)
    notes += note
    n_labeled = int(part.labeled.sum())
    chosen, more = choose_methods(
        methods, table.task, *part.X.shape, quick, not part.labeled.all(), n_labeled=n_labeled
    )
    notes += more
    repeats = min(repeats, 3) if quick else repeats
    folds = FOLDS if curve and not quick else 0
    if folds and (reason := why_not(part)):
        folds = 0
        notes.append(reason)
    judged, fewer = limit_judged(part, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fits on parts of the rows; failures are reported
        per_fit = [seconds_of_fit(method, part, n_jobs) for method in chosen]
        judging = seconds_to_judge(judged, predictor, n_jobs) if folds else 0.0
        if seconds is not None:
            before = [method.name for method in chosen], repeats, folds
            chosen, per_fit, repeats, folds = fit_into(chosen, per_fit, repeats, folds, seconds, judging)
            after = [method.name for method in chosen], repeats, folds
            if after != before:
                notes.append(
                    f"cut to the budget of {budget}: {', '.join(after[0])}; {repeats or 'no'} samples; "
                    f"{'with' if folds else 'no'} curve"
                )
        notes += fewer if folds else []
        expected = total_seconds(per_fit, repeats, folds, judging)
        expected = f"about {duration(expected)}" if expected >= 1 else "under 1 s"
        samples = f"{repeats} samples of the rows" if repeats else "all rows once"
        names = ", ".join(method.name for method in chosen)
        say(f"methods: {names}; {samples}{'; curve' if folds else ''}; {expected}")
        for note in notes:
            say(f"note: {note}")
        said = len(notes)
        top = top or min(MAX_TOP, max(1, n_features // 4))
        result = Ranking(table, {}, {}, {}, notes, top, seed, len(part.X))
        steps = len(chosen) * (1 + repeats + folds)
        with tqdm(total=steps, desc="ranking", unit="fit", disable=None, leave=False) as progress:
            _fill(result, part, chosen, repeats, seed, n_jobs, progress)
            if folds:
                result.curve = _curve(result, judged, chosen, folds, predictor, seed, n_jobs, progress)
        for note in notes[said:]:
            say(f"note: {note}")
    return result


def _fill(result, part, chosen, repeats, seed, n_jobs, progress):
    samples = [_sample(part, derive_seed(seed, "sample", i)) for i in range(repeats)]
    for method in chosen:
        try:
            ranker = fit(method, part.X, part.y, part.task, part.hierarchy, derive_seed(seed, "all rows"), n_jobs)
            progress.update()
            tuned, ranks = method.tuned(ranker), []
            for i, rows in enumerate(samples):
                found = fit(
                    tuned, part.X.iloc[rows], part.y[rows], part.task, part.hierarchy, derive_seed(seed, i), n_jobs
                )
                ranks.append(rankdata(-found.feature_importances_))
                progress.update()
        except ValueError as error:
            result.failures[method.name] = str(error).partition("\n")[0]
            continue
        result.importances[method.name] = ranker.feature_importances_
        result.ranks[method.name] = np.array(ranks or [rankdata(-ranker.feature_importances_)])
    if not result.ranks:
        why = "; ".join(f"{name}: {message}" for name, message in result.failures.items())
        raise DataError(f"no method can rank these rows ({why})", file=part.path)
    mean = result.consensus.mean(axis=0)
    if (n_first := int((mean == mean.min()).sum())) > 1:
        result.notes.append(f"{n_first} features share the first place: these rows do not tell which of them is better")


def _curve(result, part, chosen, n_folds, predictor, seed, n_jobs, progress):
    """The curve of the consensus, ranked inside each fold; None with a note where that fails."""
    importances = []
    try:
        folds = make_folds(part, n_folds, seed)
        for i, (train, _) in enumerate(folds):
            ranks = []
            for method in chosen:
                if method.name not in result.ranks:
                    continue
                ranker = fit(
                    method,
                    part.X.iloc[train],
                    part.y[train],
                    part.task,
                    part.hierarchy,
                    derive_seed(seed, "fold", i),
                    n_jobs,
                )
                ranks.append(rankdata(-ranker.feature_importances_))
                progress.update()
            importances.append(-np.mean(ranks, axis=0))
        return judge(part, np.array(importances), folds, predictor, seed, n_jobs)
    except ValueError as error:
        result.notes.append(f"how many features are enough cannot be said: {error}")
        return None


def _within_limits(table, seed):
    """The table, with fewer unlabelled rows (then fewer labelled ones) if it is large."""
    n_rows, n_features = table.X.shape
    limit = max(MAX_CELLS // n_features, 100)
    if n_rows <= limit:
        return table, []
    rng = np.random.default_rng(derive_seed(seed, "limits"))
    labeled, unlabeled = np.flatnonzero(table.labeled), np.flatnonzero(~table.labeled)
    if len(labeled) > limit:
        labeled, unlabeled = rng.permutation(labeled)[:limit], unlabeled[:0]
    else:
        unlabeled = rng.permutation(unlabeled)[: limit - len(labeled)]
    rows = np.sort(np.concatenate([labeled, unlabeled]))
    note = (
        f"the table is large: {len(labeled)} labelled and {len(unlabeled)} unlabelled rows, drawn at random, are ranked"
    )
    return table.rows(rows), [note]


def _sample(table, seed):
    """Rows of a sample: a share of those of each class, and of the unlabelled ones; at least one of each."""
    rng = np.random.default_rng(seed)
    labeled = table.labeled
    groups = [np.flatnonzero(~labeled)]
    if table.task == "classification":
        classes = pd.factorize(table.y)[0]
        groups += [np.flatnonzero(classes == code) for code in range(classes.max() + 1)]
    else:
        groups.append(np.flatnonzero(labeled))
    return np.sort(np.concatenate([rng.permutation(rows)[: int(np.ceil(SAMPLE * len(rows)))] for rows in groups]))


def _selected(ranks, top, seed):
    """Which features are among the best `top` in each sample, a 0/1 array of shape (R, D); ties fall by chance."""
    chance = np.random.default_rng(derive_seed(seed, "ties")).random(ranks.shape)
    order = np.lexsort((chance, ranks))[:, :top]
    chosen = np.zeros(ranks.shape)
    np.put_along_axis(chosen, order, 1.0, axis=1)
    return chosen
