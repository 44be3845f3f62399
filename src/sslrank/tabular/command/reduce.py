"""``sslrank reduce``: a table with only the best features of a ranking."""

import json
from dataclasses import dataclass
from pathlib import Path

from sslrank.core.errors import DataError
from sslrank.tabular.command.rankings import read_ranking


@dataclass(frozen=True)
class Best:
    """The features of a saved ranking, best first.

    Attributes
    ----------
    features : list of str
    n_enough : int or None
        How many of them to take; None if the file does not say.
    why_enough : str
        Where that number comes from.
    target_columns : list of str
    texts : frozenset of str
        Features and targets that are not numbers, as far as the file says.
    """

    features: list
    n_enough: int | None = None
    why_enough: str = ""
    target_columns: tuple = ()
    texts: frozenset = frozenset()

    @classmethod
    def of(cls, path, column=None):
        """Read a ranking.

        Parameters
        ----------
        path : path-like
            The folder or the JSON file that ``sslrank rank --out`` wrote, or what
            :func:`sslrank.tabular.command.rankings.read_ranking` reads.
        column : str, optional
            As for :func:`~sslrank.tabular.command.rankings.read_ranking`.

        Returns
        -------
        Best

        Raises
        ------
        DataError
            If the file is not a ranking.
        """
        path = Path(path) / "ranking.json" if Path(path).is_dir() else Path(path)
        if path.suffix != ".json":
            return cls(list(read_ranking(path, column).sort_values(ascending=False, kind="stable").index))
        try:
            noted = json.loads(path.read_text(encoding="utf-8"))
            kinds = {row["feature"]: row["kind"] for row in noted["ranking"]}
            targets = noted["target_columns"]
            texts = {name for name, kind in kinds.items() if kind == "nominal"}
            texts |= set() if noted["task"] in ("regression", "multitarget") else set(targets)
            return cls(list(kinds), noted["n_enough"], noted["why_enough"], targets, frozenset(texts))
        except FileNotFoundError:
            raise DataError("there is no such file", file=path) from None
        except (OSError, ValueError, TypeError, KeyError):
            raise DataError("'sslrank rank --out' did not write this file", file=path) from None
