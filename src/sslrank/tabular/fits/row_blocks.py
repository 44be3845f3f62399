"""Rows that belong together."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Blocks:
    """Rows that stay together when rows are permuted and when they are split.

    Attributes
    ----------
    kind : {"", "groups", "time"}
    values : ndarray of shape (n,) or None
        The group or the time of each row.
    reason : str
        In words; empty if rows are independent as far as is known.
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
