"""Check a table for features that are known only after the target, or are parts of it."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd
from sklearn.metrics import balanced_accuracy_score, r2_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sslrank.core.messages import counted, listed
from sslrank.core.null_model import concordance
from sslrank.core.random_state import derive_seed
from sslrank.core.target_columns import FEW_CLASSES
from sslrank.tabular.fits.folds import FOLDS, make_folds
from sslrank.tabular.trust.check import ENOUGH_LABELS, MIN_LABELS, Check
from sslrank.tabular.trust.significance import MAX_ROWS, sampled_rows

#: A single feature that predicts this well (balanced accuracy, R squared) is reported as a possible leak. Like the next
#: ones, this is a convention and decides nothing.
LEAK = 0.97
#: Of numbers, R squared from here to :data:`LEAK` is that of another outcome more often than of a cause.
_OUTCOME = 0.9
#: Maximum gap between the ranges of a target that was cut into classes, as a share of its range.
_CUT = 0.05
#: Number of best features that are tested one by one.
N_BEST = 10
#: R squared above which a number counts as a linear function of the best features, such as a total of its parts.
_EXACT = 0.999
#: The same for a C index, which even a strong cause rarely has: other times of a patient have .90 to 1.00.
_TIME_LEAK = 0.9
#: Probability that a value occurs only with events by accident, over all columns.
_ACCIDENT = 1e-6


def leak_check(coded, order, names, columns, design, seed):
    """Make the check C03, parameters as of :func:`sslrank.tabular.trust.checks.run_checks` and its procedure."""
    best = counted(min(N_BEST, len(order)), "feature")
    looked_at = f"whether a feature alone predicts the target ({LEAK:g} or more), among the best {best}"
    groups = np.arange(len(coded.X)) if design.whole_groups is None else design.whole_groups
    if len(coded.labeled) < 2 * MIN_LABELS or len(np.unique(groups[coded.labeled])) < FOLDS:
        return Check("C03", None, f"fewer than {2 * MIN_LABELS} labelled rows or {FOLDS} groups")
    if len(coded.labeled) > MAX_ROWS:
        rows = sampled_rows(coded, MAX_ROWS, seed)
        coded, design = coded.rows(rows), design.rows(rows)
    if (null := coded.targets.null) is not None and null.time is not None:
        return _other_times(coded, order, names)
    fold = np.zeros(len(coded.X), dtype=np.intp)
    for number, (_, test) in enumerate(make_folds(coded, FOLDS, derive_seed(seed, "leak"), design)):
        fold[test] = number
    targets, is_number = range(coded.target_values.shape[1]), coded.task in ("regression", "multitarget")
    best = [j for j in order[:N_BEST] if names[j] != columns.unit]  # which C07 names
    scores = {names[j]: max(_score_alone(coded, j, t, fold) for t in targets) for j in best}
    leaks = {name: score for name, score in scores.items() if score >= LEAK}
    cuts = [names[j] for j in best if is_number and names[j] not in leaks and _is_cut(coded, j)]
    parts = _parts_of_target(coded, best, names) if is_number and not (leaks or cuts) else []
    if is_other := is_number and not (leaks or cuts or parts):
        leaks = {name: score for name, score in scores.items() if score >= _OUTCOME}
        what = "another outcome" if len(leaks) == 1 else "other outcomes"
    else:
        what = f"{_part_words(parts)} of the target" if parts else "known only after the target"
    findings = {
        f"{_scored(leaks)} alone predict{'s' * (len(leaks) == 1)} the target{'' if is_other else ' nearly perfectly'} "
        f"({'R squared' if is_number else 'balanced accuracy'})": leaks,
        f"values of the target do not overlap between those of {listed(cuts)}": cuts,
        f"the target is a linear combination of {listed(parts)} (R squared {_EXACT:g} or more)": parts,
    }
    check = _named(looked_at, findings, what, f"Leave out {'what is ' * what.startswith('known')}{what}")
    return replace(check, leads=not is_other)


def _part_words(parts):
    return "a part" if len(parts) == 1 else "parts"


def _scored(scores):
    return listed(f"{name} ({score:.2f})" for name, score in scores.items())


def _named(looked_at, findings, what, advice):
    """Make the check C03 of the findings that name features, which would be wrong if these are `what`."""
    names = [name for which in findings.values() for name in which]
    if not names:
        return Check("C03", True, looked_at)
    finding = "; ".join(text for text, which in findings.items() if which)
    condition = f"{listed(names)} {'is' if len(names) == 1 else 'are'} {what}"
    return Check("C03", False, looked_at, finding, advice, {"drop": names}, condition)


def _is_cut(coded, feature):
    """Check if values of a feature, such as "low" and "normal", have adjacent ranges of the only target."""
    y, rows = coded.target(0)
    known_rows = rows[~np.isnan(coded.X[rows, feature])]
    parts = [part for _, part in pd.Series(coded.target_values[known_rows, 0]).groupby(coded.X[known_rows, feature])]
    if not 2 <= len(parts) <= FEW_CLASSES or min(map(len, parts)) < MIN_LABELS or len(known_rows) < ENOUGH_LABELS:
        return False
    ends = sorted((part.min(), part.max()) for part in parts)
    return all(0 <= other[0] - one[1] <= _CUT * np.ptp(y) for one, other in pairwise(ends))


def _other_times(coded, order, names):
    """Find features that order the events nearly as the time does, whose sum it is, or that are other statuses."""
    looked_at = f"whether a feature alone has a C index of {_TIME_LEAK:g} or more, has a value only where the event "
    looked_at += "happened or never exceeds the time, or the time is a sum of features"
    null, X = coded.targets.null.rows(coded.labeled), coded.X[coded.labeled]
    best = [j for j in order[:N_BEST] if not coded.nominal[j]]
    C = {}
    for j in best:
        is_known = ~np.isnan(X[:, j])
        if null.event[is_known].sum() >= MIN_LABELS:
            value = concordance(null.time[is_known], null.event[is_known], X[is_known, j, None])[0][0]
            C[names[j]] = max(value, 1 - value)
    found = {name: value for name, value in C.items() if value >= _TIME_LEAK}
    statuses = _statuses(X, null.event, names)
    within = [name for name in _times_within(X, null.time, names) if name not in found]
    parts = [] if found or statuses or within else _exact_sum(X[:, best], null.time, [names[j] for j in best])
    findings = {
        f"{_scored(found)} predict{'s' * (len(found) == 1)} the order of the events nearly perfectly (C index)": found,
        f"a value of {listed(statuses)} occurs only where the event happened": statuses,
        f"no value of {listed(within)} exceeds the time of its row": within,
        f"the time is a linear combination of {listed(parts)} (R squared {_EXACT:g} or more)": parts,
    }
    advice = "If it is another outcome, its status or a follow-up time, leave it out"
    what = f"{_part_words(parts)} of the time" if parts else "known only after the event"
    return _named(looked_at, findings, what, advice)


def _times_within(X, time, names):
    """Name the columns that never exceed the time in their row, which is no accident given the times of other rows."""
    columns_within, sorted_times = [], np.sort(time)
    for name, x in zip(names, X.T, strict=True):
        is_known = ~np.isnan(x)
        if is_known.sum() >= MIN_LABELS and (x[is_known] <= time[is_known]).all():
            by_accident = 1 - np.searchsorted(sorted_times, x[is_known]) / len(time)
            columns_within += [name] if by_accident.mean() ** is_known.sum() < _ACCIDENT / X.shape[1] else []
    return columns_within


def _statuses(X, event, names):
    """Name the columns with a value, or one of two values, only where the event happened, too often for an accident."""
    statuses, level = [], _ACCIDENT / max(X.shape[1], 1)
    for name, x in zip(names, X.T, strict=True):
        known, values = ~np.isnan(x), np.unique(x)
        marks = [x == value for value in values] if len(values) == 2 and known.all() else [known] * (not known.all())
        count = max((mark.sum() for mark in marks if event[mark].all()), default=0)
        statuses += [name] if np.mean(event > 0) ** count < level else []
    return statuses


def _parts_of_target(coded, best, names):
    """Find the best numeric features that a numeric target is a linear function of; empty if there are none."""
    best = [j for j in best if not coded.nominal[j]]
    for t in range(coded.target_values.shape[1]):
        y, rows = coded.target(t)
        if parts := _exact_sum(coded.X[np.ix_(rows, best)], y, [names[j] for j in best]):
            return parts
    return []


def _exact_sum(X, y, names):
    """Name the columns that y is nearly a linear function of, without gaps or with 0 in them; empty if none are."""
    complete = ~np.isnan(X).any(axis=1)
    if not complete.all() and (parts := _exact_sum(np.nan_to_num(X), y, names)):
        return parts
    X, y = X[complete], y[complete]
    if len(names) < 2 or len(y) < 3 * (len(names) + 1) or not np.ptp(y):
        return []
    X, y = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-300), (y - y.mean()) / y.std()

    near = np.abs(y) <= np.quantile(np.abs(y), 0.98)  # a single far row can make any R squared

    def is_exact(columns):
        rest = y - X[:, columns] @ np.linalg.lstsq(X[:, columns], y)[0]
        return np.mean(rest**2) <= 1 - _EXACT and np.mean(rest[near] ** 2) <= (1 - LEAK) * np.var(y[near])

    parts = np.arange(len(names))
    if not is_exact(parts):
        return []
    for j in parts[::-1]:
        if len(parts) > 1 and is_exact(parts[parts != j]):
            parts = parts[parts != j]
    return [names[j] for j in parts]


def within_one(X):
    """Scale columns to at most 1, as scikit-learn's trees use float32; missing values become -2."""
    largest = np.fmax.reduce(np.abs(X), axis=0, initial=np.finfo(np.float64).tiny)
    return np.nan_to_num(X / largest, nan=-2.0)


def _score_alone(coded, feature, target, fold):
    """Compute the cross-validated score of a tree on one feature: balanced accuracy, or R squared for a number."""
    y, rows = coded.target(target)
    if len(np.unique(fold[rows])) < 2 or len(np.unique(y)) < 2:
        return 0.0
    x = within_one(coded.X[rows, feature, None])
    is_number = coded.task in ("regression", "multitarget")
    tree = (DecisionTreeRegressor if is_number else DecisionTreeClassifier)(min_samples_leaf=2, random_state=0)
    predicted = cross_val_predict(tree, x, y, cv=PredefinedSplit(fold[rows]))
    return (r2_score if is_number else balanced_accuracy_score)(y, predicted)
