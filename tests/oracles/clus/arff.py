"""Reads the ARFF files of CLUS, for the tests that compare with its output."""

import csv
import gzip
from pathlib import Path

import numpy as np

CLUS = Path(__file__).parent


def read_arff(name):
    """Values (codes for nominal columns) and the number of categories of each column, of a file in this folder."""
    path = CLUS / name
    text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
    categories, rows = [], []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.lower().startswith("@attribute"):
            kind = line.rsplit(None, 1)[1]
            categories.append(kind[1:-1].split(",") if kind.startswith("{") else None)
        elif line[0] not in "@%":
            fields = zip(next(csv.reader([line])), categories, strict=True)
            rows.append([np.nan if v in ("", "?") else float(v) if c is None else float(c.index(v)) for v, c in fields])
    return np.array(rows), np.array([len(c or ()) for c in categories], dtype=np.int32)
