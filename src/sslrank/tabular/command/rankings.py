"""Read saved rankings, rankings from other programs, and blocks of features."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError
from sslrank.core.messages import RENAMED, listed, nearest
from sslrank.datasets.readers import read
from sslrank.datasets.readers.guesses import guess_delimiter
from sslrank.tabular.output.recipe import read_fields

#: Columns of a ranking in order of preference, ignoring case, and whether higher is better.
SCORES = {"importance": True, "score": True, "rank": False, "mean_rank": False}
#: Columns where lower is better, in addition to ranks; features without a value come last.
LOWER = re.compile(r"(conditional_)?[pq]|low|high|[pq]_?value|pval|padj|fdr", re.IGNORECASE)


@dataclass(frozen=True)
class SavedRanking:
    """A ranking from a folder or JSON file of ``sslrank rank``, or from a CSV or Parquet file.

    Attributes
    ----------
    path : Path
    rows : DataFrame
        Indexed by feature, in the order of the file.
    fields : dict
        The fields of :data:`sslrank.tabular.output.json_fields.FIELDS`; empty for a file from elsewhere.
    """

    path: Path
    rows: pd.DataFrame
    fields: dict

    @classmethod
    def read(cls, path):
        """Read a folder or file; raises DataError if it is not a ranking."""
        path = Path(path) / "ranking.json" if Path(path).is_dir() else Path(path)
        if path.suffix != ".json" or not path.is_file():
            return cls(path, _by_feature(path), {})
        fields = read_fields(path)
        rows = pd.DataFrame(fields["features"])
        return cls(path, rows.set_index(rows.pop("feature").astype(str)), fields)

    def importances(self, column=None):
        """Return importances by feature, higher is better, as a Series whose name describes their source.

        `column` orders the features: lowest first if its name contains "rank" or is that of a p-value, q-value or end
        of an interval, else highest first. The default is a column in :data:`SCORES`, or the order of the rows if the
        file has only features. Raises DataError if the column is ambiguous, or a value is not a number.
        """
        table, path = self.rows, self.path
        if column is not None and column not in table:
            raise DataError(f"there is no column {column!r}{nearest(column, table.columns, RENAMED)}", file=path)
        columns = list(table)
        column = column or next((name for score in SCORES for name in columns if str(name).lower() == score), None)
        if column is None and len(columns) == 1 and pd.to_numeric(table[columns[0]], errors="coerce").notna().all():
            column = columns[0]  # such as a Series that pandas saved
        if column is None and columns:
            raise DataError(
                f"which column orders the features? Expected {', '.join(SCORES)}, found {listed(columns)}",
                file=path,
                advice="Name it with --column, or keep only the column of features, best first",
            )
        if column is None:
            return pd.Series(-np.arange(len(table), dtype=np.float64), index=table.index, name="the order of the lines")
        values = pd.to_numeric(table[column], errors="coerce").to_numpy(dtype=np.float64)
        is_low = LOWER.fullmatch(column) is not None
        higher = SCORES.get(column.lower(), "rank" not in column.lower() and not is_low)
        if is_low and np.isfinite(values).any():
            values = np.where(np.isnan(values), np.nanmax(values) + 1, values)
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values))[0])
            line = None if path.suffix in (".json", ".parquet") else row + 2
            problem = f"expected a number for the feature {table.index[row]!r}"
            raise DataError(problem, file=path, line=line, column=repr(column))
        source = f"column {column!r}, {'the highest' if higher else 'the lowest'} first"
        return pd.Series(values if higher else -values, index=table.index, name=source)


def _by_feature(path):
    """Read a CSV or Parquet file, indexed by the column "feature" or the first column."""
    if not Path(path).is_file():
        raise DataError("there is no such file", file=path)
    if Path(path).suffix in (".json", ".html"):
        raise DataError("expected a CSV or Parquet file", file=path, advice="'sslrank rank --out' writes both")
    if Path(path).suffix == ".parquet":
        table = read(path).frame
    else:  # as texts, since features may be called 007 or NA
        table = read(path, "csv", delimiter=guess_delimiter(path), nominal="all", missing=(), row_names=False).frame
    features = "feature" if "feature" in table else table.columns[0]
    names = table[features].astype(str)
    if not names.is_unique:
        raise DataError(f"feature {names[names.duplicated()].iloc[0]!r} is listed twice", file=path)
    return table.drop(columns=features).astype(object).set_axis(names, axis=0)


def read_blocks(path):
    """Read the features of each block, from a file with the columns feature and block.

    Raises DataError if a column is missing, or a feature is listed twice.
    """
    table = _by_feature(path)
    if "block" not in table:
        raise DataError(f"there is no column 'block'{nearest('block', table.columns)}", file=path)
    return {block: list(names) for block, names in table.groupby("block", sort=False).groups.items()}
