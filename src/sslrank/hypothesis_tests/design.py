"""The design of the rows: what may be exchanged under the null hypothesis, and what must be removed first."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from sslrank.core.containers import as_table, check_row_values, check_same_index
from sslrank.core.errors import DataError
from sslrank.core.messages import counted
from sslrank.core.validation import refuse_missing

#: Columns that describe the design.
DESIGN = ("groups", "time", "strata")
#: Minimum number of groups or times to exchange: five have 120 orders.
MIN_UNITS = 5
#: From this number of groups on, whole groups of a panel are exchanged, whatever the number of times.
_ENOUGH_GROUPS = 20
#: Number of stretches of time; a half-sample has half of them.
STRETCHES = 10


@dataclass(frozen=True, eq=False)
class Design:
    """Groups, times and strata of rows, and which of them permutations and splits keep whole.

    Attributes
    ----------
    groups, time, strata : ndarray of shape (n,) or None
        Group, time and stratum of each row. Rows with groups and times are a panel.
    unit : {"rows", "groups", "times"}
        What is exchanged, and not divided between training and test rows.
    reason : str
        Units in words, such as "12 groups"; empty if rows count as independent.

    Examples
    --------
    >>> import numpy as np
    >>> shops, weeks = np.repeat(np.arange(20), 8), np.tile(np.arange(8), 20)
    >>> design_of(np.random.default_rng(0).normal(size=(160, 1)), groups=shops, time=weeks).unit
    'groups'
    """

    groups: np.ndarray | None = None
    time: np.ndarray | None = None
    strata: np.ndarray | None = None
    unit: str = "rows"
    reason: str = ""

    @property
    def whole_groups(self):
        """Group of each row, if groups are kept whole; otherwise None."""
        return self.groups if self.unit == "groups" else None

    @property
    def order(self):
        """Time of each row, if rows are kept in the order of time; otherwise None."""
        return self.time if self.unit == "times" else None

    @property
    def splits(self):
        """Unit of each row that half-samples keep together, its group or stretch of time; None if there is none."""
        return self.stretches(STRETCHES) if self.unit == "times" else self.whole_groups

    def stretches(self, count):
        """Divide rows in the order of time into stretches of about the same size; rows of one time stay together."""
        sizes = [len(part) for part in np.array_split(self.time, count)]
        return np.repeat(np.arange(count), sizes)[np.searchsorted(np.sort(self.time), self.time)]

    def rows(self, index):
        """Select rows by an index array."""
        parts = {key: getattr(self, key) for key in DESIGN}
        return replace(self, **{key: None if values is None else values[index] for key, values in parts.items()})


#: The design of independent rows.
INDEPENDENT = Design()


def design_of(values, *, groups=None, time=None, strata=None):
    """Find out what may be exchanged.

    Rows of a panel (groups and times) have effects of both. If the target is the same in all rows of a time, whole
    times are exchanged; if it is the same in all rows of a group, whole groups. Otherwise whole groups, which keeps
    the order of time inside them, unless they are few and there are more times.

    Parameters
    ----------
    values : ndarray of shape (n, T)
        Targets of the labelled rows.
    groups, time, strata : ndarray of shape (n,), optional
        `groups` may be "none": rows of the same time are of different units.

    Returns
    -------
    Design

    Raises
    ------
    DataError
        If nothing may be exchanged.
    """
    independent = isinstance(groups, str)
    groups = None if independent else groups
    n_groups, n_times = (0 if codes is None else len(np.unique(codes)) for codes in (groups, time))
    unit = "rows" if groups is None else "groups"
    if time is not None:
        unit = "times"
        if strata is not None:
            raise DataError(
                "strata and time are both given, and rows in the order of time are exchanged across strata",
                advice="Give the strata as groups: rows with groups and times are a panel",
            )
        if groups is None and 2 * n_times < len(values) and not independent:
            raise DataError(
                f"{len(values)} labelled rows have {counted(n_times, 'time')}, and units may return at several times",
                advice="Give their groups, such as the shop or person of each row; groups none if no unit returns",
            )
        if groups is not None:
            unit = _unit_of_panel(values, groups, time, n_groups, n_times)
    if groups is not None and strata is not None:
        first = np.unique(groups, return_index=True)[1]
        if len(np.unique(np.column_stack([groups, strata]), axis=0)) > len(first):
            raise DataError(
                "a group has rows of several strata: groups are exchanged within a stratum",
                advice="Leave out the groups if rows of one group may be exchanged, otherwise the strata",
            )
    if strata is not None:
        units = np.arange(len(values)) if groups is None else groups
        sizes = [len(np.unique(units[strata == stratum])) for stratum in np.unique(strata)]
        if max(sizes) < 2:
            raise DataError(
                f"no stratum has two {unit}, so nothing can be exchanged", advice="Leave out the strata, or join some"
            )
    words = {"rows": "", "groups": counted(n_groups, "group"), "times": "time"}[unit]
    if groups is not None and time is not None:
        words = f"{counted(n_groups, 'group')} at {counted(n_times, 'time')}"
    return Design(groups, time, strata, unit, words)


def check_rows(X, y, **columns):
    """Raise ValueError unless y and the given columns belong to the rows of X; `groups` may be "none"."""
    X = as_table(X)
    check_same_index(X, y)
    for name, values in columns.items():
        may_be_none = ', or be "none"' if name == "groups" else ""
        if values is not None and not (may_be_none and isinstance(values, str) and values == "none"):
            check_row_values(X, values, name, may_be_none, (1, 2) if name == "adjust" else (1,))


def labeled_rows(targets):
    """Return the labelled rows as indices; raises DataError if there are none."""
    if not targets.labeled.any():
        raise DataError("y has no labelled row")
    return np.flatnonzero(targets.labeled)


def given_codes(rows, **columns):
    """Number the values of given groups, times and strata of some rows; a text such as "none" stays."""
    codes = {key: values for key, values in columns.items() if values is not None}
    for key, values in codes.items():
        if not isinstance(values, str):
            values = np.asarray(values)[rows]
            refuse_missing(rows[pd.isna(values)], {"groups": "group", "strata": "stratum"}.get(key, key))
            codes[key] = np.unique(values, return_inverse=True)[1]
    return codes


def _unit_of_panel(values, groups, time, n_groups, n_times):
    """Choose what of a panel is exchanged."""
    codes = np.nan_to_num(np.unique(values, return_inverse=True)[1].reshape(values.shape), nan=-1)

    def is_constant(units):
        return len(np.unique(np.column_stack([units, codes]), axis=0)) == len(np.unique(units))

    unit = "groups" if n_groups >= min(n_times, _ENOUGH_GROUPS) else "times"
    if is_constant(time):
        unit = "times"
    elif is_constant(groups):
        unit = "groups"
    count = n_groups if unit == "groups" else n_times
    if count < MIN_UNITS:
        raise DataError(
            f"{counted(n_groups, 'group')} at {counted(n_times, 'time')}: at least {MIN_UNITS} {unit} are needed to "
            "exchange them",
            advice="Leave out groups or time if rows do not depend on each other in that way",
        )
    return unit
