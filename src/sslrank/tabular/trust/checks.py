"""Checks of a ranked table, with findings and advice."""

from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import pandas as pd
from scipy.stats import chi2_contingency, kruskal, mannwhitneyu, spearmanr
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score, r2_score, roc_auc_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sslrank.core.errors import DataError
from sslrank.core.messages import counted, listed, quoted
from sslrank.core.null_model import concordance
from sslrank.core.random_state import derive_seed
from sslrank.core.target_columns import FEW_CLASSES
from sslrank.tabular.fits.folds import FOLDS, make_folds
from sslrank.tabular.schema.features import CONSTANT, EMPTY, NAMING
from sslrank.tabular.schema.missing_codes import missing_codes_advice, missing_codes_note
from sslrank.tabular.schema.texts import NAME
from sslrank.tabular.trust.dependence import DUPLICATES
from sslrank.tabular.trust.significance import MAX_ROWS, sampled_rows

#: Minimum number of labelled rows to rank; and number below which only strong relations are detected.
MIN_LABELS, ENOUGH_LABELS = 5, 30
#: A single feature that predicts this well (balanced accuracy, R squared) is reported as a possible leak. Like the next
#: ones, this is a convention and decides nothing.
LEAK = 0.97
#: Of numbers, R squared from here to :data:`LEAK` is that of another outcome more often than of a cause.
_OUTCOME = 0.9
#: Maximum gap between the ranges of a target that was cut into classes, as a share of its range.
_CUT = 0.05
#: Number of best features that are tested one by one.
_LEAK_FEATURES = 10
#: R squared above which a number counts as a linear function of the best features, such as a total of its parts.
_EXACT = 0.999
#: The same for a C index, which even a strong cause rarely has: other times of a patient have .90 to 1.00.
TIME_LEAK = 0.9
#: Probability that a value occurs only with events by accident, over all columns.
_ACCIDENT = 1e-6
#: Smallest and large effect of missing values on the target: twice AUC - 1, or Cramér's V.
_GAP_EFFECT, _LARGE_GAP_EFFECT = 0.2, 0.4
#: Minimum number of rows with and without a value of a feature to compare the target.
_MIN_ROWS_PER_SIDE = 5
#: Thresholds to report: share of missing values, and AUC of a classifier of labelled against unlabelled rows.
MAX_MISSING_SHARE, SHIFT_AUC = 0.5, 0.75
#: Maximum number of rows of each kind for the classifier of labelled against unlabelled rows.
_SHIFT_ROWS = 500
#: What to do if the order of the rows is time and no column says so.
NAME_TIME = "name the column of their time, or number the rows in a new one (--time)"
TITLES = {
    "C01": "identifiers and dates",
    "C02": "constant columns and missing values",
    "C03": "target leakage",
    "C04": "near-duplicate features",
    "C05": "correlated features",
    "C06": "duplicate rows",
    "C07": "groups of rows",
    "C08": "temporal order",
    "C11": "number of labels",
    "C13": "shift between labelled and unlabelled rows",
    "C14": "rows of totals",
    "C15": "missing values that depend on the target",
}


@dataclass(frozen=True)
class Check:
    """Result of one check of a table.

    Attributes
    ----------
    code : str
    passed : bool or None
        None if it was skipped.
    looked_at : str
        What was checked; why not, if it was skipped.
    finding : str
        Empty if passed.
    advice : str
    options : dict of str to str or list of str
        Options of the command, or parameters of :func:`sslrank.rank`, that follow the advice.
    condition : str
        Condition that only a person can check and that makes the ranking wrong; empty if there is none, or no evidence
        besides a p-value.
    leads : bool
        Whether the answer may begin with the condition.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> checks = rank(X, y, methods="f_score", effort="order").checks
    >>> [check.code for check in checks if check.passed is False]
    ['C05']
    """

    code: str
    passed: bool | None
    looked_at: str
    finding: str = ""
    advice: str = ""
    options: dict = field(default_factory=dict)
    condition: str = ""
    leads: bool = True

    @property
    def title(self):
        """Name of the check."""
        return TITLES[self.code]


