"""Blocks of dependent rows."""

from dataclasses import dataclass

import numpy as np

#: Number of stretches of time, of which a half-sample has five.
STRETCHES = 10


@dataclass(frozen=True)
class Blocks:
    """Rows that stay together in permutations and splits.

    Attributes
    ----------
    kind : {"", "groups", "time"}
    values : ndarray of shape (n,) or None
        Group or time of each row.
    reason : str
        Reason in words; empty if rows count as independent.
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
    def units(self):
        """Unit of each row that splits keep together, its group or stretch of time; or None."""
        if self.kind != "time":
            return self.groups
        order = np.empty(len(self.values), dtype=np.intp)
        for number, rows in enumerate(np.array_split(np.argsort(self.values, kind="stable"), STRETCHES)):
            order[rows] = number
        return order
