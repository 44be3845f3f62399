"""The result of a check of a table."""

from dataclasses import dataclass, field

#: Minimum number of labelled rows to rank; and number below which only strong relations are detected.
MIN_LABELS, ENOUGH_LABELS = 5, 30
TITLES = {
    "C01": "identifiers and dates",
    "C02": "constant columns and missing values",
    "C03": "target leakage",
    "C04": "near-duplicate features",
    "C05": "correlated features",
    "C06": "duplicate rows",
    "C07": "groups of rows",
    "C08": "temporal order",
    "C11": "number of labels",
    "C13": "shift between labelled and unlabelled rows",
    "C14": "rows of totals",
    "C15": "missing values that depend on the target",
    "C16": "far values of the target",
}


@dataclass(frozen=True)
class Check:
    """Result of one check of a table.

    Attributes
    ----------
    code : str
    passed : bool or None
        None if it was skipped.
    looked_at : str
        What was checked; why not, if it was skipped.
    finding : str
        Empty if passed.
    advice : str
    options : dict of str to str or list of str
        Options of the command, or parameters of :func:`sslrank.rank`, that follow the advice.
    condition : str
        Condition that only a person can check and that makes the ranking wrong; empty if there is none, or no evidence
        besides a p-value.
    leads : bool
        Whether the answer may begin with the condition.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> checks = rank(X, y, methods="f_score", effort="order").checks
    >>> [check.code for check in checks if check.passed is False]
    ['C05']
    """

    code: str
    passed: bool | None
    looked_at: str
    finding: str = ""
    advice: str = ""
    options: dict = field(default_factory=dict)
    condition: str = ""
    leads: bool = True

    @property
    def title(self):
        """Name of the check."""
        return TITLES[self.code]