def stop_without_labels(table):
    """Raise DataError if the labelled rows have one class or one value, or are fewer than five."""
    n_labeled = int(table.labeled.sum())
    if n_labeled < MIN_LABELS:
        raise DataError(
            f"C11: {counted(n_labeled, 'row has', 'rows have')} a target; a ranking needs at least {MIN_LABELS}",
            advice="Label more rows",
        )
    y = table.y[table.labeled]
    if y.ndim == 1 and len({value for value in y.tolist() if value == value}) < 2:
        raise DataError(
            f"C11: all {n_labeled} labelled rows have the target {quoted(y[0])}: there is nothing to predict",
            advice="Label rows of another class or with other values; or compare them with all other rows "
            f"({'--positives-only' if table.path else 'positives_only=True'}){_way_to_keep_na(table)}",
        )


def _way_to_keep_na(table):
    """Name the option that keeps NA as a class, if the rows without one may have it."""
    if table.labeled.all() or table.task != "classification":
        return ""
    way = "--reader not_missing=NA" if table.path else "read the file with keep_default_na=False"
    return f"; if NA, read as missing, is a class: {way}"


def run_checks(table, procedure, redundancy, order):
    """Run the checks of a table.

    Parameters
    ----------
    table : sslrank.tabular.schema.table.OwnTable
    procedure : sslrank.tabular.trust.procedure.Procedure
    redundancy : sslrank.tabular.trust.redundancy.Redundancy
    order : sequence of int
        Features, the best first.

    Returns
    -------
    list of Check
        One for each code, in order.
    """
    coded, dependence, columns, seed = procedure.coded, procedure.dependence, procedure.columns, procedure.seed
    names = list(map(str, table.X))
    checks = [
        _identifiers(table.features),
        _empty(table.features, coded, names),
        _duplicates(coded, dependence),
        _groups(table, coded, columns, dependence.design),
        _time(table, columns, dependence),
        _labels(coded),
        _totals(table.totals),
        _gaps(coded, names),
        _leak(coded, order, names, columns, dependence.design, seed),
        *_redundant(redundancy, columns, names),
        _shift(coded, seed),
    ]
    return sorted(checks, key=lambda check: check.code)


def _check(code, looked_at, finding, advice="", options=None, condition=""):
    """Make the check with its finding; it has passed if the finding is empty."""
    if not finding:
        return Check(code, True, looked_at)
    return Check(code, False, looked_at, finding, advice, options or {}, condition)


def _identifiers(features):
    looked_at = "columns that identify rows, and ambiguous dates"
    reasons = {name: reason for name, reason in features.dropped.items() if reason in NAMING}
    if reasons:
        looked_at += f"; left out: {listed(f'{name} ({reason})' for name, reason in reasons.items())}"
    names = features.possible_identifiers
    finding = f"{listed(names, NAME)}: more than half of the rows have a text of their own" if names else ""
    return _check("C01", looked_at, finding, "Leave identifiers, such as names of patients, out", {"drop": names})


def _empty(features, coded, names):
    looked_at = "columns that are constant or mostly missing, and codes of missing values"
    constant = [name for name, reason in features.dropped.items() if reason in (CONSTANT, EMPTY)]
    looked_at += f"; left out: {listed(constant)}" if constant else ""
    labeled = coded.X[coded.labeled]
    missing = np.isnan(labeled).mean(axis=0)
    mostly_missing = [names[j] for j in np.flatnonzero(missing > MAX_MISSING_SHARE)]
    varies = np.fmin.reduce(labeled) < np.fmax.reduce(labeled)
    same = [names[j] for j in np.flatnonzero(~varies)]
    problems = {f"empty or constant in the labelled rows: {listed(same)}": "their rank is arbitrary"} if same else {}
    if not_constant := [name for name in mostly_missing if name not in same]:
        finding = f"missing in more than {MAX_MISSING_SHARE:.0%} of the labelled rows: {listed(not_constant)}"
        problems[finding] = "their ranks use only the rows where they are known"
    if features.missing_codes:
        codes = features.missing_codes
        problems[missing_codes_note(codes)] = missing_codes_advice(codes, features.X.columns)
    advice = "; ".join(problems.values())
    return _check("C02", looked_at, "; ".join(problems), advice[:1].upper() + advice[1:])


