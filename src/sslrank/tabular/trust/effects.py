"""Univariate effect sizes in common measures.

References
----------
R. G. Newcombe: Confidence intervals for an effect size measure based on the Mann-Whitney statistic, part 2. Statistics
in Medicine 25, 2006 (method 5).
D. G. Bonett, T. A. Wright: Sample size requirements for estimating Pearson, Kendall and Spearman correlations.
Psychometrika 65, 2000.
"""

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy.special import ndtri
from scipy.stats import rankdata

from sslrank.core import libm
from sslrank.core.null_model import concordance
from sslrank.hypothesis_tests.adjusted_effects import HAZARD_RATIO, ODDS_RATIO, SLOPE, adjusted_effects
from sslrank.hypothesis_tests.marginal import column_ranks
from sslrank.tabular.schema.null_target import UNLABELED
from sslrank.tabular.trust.redundancy import cramers_v, indicators

AUC, SPEARMAN, PARTIAL, CRAMER, ETA, C = "AUC", "Spearman", "partial r", "Cramér's V", "eta²", "C index"
#: Coverage of the intervals.
EFFECT_COVERAGE = 0.95
#: Its quantile of the normal distribution.
Z = ndtri((1 + EFFECT_COVERAGE) / 2)
#: Directions of a feature for a time with events.
SHORT_LONG = ("shorter time if high", "longer time if high")
#: Measures of effects for one standard deviation -> columns of a ranking.
DEVIATION_COLUMNS = {
    HAZARD_RATIO: ["hazard_ratio", "hazard_low", "hazard_high"],
    ODDS_RATIO: ["odds_ratio", "odds_low", "odds_high"],
    SLOPE: ["slope", "slope_low", "slope_high"],
}
#: Most and fewest of the best features whose effects for one standard deviation are estimated, and the limit of their
#: number times that of rows: bounds on time.
_MOST_DEVIATIONS, _FEWEST_DEVIATIONS, _DEVIATION_CELLS = 100, 10, 3_000_000
#: Maximum number of pairs of rows times features compared for C; above it, rows are thinned evenly.
_PAIRS = 1e10
#: Mean number of repetitions of a row with weights, unless these are counts, and maximum number of rows.
_REPEATS, _MAX_REPEATED = 32, 50_000
#: Number of cells ranked at a time, which stay in the processor's cache.
_CELLS = 200_000


def effects(coded, target_names=(), *, share=1.0):
    """Compute the effect size of each feature over the labelled rows in which it is known.

    Two classes: the area under the ROC curve (AUC); more classes: the largest AUC of one class against the rest. A
    number: Spearman's correlation. A time with events: Harrell's C. Classes and times that are adjusted for columns:
    partial correlation, as ranks of residuals depend on the columns again. Nominal features: Cramér's V with classes,
    share of the variance of ranks that they explain (eta squared) with numbers, both corrected for the number of
    categories.
    Several targets: the largest effect. With weights, rows are repeated in proportion to them, without intervals.

    Parameters
    ----------
    coded : sslrank.core.coded_table.CodedTable
    target_names : sequence of str
        Names of several targets.
    share : float, default=1.0
        Share of the labelled rows that count in the intervals: each of equal rows once. NaN if the rows are not
        independent; then there are no intervals.

    Returns
    -------
    DataFrame
        A row per feature: effect (an AUC is at least 0.5), low and high (95 % interval; none for nominal features),
        measure, target (index of the one that it is about), of (that target, or the class with high or low values),
        direction (that class, whether times are shorter or longer, or + or - of a number; empty for nominal features
        and several targets), and strength, strength_low and strength_high (of any measure; 0: no relation, 1: perfect).
        Missing for a constant feature.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> found = rank(*load_iris(return_X_y=True, as_frame=True), methods="f_score", effort="order")
    >>> effects(found.coded)[["effect", "measure", "of"]].tail(1)
       effect measure        of
    3     1.0     AUC  low in 0
    """
    if coded.weights is not None:
        coded, share = coded.rows(_repeated(coded)), np.nan
    n_targets, n_features = coded.target_values.shape[1], coded.X.shape[1]
    nothing = dict.fromkeys(("effect", "low", "high", "strength"), np.nan)
    best = pd.DataFrame({**nothing, "measure": "", "target": 0, "of": ""}, index=range(n_features))
    is_number = coded.task in ("regression", "multitarget")
    null, is_survival = coded.targets.null, coded.targets.kind == "survival"
    is_time, is_ranked = null is not None and null.time is not None, null is None or null.ranked
    words = SHORT_LONG if is_time else ("", "")
    if is_number and n_targets == 1 and not is_time and not is_ranked:  # an adjusted class
        words = tuple(f"{level} in {str(target_names[0]).rpartition('=')[2]}" for level in ("high", "low"))
    labels = [str(name) for name in (target_names if n_targets > 1 else _classes(coded))]
    for t in range(n_targets):
        y, rows = coded.target(t)
        parts = []
        for features, is_known, X in _numbers_known_together(coded, rows):
            if is_survival:
                values = _concordances(X, null.rows(rows[is_known]), share)
            elif is_number:
                values = _correlations(X, y[is_known], is_ranked, words, share)
            else:
                values = _areas(X, y[is_known], labels, t if n_targets > 1 else None, share)
            parts.append(pd.DataFrame(values, index=features))
        for j in np.flatnonzero(coded.nominal):
            parts.append(pd.DataFrame(_nominal(coded.X[rows, j], y, is_number, is_ranked), index=[j]))
        values = pd.concat(parts).sort_index().assign(target=t)
        if n_targets > 1:
            values["of"] = values["of"].where(values["of"] != "", labels[t] if labels else "")
        values["strength"] = _strength(values["effect"], values["measure"])
        is_better = values["strength"].fillna(-1) > best["strength"].fillna(-1)
        best = values[list(best)].where(is_better, best)
    sign = np.where(best["effect"] < 0, -1, 1)  # the end that is nearer to no relation is the low one
    ends = np.sort([best["low"] * sign, best["high"] * sign], axis=0)
    for name, end in zip(("strength_low", "strength_high"), ends, strict=True):
        best[name] = _strength(pd.Series(end).clip(lower=0), best["measure"])
    if np.isnan(share):
        best[["low", "high", "strength_low", "strength_high"]] = np.nan
    best["direction"] = best["of"]
    if n_targets > 1:
        best["direction"] = ""
    elif is_number and not any(words):
        is_signed = best["measure"].isin([SPEARMAN, PARTIAL])
        best["direction"] = np.sign(best["effect"]).where(is_signed).map({1: "+", -1: "-"}).fillna("")
    return best.astype({"target": int})


