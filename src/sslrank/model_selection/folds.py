"""Folds of a dataset in a study, with the rows that keep their labels; saved as JSON."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from sslrank.core.errors import DataError, NoDataError


@dataclass(frozen=True)
class Fold:
    """One training and test set.

    Attributes
    ----------
    fold : int
    train, test : ndarray of int
        Rows of the dataset, sorted.
    labeled : dict of str to ndarray of int
        Training rows that keep their labels, sorted, by budget.
    note : dict of str to str
        Notes by budget if the labels differ from the request; otherwise empty.

    Examples
    --------
    >>> import numpy as np
    >>> fold = Fold(0, train=np.array([0, 1]), test=np.array([2]), labeled={"1": np.array([0])})
    >>> fold.labeled["1"]
    array([0])
    """

    fold: int
    train: np.ndarray
    test: np.ndarray
    labeled: dict[str, np.ndarray]
    note: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Splits:
    """All folds of one dataset in one study.

    Attributes
    ----------
    scheme : str
        One of :data:`sslrank.model_selection.splits.SCHEMES`.
    dataset : str
    seed : int
        The study's seed.
    n_rows : int
        Number of rows of the dataset.
    budgets : tuple of str
    folds : tuple of Fold

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.model_selection.splits import make_splits
    >>> y = np.array(["a", "b"] * 10, dtype=object)
    >>> splits = make_splits(y, task="classification", dataset="made up", scheme="cross-validation", folds=4)
    >>> len(splits.folds), len(splits.folds[0].test)
    (4, 5)
    """

    scheme: str
    dataset: str
    seed: int
    n_rows: int
    budgets: tuple[str, ...]
    folds: tuple[Fold, ...]

    @classmethod
    def load(cls, path):
        """Read the file of :meth:`save`.

        Parameters
        ----------
        path : path-like

        Returns
        -------
        Splits

        Raises
        ------
        NoDataError
            If the file has the reason why there are no splits.
        DataError
            If the file is damaged.
        """
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            advice = "Delete it and make it again"
            raise DataError(f"cannot be read ({error})", file=path, advice=advice) from None
        if "problem" in data:
            raise NoDataError(data["problem"])
        folds = tuple(
            Fold(
                fold["fold"],
                np.array(fold["train"], dtype=np.intp),
                np.array(fold["test"], dtype=np.intp),
                {budget: np.array(rows, dtype=np.intp) for budget, rows in fold["labeled"].items()},
                fold.get("note", {}),
            )
            for fold in data.pop("folds")
        )
        return cls(**{**data, "budgets": tuple(data["budgets"]), "folds": folds})

    def save(self, path):
        """Write the splits as JSON, one fold per line.

        Parameters
        ----------
        path : path-like
        """
        head = {key: getattr(self, key) for key in ("scheme", "dataset", "seed", "n_rows", "budgets")}
        lines = ",\n".join(
            json.dumps(vars(fold), separators=(",", ":"), default=np.ndarray.tolist) for fold in self.folds
        )
        text = json.dumps(head)[:-1] + ', "folds": [\n' + lines + "\n]}\n"
        Path(path).write_text(text, encoding="utf-8")
