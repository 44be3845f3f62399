"""Checks of a table that is ranked: findings, and advice on them."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.special import ndtri
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict

from sslrank.core.errors import DataError
from sslrank.core.messages import listed, quoted
from sslrank.core.random_state import derive_seed
from sslrank.tabular.trust.single_feature import score_alone, within_one
from sslrank.tabular.understanding.features import CONSTANT, EMPTY, NAMING, said_of_naming

#: Fewer labelled rows than this stop a ranking; fewer than `FEW_LABELS` say only what is strong.
FEWEST_LABELS, FEW_LABELS = 5, 30
#: One feature alone that predicts this well (balanced accuracy, R squared) is looked at with doubt.
LEAK = 0.97
#: Best features that are looked at one by one.
_LEAK_FEATURES = 10
#: Shares of missing values, of rows of the rarest class, and AUC of labelled against unlabelled rows that are named.
MISSING, IMBALANCE, SHIFT_AUC = 0.5, 0.2, 0.75
#: Rows of each kind that the classifier of labelled against unlabelled rows sees.
_SHIFT_ROWS = 500
#: It comes with the package.
PAGE = Path(__file__).with_name("CHECKS.md")

TITLES = {
    "C01": "identifiers and dates",
    "C02": "constant and missing columns",
    "C03": "leak",
    "C04": "copies of features",
    "C05": "correlated features",
    "C06": "duplicate rows",
    "C07": "rows that belong together",
    "C08": "order of time",
    "C09": "imbalance",
    "C10": "levels among the labelled rows",
    "C11": "number of labels",
    "C12": "test rows seen in training",
    "C13": "unlabelled rows unlike the labelled ones",
}


@dataclass(frozen=True)
class Check:
    """One thing that a table was checked for.

    Attributes
    ----------
    code : str
    passed : bool or None
        None if it could not be looked at.
    looked_at : str
    finding : str
        Empty if passed.
    advice : str

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

    @property
    def title(self):
        """Name of the check."""
        return TITLES[self.code]

    @property
    def page(self):
        """Where the page about the checks has this one: its file, and the anchor."""
        return f"{PAGE}#{self.code.lower()}"

    def summary(self):
        """Convert to a dict of plain values."""
        return {**vars(self), "title": self.title, "page": self.page}


def stop_without_labels(table):
    """Refuse a table by a DataError if it has one class or one value, or fewer than five labelled rows."""
    n_labeled = int(table.labeled.sum())
    if n_labeled < FEWEST_LABELS:
        raise DataError(
            f"C11: {n_labeled} rows have a target, too few to rank by (at least {FEWEST_LABELS})",
            file=table.path,
            advice="Label more rows",
        )
    y = table.y[table.labeled]
    if y.ndim == 1 and len({value for value in y.tolist() if value == value}) < 2:
        raise DataError(
            f"C11: all {n_labeled} rows with a target have {quoted(y[0])}: nothing tells features apart",
            file=table.path,
            advice="Label rows of another class, or with other values",
        )


def run_checks(table, problem, found_rows, redundancy, order, seed=0, n_jobs=None):
    """Check a table whose features are in `order` from the best one; give one :class:`Check` of each code."""
    names = [str(name) for name in table.X.columns]
    return [
        _identifiers(table),
        _empty(table, problem, names),
        _leak(problem, order, names, found_rows.blocks, seed),
        *_alike(redundancy, names),
        _duplicates(problem, found_rows),
        _groups(table, problem, found_rows),
        _time(table, found_rows),
        _imbalance(problem),
        _levels(problem, names),
        _labels(problem),
        _seen(problem, found_rows),
        _shift(problem, seed, n_jobs),
    ]


def _identifiers(table):
    said = "columns that name or date rows"
    reasons = {name: reason for name, reason in table.dropped.items() if reason in NAMING}
    if reasons:
        said += f"; left out: {listed(f'{name} ({reason})' for name, reason in reasons.items())}"
    if table.naming:
        return Check("C01", False, said, said_of_naming(table.naming), "Leave out columns that name rows: --drop NAMES")
    return Check("C01", True, said)


