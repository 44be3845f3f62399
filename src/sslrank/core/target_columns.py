"""Read target columns from any container, and guess the kind of target."""

from dataclasses import dataclass, replace
from numbers import Integral, Number

import numpy as np
import pandas as pd
from scipy import sparse

from sslrank.core.containers import as_text, kind_of_objects, plain, to_pandas
from sslrank.core.messages import MAX_LISTED
from sslrank.core.missing_words import MISSING_LABELS

#: Maximum number of class codes if their frequencies differ, and in any case: precision .79 and recall .83 on 150
#: public tables (tests/measurements/README.md, "Choices that were measured").
FEW_CLASSES, MANY_CLASSES = 7, 20
#: Largest ratio of the highest to the lowest frequency of codes with similar frequencies.
_UNEQUAL = 4


@dataclass(frozen=True)
class TargetColumn:
    """A target column as read from its container.

    Attributes
    ----------
    name : str or None
        None if the container has no names.
    values : ndarray of shape (n,)
        Numbers, or objects; values of missing entries have no meaning.
    missing : ndarray of shape (n,), bool
    kind : {"integer", "number", "boolean", "text", "category"}
        "integer": integers of an integer type or of type object. "category": of a categorical type.
    marked : ndarray of shape (n,), bool, or None
        Rows with -1 among objects, scikit-learn's code of unlabelled rows; they are also in `missing`.

    Examples
    --------
    >>> (column,) = read_targets([1, 0, None])
    >>> column.kind, column.missing
    ('integer', array([False, False,  True]))
    """

    name: str | None
    values: np.ndarray
    missing: np.ndarray
    kind: str
    marked: np.ndarray | None = None

    @property
    def known(self):
        """Values that are not missing."""
        return self.values[~self.missing]

    @property
    def is_numeric(self):
        """True if the values are numbers."""
        return self.kind in ("integer", "number")

    @property
    def is_whole(self):
        """True if the values are whole numbers."""
        if self.kind != "number":
            return self.kind == "integer"
        known = self.known
        return bool((known == np.floor(known)).all())

    def with_marks(self):
        """Read the column as classes: -1 among integers is missing (scikit-learn's convention).

        Returns
        -------
        TargetColumn
        """
        if self.kind != "integer":
            return self
        return replace(self, missing=self.missing | (self.values == -1))

    def numbers(self):
        """Convert values to float64, NaN if missing.

        Returns
        -------
        ndarray of shape (n,)

        Raises
        ------
        ValueError
            If one is not a finite number.
        """
        floats = np.full(len(self.values), np.nan)
        try:
            floats[~self.missing] = np.array([*map(_number, self.known)] if self.values.dtype == object else self.known)
        except (TypeError, ValueError) as error:
            raise ValueError(f"y must be numeric for this task{_column_words(self.name)}: {error}") from None
        return _finite(floats, self.name)


def _number(value):
    if isinstance(value, str) and ("_" in value or not np.isfinite(float(value))):
        raise ValueError(f"{value!r} is not a finite number")  # float() takes nan, inf and 1_000
    return float(value)


def _finite(values, name):
    if np.isinf(values).any():
        raise ValueError(f"y contains infinity{_column_words(name)}; missing targets are NaN")
    return values


def _column_words(name):
    return "" if name is None else f" (column {name!r})"


def read_targets(y, n_rows=None):
    """Read targets of any container.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, T)
        A Series, array or table of pandas, polars, Arrow, NumPy (also masked or structured) or SciPy, or a list.
    n_rows : int, optional
        Number of rows of X, which y must match.

    Returns
    -------
    list of TargetColumn
        At least one.

    Raises
    ------
    ValueError
        If y has another number of rows or no columns, or has dates, complex numbers, infinity, sets or lists.

    Examples
    --------
    >>> column, = read_targets(np.array(["p", "q", -1, None], dtype=object))
    >>> column.kind, column.missing.tolist()
    ('text', [False, False, True, True])
    """
    names, series = _target_series(y)
    if not series:
        raise ValueError("y has no columns; pass y=None to rank without a target")
    if n_rows is not None and len(series[0]) != n_rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: X {n_rows}, y {len(series[0])}")
    return [_read_target(column, name) for name, column in zip(names, series, strict=True)]


