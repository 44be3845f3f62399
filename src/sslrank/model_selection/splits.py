"""Create folds, and choose the training rows that keep their labels.

A split scheme determines training and test rows (*folds*), and which training rows keep their labels with each
*budget*. Budgets are strings, so that they can name files:

========================  ==============================================================
``"50"``                  50 labelled rows
``"all"``                 every row that has a label
``"10pct"``               10 % of the training rows
``"3-per-class"``         3 labelled rows of every class (classification)
========================  ==============================================================

Label sets are nested: the rows of a budget are among those of a larger budget of the same kind. Seeds derive from the
study's seed and named axes (dataset, repetition, fold), but not from the method, so all methods get the same splits.
"""

import re
from dataclasses import replace

import numpy as np
import pandas as pd

from sslrank.core.random_state import derive_seed
from sslrank.core.stratified import deal, labeled_folds
from sslrank.core.targets import encode_targets
from sslrank.model_selection.folds import Fold, Splits

#: The schemes, with a description of each.
SCHEMES = {
    "ssl-cross-validation": "folds with about L labelled rows per training set (ssl-ranking, section 6.4); "
    "predefined training and test parts where a multi-label dataset has them",
    "labeled-cross-validation": "folds of the labelled rows, stratified; unlabelled rows are in every training part, "
    "as in `sslrank rank`",
    "cross-validation": "folds, stratified by class or event; made for the budget 'all' (eca)",
    "holdout": "repeated random training and test parts, stratified by class or event (ssfi, Algorithm 5)",
    "labeled-share": "predefined parts where the dataset has them, else folds; made for budgets "
    "such as '10pct' (scls, section 4.4)",
    "whole-dataset": "one fold whose training and test rows are all rows, for evaluators that cross-validate "
    "by themselves",
}

_BUDGET = re.compile(r"(?P<all>all)|(?P<count>[1-9]\d*)(?P<unit>|pct|-per-class)")


class LabelBudget(str):
    """A number of labelled training rows, checked, as a string that can name files.

    Parameters
    ----------
    budget : str or int
        See the module's table.

    Attributes
    ----------
    kind : str
        "all", "count", "pct" or "per-class".
    size : int
        0 for "all".

    Raises
    ------
    ValueError
        If the budget has none of the four forms.

    Examples
    --------
    >>> LabelBudget("10pct").kind, LabelBudget(50).size, LabelBudget("all").kind
    ('pct', 50, 'all')
    """

    __slots__ = ("kind", "size")

    def __new__(cls, budget):
        """Check the text."""
        match = _BUDGET.fullmatch(str(budget))
        if match is None or (match["unit"] == "pct" and int(match["count"]) > 100):
            raise ValueError(
                f"label budget {budget!r} is invalid; write a number such as 50, 'all', "
                "a share such as '10pct', or '3-per-class'"
            )
        self = super().__new__(cls, budget)
        self.kind = "all" if match["all"] else match["unit"].lstrip("-") or "count"
        self.size = int(match["count"] or 0)
        return self


