"""Checks of a ranked table, with findings and advice."""

from dataclasses import replace

import numpy as np
from scipy.stats import chi2_contingency, kruskal, mannwhitneyu, spearmanr
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

from sslrank.core.errors import DataError
from sslrank.core.messages import counted, listed, quoted
from sslrank.core.random_state import derive_seed
from sslrank.tabular.schema.features import CONSTANT, EMPTY, NAMING
from sslrank.tabular.schema.missing_codes import missing_codes_advice, missing_codes_note
from sslrank.tabular.schema.texts import NAME
from sslrank.tabular.trust.check import ENOUGH_LABELS, MIN_LABELS, Check
from sslrank.tabular.trust.dependence import DUPLICATES
from sslrank.tabular.trust.leaks import N_BEST, leak_check, within_one

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
            advice=f"Label rows of another class or with other values{_ways_with_unlabeled(table)}",
        )


def _ways_with_unlabeled(table):
    """Name the options for rows without a class: to compare with them, and to keep NA as a class."""
    if table.labeled.all() or table.task != "classification":
        return ""
    way = "--reader not_missing=NA" if table.path else "read the file with keep_default_na=False"
    compare = f"or compare them with all other rows ({'--positives-only' if table.path else 'positives_only=True'})"
    return f"; {compare}; if NA, read as missing, is a class: {way}"


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
        _totals(table),
        _gaps(coded, names),
        _far(table, coded, order, names),
        leak_check(coded, order, names, columns, dependence.design, seed),
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


def _gaps(coded, names):
    """Find features that are missing because of the target: the size of the difference counts, not only its p-value.

    It is the condition of the answer where it is large, and where the values that are known are not related.
    """
    looked_at = "whether missing values depend on the target"
    is_known, associations = ~np.isnan(coded.X), []
    for t in range(coded.target_values.shape[1]):
        y, rows = coded.target(t)
        sides = is_known[rows].sum(axis=0), (~is_known[rows]).sum(axis=0)
        for j in np.flatnonzero(np.minimum(*sides) >= _MIN_ROWS_PER_SIDE):
            p, size = _association(is_known[rows, j].astype(np.float64), y, coded.task, is_nominal=True)
            associations.append((j, t, p, size))
    level = 0.01 / max(len(associations), 1)
    associations = [row for row in associations if row[2] < level and row[3] >= _GAP_EFFECT]
    gaps = list(dict.fromkeys(names[j] for j, *_ in associations))
    which = f"{listed(gaps)} {'is' if len(gaps) == 1 else 'are'}"
    finding = f"the target depends on whether {which} known" if gaps else ""
    advice = "If they are measured because of the target, such as after a diagnosis, leave them out"
    alone = []
    for j, t, _, size in associations:
        y, rows = coded.target(t)
        part = is_known[rows, j]
        p = _association(coded.X[rows[part], j], y[part], coded.task, is_nominal=bool(coded.nominal[j]))[0]
        alone += [names[j]] if size >= _LARGE_GAP_EFFECT and p > 0.05 else []
    alone = list(dict.fromkeys(alone))
    measured = f"{listed(alone)} {'is' if len(alone) == 1 else 'are'} measured because of the target" if alone else ""
    return _check("C15", looked_at, finding, advice, {"drop": alone or gaps}, measured)


def _far(table, coded, order, names):
    """Find numbers whose correlation with the target is that of a few far values of it."""
    far, (options, how) = table.far, _leave_out(table.far, table.path)
    looked_at = f"whether a few values far from the others make a correlation with the target, of the best {N_BEST}"
    kind = next(iter(far), "").partition(" ")[0]
    rows_in_words, texts = f"{kind}{'s' * (len(far) > 1)} {listed(row.rpartition(' ')[2] for row in far)}", {}
    for j in order[:N_BEST] if far else ():
        y, rows = coded.target(0)
        x = coded.X[rows, j]
        is_known, is_near = ~np.isnan(x), ~np.isnan(x) & ~np.isin(y, list(far.values()))
        if coded.nominal[j] or not is_near.any() or not min(np.ptp(values[is_near]) for values in (x, y)):
            continue
        by_chance = 2 / np.sqrt(is_known.sum())
        r, rest = (np.corrcoef(x[part], y[part])[0, 1] for part in (is_known, is_near))
        if max(abs(rest), abs(spearmanr(x[is_known], y[is_known]).statistic)) < by_chance < abs(r) / 1.5:
            texts[names[j]] = f"{names[j]} has a correlation of {r:.2f}, but {rest:.2f} without {rows_in_words}"
    condition = f"{rows_in_words} {'is an error' if len(far) == 1 else 'are errors'} or not comparable"
    values = listed(f"{value:g}" for value in far.values())
    finding = f"{'; '.join(texts.values())} (target {values})" if texts else ""
    check = _check("C16", looked_at, finding, f"Look at these rows, and leave out errors{how}", options, condition)
    return replace(check, leads=names[order[0]] in texts)


