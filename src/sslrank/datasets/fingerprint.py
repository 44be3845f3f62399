"""Hash a file, or the content of a table independently of its file format."""

import hashlib

import numpy as np
import pandas as pd

from sslrank.core.frames import sorted_categories

#: Names of the kinds of target in version 1 of the hash.
_TASK_NAMES = {"multilabel": "mlc", "hierarchical": "hmlc", "regression": "str", "multitarget": "mtr"}


def fingerprint(dataset):
    """Compute the sha256 of the canonical parsed table, in hexadecimal.

    It covers in this order: the task, the names, kinds and values of the features (with the categories that
    occur, sorted: a CSV declares none), the targets with their names, the hierarchy, the predefined parts.
    Numbers count as float64 (any NaN is the missing value, -0 is 0), so the number of digits, the order of
    declared categories, quoting and file format do not matter, whereas the order of rows and columns does.

    Parameters
    ----------
    dataset : sslrank.datasets.dataset.Dataset

    Returns
    -------
    str

    Examples
    --------
    >>> from sslrank.datasets.dataset import Dataset
    >>> X = pd.DataFrame({"a": [1.5, 2.0]})
    >>> fingerprint(Dataset("mine", "regression", X, np.array([0.5, 1.5]), ["y"]))[:12]
    '341c4adfab92'
    """
    digest = hashlib.sha256()

    def text(*values):
        for value in values:
            encoded = str(value).encode()
            digest.update(str(len(encoded)).encode() + b":" + encoded)

    text("sslrank-1", _TASK_NAMES.get(dataset.task, dataset.task), dataset.n_rows, dataset.X.shape[1])
    if not dataset.nominal.any():
        for name, values in zip(dataset.X.columns, _canonical(dataset.X.to_numpy().T), strict=True):
            text("numeric", name)
            digest.update(values)
    else:
        for name, column in dataset.X.items():
            if isinstance(column.dtype, pd.CategoricalDtype):
                text("nominal", name)
                _categorical(column.array, digest, text)
            else:
                text("numeric", name)
                digest.update(_canonical(column.to_numpy()))
    text("targets", len(dataset.target_names), *dataset.target_names)
    if dataset.task == "classification":
        _categorical(pd.Categorical(dataset.y), digest, text)
    else:
        digest.update(_canonical(dataset.target_table.T))
    if dataset.hierarchy is not None:
        text("hierarchy", *(",".join(map(str, sorted(parents))) for parents in dataset.hierarchy))
    for part in sorted(dataset.parts or {}):
        text("part", part)
        digest.update(np.sort(dataset.parts[part]).astype("<i8").tobytes())
    return digest.hexdigest()


def _canonical(values):
    values = np.array(values, dtype="<f8", order="C") + 0.0
    values[np.isnan(values)] = np.nan
    return values


def _categorical(values, digest, text):
    values = sorted_categories(values)
    text(len(values.categories), *values.categories)
    digest.update(values.codes.astype("<i4").tobytes())


def sha256_of(path):
    """Compute the sha256 of a file, in hexadecimal."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