def _leak(coded, order, names, columns, design, seed):
    best = counted(min(_LEAK_FEATURES, len(order)), "feature")
    looked_at = f"whether a feature alone predicts the target ({LEAK:g} or more), among the best {best}"
    groups = np.arange(len(coded.X)) if design.whole_groups is None else design.whole_groups
    if len(coded.labeled) < 2 * MIN_LABELS or len(np.unique(groups[coded.labeled])) < FOLDS:
        return Check("C03", None, f"fewer than {2 * MIN_LABELS} labelled rows or {FOLDS} groups")
    if len(coded.labeled) > MAX_ROWS:
        rows = sampled_rows(coded, MAX_ROWS, seed)
        coded, design = coded.rows(rows), design.rows(rows)
    if (null := coded.targets.null) is not None and null.time is not None:
        return _other_times(coded, order, names)
    fold, leaks = np.zeros(len(coded.X), dtype=np.intp), {}
    for number, (_, test) in enumerate(make_folds(coded, FOLDS, derive_seed(seed, "leak"), design)):
        fold[test] = number
    targets, is_number = range(coded.target_values.shape[1]), coded.task in ("regression", "multitarget")
    best = [j for j in order[:_LEAK_FEATURES] if names[j] != columns.unit]  # which C07 names
    scores = {names[j]: max(_score_alone(coded, j, t, fold) for t in targets) for j in best}
    leaks = {name: score for name, score in scores.items() if score >= LEAK}
    cuts = [names[j] for j in best if is_number and names[j] not in leaks and _is_cut(coded, j)]
    parts = _parts_of_target(coded, best, names) if is_number and not (leaks or cuts) else []
    if is_other := is_number and not (leaks or cuts or parts):
        leaks = {name: score for name, score in scores.items() if score >= _OUTCOME}
    what = "parts of the target" if parts else "known only after the target"
    if is_other:
        what = "another outcome" if len(leaks) == 1 else "other outcomes"
    findings = {
        f"{_scored(leaks)} alone predict{'s' * (len(leaks) == 1)} the target{'' if is_other else ' nearly perfectly'} "
        f"({'R squared' if is_number else 'balanced accuracy'})": leaks,
        f"values of the target do not overlap between those of {listed(cuts)}": cuts,
        f"the target is a linear combination of {listed(parts)} (R squared {_EXACT:g} or more)": parts,
    }
    check = _leak_check(looked_at, findings, what, f"Leave out what is {what}")
    return replace(check, leads=not is_other)


def _scored(scores):
    return listed(f"{name} ({score:.2f})" for name, score in scores.items())


def _leak_check(looked_at, findings, what, advice):
    """Make the check C03 of the findings that name features, which would be wrong if these are `what`."""
    finding = "; ".join(text for text, which in findings.items() if which)
    names = [name for which in findings.values() for name in which]
    condition = f"{listed(names)} {'is' if len(names) == 1 else 'are'} {what}"
    return _check("C03", looked_at, finding, advice, {"drop": names}, condition)


def _is_cut(coded, feature):
    """Check if values of a feature, such as "low" and "normal", have adjacent ranges of the only target."""
    y, rows = coded.target(0)
    known = rows[~np.isnan(coded.X[rows, feature])]
    parts = [part for _, part in pd.Series(coded.target_values[known, 0]).groupby(coded.X[known, feature])]
    if not 2 <= len(parts) <= FEW_CLASSES or min(map(len, parts)) < MIN_LABELS or len(known) < ENOUGH_LABELS:
        return False
    ends = sorted((part.min(), part.max()) for part in parts)
    return all(0 <= other[0] - one[1] <= _CUT * np.ptp(y) for one, other in pairwise(ends))


