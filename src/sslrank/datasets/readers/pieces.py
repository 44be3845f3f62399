"""Large files in pieces: all labelled rows and a sample of the others are kept.

A reader of such a format has a function ``pieces(path, **options)`` that yields tables of successive rows with the same
columns. So memory is bounded by what is kept, whatever the size of the file.
"""

import importlib
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from sslrank.core.random_state import derive_seed
from sslrank.datasets.dataset import nominal_dtype
from sslrank.datasets.readers.source import check_size, size_limit
from sslrank.datasets.readers.table import ParsedTable

#: Format -> module with a function ``pieces``.
MODULES = {"arff": "arff", "csv": "delimited", "parquet": "parquet"}
#: Files of more bytes are read in pieces; compressed ones from a fifth, Parquet from a quarter as many values.
LARGE = 200_000_000
#: Encodings in which a line break is one byte that is part of no other character.
_ENCODINGS = ("utf-8", "utf8", "ascii", "latin-1", "latin1", "iso-8859-1", "cp1252", "windows-1252")


def is_large(path, format, encoding="utf-8"):
    """Decide whether a file is read in pieces."""
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

    `labeled` gives a mask of the labelled rows of a table. Unlabelled rows are drawn at random (by `seed`, the
    same rows whatever the size of the pieces) so that all rows together have at most `max_cells` cells;
    ``left_out`` of the table counts the others. The limit `max_size` is that of :func:`sslrank.datasets.readers.read`
    for the labelled rows; `options` are those of the format's reader.
    """
    module = importlib.import_module(f"sslrank.datasets.readers.{MODULES[format]}")
    sample = _Sample(Path(path), max_cells, derive_seed(seed, "rows of a file"), format == "arff")
    with size_limit(max_size):
        for table in module.pieces(Path(path), **options):
            sample.add(table, labeled(table))
    return sample.table()


class _Sample:
    """Rows that are kept: each unlabelled one has a random key, and those with the smallest keys stay."""

    def __init__(self, path, max_cells, seed, declared):
        self.path, self.max_cells, self.declared = path, max_cells, declared
        self.random = np.random.default_rng(seed)
        self.first = None
        self.n_rows = self.n_labeled = self.n_sampled = 0
        self.parts, self.below = [], 1.0

    @property
    def capacity(self):
        return max(self.max_cells // max(self.first.frame.shape[1], 1) - self.n_labeled, 0)

    def add(self, table, labeled):
        if self.first is None:
            self.first = ParsedTable(
                table.frame.iloc[:0], table.hierarchies, table.path, None, table.targets, None, table.kinds, table.notes
            )
        keys = np.full(len(labeled), -1.0)
        keys[~labeled] = self.random.random(np.count_nonzero(~labeled))
        kept = np.flatnonzero(keys < self.below)
        self.n_rows += len(labeled)
        if not len(kept):
            return
        frame = table.frame.iloc[kept]
        if not self.declared:  # categories of a piece are no categories of the file
            texts = frame.columns[[isinstance(kind, pd.CategoricalDtype) for kind in frame.dtypes]]
            frame = frame.astype(dict.fromkeys(texts, object))
        numbers = None if table.numbers is None else np.asarray(table.numbers)[kept]
        weights = None if table.weights is None else table.weights[kept]
        self.parts.append((frame, keys[kept], numbers, weights))
        self.n_labeled += np.count_nonzero(labeled)
        self.n_sampled += len(kept) - np.count_nonzero(labeled)
        check_size(8 * self.n_labeled * frame.shape[1], self.path, "has labelled rows that take")
        if self.n_sampled > 1.5 * self.capacity + 1000:
            self.drop()

    def drop(self):
        """Drop unlabelled rows with the largest keys until there are no more than are wanted."""
        keys = np.concatenate([part[1] for part in self.parts])
        keys = np.sort(keys[keys >= 0])
        if len(keys) <= self.capacity:
            return
        self.below = keys[self.capacity]
        self.parts = [
            (frame[keys < self.below], keys[keys < self.below],
             None if numbers is None else numbers[keys < self.below],
             None if weights is None else weights[keys < self.below])
            for frame, keys, numbers, weights in self.parts
        ]  # fmt: skip
        self.parts = [part for part in self.parts if len(part[1])]
        self.n_sampled = self.capacity

    def table(self):
        """The table of the rows that are kept."""
        self.drop()
        frames, _, numbers, weights = zip(*self.parts, strict=True)
        frame = pd.concat(frames, ignore_index=True)
        del self.parts, frames
        if not self.declared:
            texts = [name for name, kind in frame.dtypes.items() if pd.api.types.is_object_dtype(kind)]
            if texts:
                frame = frame.assign(**{name: _categories(frame[name]) for name in texts})
        found = self.first
        found.frame = frame
        if numbers[0] is not None:
            found.numbers = np.concatenate(numbers).tolist()
        if any(part is not None for part in weights):
            found.weights = np.concatenate(
                [np.ones(len(lines)) if part is None else part for part, lines in zip(weights, numbers, strict=True)]
            )
        found.left_out = self.n_rows - len(frame)
        return found


def _categories(column):
    known = column[column.notna()]
    return pd.Categorical(column, dtype=nominal_dtype(tuple(sorted(known.unique()))))
