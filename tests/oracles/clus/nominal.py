"""The problems with nominal targets on which CLUS was run, see README.md."""

import numpy as np
from sklearn.datasets import load_digits

from oracles.clus.arff import read_arff

#: Parents of the six labels of the hierarchy.
PARENTS = [[], [], [], [0], [1], [2]]


def load(data, task):
    """Features and targets with NaN for rows that are not labelled.

    Classes, labels and a hierarchy of three labels with one child each are made from the numbers of `multitarget` and
    from the digit. A row without any label of the hierarchy is unlabelled, as CLUS has it.
    """
    if data == "multitarget":
        table, _ = read_arff("data/multitarget_ssl.arff.gz")
        X, numbers = table[:, :20], table[:, 20:]
        labeled = ~np.isnan(numbers[:, 0])
        classes = np.searchsorted(np.nanquantile(numbers[:, 0], [1 / 3, 2 / 3]), numbers[:, 0])
        labels = numbers > np.nanquantile(numbers, 0.5, axis=0)
        children = numbers > np.nanquantile(numbers, 0.75, axis=0)
    else:
        X, classes = load_digits(return_X_y=True)
        labeled = np.arange(len(X)) < 200
        labels = np.column_stack([classes % 2 == 1, classes >= 5, np.isin(classes, [0, 6, 8, 9])])
        children = labels & np.column_stack([np.isin(classes, [3, 5, 7]), classes >= 8, classes == 8])
    if task == "classification":
        return X, np.where(labeled, classes, np.nan)
    y = labels
    if task == "hierarchical":
        y = np.hstack([labels, children])
        labeled &= labels.any(axis=1)
    return X, np.where(labeled[:, None], y, np.nan)
