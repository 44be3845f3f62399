"""Large files: all labelled rows and a sample of the others are read.

A reader of such a format has a function ``find_labels(path, labeled, **options)`` that reads the target only, in
pieces. So memory is bounded by the kept rows, not by the file.
"""

import importlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sslrank.core.random_state import derive_seed
from sslrank.datasets.readers.source import check_size, size_limit

#: Format -> module with a function ``find_labels``.
MODULES = {"csv": "delimited", "parquet": "parquet"}
#: Files of more bytes are read in pieces; compressed files from a fifth of it, Parquet from a quarter as many values.
LARGE = 200_000_000
#: Encodings in which a line break is one byte that is part of no other character.
_ENCODINGS = ("utf-8", "utf8", "ascii", "latin-1", "latin1", "iso-8859-1", "cp1252", "windows-1252")


def is_large(path, format, encoding="utf-8"):
    """Check if a file is so large that it is read in pieces."""
    if format not in MODULES or encoding.lower() not in _ENCODINGS or path.stat().st_size <= LARGE / 20:
        return False
    if format == "parquet":
        try:
            facts = pq.read_metadata(path)
        except (OSError, pa.ArrowException):
            return False  # reading it says what is wrong
        return facts.num_rows * facts.num_columns > LARGE // 4
    packed = path.suffix.lower() in (".gz", ".bz2", ".xz", ".zip")
    return path.stat().st_size > (LARGE / 5 if packed else LARGE)


def read_in_pieces(path, format, labeled, *, max_cells, seed=0, max_size=None, **options):
    """Read the labelled rows of a file and a sample of the others, in the order of the file.

    `labeled` gives a mask of the labelled rows of a table. Unlabelled rows are drawn at random (by `seed`) so that all
    rows together have at most `max_cells` cells; ``n_unread`` of the table counts the others. The limit `max_size` is
    that of :func:`sslrank.datasets.readers.read` for the labelled rows; `options` are those of the format's reader.
    """
    path, module = Path(path), importlib.import_module(f"sslrank.datasets.readers.{MODULES[format]}")
    with size_limit(max_size):
        mask, starts, n_columns = module.find_labels(path, labeled, **options)
        check_size(8 * int(mask.sum()) * n_columns, "has labelled rows that take")
        keys = np.full(len(mask), -1.0)
        random = np.random.default_rng(derive_seed(seed, "rows of a file"))
        keys[~mask] = random.random(np.count_nonzero(~mask))
        is_read = np.zeros(len(mask), dtype=bool)
        is_read[np.argsort(keys, kind="stable")[: max(max_cells // n_columns, int(mask.sum()))]] = True
        if starts is None:
            table = module.read(path, rows=is_read, **options)
        else:
            head = np.ones(starts[0] - 1, dtype=bool)
            lines = np.concatenate([head, np.repeat(is_read, np.diff(starts))])
            table = module.read(path, lines=lines, **options)
    table.path, table.n_unread = path, len(mask) - int(is_read.sum())
    return table
