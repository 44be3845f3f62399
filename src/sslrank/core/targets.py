"""The target side of a problem: five kinds of target, unlabelled rows, hierarchies.

Everything downstream works on :class:`Targets`, so each convention about labels is decided here once.
"""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from numbers import Integral, Number

import numpy as np
import pandas as pd
from scipy import sparse

from sslrank.core.tasks import TASKS

#: More distinct whole numbers than this are hardly classes.
MANY_CLASSES = 20
#: Numbers up to this have squares, and sums of these, that float64 holds with all digits; their inverses as well.
_LARGEST = 1e140


@dataclass(frozen=True)
class Targets:
    """Targets of n rows, checked and coded.

    Attributes
    ----------
    task : str
        One of :data:`TASKS`, or ``"none"`` when there is no target.
    values : ndarray of shape (n, T), float64
        Class codes 0..n_classes-1 (classification, T = 1), numbers (str, mtr) or 0/1 (mlc, hmlc). NaN marks
        a missing target.
    weights : ndarray of shape (T,), float64
        Weight alpha_j of each target in paper ssl-ranking, Eqs. (1) and (7): ones but for hmlc.
    classes : ndarray or None
        The class labels that the codes stand for.
    parents : tuple of tuple of int, or None
        For hmlc, the parents of every label.
    """

    task: str
    values: np.ndarray
    weights: np.ndarray
    classes: np.ndarray | None = None
    parents: tuple | None = None

    @property
    def labeled(self):
        """Rows with at least one known target, a boolean array of shape (n,)."""
        return ~np.isnan(self.values).all(axis=1)

    @property
    def n_classes(self):
        """Number of classes, 0 unless this is classification."""
        return 0 if self.classes is None else len(self.classes)

    def rows(self, index):
        """The targets of some rows (index array, mask or slice), coded as before."""
        return replace(self, values=self.values[index])

    def within_range(self):
        """The same in other units where a target's numbers are so large or small that their squares are inf or 0.

        Such columns are divided by a power of two, which keeps their digits; rankings do not depend on the unit.

        Returns
        -------
        Targets
            Itself where no column of numbers goes beyond 1e140, or stays below 1e-140.
        """
        largest = np.fmax.reduce(np.abs(self.values), axis=0, initial=0.0)
        extreme = (largest > _LARGEST) | ((largest > 0) & (largest < 1 / _LARGEST))
        if not extreme.any():
            return self
        values = self.values.copy()
        values[:, extreme] = np.ldexp(values[:, extreme], -np.frexp(largest[extreme])[1])
        return replace(self, values=values)


def encode_targets(y, n_rows, *, task="auto", hierarchy=None, alpha=0.75):
    """Check `y` and code it.

    Parameters
    ----------
    y : None or array-like of shape (n,) or (n, T)
        None: no target at all. Floats: NaN is unlabelled. Integers (1-d): -1 is unlabelled, scikit-learn's
        convention, and so are missing values of pandas' integers. Strings, objects and categoricals: None and NaN are
        unlabelled. -1 among floats or objects is a class like others, with a warning unless the other one is 1; so
        are the texts "-1", "nan" and "".
    n_rows : int
        Number of rows of X, which y has to match.
    task : str, default="auto"
        One of :data:`TASKS`. "auto": a 2-d y of zeros and ones is mlc (hmlc with a hierarchy), another 2-d
        y is mtr; a 1-d y of floats with a fractional part is str; the rest is classification, with a warning
        where that makes classes of more than :data:`MANY_CLASSES` whole numbers.
    hierarchy : sequence of sequences of int, optional
        The parents of each label, by column; empty for a root. Labels are closed upward.
    alpha : float in (0, 1), default=0.75
        A label weighs `alpha` times the mean of its parents' weights, a root 1 (section 3.1 of ssl-ranking).

    Returns
    -------
    Targets

    Raises
    ------
    ValueError
        If the shape does not match, a value is infinite or not a number, labels are not 0/1 (with task "auto": some
        are -1), the hierarchy is malformed or has a cycle, or task and y contradict each other.
    """
    if task not in ("auto", *TASKS):
        raise ValueError(f"task must be 'auto' or one of {', '.join(TASKS)}, got {task!r}")
    if y is None:
        return Targets("none", np.empty((n_rows, 0)), np.empty(0))
    y = _as_array(y, may_mark=task in ("auto", "classification"))
    if len(y) != n_rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: X {n_rows}, y {len(y)}")
    if task == "auto":
        task = _infer_task(y, hierarchy)
    if (task == "hmlc") != (hierarchy is not None):
        raise ValueError(f"a hierarchy is needed for task 'hmlc', and for it only (task is {task!r})")
    if task == "classification":
        codes, classes = _encode_classes(_single_column(y, task))
        return Targets(task, codes[:, None], np.ones(1), classes)
    values = _as_floats(_single_column(y, task) if task == "str" else y)
    if values.ndim == 1:
        values = values[:, None]
    if values.shape[1] == 0:
        raise ValueError("y has no columns; pass y=None to rank without a target")
    if task not in ("mlc", "hmlc"):
        return Targets(task, values, np.ones(values.shape[1]))
    known = values[~np.isnan(values)]
    if not np.isin(known, (0.0, 1.0)).all():
        odd = known[~np.isin(known, (0.0, 1.0))][0]
        raise ValueError(f"labels must be 0, 1 or NaN for task {task!r}, found {odd!r}")
    if task == "mlc":
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