def make_splits(
    y,
    *,
    task,
    dataset,
    scheme,
    seed=0,
    budgets=("all",),
    folds=10,
    repetitions=1,
    test_share=1 / 3,
    parts=None,
    max_rows=None,
    stratify_labels=False,
):
    """Create the folds and label sets of one dataset.

    Parameters
    ----------
    y : ndarray of shape (n,) or (n, T)
        Targets (for survival, time and event); a row whose targets are all missing (None or NaN) is not labelled.
    task : str
        Kind of target, one of :data:`sslrank.core.tasks.DATASET_TASKS`.
    dataset : str
        Name of the dataset, an axis of the seeds.
    scheme : str
        One of :data:`SCHEMES`.
    seed : int, default=0
    budgets : sequence of str or int, default=("all",)
    folds : int, default=10
        Number of folds of the cross-validating schemes.
    repetitions : int, default=1
        Number of repetitions of the scheme with other seeds; fold numbers continue.
    test_share : float, default=1/3
        Share of test rows in the scheme "holdout".
    parts : dict of str to ndarray, optional
        Predefined "train" and "test" rows of the dataset.
    max_rows : int, optional
        Maximum number of rows, drawn at random if the dataset has more and no predefined parts; default: all rows.
    stratify_labels : bool, default=False
        Whether labelled rows are stratified by class, event, or tenth of a number; not for the scheme
        "ssl-cross-validation". Label sets stay nested.

    Returns
    -------
    Splits

    Raises
    ------
    ValueError
        If the scheme or a budget is unknown, a budget does not support the task, or there are fewer rows than folds.

    Examples
    --------
    >>> import numpy as np
    >>> y = np.array(["a", "b", "c"] * 20, dtype=object)
    >>> splits = make_splits(
    ...     y, task="classification", dataset="made up", scheme="ssl-cross-validation", folds=3, budgets=(8, 16)
    ... )
    >>> fold = splits.folds[0]
    >>> len(fold.train), len(fold.labeled["8"]), set(fold.labeled["8"]) <= set(fold.labeled["16"])
    (40, 8, True)
    """
    if scheme not in SCHEMES:
        raise ValueError(f"unknown split scheme {scheme!r}; there are {', '.join(SCHEMES)}")
    budgets = tuple(LabelBudget(budget) for budget in budgets)
    for budget in budgets:
        if budget.kind == "per-class" and task != "classification":
            raise ValueError(f"budget {budget!r} needs classes, but {dataset} is of kind {task!r}")
    if max_rows is not None and len(y) > max_rows:
        options = {"scheme": scheme, "seed": seed, "budgets": budgets, "folds": folds, "repetitions": repetitions}
        options |= {"test_share": test_share, "stratify_labels": stratify_labels}
        return _splits_of_rows(np.asarray(y), max_rows, task=task, dataset=dataset, **options)
    known = ~pd.isna(np.asarray(y).reshape(len(y), -1)).all(axis=1)
    n_rows = len(known)
    classes = np.asarray(y, dtype=object).ravel() if task == "classification" else None
    # Folds are stratified by class or event; those of ssl-ranking are purely random, as in the paper.
    is_stratified = scheme != "ssl-cross-validation" and task in ("classification", "survival")
    strata = _strata(y, task) if is_stratified else None
    label_strata = _strata(y, task) if stratify_labels else None
    made = []

    def add_fold(train, test, rng, copies=None):
        # The labels of a budget do not depend on the other budgets.
        order, labeled, note = _label_order(train, known, label_strata, rng), {}, {}
        for budget in budgets:
            if copies is not None and budget.kind in ("count", "all"):
                rows, remark = _labeled_in_copies(budget, copies, len(made) % folds, known)
            else:
                rows, remark = _labeled_rows(budget, order, len(train), classes)
            labeled[budget] = np.sort(rows)
            note |= {budget: remark} if remark else {}
        made.append(Fold(len(made), np.sort(train), np.sort(test[known[test]]), labeled, note))

    # Predefined parts are used for multi-label kinds (section 6.4); for other kinds the papers cross-validate.
    predefined = parts is not None and task in ("multilabel", "hierarchical")
    for repetition in range(repetitions):

        def stream(*axes, repetition=repetition):
            return np.random.default_rng(derive_seed(seed, *axes, dataset, repetition))

        if scheme == "whole-dataset":
            rows = np.arange(n_rows)
            add_fold(rows, rows, stream("labels"))
        elif predefined and scheme in ("ssl-cross-validation", "labeled-share"):
            add_fold(np.asarray(parts["train"]), np.asarray(parts["test"]), stream("labels"))
        elif scheme == "labeled-cross-validation":
            targets = encode_targets(y, n_rows, task="multilabel" if task == "hierarchical" else task)
            for train, test in labeled_folds(targets, folds, derive_seed(seed, "folds", repetition)):
                add_fold(train, test, stream("labels", len(made)))
        elif scheme == "holdout":
            train, test = _holdout(n_rows, test_share, strata, stream("holdout"))
            add_fold(train, test, stream("labels"))
        else:
            if n_rows < folds:
                raise ValueError(f"{dataset} has {n_rows} rows, too few for {folds} folds")
            parts_of_rows = deal(n_rows, folds, stream("folds"), strata)
            # The order in which a copy of a fold loses its labels is the same in all training sets: Fig. 2 of
            # ssl-ranking.
            copies = [
                np.random.default_rng(derive_seed(seed, "labels", dataset, repetition, i)).permutation(rows)
                for i, rows in enumerate(parts_of_rows)
            ]
            for i, test in enumerate(parts_of_rows):
                train = np.concatenate([rows for j, rows in enumerate(parts_of_rows) if j != i])
                rng = np.random.default_rng(derive_seed(seed, "labels-of-set", dataset, repetition, i))
                add_fold(train, test, rng, copies if scheme == "ssl-cross-validation" else None)
    return Splits(scheme, dataset, int(seed), n_rows, budgets, tuple(made))


