"""Write files completely or not at all."""

import gzip
import io
import json
import os
import tempfile
from pathlib import Path

from sslrank.core.errors import DataError
from sslrank.core.extras import require

#: Suffixes of a ranking that is written as one file.
RESULTS = (".csv", ".parquet", ".json", ".html")
#: Suffixes of other tables that are written.
TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet")


def write(path, content):
    """Write a text or bytes by way of a temporary file in the same folder, which is made if needed."""
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
    """Write a table in the format of its suffix, one of :data:`TABLES`."""
    name = Path(path).name
    if name.endswith(".parquet"):
        require("readers", "writing Parquet files", "pyarrow")
        buffer = io.BytesIO()
        frame.to_parquet(buffer, index=False)
        content = buffer.getvalue()
    else:
        content = frame.to_csv(index=False, sep="\t" if ".tsv" in name else ",").encode()
        if name.endswith(".gz"):
            content = gzip.compress(content, mtime=0)  # the same table gives the same bytes
    write(path, content)


def whole_numbers(frame):
    """Convert float columns of whole numbers to integers, so that they are not written as 1.0."""
    columns = {name: values.dropna() for name, values in frame.select_dtypes("float64").items()}
    names = [name for name, values in columns.items() if (values.mod(1) == 0).all() and (values.abs() < 2**53).all()]
    return frame.astype(dict.fromkeys(names, "Int64"))


def check_output(path, kinds, *, folder=False, inputs=()):
    """Raise DataError if a path cannot be written; called before the computation.

    The name of a file ends in one of `kinds`; with `folder`, a name without suffix is a folder. `inputs` are read and
    must not be overwritten.
    """
    path = Path(path)
    is_folder = folder and (path.is_dir() or not path.suffix)
    if not (is_folder or path.is_dir() or path.name.endswith(kinds)):
        expected = "a folder, or a name" if folder else "a name"
        advice = "To write to a folder with a point in its name, create it first" if folder else None
        raise DataError(f"expected {expected} that ends in one of {', '.join(kinds)}", file=path, advice=advice)
    if any(path.exists() and path.samefile(read) for read in inputs if Path(read).exists()):
        raise DataError("this is an input file and would be overwritten", file=path, advice="Name another file")
    if path.exists() and path.is_dir() != is_folder:
        expected, actual = ("folder", "file") if is_folder else ("file", "folder")
        raise DataError(f"expected a {expected}, this is a {actual}", file=path, advice=f"Name another {expected}")
    folder = path if is_folder else path.parent
    above = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    try:  # some folders refuse files whatever their permissions are
        tempfile.TemporaryFile(dir=above).close()
    except OSError as error:
        raise DataError(f"cannot be written: {above} is not a writable folder: {error.strerror}", file=path) from None


def write_result(result, out):
    """Write a ranking: all files into a folder, or one file by its suffix; returns the paths."""
    check_output(out, RESULTS, folder=True)
    out = Path(out)
    is_folder = out.is_dir() or out.suffix not in RESULTS
    paths = [out / f"ranking{kind}" for kind in RESULTS] if is_folder else [out]
    for path in paths:
        if path.suffix == ".json":
            write(path, as_json(result.to_dict()))
        elif path.suffix == ".html":
            from sslrank.tabular.output.html import document  # here, as the command checks paths before it imports that

            write(path, document(result))
        else:
            write_table(path, result.features)
    if is_folder and result.curve:
        paths.append(out / "curve.csv")
        write_table(paths[-1], result.curve.table)
    return paths


def as_json(value):
    """Convert to JSON; NaN and infinity become null."""
    finite = json.loads(json.dumps(value), parse_constant=lambda name: None)
    return json.dumps(finite, indent=1, ensure_ascii=False) + "\n"