def survival_pair(y):
    """Read event and time of a structured array such as scikit-survival's ``Surv``; None for any other y.

    The event is the field of bool; without one, the only one of numbers that are all 0 or 1.

    Parameters
    ----------
    y : array-like

    Returns
    -------
    event, time : Series
        With the names of the fields.

    Examples
    --------
    >>> y = np.array([(True, 3.5), (False, 9)], dtype=[("died", bool), ("days", float)])
    >>> [part.name for part in survival_pair(y)]
    ['died', 'days']
    """
    names = getattr(getattr(y, "dtype", None), "names", None)
    if not isinstance(y, np.ndarray) or names is None or len(names) != 2 or y.ndim != 1:
        return None
    parts = [pd.Series(y[name], name=name) for name in names]
    events = [part for part in parts if part.dtype.kind == "b"]
    events = events or [part for part in parts if part.dtype.kind in "iuf" and part.isin((0, 1)).all()]
    times = [part for part in parts if part.dtype.kind in "iuf" and part is not events[0]] if len(events) == 1 else []
    return (events[0], times[0]) if times else None


def _target_series(y):
    """List names (None if there are none) and columns of y."""
    y = to_pandas(y)
    if isinstance(y, pd.DataFrame):
        return [str(name) for name in y.columns], [y.iloc[:, j] for j in range(y.shape[1])]
    if isinstance(y, pd.Series | pd.Index | pd.Categorical | pd.api.extensions.ExtensionArray):
        name = getattr(y, "name", None)
        return [None if name is None else str(name)], [pd.Series(y)]
    if sparse.issparse(y):
        y = y.toarray()
    if not isinstance(y, np.ndarray):
        y = _array_of(y)
    if y.dtype.names is not None:
        return list(y.dtype.names), [pd.Series(y[name]) for name in y.dtype.names]
    if y.ndim not in (1, 2):
        advice = "; pass the values, such as X['name'], instead of a name" if y.ndim == 0 else ""
        raise ValueError(f"y must have one or two dimensions, got shape {y.shape}{advice}")
    columns = [y] if y.ndim == 1 else list(y.T)
    return [None] * len(columns), [_series(column) for column in columns]


def _series(column):
    """Convert an array to a Series; integers stay integers where some are masked."""
    if np.ma.isMaskedArray(column) and column.dtype.kind in "iu":
        return pd.Series(pd.arrays.IntegerArray(column.data, np.ma.getmaskarray(column)))
    return pd.Series(column)


def _array_of(y):
    """Convert a list to an array in which texts and numbers stay distinct."""
    try:
        array = np.asarray(y)
    except ValueError:
        raise ValueError(
            "rows of y differ in length. For several labels per row pass a column per label: "
            "sklearn.preprocessing.MultiLabelBinarizer().fit_transform(y)"
        ) from None
    return np.asarray(y, dtype=object) if array.dtype.kind in "US" and not hasattr(y, "dtype") else array


def _read_target(column, name):
    column = plain(column)
    kind, missing = column.dtype, column.isna().to_numpy()
    if isinstance(kind, pd.CategoricalDtype):
        return TargetColumn(name, column.astype(object).to_numpy(), missing, "category")
    if pd.api.types.is_bool_dtype(kind):
        return TargetColumn(name, column.fillna(False).to_numpy(dtype=bool), missing, "boolean")
    if pd.api.types.is_integer_dtype(kind):
        values = column.fillna(0).to_numpy(
            dtype=np.uint64 if pd.api.types.is_unsigned_integer_dtype(kind) else np.int64
        )
        return TargetColumn(name, values, missing, "integer")
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_complex_dtype(kind):
        values = column.to_numpy(dtype=np.float64, na_value=np.nan)
        return TargetColumn(name, _finite(values, name), missing, "number")
    return _read_target_objects(column.astype(object).to_numpy(), missing, name)


