"""Encode targets: six kinds, unlabelled rows, hierarchies.

All other code uses :class:`Targets`; all conventions about labels are implemented here.
"""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from numbers import Integral

import numpy as np

from sslrank.core.messages import RENAMED, nearest, quoted
from sslrank.core.null_model import NullModel, log_rank_scores
from sslrank.core.target_columns import doubts_of_classes, guess_task, read_targets, survival_pair
from sslrank.core.tasks import DATASET_TASKS

#: float64 represents squares of numbers up to this, sums of such squares, and their inverses.
_MAX_MAGNITUDE = 1e140


@dataclass(frozen=True)
class Targets:
    """Targets of n rows, checked and encoded.

    Attributes
    ----------
    task : str
        One of :data:`sslrank.core.tasks.TASKS`, or ``"none"`` when there is no target.
    values : ndarray of shape (n, T), float64
        Class codes 0..n_classes-1 (classification, T = 1), numbers (regression, multitarget) or 0/1 (multilabel,
        hierarchical). NaN marks a missing target.
    weights : ndarray of shape (T,), float64
        Weight alpha_j of each target in paper ssl-ranking, Eqs. (1) and (7): ones unless the task is hierarchical.
    classes : ndarray or None
        The class labels by code.
    parents : tuple of tuple of int, or None
        If the task is hierarchical, the parents of every label.
    null : sslrank.core.null_model.NullModel or None
        Model whose residuals the `values` are.

    Examples
    --------
    >>> targets = encode_targets(["no", "yes", None], 3)
    >>> targets.task, targets.classes, targets.labeled
    ('classification', array(['no', 'yes'], dtype=object), array([ True,  True, False]))
    """

    task: str
    values: np.ndarray
    weights: np.ndarray
    classes: np.ndarray | None = None
    parents: tuple | None = None
    null: NullModel | None = None

    @property
    def labeled(self):
        """Rows with at least one known target, a boolean array of shape (n,)."""
        return ~np.isnan(self.values).all(axis=1)

    @property
    def kind(self):
        """One of :data:`sslrank.core.tasks.DATASET_TASKS`: "survival" for log-rank scores, otherwise `task`.

        Scores that are adjusted for columns are numbers: the times are not adjusted, so C would show the columns.
        """
        is_time = self.null is not None and self.null.time is not None and not self.null.columns.shape[1]
        return "survival" if is_time else self.task

    @property
    def n_classes(self):
        """Number of classes; 0 for other kinds of target."""
        return 0 if self.classes is None else len(self.classes)

    def rows(self, index):
        """Select rows; codes stay.

        Parameters
        ----------
        index : ndarray of int or bool, or slice

        Returns
        -------
        Targets
        """
        return replace(self, values=self.values[index], null=None if self.null is None else self.null.rows(index))

    def scored_on(self, rows):
        """Compute log-rank scores from some rows, such as a training set; other rows become unlabelled.

        Parameters
        ----------
        rows : ndarray of int

        Returns
        -------
        Targets
            `self` unless `kind` is "survival".

        Examples
        --------
        >>> targets = encode_targets([[1.0, 1], [2, 0], [3, 1]], 3, task="survival")
        >>> targets.scored_on(np.array([0, 2])).values.ravel()
        array([ 0.5,  nan, -0.5])
        """
        if self.kind != "survival":
            return self
        values, null = np.full_like(self.values, np.nan), self.null.rows(rows)
        values[rows, 0] = null.scores()
        return replace(self, values=values)

    def without_unused_categories(self):
        """Renumber the classes that occur, for example after :meth:`rows`.

        Returns
        -------
        Targets
            `self` if all classes occur, and for other kinds of target.

        Examples
        --------
        >>> encode_targets(["a", "b", "c"], 3).rows([0, 2]).without_unused_categories().classes
        array(['a', 'c'], dtype=object)
        """
        if self.classes is None:
            return self
        known = ~np.isnan(self.values)
        codes, numbers = np.unique(self.values[known], return_inverse=True)
        if len(codes) == len(self.classes):
            return self
        values = self.values.copy()
        values[known] = numbers
        return replace(self, values=values, classes=self.classes[codes.astype(np.intp)])

    def within_range(self):
        """Rescale targets whose squares would overflow or underflow.

        They are divided by a power of two, which keeps all digits; rankings do not depend on the unit.

        Returns
        -------
        Targets
            `self` if the numbers of all columns are between 1e-140 and 1e140.
        """
        largest = np.fmax.reduce(np.abs(self.values), axis=0, initial=0.0)
        extreme = (largest > _MAX_MAGNITUDE) | ((largest > 0) & (largest < 1 / _MAX_MAGNITUDE))
        if not extreme.any():
            return self
        values = self.values.copy()
        values[:, extreme] = np.ldexp(values[:, extreme], -np.frexp(largest[extreme])[1])
        return replace(self, values=values)


