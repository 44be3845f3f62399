"""The user's options about the columns of a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from sslrank.core.errors import DataError
from sslrank.core.messages import quoted, suggestion
from sslrank.core.tasks import TASKS


@dataclass(frozen=True, kw_only=True, eq=False)
class ColumnRoles:
    """Kind of target, and columns that are categories, numbers, descriptions of rows, or not features.

    Attributes
    ----------
    task : str, optional
        Kind of target; by default guessed from the values.
    hierarchy : list of list of int, or {"tree", "dag"}, optional
        Parents of each 0/1 label; for a file, the form of the paths in the target.
    nominal, numeric, drop, keep : sequence of str
        Columns to read as categories or numbers, to leave out, and to keep.
    groups, time, weights, event : str or array-like of shape (n,), optional
        Group, time and weight of each row, and whether the event of a time happened: the name of a column, which is
        then not a feature, or values, if the table is not a file. "none" as groups or time means that there are none.
    adjust : sequence of str
        Columns to adjust for; they are not features.
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
        if {"groups", "time"} <= self.row_columns.keys():
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
    def row_columns(self):
        """Given values of groups, time, weights and event, as a dict."""
        columns = {"groups": self.groups, "time": self.time, "weights": self.weights, "event": self.event}
        return {key: value for key, value in columns.items() if value is not None and key not in self.declared_absent}

    @property
    def target_options(self):
        """Transformation of the target (event, adjustment, positives), as a dict; None if there is none."""
        if self.event is None and not len(self.adjust) and not self.positives_only:
            return None
        event = self.event
        if event is not None and not isinstance(event, str):
            event = str(getattr(event, "name", None) or "event")
        return {"event": event, "adjust": list(self.adjust), "positives_only": bool(self.positives_only)}

    @property
    def declared_absent(self):
        """Declared to be absent by the user: "groups", "time"."""
        columns = {"groups": self.groups, "time": self.time}
        return frozenset(key for key, value in columns.items() if isinstance(value, str) and value == "none")