def _check_parents(hierarchy):
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
    """Labels ordered so that parents come before their children.

    Raises
    ------
    ValueError
        If the hierarchy does not have one entry per label, names a label that is not there, or has a cycle.
    """
    if len(parents) != n_labels:
        raise ValueError(f"hierarchy lists the parents of {len(parents)} labels, y has {n_labels}")
    state = [0] * n_labels  # 0 new, 1 on the path, 2 done
    order = []
    for root in range(n_labels):
        stack = [(root, False)]
        while stack:
            label, leaving = stack.pop()
            if leaving:
                state[label] = 2
                order.append(label)
                continue
            if state[label]:
                continue
            state[label] = 1
            stack.append((label, True))
            for parent in parents[label]:
                if not 0 <= parent < n_labels:
                    raise ValueError(f"hierarchy: label {label} has parent {parent}, labels are 0..{n_labels - 1}")
                if state[parent] == 1:
                    raise ValueError(f"hierarchy has a cycle through labels {parent} and {label}")
                stack.append((parent, False))
    return order


def _as_array(y, may_mark):
    """The values; `may_mark`: among integers with missing values, -1 is one more of these."""
    if sparse.issparse(y):
        return y.toarray()
    if isinstance(y, pd.DataFrame | pd.Series | pd.Categorical | pd.api.extensions.ExtensionArray):
        frame = pd.DataFrame(y)
        numeric = all(pd.api.types.is_numeric_dtype(t) and not isinstance(t, pd.CategoricalDtype) for t in frame.dtypes)
        if numeric and frame.isna().to_numpy().any():
            array = frame.to_numpy(dtype=np.float64, na_value=np.nan)
            if may_mark and frame.shape[1] == 1 and pd.api.types.is_integer_dtype(frame.dtypes.iloc[0]):
                array[array == -1.0] = np.nan
        else:
            array = frame.to_numpy() if numeric else frame.astype(object).to_numpy()
        return array if isinstance(y, pd.DataFrame) else array[:, 0]
    if np.ma.isMaskedArray(y):
        raise ValueError("y is a masked array, whose mask would be lost; pass y.astype(float).filled(np.nan)")
    array = np.asarray(y)
    if array.dtype.kind in "US" and not hasattr(y, "dtype"):
        array = np.asarray(y, dtype=object)  # a list of texts and NaN would become texts, NaN the class "nan"
    if array.ndim not in (1, 2):
        raise ValueError(f"y must have one or two dimensions, got shape {array.shape}")
    if np.iscomplexobj(array):
        raise ValueError("Complex data not supported in y")
    return array


def _infer_task(y, hierarchy):
    if y.ndim == 2 and y.shape[1] > 1:
        known = _as_floats(y)
        known = known[~np.isnan(known)]
        if np.isin(known, (0.0, 1.0)).all():
            return "mlc" if hierarchy is None else "hmlc"
        if np.isin(known, (-1.0, 0.0, 1.0)).all():
            raise ValueError(
                "y has -1 among labels, which are 0 or 1; unlabelled is NaN: np.where(y == -1, np.nan, y). "
                "Pass task='mtr' if these are numbers"
            )
        return "mtr"
    column = y.ravel()
    if column.dtype.kind == "f":
        known = column[~np.isnan(column)]
        if (known != np.floor(known)).any():
            return "str"
    elif column.dtype.kind in "iu":
        known = column[column != -1]
    else:
        return "classification"
    n_values = len(np.unique(known))
    if n_values > MANY_CLASSES:
        warnings.warn(
            f"y has {n_values} different whole numbers, which are taken for classes; pass task='str' if they are "
            "quantities, task='classification' if they are classes",
            stacklevel=2,
        )
    return "classification"


def _single_column(y, task):
    if y.ndim == 2:
        if y.shape[1] != 1:
            raise ValueError(f"task {task!r} takes one target, y has shape {y.shape}")
        return y[:, 0]
    return y


def _as_floats(y):
    try:
        values = np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y must be numeric for this task: {error}") from None
    if np.isinf(values).any():
        raise ValueError("y contains infinity; missing targets are NaN")
    return values


def _encode_classes(y):
    if y.dtype.kind in "iu":
        missing = y == -1
    elif y.dtype.kind == "f":
        if np.isinf(y).any():
            raise ValueError("y contains infinity; missing targets are NaN")
        missing = np.isnan(y)
    else:
        missing = pd.isna(y)
    codes = np.full(len(y), np.nan)
    try:
        classes, codes[~missing] = np.unique(y[~missing], return_inverse=True)
    except TypeError:  # labels of mixed types have no order of their own
        classes, codes[~missing] = np.unique(y[~missing].astype(str), return_inverse=True)
    marks = [value for value in classes if _may_mean_unlabeled(value)]
    others = [str(value) for value in classes if value not in marks]
    if marks and others not in (["1"], ["1.0"]):  # -1 and 1 are two classes
        shown = repr(str(marks[0])) if isinstance(marks[0], str) else "-1"
        warnings.warn(
            f"y has a class {shown}; -1 means unlabelled among integers only, elsewhere that is NaN or None",
            stacklevel=2,
        )
    return codes, classes


def _may_mean_unlabeled(value):
    """Whether a class looks like a mark of what is missing."""
    return value == -1 if isinstance(value, Number) else str(value).strip().lower() in ("-1", "-1.0", "nan", "")
