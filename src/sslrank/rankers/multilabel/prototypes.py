"""Replace unlabelled rows by prototypes of a self-organising map."""

from dataclasses import replace

import numpy as np

from sslrank.core.extras import require
from sslrank.core.validation import check_count


def with_prototypes(rows, labels, labeled, n_prototypes, seed):
    """Replace the unlabelled rows by prototypes (thesis, end of section 4.3).

    The map is a nearly square grid, initialised on the unlabelled rows and trained on them for ten passes; units that
    are nearest to no row are removed.

    Parameters
    ----------
    rows : sslrank.core.columns.Columns
    labels : ndarray of shape (n, C)
    labeled : ndarray of shape (n,), bool
    n_prototypes : int
        Maximum number of units; with at most this many unlabelled rows, they are kept as they are.
    seed : int

    Returns
    -------
    rows, labels, labeled
        Labelled rows, then prototypes.

    Raises
    ------
    ValueError
        If `n_prototypes` is less than 1.
    ImportError
        Without the package ``minisom``.
    """
    check_count("n_prototypes", n_prototypes, words=(None,))
    free = rows.values[~labeled]
    if len(free) <= n_prototypes:
        return rows, labels, labeled
    require("som", "n_prototypes")
    from minisom import MiniSom

    height = int(np.sqrt(n_prototypes))
    width = n_prototypes // height
    som = MiniSom(height, width, free.shape[1], sigma=max(height, width) / 2.0, random_seed=seed)
    som.random_weights_init(free)
    som.train(free, 10 * len(free), random_order=True)
    units = som.get_weights().reshape(-1, free.shape[1])
    nearest = np.array([np.ravel_multi_index(som.winner(row), (height, width)) for row in free])
    prototypes = units[np.unique(nearest)]
    n_labeled = int(labeled.sum())
    Z = np.ascontiguousarray(np.vstack([rows.values[labeled], prototypes]))
    Z[:, ~rows.values.any(axis=0)] = 0.0
    return (
        replace(rows, values=Z),
        np.vstack([labels[labeled], np.zeros((len(prototypes), labels.shape[1]))]),
        np.arange(len(Z)) < n_labeled,
    )