def encode_targets(y, n_rows, *, task="auto", hierarchy=None, alpha=0.75):
    """Check and encode `y`.

    Parameters
    ----------
    y : None or array-like of shape (n,) or (n, T)
        None for no target. NaN, None and masked values are unlabelled, and so is -1 among integer classes or in an
        array of objects (scikit-learn's convention). Series, arrays and tables of pandas, polars and Arrow, NumPy's
        masked arrays, sparse matrices and lists are read in the same way: see :func:`read_targets`. -1 among floats is
        a class, with a warning unless the only other class is 1; so are the texts "-1", "nan", "?" and "". A structured
        array of event (bool, or 0 and 1) and time, such as scikit-survival's, is replaced by its log-rank scores, and
        so are the columns time and event (1 or 0) with the task "survival".
    n_rows : int
        Number of rows of X, which y has to match.
    task : str, default="auto"
        One of :data:`sslrank.core.tasks.DATASET_TASKS`, or "auto", which uses :func:`guess_task` and warns if it may be
        wrong. For "survival" the encoded task is "regression".
    hierarchy : sequence of sequences of int, optional
        The parents of each label, by column; empty for a root. Labels are closed upward.
    alpha : float in (0, 1), default=0.75
        The weight of a label is `alpha` times the mean weight of its parents, that of a root 1 (ssl-ranking, section
        3.1).

    Returns
    -------
    Targets

    Raises
    ------
    ValueError
        If the shape does not match, a value is infinite, a date or not a number, labels are not 0/1 (with task "auto":
        some are -1), the hierarchy is malformed or has a cycle, or task and y contradict each other.

    Examples
    --------
    >>> encode_targets([1, 0, -1], 3).labeled
    array([ True,  True, False])
    >>> encode_targets([0.5, None, 2.25], 3).task
    'regression'
    """
    if task not in ("auto", *DATASET_TASKS):
        known, hint = ", ".join(DATASET_TASKS), nearest(task, DATASET_TASKS, RENAMED)
        raise ValueError(f"task must be 'auto' or one of {known}, got {task!r}{hint}")
    if y is None:
        return Targets("none", np.empty((n_rows, 0)), np.empty(0))
    pair = survival_pair(y) if task in ("auto", "regression", "survival") else None
    columns = read_targets(y, n_rows) if pair is None else [*read_targets(pair[1], n_rows), *read_targets(pair[0])]
    if task == "survival" or pair is not None:
        return _encode_times(columns)
    if task == "auto":
        task, _, doubt = guess_task(columns, hierarchy is not None)
        if doubt and task == "regression":
            warnings.warn(f"{doubt}. Pass task='classification' if they are, task='regression' if not", stacklevel=3)
    if (task == "hierarchical") != (hierarchy is not None):
        raise ValueError(f"a hierarchy is needed for task 'hierarchical', and for it only (task is {task!r})")
    if task in ("classification", "regression") and len(columns) != 1:
        raise ValueError(f"task {task!r} takes one target, y has shape ({n_rows}, {len(columns)})")
    if task == "classification":
        codes, classes = _encode_classes(columns[0].with_marks())
        return Targets(task, codes[:, None], np.ones(1), classes)
    values = np.column_stack([column.numbers() for column in columns])
    if task not in ("multilabel", "hierarchical"):
        return Targets(task, values, np.ones(values.shape[1]))
    known = values[~np.isnan(values)]
    if not np.isin(known, (0.0, 1.0)).all():
        not_binary = known[~np.isin(known, (0.0, 1.0))][0]
        raise ValueError(f"labels must be 0, 1 or NaN for task {task!r}, found {quoted(not_binary)}")
    if task == "multilabel":
        return Targets(task, values, np.ones(values.shape[1]))
    parents = _check_parents(hierarchy)
    order = topological_order(parents, values.shape[1])
    weights = np.ones(len(parents))
    for label in order:
        if parents[label]:
            weights[label] = alpha * np.mean([weights[p] for p in parents[label]])
    by_label = np.array(values.T, order="C")  # a copy, with the rows of a label side by side
    for label in reversed(order):
        if parents[label]:
            positive = by_label[label] == 1.0
            for parent in parents[label]:
                np.copyto(by_label[parent], 1.0, where=positive)
    return Targets(task, np.ascontiguousarray(by_label.T), weights, parents=parents)