def _read_target_objects(values, missing, name):
    kind, in_column = kind_of_objects(values), _column_words(name)
    if kind == "complex":
        raise ValueError(f"Complex data not supported in y{in_column}")
    if kind == "date":
        raise ValueError(f"y holds dates or times{in_column}; pass numbers, such as days since the first date")
    if kind == "object":
        not_scalar = next(value for value in values[~missing] if not np.isscalar(value))
        raise ValueError(
            f"y holds a {type(not_scalar).__name__}{in_column}. For several labels per row pass a column per label: "
            "sklearn.preprocessing.MultiLabelBinarizer().fit_transform(y)"
        )
    if kind == "number":
        is_integer = all(isinstance(value, Integral) for value in values[~missing]) and not missing.all()
        if is_integer and all(-(2**63) <= value < 2**63 for value in values[~missing]):
            numbers = np.where(missing, 0, values).astype(np.int64)
            return TargetColumn(name, numbers, missing, "integer")
        numbers = np.array([np.nan if gone else float(value) for gone, value in zip(missing, values, strict=True)])
        return TargetColumn(name, _finite(numbers, name), missing, "number")
    if kind == "boolean":
        return TargetColumn(name, np.where(missing, False, values).astype(bool), missing, "boolean")
    if pd.api.types.infer_dtype(values, skipna=True) == "string":  # without a look at each of many rows
        return TargetColumn(name, values, missing, "text")
    marked = np.array([isinstance(value, Number) and value == -1 for value in values])
    rest = values[~missing & ~marked]
    values = np.array([as_text(value) if isinstance(value, bytes) else value for value in values], dtype=object)
    if marked.any() and not any(isinstance(value, Number) for value in rest):
        return TargetColumn(name, values, missing | marked, "text", marked)
    return TargetColumn(name, values, missing, "text")


def guess_task(columns, has_hierarchy=False):
    """Guess the kind of target from its values.

    One target: texts, booleans and categories are classes; numbers with fractions are a quantity (regression). Integers
    are classes if there are at most two, or if they look like codes (:func:`look_like_codes`) with two rows each on
    average; otherwise they are a quantity. Several targets: labels (multilabel; hierarchical with a hierarchy) if all
    are 0 or 1, otherwise quantities (multitarget).

    Parameters
    ----------
    columns : list of TargetColumn
    has_hierarchy : bool, default=False

    Returns
    -------
    task : str
        One of :data:`TASKS`.
    reason : str
        The evidence for the guess.
    doubt : str or None
        The assumption, if integers may also be of the other kind.

    Raises
    ------
    ValueError
        If it is unclear whether -1 means unlabelled.

    Examples
    --------
    >>> guess_task(read_targets([3, 1, 2, 3, 1, 2]))[:2]
    ('classification', 'whole numbers, 3 distinct')
    """
    if len(columns) > 1:
        known = np.concatenate([column.numbers()[~column.missing] for column in columns])
        if np.isin(known, (0.0, 1.0)).all():
            return "multilabel" if not has_hierarchy else "hierarchical", f"{len(columns)} targets, all 0 or 1", None
        if np.isin(known, (-1.0, 0.0, 1.0)).all():
            raise ValueError(
                "y has -1 among labels, which are 0 or 1; unlabelled is NaN: np.where(y == -1, np.nan, y). "
                "Pass task='multitarget' if these are numbers"
            )
        return "multitarget", f"{len(columns)} targets, numbers", None
    (column,) = columns
    known = column.with_marks().known
    n_values = len(set(known.tolist())) if known.dtype == object else len(np.unique(known))
    count = f"{n_values} distinct" if n_values > 1 else "all equal"
    if not column.is_numeric:
        return "classification", f"{_WORDS[column.kind]}, {count}", None
    if not column.is_whole:
        return "regression", f"numbers with fractions, {count}", None
    reason = f"whole numbers, {count}"
    assumption = f"y has {n_values} different whole numbers, taken for"
    if n_values <= 2:
        return "classification", reason, None
    numbers, counts = np.unique(known, return_counts=True)
    if len(known) < len(column.known):  # -1 marks unlabelled rows, as it does among classes only
        counts = np.ones(n_values)
    if look_like_codes(numbers, counts) and 2 * n_values <= len(known):
        return "classification", reason, f"{assumption} classes; they may be quantities"
    if column.kind == "integer" and (column.known == -1).any() and column.known.min() == -1:
        raise ValueError(
            f"y has -1 in {int((column.known == -1).sum())} rows, among {n_values} other whole numbers that are none "
            "below: pass NaN instead if it means unlabelled, task='regression' if it is a value"
        )
    return "regression", reason, f"{assumption} quantities; they may be classes"


