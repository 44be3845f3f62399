"""Files that are there as a whole or not at all, and rankings made elsewhere."""

import gzip
import io
import json
import math
import os
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError
from sslrank.core.messages import listed, nearest
from sslrank.datasets.readers.delimited import guess_delimiter
from sslrank.datasets.readers.kinds import NA_WORDS

#: Columns of a ranking in order of preference, in any case of letters, and whether higher is better.
SCORES = {"importance": True, "score": True, "mean_rank": False, "rank": False}
#: Suffixes of a ranking that is written as one file.
RESULTS = (".csv", ".parquet", ".json", ".html")
#: Suffixes of other tables that are written.
TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet")


def write(path, content):
    """Write a text or bytes by way of a temporary file beside the place, in a folder that is made."""
    path = Path(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content.encode() if isinstance(content, str) else content)
        os.replace(temporary, path)
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror}", file=path) from None
    finally:
        temporary.unlink(missing_ok=True)


def write_table(path, frame):
    """Write a table as its name says: see :data:`TABLES`."""
    name = Path(path).name
    if name.endswith(".parquet"):
        buffer = io.BytesIO()
        frame.to_parquet(buffer, index=False)
        content = buffer.getvalue()
    else:
        content = frame.to_csv(index=False, sep="\t" if ".tsv" in name else ",").encode()
        if name.endswith(".gz"):
            content = gzip.compress(content, mtime=0)  # the same table gives the same bytes
    write(path, content)


def whole_numbers(frame):
    """The table with whole numbers as such, not as 1.0, in columns that have no others."""
    names = [name for name, kind in frame.dtypes.items() if kind == np.float64]
    known = {name: frame[name].dropna() for name in names}
    names = [name for name, values in known.items() if (values.mod(1) == 0).all() and (values.abs() < 2**53).all()]
    return frame.astype(dict.fromkeys(names, "Int64"))


def check_place(path, kinds, *, folder=False, inputs=()):
    """Refuse by a DataError a place that cannot be written, before work is done for it.

    A file ends in one of `kinds`; where it may be a `folder`, that is what has no suffix. `inputs` are read, and must
    stay as they are.
    """
    path = Path(path)
    is_folder = folder and (path.is_dir() or not path.suffix)
    if not (is_folder or path.is_dir() or path.name.endswith(kinds)):
        expected = "a folder, or a name" if folder else "a name"
        raise DataError(f"expected {expected} that ends in one of {', '.join(kinds)}", file=path)
    if any(path.exists() and path.samefile(read) for read in inputs if Path(read).exists()):
        raise DataError("this file is read, and would be written over", file=path, advice="Name another place")
    if path.exists() and path.is_dir() != is_folder:
        expected, found = ("folder", "file") if is_folder else ("file", "folder")
        raise DataError(f"expected a {expected}, this is a {found}", file=path, advice="Name another place")
    above = next(place for place in (path, *path.absolute().parents) if place.exists())
    problem = f"cannot be written: {above} is no folder that may be written to"
    if not os.access(above, os.W_OK) or (above != path and not above.is_dir()):
        raise DataError(problem, file=path)
    if above.is_dir():
        try:  # some folders take no files, whatever their permissions say
            tempfile.TemporaryFile(dir=above).close()
        except OSError as error:
            raise DataError(f"{problem}: {error.strerror}", file=path) from None


def write_result(result, out):
    """Write a ranking: into a folder all there is, or one file by its suffix; give the paths of what was written."""
    check_place(out, RESULTS, folder=True)
    out = Path(out)
    is_folder = out.is_dir() or out.suffix not in RESULTS
    paths = [out / f"ranking{kind}" for kind in RESULTS] if is_folder else [out]
    for path in paths:
        if path.suffix == ".json":
            write(path, as_json(result.summary()))
        elif path.suffix == ".html":
            from sslrank.tabular.html import document  # loads matplotlib

            write(path, document(result, out if is_folder else None))
        else:
            write_table(path, result.to_frame())
    if is_folder and result.curve:
        paths.append(out / "curve.csv")
        write_table(paths[-1], result.curve.table)
    return paths