def _empty(table, problem, names):
    said = "values that are missing or all the same"
    constant = [name for name, reason in table.dropped.items() if reason in (CONSTANT, EMPTY)]
    said += f"; left out: {listed(constant)}" if constant else ""
    labeled = problem.X[problem.labeled]
    missing = np.isnan(labeled).mean(axis=0)
    many = [names[j] for j in np.flatnonzero(missing > MISSING)]
    varies = np.fmin.reduce(labeled) < np.fmax.reduce(labeled)
    same = [names[j] for j in np.flatnonzero(~varies)]
    if not many and not same:
        return Check("C02", True, said)
    parts = [f"no value, or the same one, in all labelled rows: {listed(same)}"] if same else []
    more = [name for name in many if name not in same]
    parts += [f"missing in more than {MISSING:.0%} of the labelled rows: {listed(more)}"] if more else []
    advice = "These rows say little or nothing about such features: their places are chance"
    return Check("C02", False, said, "; ".join(parts), advice)


def _leak(problem, order, names, blocks, seed):
    said = f"whether one feature alone tells nearly all, among the best {min(_LEAK_FEATURES, len(order))}"
    if len(problem.labeled) < 2 * FEWEST_LABELS:
        return Check("C03", None, said)
    telling = {}
    for j in order[:_LEAK_FEATURES]:
        for t in range(problem.columns.shape[1]):
            score = score_alone(problem, j, t, blocks, seed)
            if score >= LEAK:
                telling[names[j]] = max(telling.get(names[j], 0), score)
    if not telling:
        return Check("C03", True, said)
    shown = listed(f"{name} ({score:.2f})" for name, score in telling.items())
    word = "balanced accuracy" if problem.task not in ("regression", "multitarget") else "R squared"
    finding = f"{shown} alone tell{'s' * (len(telling) == 1)} nearly all of the target ({word})"
    return Check(
        "C03",
        False,
        said,
        finding,
        "Was this known before the target was? If not, --drop it. Does it name "
        "whom a row is about? Then --groups, not --drop",
    )


def _alike(redundancy, names):
    said = f"pairs among the best {len(redundancy.features)} features"
    found = []
    for code, of, advice in (
        ("C04", "copies", "The list shows them under their best member; keep one of each"),
        ("C05", "correlated", "They share what they tell: their places say little about each of them"),
    ):
        groups = redundancy.groups(of)
        if of == "correlated":  # those that are copies only were named
            groups = [group for group in groups if len({redundancy.copies[j] for j in group}) > 1]
        if not groups:
            found.append(Check(code, True, said))
            continue
        finding = "; ".join(_named(group, names, of) for group in groups[:3])
        finding += f"; {len(groups) - 3} more groups" if len(groups) > 3 else ""
        found.append(Check(code, False, said, finding, advice))
    return found


def _named(group, names, of):
    first, *others = (names[j] for j in group)
    if of == "copies":
        return f"{listed(others)} {'is a copy' if len(others) == 1 else 'are copies'} of {first}"
    return f"{listed([first, *others])} are correlated"


def _duplicates(problem, found):
    said = "labelled rows with equal values in all features"
    if not found.n_copies:
        return Check("C06", True, said)
    finding = f"{found.n_copies} of {len(problem.labeled)} labelled rows are copies of others"
    kept = found.blocks.kind == "groups"
    return Check(
        "C06", False, said, finding, "They are kept in one fold" if kept else "Name their groups: --groups COLUMN"
    )


def _groups(table, problem, found):
    said = "labelled rows that are near-identical and share a target"
    if table.groups is not None:
        return Check("C07", True, f"{found.blocks.reason} as given: never split between training and testing")
    if len(problem.labeled) > 1000:
        said += " (among more than 1000 labelled rows: not looked at)"
        return Check("C07", None, said)
    if not found.clusters:
        return Check("C07", True, said)
    advice = "Name the column that groups these rows: --groups COLUMN; or say --groups none"
    return Check("C07", False, said, f"{found.clusters} that share a target", advice)


def _time(table, found):
    said = "whether the target and features move with the order of the rows"
    if table.time is not None:
        return Check("C08", True, "time as given: earlier rows are trained on, later ones tested")
    if found.is_sorted:
        return Check(
            "C08", None, "the rows are sorted by the target or a feature; --time COLUMN if their order is time"
        )
    if not found.drift:
        return Check("C08", True, said)
    advice = "If the order is time, name its column: --time COLUMN; else say --time none"
    return Check("C08", False, said, found.drift, advice)