def _encode_times(columns):
    if len(columns) != 2:
        raise ValueError(f"task 'survival' takes two columns, time and event, y has {len(columns)}")
    time, event = (column.numbers() for column in columns)
    if (time < 0).any() or not np.nansum(event) or not np.isin(event[~np.isnan(event)], (0.0, 1.0)).all():
        raise ValueError("times must be at least 0, events 1 or 0, and some event must have happened")
    null = NullModel(np.empty((len(time), 0)), time, event)
    return Targets("regression", log_rank_scores(time, event)[:, None], np.ones(1), null=null)


def _check_parents(hierarchy):
    if isinstance(hierarchy, str) or not isinstance(hierarchy, Iterable):
        raise ValueError(f"hierarchy must be a list with the parents of each label, got {hierarchy!r}")
    checked = []
    for label, of_label in enumerate(hierarchy):
        parents = list(of_label) if isinstance(of_label, Iterable) and not isinstance(of_label, str) else [None]
        for parent in parents:
            if not isinstance(parent, Integral) or isinstance(parent, bool):
                raise ValueError(
                    f"hierarchy: the parents of label {label} must be a sequence of label numbers, empty for a root, "
                    f"got {of_label!r}"
                )
        checked.append(tuple(map(int, parents)))
    return tuple(checked)


def topological_order(parents, n_labels):
    """Order labels so that parents come before their children.

    Parameters
    ----------
    parents : sequence of sequences of int
        Parents of each label; empty for a root.
    n_labels : int

    Returns
    -------
    list of int

    Raises
    ------
    ValueError
        If the hierarchy does not have one entry per label, has an unknown label, or has a cycle.

    Examples
    --------
    >>> topological_order([[1], [], [0, 1]], 3)
    [1, 0, 2]
    """
    if len(parents) != n_labels:
        raise ValueError(f"hierarchy lists the parents of {len(parents)} labels, y has {n_labels}")
    for label, of_label in enumerate(parents):
        if odd := [parent for parent in of_label if not 0 <= parent < n_labels]:
            raise ValueError(f"hierarchy: label {label} has parent {odd[0]}, labels are 0..{n_labels - 1}")
    try:
        return list(TopologicalSorter(dict(enumerate(parents))).static_order())
    except CycleError as error:
        label, parent, *_ = error.args[1]
        raise ValueError(f"hierarchy has a cycle through labels {parent} and {label}") from None


def _encode_classes(column):
    codes = np.full(len(column.values), np.nan)
    known = column.known
    try:
        classes, codes[~column.missing] = np.unique(known, return_inverse=True)
    except TypeError:  # labels of mixed types have no order of their own
        classes, codes[~column.missing] = np.unique(known.astype(str), return_inverse=True)
    for doubt in doubts_of_classes(column, classes):
        warnings.warn(f"y has {doubt}", stacklevel=3)
    return codes, classes
