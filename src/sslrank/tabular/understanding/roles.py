"""What a user says about the columns of a table, as one object."""

from collections.abc import Sequence
from dataclasses import dataclass

from sslrank.core.errors import DataError


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnRoles:
    """Kind of target, and which columns are categories, numbers, not features, or descriptions of rows.

    Attributes
    ----------
    task : str, optional
        Kind of target; by default by its values.
    hierarchy : list of list of int, or {"tree", "dag"}, optional
        Parents of each of several 0/1 labels; of a file, the form of the paths that its target holds.
    nominal, numeric, drop, keep : sequence of str
        Columns that are categories, numbers, not features, or features although they do not look like it.
    groups, time, weights : str or array-like of shape (n,), optional
        The group, the time and the weight of each row: the name of a column, which is no feature, or the values
        themselves where the table is no file. "none" as groups or time: there are none.
    """

    task: str | None = None
    hierarchy: list | str | None = None
    nominal: Sequence = ()
    numeric: Sequence = ()
    drop: Sequence = ()
    keep: Sequence = ()
    groups: object = None
    time: object = None
    weights: object = None

    def __post_init__(self):
        if {"groups", "time"} <= self.of_rows.keys():
            raise DataError(
                "groups and time are both given, and rows can be kept together by one of them",
                advice="Leave one out: groups if rows of one group may be on both sides of a point in time",
            )

    @property
    def of_rows(self):
        """Those of groups, time and weights that are given, as a dict."""
        given = {"groups": self.groups, "time": self.time, "weights": self.weights}
        return {key: value for key, value in given.items() if value is not None and key not in self.settled}

    @property
    def settled(self):
        """What the person says there is none of: "groups", "time"."""
        given = {"groups": self.groups, "time": self.time}
        return frozenset(key for key, value in given.items() if isinstance(value, str) and value == "none")