def _association(x, y, task, is_nominal):
    """Compute the p-value and size of an association: that of AUC .5 + size / 2 for numbers, Cramér's V for classes."""
    is_number = task in ("regression", "multitarget")
    groups, numbers = (x, y) if is_nominal and is_number else (y, x)
    if is_number and not is_nominal:
        correlation = spearmanr(x, y) if min(np.ptp(x), np.ptp(y)) > 0 else None
        return (1.0, 0.0) if correlation is None else (float(correlation.pvalue), abs(float(correlation.statistic)))
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
    texts = [
        f"{names[first]} has the near-duplicate{'s' if len(others) > 1 else ''} {listed(names[j] for j in others)}"
        for first, *others in groups
    ]
    yield _check("C04", looked_at, _first_groups(texts), advice)
    # near-duplicates are named by C04, indicators by a note
    groups = redundancy.groups("correlated")
    groups = [group for group in groups if min(len({*near[group]}), len({*variables[group]})) > 1]
    texts = [f"{listed(names[j] for j in group)} are correlated" for group in groups]
    advice = "Correlated features share importance, which makes their order uncertain"
    yield _check("C05", looked_at, _first_groups(texts), advice)


def _first_groups(texts):
    return "; ".join(texts[:3]) + (f"; {counted(len(texts) - 3, 'more group')}" if len(texts) > 3 else "")


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


def _totals(table):
    looked_at, totals = "rows that are named as totals", table.totals
    if not totals:
        return Check("C14", True, looked_at)
    row, why = next(iter(totals.items()))
    more = f", and {counted(len(totals) - 1, 'more row')}" if len(totals) > 1 else ""
    finding, condition = f"{row} looks like a total: {why}{more}", f"{row} is a total of others"
    options, how = _leave_out(totals, table.path)
    return _check("C14", looked_at, finding, f"Leave totals out{how}", options, condition)


def _leave_out(rows, path):
    """Return the options that leave out rows named "line 3", and "", or {} and how to leave out rows named "row 2"."""
    numbers = ",".join(row.rpartition(" ")[2] for row in rows)
    if any(row.startswith("line") for row in rows):
        return {"reader": f"skip_lines={numbers}"}, ""
    return {}, f": X.drop(X.index[[{numbers}]])" if path is None else " in a copy of the file; rows count from 0"


def _shift(coded, seed):
    looked_at = "whether a classifier can distinguish labelled from unlabelled rows"
    labeled, unlabeled = coded.labeled, coded.unlabeled
    if min(len(labeled), len(unlabeled)) < ENOUGH_LABELS:
        return Check("C13", None, f"fewer than {ENOUGH_LABELS} labelled or unlabelled rows")
    rng = np.random.default_rng(derive_seed(seed, "shift"))
    parts = [rng.permutation(rows)[:_SHIFT_ROWS] for rows in (labeled, unlabeled)]
    X = within_one(coded.X[np.concatenate(parts)]).astype(np.float32)  # once, not in each fold
    is_labeled = np.repeat([1, 0], [len(part) for part in parts])
    forest = RandomForestClassifier(50, min_samples_leaf=3, class_weight="balanced", random_state=0)
    auc = roc_auc_score(is_labeled, cross_val_predict(forest, X, is_labeled, cv=3, method="predict_proba")[:, 1])
    looked_at += f" (AUC {auc:.2f}; 0.5: it cannot)"
    finding = f"labelled and unlabelled rows differ (AUC {auc:.2f})" if auc >= SHIFT_AUC else ""
    advice = "The ranking applies to rows like the labelled ones; label rows of the other kind too"
    return _check("C13", looked_at, finding, advice)