def _other_times(coded, order, names):
    """Find features that order the events nearly as the time does, whose sum it is, or that are other statuses."""
    looked_at = f"whether a feature alone has a C index of {TIME_LEAK:g} or more, has a value only where the event "
    looked_at += "happened or never exceeds the time, or the time is a sum of features"
    null = coded.targets.null.rows(coded.labeled)
    best = [j for j in order[:_LEAK_FEATURES] if not coded.nominal[j]]
    C = {}
    for j in best:
        x = coded.X[coded.labeled, j]
        known = ~np.isnan(x)
        if null.event[known].sum() >= MIN_LABELS:
            value = concordance(null.time[known], null.event[known], x[known, None])[0][0]
            C[names[j]] = max(value, 1 - value)
    found = {name: value for name, value in C.items() if value >= TIME_LEAK}
    statuses = _statuses(coded.X[coded.labeled], null.event, names)
    within = [name for name in _times_within(coded.X[coded.labeled], null.time, names) if name not in found]
    parts = []
    if not (found or statuses or within):
        parts = _exact_sum(coded.X[np.ix_(coded.labeled, best)], null.time, [names[j] for j in best])
    findings = {
        f"{_scored(found)} predict{'s' * (len(found) == 1)} the order of the events nearly perfectly (C index)": found,
        f"a value of {listed(statuses)} occurs only where the event happened": statuses,
        f"no value of {listed(within)} exceeds the time of its row": within,
        f"the time is a linear combination of {listed(parts)} (R squared {_EXACT:g} or more)": parts,
    }
    advice = "If it is another outcome, its status or a follow-up time, leave it out"
    return _leak_check(looked_at, findings, "parts of the time" if parts else "known only after the event", advice)


def _times_within(X, time, names):
    """Name the columns that never exceed the time in their row, which is no accident given the times of other rows."""
    found, sorted_times = [], np.sort(time)
    for name, x in zip(names, X.T, strict=True):
        known = ~np.isnan(x)
        if known.sum() >= MIN_LABELS and (x[known] <= time[known]).all():
            by_accident = 1 - np.searchsorted(sorted_times, x[known]) / len(time)
            found += [name] if by_accident.mean() ** known.sum() < _ACCIDENT / X.shape[1] else []
    return found


def _statuses(X, event, names):
    """Name the columns with a value, or one of two values, only where the event happened, too often for an accident."""
    found, level = [], _ACCIDENT / max(X.shape[1], 1)
    for name, x in zip(names, X.T, strict=True):
        known, values = ~np.isnan(x), np.unique(x)
        marks = [x == value for value in values] if len(values) == 2 and known.all() else [known] * (not known.all())
        count = max((mark.sum() for mark in marks if event[mark].all()), default=0)
        found += [name] if np.mean(event > 0) ** count < level else []
    return found


def _parts_of_target(coded, best, names):
    """Find the best numeric features that a numeric target is a linear function of; empty if there are none."""
    best = [j for j in best if not coded.nominal[j]]
    for t in range(coded.target_values.shape[1]):
        y, rows = coded.target(t)
        if parts := _exact_sum(coded.X[np.ix_(rows, best)], y, [names[j] for j in best]):
            return parts
    return []


def _exact_sum(X, y, names):
    """Name the columns that y is nearly a linear function of; empty if there are none."""
    complete = ~np.isnan(X).any(axis=1)
    X, y = X[complete], y[complete]
    if len(names) < 2 or len(y) < 3 * (len(names) + 1) or not np.ptp(y):
        return []
    X, y = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-300), (y - y.mean()) / y.std()
    weights = np.linalg.lstsq(X, y)[0]
    is_exact = 1 - np.mean((y - X @ weights) ** 2) >= _EXACT
    return [name for name, weight in zip(names, weights, strict=True) if is_exact and abs(weight) > 0.01]


def _gaps(coded, names):
    """Find features that are missing because of the target: the size of the difference counts, not only its p-value.

    It is the condition of the answer where it is large, and where the values that are known are not related.
    """
    looked_at = "whether missing values depend on the target"
    known, found = ~np.isnan(coded.X), []
    for t in range(coded.target_values.shape[1]):
        y, rows = coded.target(t)
        sides = known[rows].sum(axis=0), (~known[rows]).sum(axis=0)
        for j in np.flatnonzero(np.minimum(*sides) >= _MIN_ROWS_PER_SIDE):
            p, size = _association(known[rows, j].astype(np.float64), y, coded.task, is_nominal=True)
            found.append((j, t, p, size))
    level = 0.01 / max(len(found), 1)
    found = [row for row in found if row[2] < level and row[3] >= _GAP_EFFECT]
    gaps = list(dict.fromkeys(names[j] for j, *_ in found))
    which = f"{listed(gaps)} {'is' if len(gaps) == 1 else 'are'}"
    finding = f"the target depends on whether {which} known" if gaps else ""
    advice = "If they are measured because of the target, such as after a diagnosis, leave them out"
    alone = []
    for j, t, _, size in found:
        y, rows = coded.target(t)
        part = known[rows, j]
        p = _association(coded.X[rows[part], j], y[part], coded.task, is_nominal=bool(coded.nominal[j]))[0]
        alone += [names[j]] if size >= _LARGE_GAP_EFFECT and p > 0.05 else []
    alone = list(dict.fromkeys(alone))
    measured = f"{listed(alone)} {'is' if len(alone) == 1 else 'are'} measured because of the target" if alone else ""
    return _check("C15", looked_at, finding, advice, {"drop": alone or gaps}, measured)