def effects_of_deviations(coded, table, order, *, share=1.0):
    """Estimate effects of the best features for one standard deviation, given the columns adjusted for and the strata.

    Parameters
    ----------
    coded : sslrank.core.coded_table.CodedTable
    table : sslrank.tabular.schema.table.OwnTable
        The same labelled rows, with their strata and the standard deviations before adjustment.
    order : ndarray of int
        Features, the best first.
    share : float, default=1.0
        See :func:`effects`.

    Returns
    -------
    DataFrame
        A row per feature, the columns that :data:`DEVIATION_COLUMNS` has for the measure: hazard ratios, odds ratios of
        the second (or the positive) class, or slopes. With weights, of rows repeated in proportion to them; without
        intervals then, and for dependent rows.
    """
    labeled, deviations, strata = coded.labeled, table.features.deviations, None
    count = max(_FEWEST_DEVIATIONS, min(_MOST_DEVIATIONS, _DEVIATION_CELLS // max(len(labeled), 1)))
    rows = labeled if coded.weights is None else _repeated(coded)
    if table.row_columns.strata is not None:
        strata = table.row_columns.strata[table.labeled][np.searchsorted(labeled, rows)]
    part = coded.rows(rows)
    deviations = np.array([deviations.get(name, np.nan) for name in table.X]) if deviations else None
    ratios = adjusted_effects(part.features, part.targets, deviations=deviations, chosen=order[:count], strata=strata)
    estimate, low, high = ratios.estimate, ratios.low, ratios.high
    if (wider := 1 / np.sqrt(share if coded.weights is None else np.nan)) != 1:
        to_scale, back = (np.asarray, np.asarray) if ratios.measure == SLOPE else (np.log, np.exp)
        middle = to_scale(estimate)
        low, high = (back(middle + wider * (to_scale(end) - middle)) for end in (low, high))
    classes = coded.targets.classes
    if ratios.measure == ODDS_RATIO and classes is not None and classes[-1] == UNLABELED:  # of the positive ones
        estimate, low, high = 1 / estimate, 1 / high, 1 / low
    return pd.DataFrame(dict(zip(DEVIATION_COLUMNS.get(ratios.measure, ()), (estimate, low, high), strict=False)))


def effects_of_ends(coded, features, target_names=()):
    """Describe the effect of the distance of some numeric features from their middle rank.

    Parameters
    ----------
    coded : sslrank.core.coded_table.CodedTable
    features : ndarray of int
    target_names : sequence of str

    Returns
    -------
    dict of int to str
        By feature, such as "AUC 0.93 both ends in yes", "Spearman -0.8 low at both ends".
    """
    part = coded.rows(coded.labeled)
    ranks = column_ranks(part.X[:, features])
    distances = replace(part.features.columns(features), values=np.abs(ranks - np.nanmean(ranks, axis=0)))
    words = {"+": "high at both ends", "-": "low at both ends"}
    words |= {text: text.replace("if high", "at both ends") for text in SHORT_LONG}
    texts = {}
    for j, row in zip(features, effects(replace(part, features=distances), target_names).itertuples(), strict=True):
        default = row.of.replace("high in", "both ends in").replace("low in", "middle in") or "at both ends"
        texts[j] = f"{row.measure} {row.effect:.2f} {words.get(row.direction, default)}"
    return texts


def _repeated(coded):
    """Repeat the labelled rows in proportion to their weights, as an index array."""
    rows = coded.labeled
    weights, most = coded.weights[rows], max(min(_REPEATS * len(rows), _MAX_REPEATED), len(rows))
    is_count = (weights == np.round(weights)).all() and weights.sum() <= most
    return np.repeat(rows, np.round(weights if is_count else weights * (most / weights.sum())).astype(np.intp))


def _strength(values, measure):
    """Scale effects of any measure from 0 (no relation; an AUC of 0.5 or less) to 1 (perfect)."""
    strength = values.abs().where(~measure.isin([AUC, C]), 2 * values - 1)
    return strength.where(measure != ETA, np.sqrt(values.clip(lower=0))).clip(0, 1)


def _classes(coded):
    return [] if coded.targets.classes is None else list(coded.targets.classes)


def _numbers_known_together(coded, rows):
    """Yield numeric features that are known in the same rows, a few at a time, with a mask of these and the values."""
    numbers, step = np.flatnonzero(~coded.nominal), max(1, _CELLS // max(len(rows), 1))
    has_gaps = np.isnan(coded.X[np.ix_(rows, numbers)]).any(axis=0)
    complete = numbers[~has_gaps]
    parts = [complete[at : at + step] for at in range(0, len(complete), step)]
    for features in [*parts, *numbers[has_gaps][:, None]]:
        is_known = ~np.isnan(coded.X[rows, features[0]])
        yield features, is_known, coded.X[np.ix_(rows[is_known], features)]


def areas_by_class(coded):
    """Compute the AUC of each class against the rest, for each feature that is a number.

    Parameters
    ----------
    coded : sslrank.core.coded_table.CodedTable

    Returns
    -------
    DataFrame
        A row per feature, a column per class; above 0.5: high in the class. NaN for nominal and constant features.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> found = rank(*load_iris(return_X_y=True, as_frame=True), methods="f_score", effort="order")
    >>> areas_by_class(found.coded).round(2).loc[3].tolist()
    [0.0, 0.51, 0.99]
    """
    coded = coded if coded.weights is None else coded.rows(_repeated(coded))
    y, rows = coded.target(0)
    areas_of_features = np.full((coded.X.shape[1], len(_classes(coded))), np.nan)
    for features, is_known, X in _numbers_known_together(coded, rows):
        classes, areas, _ = _class_areas(X, y[is_known])
        if len(classes) > 1:
            areas_of_features[np.ix_(features, classes.astype(int))] = areas.T
    return pd.DataFrame(areas_of_features, columns=list(map(str, _classes(coded))))


def _class_areas(X, y):
    """Return the classes, the AUC of each against the rest by column without missing values, and their sizes."""
    classes = np.unique(y)
    members = y[:, None] == classes
    counts = members.sum(axis=0)[:, None]
    areas = np.full((len(classes), X.shape[1]), np.nan)
    if len(classes) > 1:
        areas = (members.T @ column_ranks(X) / counts - (counts + 1) / 2) / (len(X) - counts)
        areas[:, np.ptp(X, axis=0) == 0] = np.nan
    return classes, areas, counts


def _areas(X, y, labels, target, share):
    """Compute the AUC of columns without missing values: the largest of one class against the rest, from 0.5 to 1."""
    n, m = X.shape
    classes, areas, counts = _class_areas(X, y)
    if len(classes) < 2:
        return {"effect": np.full(m, np.nan), "low": np.nan, "high": np.nan, "measure": AUC, "of": ""}
    # Of two classes the second has 1 - AUC of the first: the one with high values is named.
    k = np.nan_to_num(np.abs(areas - 0.5) + (areas > 0.5) * 1e-12).argmax(axis=0)
    if target is not None:  # label 1 against 0
        k = np.full(m, len(classes) - 1)
    area, count = areas[k, np.arange(m)], counts[k, 0]
    is_high = ~(area < 0.5)
    area = np.where(is_high, area, 1 - area)
    low, high = auc_interval(area, share * count, share * (n - count))
    names = [labels[target]] * m if target is not None else [labels[int(classes[i])] if labels else "" for i in k]
    directions = [
        f"{'high' if up else 'low'} in {name}" if name and not np.isnan(value) else ""
        for up, name, value in zip(is_high, names, area, strict=True)
    ]
    return {"effect": area, "low": low, "high": high, "measure": AUC, "of": directions}


def auc_interval(area, n_positive, n_negative):
    """Compute the 95 % interval of an AUC (Newcombe 2006, method 5), which is also valid at 0 and 1.

    Parameters
    ----------
    area, n_positive, n_negative : float or ndarray

    Returns
    -------
    low, high : ndarray

    Examples
    --------
    >>> [round(float(end), 2) for end in auc_interval(0.8, 30, 30)]
    [0.66, 0.89]
    """
    area = np.asarray(area, dtype=np.float64)
    free = (n_positive + n_negative) / 2 - 1

    def is_inside(tried):
        spread = tried * (1 - tried) * (1 + free * ((1 - tried) / (2 - tried) + tried / (1 + tried)))
        return (tried - area) ** 2 <= Z**2 * spread / (n_positive * n_negative)

    ends = []
    for end in (0.0, 1.0):
        inside, outside = area.copy(), np.full(area.shape, end)
        for _ in range(50):
            middle = (inside + outside) / 2
            within = is_inside(middle)
            inside, outside = np.where(within, middle, inside), np.where(within, outside, middle)
        ends.append(np.where(np.isnan(area), np.nan, (inside + outside) / 2))
    return tuple(ends)


def _concordances(X, null, share):
    """Compute Harrell's C of columns without missing values, from 0.5 to 1, and the direction."""
    n_pairs = float(null.event.sum()) * len(X) * X.shape[1]
    rows = np.linspace(0, len(X) - 1, int(len(X) * min(1, np.sqrt(_PAIRS / max(n_pairs, 1))))).round().astype(np.intp)
    c, error = concordance(null.time[rows], null.event[rows], X[rows], None if null.entry is None else null.entry[rows])
    c, error = (np.where(np.ptp(X, axis=0) > 0, value, np.nan) for value in (c, error))
    is_short = ~(c < 0.5)
    c = np.where(is_short, c, 1 - c)
    middle = libm.arctanh(np.clip(2 * c - 1, 0, 1 - 1e-12))  # of Somers' d, whose interval stays within -1 and 1
    half_width = Z * 2 * error / np.sqrt(share) / np.maximum(1 - (2 * c - 1) ** 2, 1e-12)
    low, high = ((1 + libm.tanh(middle + sign * half_width)) / 2 for sign in (-1, 1))
    directions = [SHORT_LONG[not short] if value == value else "" for short, value in zip(is_short, c, strict=True)]
    return {"effect": c, "low": low, "high": high, "measure": C, "of": directions}


def _correlations(X, y, is_ranked, words, share):
    """Compute the correlation of columns without missing values with a number, by ranks or not; words for each sign."""
    ranks, target_ranks = (rankdata(X, axis=0), rankdata(y)) if is_ranked else (X, y)
    ranks, target_ranks = ranks - ranks.mean(axis=0), target_ranks - target_ranks.mean()
    lengths = np.sqrt((ranks**2).sum(axis=0) * (target_ranks**2).sum())
    varies = lengths > 0
    r = np.where(varies, np.clip(target_ranks @ ranks / np.where(varies, lengths, 1.0), -1, 1), np.nan)
    n = share * len(X)
    half_width = Z * np.sqrt((1 + is_ranked * r**2 / 2) / (n - 3)) if n > 3 else np.full(len(r), np.nan)
    middle = libm.arctanh(np.clip(r, -1 + 1e-12, 1 - 1e-12))
    directions = [words[int(value < 0)] if value == value else "" for value in r]
    low, high = (libm.tanh(middle + sign * half_width) for sign in (-1, 1))
    return {"effect": r, "low": low, "high": high, "measure": SPEARMAN if is_ranked else PARTIAL, "of": directions}


def _nominal(codes, y, is_number, is_ranked):
    """Compute Cramér's V of a nominal feature, or eta squared, of ranks like Spearman's correlation."""
    is_known = ~np.isnan(codes)
    codes, y = codes[is_known], rankdata(y[is_known]) if is_number and is_ranked else y[is_known]
    levels = np.unique(codes)
    measure = ETA if is_number else CRAMER
    value = np.nan
    if len(levels) > 1 and len(np.unique(y)) > 1:
        value = _epsilon_squared(codes, y) if is_number else cramers_v(indicators(codes).T @ indicators(y))
    return {"effect": [value], "low": np.nan, "high": np.nan, "measure": measure, "of": ""}


def _epsilon_squared(codes, y):
    """Compute the share of variance between categories, corrected for their number (Kelley's epsilon squared)."""
    _, codes = np.unique(codes, return_inverse=True)
    counts = np.bincount(codes)
    n, k = len(y), len(counts)
    if n <= k:
        return np.nan
    within = ((y - (np.bincount(codes, y) / counts)[codes]) ** 2).sum()
    return max(0.0, 1 - within / ((y - y.mean()) ** 2).sum() * (n - 1) / (n - k))