def look_like_codes(numbers, counts):
    """Check if integers look like codes of classes.

    Codes start at -1, 0 or 1 and skip at most one number. There are at most :data:`FEW_CLASSES` of them, or at most
    :data:`MANY_CLASSES` with similar frequencies.

    Parameters
    ----------
    numbers : ndarray of shape (k,)
        Distinct values, in order.
    counts : ndarray of shape (k,)
        Frequency of each value.

    Returns
    -------
    bool

    Examples
    --------
    >>> look_like_codes(np.arange(10), np.full(10, 180))
    True
    >>> look_like_codes(np.arange(25, 30), np.full(5, 180))  # ages
    False
    >>> look_like_codes(np.arange(10), 180 // np.arange(1, 11))  # counts
    False
    """
    first, k = numbers[0], len(numbers)
    if first not in (-1, 0, 1) or numbers[-1] > first + k:
        return False
    return bool(k <= FEW_CLASSES or (k <= MANY_CLASSES and counts.max() <= _UNEQUAL * counts.min()))


_WORDS = {"text": "texts", "boolean": "true or false", "category": "categories"}


def doubts_of_classes(column, classes):
    """List doubts about classes: values that may mean unlabelled, and nearly equal strings.

    Parameters
    ----------
    column : TargetColumn
    classes : ndarray
        Distinct values of the column.

    Returns
    -------
    list of str
        Phrases to follow "y has".
    """
    doubts = []
    missing = [value for value in classes if _may_mean_unlabeled(value)]
    others = [str(value) for value in classes if value not in missing]
    if missing and others not in (["1"], ["1.0"]):  # -1 and 1 are two classes
        shown = repr(str(missing[0])) if isinstance(missing[0], str) else "-1"
        doubts.append(
            f"a class {shown}; -1 means unlabelled among integers and objects only, elsewhere that is NaN or None"
        )
    if column.kind == "integer" and others == ["1"] and (column.values[column.missing] == -1).any():
        doubts.append(
            "no class but 1, as -1 means unlabelled among integers; pass y.astype(float) if -1 is a class, too"
        )
    if same := [" and ".join(map(repr, group)) for group in spellings([c for c in classes if isinstance(c, str)])]:
        doubts.append(f"classes that differ only in capital letters or spaces: {', '.join(same[:MAX_LISTED])}")
    return doubts


def spellings(texts):
    """Group texts that differ only in capital letters or spaces.

    Parameters
    ----------
    texts : sequence of str

    Returns
    -------
    list of list of str
        Groups of at least two.
    """
    groups = {}
    for text in texts:
        groups.setdefault(" ".join(text.casefold().split()), []).append(text)
    return [group for group in groups.values() if len(group) > 1]


def _may_mean_unlabeled(value):
    """Check if a class looks like a code of missing values."""
    return value == -1 if isinstance(value, Number) else str(value).strip().lower() in MISSING_LABELS