def _imbalance(problem):
    said = "shares of the classes or labels among the labelled rows"
    if problem.task in ("regression", "multitarget"):
        return Check("C09", True, "nothing, as the target is no class")
    rare = []
    for t in range(problem.columns.shape[1]):
        y, _ = problem.target(t)
        values, counts = np.unique(y, return_counts=True)
        if len(values) > 1 and counts.min() < IMBALANCE * 2 * len(y) / len(values):
            rare.append((counts.min() / len(y), counts.min()))
    if not rare:
        return Check("C09", True, said)
    share, count = min(rare)
    what = "the rarest class" if problem.task == "classification" else f"{len(rare)} labels"
    finding = (
        f"{what} {'has' if problem.task == 'classification' else 'are rare: the rarest has'} {count} rows ({share:.0%})"
    )
    return Check("C09", False, said, finding, "Label more of its rows; the measure was chosen for that (--measure)")


def _levels(problem, names):
    said = "categories of nominal features among labelled and unlabelled rows"
    labeled, unlabeled = problem.labeled, problem.unlabeled
    unseen, single = {}, {}
    for j in np.flatnonzero(problem.nominal):
        known = problem.X[labeled, j]
        levels, counts = np.unique(known[~np.isnan(known)], return_counts=True)
        others = problem.X[unlabeled, j]
        others = others[~np.isnan(others)]
        new = ~np.isin(others, levels)
        if len(others) and new.mean() > 0.05:
            unseen[names[j]] = new.mean()
        if len(levels) > 2 and (counts == 1).sum() > len(levels) / 3:
            single[names[j]] = len(levels)
    if not unseen and not single:
        return Check("C10", True, said)
    parts = [
        f"{name}: {share:.0%} of the unlabelled rows have categories without any label"
        for name, share in unseen.items()
    ]
    parts += [f"{name}: more than a third of its {n} categories have one labelled row" for name, n in single.items()]
    return Check("C10", False, said, "; ".join(parts[:3]), "Merge rare categories, or label rows of each")


def _labels(problem):
    n = len(problem.labeled)
    said = f"{n} labelled rows"
    if n >= FEW_LABELS:
        return Check("C11", True, said)
    level = 0.05 / problem.X.shape[1]
    needed = float(np.tanh((ndtri(1 - level / 2) + ndtri(0.8)) / np.sqrt(max(n - 3, 1))))
    finding = (
        f"from {n} labelled rows, at most features with a correlation of about {needed:.2f} or more with the target"
    )
    return Check("C11", False, said, f"{finding} can be told from chance", "Label more rows")


def _seen(problem, found):
    said = "unlabelled rows that are equal to labelled ones"
    if not found.n_seen:
        return Check("C12", True, said)
    finding = f"{found.n_seen} of {len(problem.unlabeled)} unlabelled rows are copies of labelled rows"
    return Check("C12", False, said, finding, "Do not judge a model on rows whose copies it was trained on")


def _shift(problem, seed, n_jobs):
    said = "whether a classifier tells labelled rows from unlabelled ones"
    labeled, unlabeled = problem.labeled, problem.unlabeled
    if min(len(labeled), len(unlabeled)) < FEW_LABELS:
        return Check("C13", True if not len(unlabeled) else None, said)
    rng = np.random.default_rng(derive_seed(seed, "shift"))
    parts = [rng.permutation(rows)[:_SHIFT_ROWS] for rows in (labeled, unlabeled)]
    X = within_one(problem.X[np.concatenate(parts)]).astype(np.float32)  # as trees of scikit-learn make it in each fold
    is_labeled = np.repeat([1, 0], [len(part) for part in parts])
    forest = RandomForestClassifier(50, min_samples_leaf=3, class_weight="balanced", random_state=0, n_jobs=n_jobs)
    scores = cross_val_predict(forest, X, is_labeled, cv=3, method="predict_proba")[:, 1]
    auc = roc_auc_score(is_labeled, np.round(scores, 9))  # threads add trees up in any order
    said += f" (AUC {auc:.2f}, 0.5: it does not)"
    if auc < SHIFT_AUC:
        return Check("C13", True, said)
    finding = f"labelled and unlabelled rows differ (AUC {auc:.2f})"
    return Check("C13", False, said, finding, "The ranking is about rows such as the labelled ones; label others too")