def as_json(value):
    """JSON text; what is no number is null."""
    return json.dumps(_plain(value), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _plain(value):
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    value = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def read_ranking(path, column=None):
    """Read a ranking from anywhere: a CSV or Parquet file with a column of features.

    `column` orders the features: ranks if its name has "rank" in it, else importances. By default it is one of
    :data:`SCORES`, or the order of the rows where features are all that there is. Gives importances (higher is better)
    by feature as a Series, whose name says what they were made of. Raises DataError if nothing tells the column, a
    feature is listed twice, or a value is no number.
    """
    table = _by_feature(path)
    if column is not None and column not in table:
        raise DataError(f"there is no column {column!r}{nearest(column, table.columns)}", file=path)
    columns = list(table)
    column = column or next((name for score in SCORES for name in columns if str(name).lower() == score), None)
    if column is None and len(columns) == 1 and pd.to_numeric(table[columns[0]], errors="coerce").notna().all():
        column = columns[0]  # such as a Series that pandas saved
    if column is None and columns:
        raise DataError(
            f"which column orders the features? There is none of {', '.join(SCORES)}, but {listed(columns)}",
            file=path,
            advice="Name it: --column on the command line; or leave nothing but the features, the best one first",
        )
    if column is None:
        return pd.Series(-np.arange(len(table), dtype=np.float64), index=table.index, name="the order of the lines")
    values = pd.to_numeric(table[column], errors="coerce").to_numpy(dtype=np.float64)
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0])
        raise DataError("expected a number", file=path, line=row + 2, column=repr(column))
    higher = SCORES.get(column.lower(), "rank" not in column.lower())
    said = f"column {column!r}, {'the highest' if higher else 'the lowest, as these are ranks,'} first"
    return pd.Series(values if higher else -values, index=table.index, name=said)


def _by_feature(path):
    """A CSV or Parquet file with a column of features, which is "feature" or the first one, as columns by feature."""
    path = Path(path)
    if not path.is_file():
        raise DataError("there is no such file", file=path)
    if path.suffix in (".json", ".html"):
        raise DataError("a ranking is read from CSV or Parquet", file=path, advice="'sslrank rank --out' writes both")
    try:
        if path.suffix == ".parquet":
            table = pd.read_parquet(path)
        else:  # as texts, since features may be called 007 or NA
            table = pd.read_csv(path, dtype=str, keep_default_na=False, sep=guess_delimiter(path))
    except (OSError, ValueError, pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise DataError(f"no table can be read: {error}", file=path) from None
    features = "feature" if "feature" in table else table.columns[0]
    names = table[features].astype(str)
    if names.empty:
        raise DataError("there are no features in it", file=path)
    if not names.is_unique:
        raise DataError(f"feature {names[names.duplicated()].iloc[0]!r} is listed twice", file=path)
    return table.drop(columns=features).set_axis(names, axis=0)


def read_beside(paths):
    """Read importances from elsewhere as columns by feature; None without a file.

    Of each CSV or Parquet file the columns of numbers; one whose name is there already gets the file's name before it.
    Raises DataError if a file cannot be read, lists a feature twice or has no column of numbers.
    """
    found = {}
    for path in map(Path, paths):
        table = _by_feature(path).select_dtypes(exclude=["bool", "datetime", "datetimetz", "timedelta"])
        numbers = table.apply(pd.to_numeric, errors="coerce")
        numbers = numbers.loc[:, numbers.notna().any() & (numbers.notna() | table.isin(("", *NA_WORDS))).all()]
        if numbers.empty:
            raise DataError("expected a column of features and columns of numbers", file=path)
        for name in numbers:
            found[f"{path.stem} {name}" if str(name) in found else str(name)] = numbers[name]
    return pd.DataFrame(found) if found else None