def _splits_of_rows(y, rows, *, dataset, seed, **options):
    """Create splits of a subset of rows, with row numbers of the whole dataset."""
    rng = np.random.default_rng(derive_seed(seed, "rows", dataset))
    chosen = np.sort(rng.choice(len(y), rows, replace=False))
    splits = make_splits(y[chosen], dataset=dataset, seed=seed, **options)
    folds = (
        replace(
            fold,
            train=chosen[fold.train],
            test=chosen[fold.test],
            labeled={budget: chosen[labeled] for budget, labeled in fold.labeled.items()},
        )
        for fold in splits.folds
    )
    return replace(splits, n_rows=len(y), folds=tuple(folds))


def _holdout(n_rows, test_share, strata, rng):
    order = rng.permutation(n_rows)
    groups = [order] if strata is None else [order[strata[order] == code] for code in np.unique(strata)]
    # At least one row of every class is trained on; a class of one row cannot be tested.
    sizes = [min(int(len(group) * test_share + 0.5), len(group) - 1) for group in groups]
    test = np.concatenate([group[:size] for group, size in zip(groups, sizes, strict=True)])
    train = np.concatenate([group[size:] for group, size in zip(groups, sizes, strict=True)])
    return train, test


def _labeled_in_copies(budget, copies, test_fold, known):
    """Choose labels as in section 6.4: copy i of a fold keeps floor(L / (x - 1)) + r_i of them.

    With x folds and r = L mod (x - 1), r_i is 1 for i < r and else 0; a training set of x - 1 copies thus has L or L -
    1 labels. The sets are nested because they are prefixes of one order per copy, and no quota decreases with L.
    """
    base, rest = divmod(budget.size, len(copies) - 1)
    labeled = {i: order[known[order]] for i, order in enumerate(copies) if i != test_fold}
    if budget.kind == "all":
        return np.concatenate(list(labeled.values())), ""
    quotas = {i: base + (i < rest) for i in labeled}
    chosen = np.concatenate([rows[: quotas[i]] for i, rows in labeled.items()])
    if all(quotas[i] <= len(rows) for i, rows in labeled.items()):
        return chosen, ""
    is_every = len(chosen) == sum(map(len, labeled.values()))
    return chosen, f"{budget} labels asked for, {len(chosen)} used" + (": all there are" if is_every else "")


def _strata(y, task):
    """Return classes, events, or tenths of a number as codes; None for other targets."""
    if task == "survival":
        return np.unique(np.asarray(y)[:, 1], return_inverse=True)[1]
    column = np.asarray(y, dtype=object).ravel()
    if task == "classification":
        return np.unique(column.astype(str), return_inverse=True)[1]
    if task != "regression":
        return None
    column = column.astype(np.float64)
    return np.searchsorted(np.nanquantile(column, np.arange(1, 10) / 10), column)


def _label_order(train, known, strata, rng):
    """Shuffle the rows of a training set that have a label, so that each prefix has all strata, if there are any."""
    order = rng.permutation(np.sort(train))
    order = order[known[order]]
    if strata is None:
        return order
    position = np.empty(len(order))
    for code in np.unique(strata[order]):  # the i-th of n rows of a stratum comes where about i/n of all rows have come
        of_code = np.flatnonzero(strata[order] == code)
        position[of_code] = (np.arange(len(of_code)) + rng.random()) / len(of_code)
    return order[np.argsort(position, kind="stable")]


def _labeled_rows(budget, order, n_train, classes):
    """Choose the first rows of an order (within classes if requested), and note if there are too few."""
    size = budget.size
    if budget.kind == "all":
        return order, ""
    if budget.kind == "per-class":
        of_class = {label: order[classes[order] == label] for label in sorted(set(classes[order]))}
        small = ", ".join(str(label) for label, rows in of_class.items() if len(rows) < size)
        note = f"fewer than {size} rows of class {small}: all of them used" if small else ""
        return np.concatenate([rows[:size] for rows in of_class.values()]), note
    n_labels = size if budget.kind == "count" else max(1, int(n_train * size / 100 + 0.5))
    chosen = order[:n_labels]
    return chosen, "" if len(chosen) == n_labels else f"{n_labels} labels asked for, {len(chosen)} used: all there are"