def _association(x, y, task, is_nominal):
    """Compute the p-value and size of an association: that of AUC .5 + size / 2 for numbers, Cramér's V for classes."""
    is_number = task in ("regression", "multitarget")
    groups, numbers = (x, y) if is_nominal and is_number else (y, x)
    if is_number and not is_nominal:
        found = spearmanr(x, y) if min(np.ptp(x), np.ptp(y)) > 0 else None
        return (1.0, 0.0) if found is None else (float(found.pvalue), abs(float(found.statistic)))
    parts = [numbers[groups == value] for value in np.unique(groups)]
    if len(parts) < 2 or not np.ptp(numbers):
        return 1.0, 0.0
    if is_number or not is_nominal:
        auc = mannwhitneyu(parts[0], parts[1]).statistic / (len(parts[0]) * len(parts[1]))
        return float(kruskal(*parts).pvalue), abs(2 * auc - 1)
    counts = [[(part == value).sum() for value in np.unique(numbers)] for part in parts]
    chi2, p = chi2_contingency(counts, correction=False)[:2]
    return float(p), float(np.sqrt(chi2 / np.sum(counts) / (min(np.shape(counts)) - 1)))


def _redundant(redundancy, columns, names):
    looked_at = f"pairs among the best {counted(len(redundancy.features), 'feature')}"
    near, variables = redundancy.near_duplicates, columns.numbers
    groups = redundancy.groups("near_duplicates")
    advice = "Each group is listed under its best feature; keep one of each"
    if any(len(set(variables[group])) < len(group) for group in groups):
        advice += "; functions of one number are one variable in conditional tests (else --keep)"
    yield _check("C04", looked_at, _groups_in_words(groups, names, "near_duplicates"), advice)
    # near-duplicates are named by C04, indicators by a note
    groups = redundancy.groups("correlated")
    groups = [group for group in groups if min(len({*near[group]}), len({*variables[group]})) > 1]
    advice = "Correlated features share importance, which makes their order uncertain"
    yield _check("C05", looked_at, _groups_in_words(groups, names, "correlated"), advice)


def _groups_in_words(groups, names, level):
    more = f"; {counted(len(groups) - 3, 'more group')}" if len(groups) > 3 else ""
    return "; ".join(_group_words(group, names, level) for group in groups[:3]) + more


def _group_words(group, names, level):
    first, *others = (names[j] for j in group)
    if level == "near_duplicates":
        return f"{first} has the near-duplicate{'s' if len(others) > 1 else ''} {listed(others)}"
    return f"{listed([first, *others])} are correlated"


def _duplicates(coded, dependence):
    of_rows, n = f"of {len(coded.labeled)} labelled rows", dependence.n_duplicates
    finding = counted(n, f"{of_rows} is a duplicate of another", f"{of_rows} are duplicates of others") if n else ""
    are_kept = dependence.design.reason == DUPLICATES
    advice = "Kept in one fold; intervals count each once" if are_kept else "Keep one of each observation"
    return _check("C06", "labelled rows that are equal in all features", finding, advice)


def _groups(table, coded, columns, design):
    if table.row_columns.groups is not None:
        kept = "never split between training and testing" if design.unit == "groups" else "each at all its times"
        return Check("C07", True, f"{design.reason} as given: {kept}")
    finding = ""
    if columns.unit:
        n_units = len(np.unique(table.features.units[columns.unit][coded.labeled]))
        finding = f"{len(coded.labeled)} labelled rows have {n_units} values of {columns.unit}"
    advice = "Name the column that groups these rows, or say that there are none (--groups none)"
    condition = f"rows of one {columns.unit} depend on each other"
    return _check("C07", "identifiers that several rows share", finding, advice, {"groups": columns.unit}, condition)


