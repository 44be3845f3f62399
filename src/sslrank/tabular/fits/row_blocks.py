"""Rows that belong together."""

from dataclasses import dataclass

import numpy as np

#: Stretches of time, of which a half-sample has five.
STRETCHES = 10


@dataclass(frozen=True)
class Blocks:
    """Rows that stay together when rows are permuted and when they are split.

    Attributes
    ----------
    kind : {"", "groups", "time"}
    values : ndarray of shape (n,) or None
        The group or the time of each row.
    reason : str
        In words; empty if rows count as independent.
    """

    kind: str = ""
    values: np.ndarray | None = None
    reason: str = ""

    @property
    def groups(self):
        """Group of each row, or None."""
        return self.values if self.kind == "groups" else None

    @property
    def time(self):
        """Time of each row, or None."""
        return self.values if self.kind == "time" else None

    @property
    def whole(self):
        """Number of each row's unit that splits keep whole: its group or stretch of time; or None."""
        if self.kind != "time":
            return self.groups
        found = np.empty(len(self.values), dtype=np.intp)
        for number, rows in enumerate(np.array_split(np.argsort(self.values, kind="stable"), STRETCHES)):
            found[rows] = number
        return found
