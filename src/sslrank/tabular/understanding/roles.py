"""The user's options about the columns of a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from sslrank.core.errors import DataError
from sslrank.core.messages import quoted, suggestion
from sslrank.core.tasks import TASKS


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnRoles:
    """Kind of target, and which columns are categories, numbers, not features, or descriptions of rows.

    Attributes
    ----------
    task : str, optional
        Kind of target; by default by its values.
    hierarchy : list of list of int, or {"tree", "dag"}, optional
        Parents of each 0/1 label; for a file, the form of the paths in the target.
    nominal, numeric, drop, keep : sequence of str
        Columns to read as categories or numbers, to leave out, and to keep in any case.
    groups, time, weights, event : str or array-like of shape (n,), optional
        The group, the time and the weight of each row, and whether the event happened of which the target is the time:
        the name of a column, which is no feature, or the values themselves where the table is no file. "none" as groups
        or time: there are none.
    adjust : sequence of str
        Columns that features are ranked given, and which are no features.
    positives_only : bool
        Only positive rows are labelled: they are compared with all others.
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
    event: object = None
    adjust: Sequence = ()
    positives_only: bool = False

    def __post_init__(self):
        if self.task is not None and self.task not in TASKS:
            raise DataError(f"unknown task {quoted(self.task)}; {suggestion(self.task, TASKS)}")
        if {"groups", "time"} <= self.of_rows.keys():
            raise DataError(
                "groups and time are both given, and rows can be kept together by one of them",
                advice="Leave one out: groups if rows of one group may be on both sides of a point in time",
            )
        if self.event is not None and (self.positives_only or self.task not in (None, "regression")):
            what = "positives only" if self.positives_only else f"task {self.task}"
            raise DataError(
                f"with an event the target is a time, not {what}", advice="Leave one of the two options out"
            )

    @property
    def of_rows(self):
        """Those of groups, time, weights and event that are given, as a dict."""
        given = {"groups": self.groups, "time": self.time, "weights": self.weights, "event": self.event}
        return {key: value for key, value in given.items() if value is not None and key not in self.declared_absent}

    @property
    def of_target(self):
        """What is ranked in the place of the target, as a dict; None if it is the target as it is."""
        if self.event is None and not len(self.adjust) and not self.positives_only:
            return None
        event = self.event
        if event is not None and not isinstance(event, str):
            event = str(getattr(event, "name", None) or "event")
        return {"event": event, "adjust": list(self.adjust), "positives_only": bool(self.positives_only)}

    @property
    def declared_absent(self):
        """What the person says there is none of: "groups", "time"."""
        given = {"groups": self.groups, "time": self.time}
        return frozenset(key for key, value in given.items() if isinstance(value, str) and value == "none")