def _time(table, columns, dependence):
    if table.row_columns.time is not None:
        is_order = dependence.design.unit == "times"
        split = "earlier rows are trained on, later ones tested" if is_order else "whole groups are kept together"
        return Check("C08", True, f"time as given: {split}")
    if columns.sort_key:
        return Check("C08", None, f"the rows are sorted by {columns.sort_key}; --time COLUMN if their order is time")
    if table.row_columns.groups is not None:
        return Check("C08", None, "groups are given; --time COLUMN, too, if the table is a panel")
    looked_at = "whether the target and features resemble those of the row before"
    advice = f"If the order of the rows is time, {NAME_TIME}; if not, say so (--time none)"
    condition = "the order of the rows is time" if columns.order else ""  # evidence besides a p-value
    return _check("C08", looked_at, dependence.series, advice, {"time": columns.order}, condition)


def _labels(coded):
    looked_at = f"{len(coded.labeled)} labelled rows"
    finding = f"{looked_at} detect only strong relations" if len(coded.labeled) < ENOUGH_LABELS else ""
    return _check("C11", looked_at, finding, "Label more rows")


def _totals(totals):
    looked_at = "rows that are named as totals"
    if not totals:
        return Check("C14", True, looked_at)
    place, why = next(iter(totals.items()))
    more = f", and {counted(len(totals) - 1, 'more row')}" if len(totals) > 1 else ""
    finding, condition = f"{place} looks like a total: {why}{more}", f"{place} is a total of others"
    numbers = ",".join(place.rpartition(" ")[2] for place in totals)
    if place.startswith("line"):
        return _check("C14", looked_at, finding, "Leave totals out", {"reader": f"skip_lines={numbers}"}, condition)
    return _check("C14", looked_at, finding, f"Leave totals out: X.drop(X.index[[{numbers}]])", {}, condition)


def _shift(coded, seed):
    looked_at = "whether a classifier can distinguish labelled from unlabelled rows"
    labeled, unlabeled = coded.labeled, coded.unlabeled
    if min(len(labeled), len(unlabeled)) < ENOUGH_LABELS:
        return Check("C13", None, f"fewer than {ENOUGH_LABELS} labelled or unlabelled rows")
    rng = np.random.default_rng(derive_seed(seed, "shift"))
    parts = [rng.permutation(rows)[:_SHIFT_ROWS] for rows in (labeled, unlabeled)]
    X = _within_one(coded.X[np.concatenate(parts)]).astype(np.float32)  # once, not in each fold
    is_labeled = np.repeat([1, 0], [len(part) for part in parts])
    forest = RandomForestClassifier(50, min_samples_leaf=3, class_weight="balanced", random_state=0)
    auc = roc_auc_score(is_labeled, cross_val_predict(forest, X, is_labeled, cv=3, method="predict_proba")[:, 1])
    looked_at += f" (AUC {auc:.2f}; 0.5: it cannot)"
    finding = f"labelled and unlabelled rows differ (AUC {auc:.2f})" if auc >= SHIFT_AUC else ""
    advice = "The ranking applies to rows like the labelled ones; label rows of the other kind too"
    return _check("C13", looked_at, finding, advice)


def _within_one(X):
    """Scale columns to at most 1, as scikit-learn's trees use float32; missing values become -2."""
    largest = np.fmax.reduce(np.abs(X), axis=0, initial=np.finfo(np.float64).tiny)
    return np.nan_to_num(X / largest, nan=-2.0)


def _score_alone(coded, feature, target, fold):
    """Compute the cross-validated score of a tree on one feature: balanced accuracy, or R squared for a number."""
    y, rows = coded.target(target)
    if len(np.unique(fold[rows])) < 2 or len(np.unique(y)) < 2:
        return 0.0
    x = _within_one(coded.X[rows, feature, None])
    is_number = coded.task in ("regression", "multitarget")
    tree = (DecisionTreeRegressor if is_number else DecisionTreeClassifier)(min_samples_leaf=2, random_state=0)
    predicted = cross_val_predict(tree, x, y, cv=PredefinedSplit(fold[rows]))
    return (r2_score if is_number else balanced_accuracy_score)(y, predicted)
