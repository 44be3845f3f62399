"""Must-links and cannot-links: pairs of rows that belong together or apart."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from sslrank.rankers.graph._kernels import edge_distances, edge_energy
from sslrank.rankers.graph.affinity import edge_degrees, gaussian


@dataclass(frozen=True)
class PairConstraints:
    """Constraints as lists of unordered pairs i < j.

    Attributes
    ----------
    n_rows : int
    must, cannot : ndarray of shape (n_pairs, 2), intp

    Examples
    --------
    >>> pairs = check_pairs([(1, 0)], [(0, 2)], n_rows=3)
    >>> pairs.must_energy(np.array([[0.0], [2.0], [5.0]])), pairs.in_cannot
    (array([4.]), array([ True, False,  True]))
    """

    n_rows: int
    must: np.ndarray
    cannot: np.ndarray

    def must_energy(self, Z):
        """Sum the squared differences over the must-link pairs.

        Parameters
        ----------
        Z : ndarray of shape (n, W)

        Returns
        -------
        ndarray of shape (W,)
        """
        return _pair_energy(Z, self.must)

    def cannot_energy(self, Z):
        """Sum the squared differences over the cannot-link pairs.

        Parameters
        ----------
        Z : ndarray of shape (n, W)

        Returns
        -------
        ndarray of shape (W,)
        """
        return _pair_energy(Z, self.cannot)

    @property
    def kinds(self):
        """Codes of the rows, shape (n,): equal for rows with the same constraints, here those without any."""
        kinds = np.full(self.n_rows, -1)
        rows = np.concatenate([self.must.ravel(), self.cannot.ravel()])
        kinds[rows] = rows
        return kinds

    def same(self, i, j):
        """Mark the must-links among pairs i < j.

        Parameters
        ----------
        i, j : ndarray of int

        Returns
        -------
        ndarray of bool
        """
        return np.isin(i * self.n_rows + j, self.must[:, 0] * self.n_rows + self.must[:, 1])

    def must_similarity(self, Z, distances, bandwidth):
        """Compute degrees and energies of the must-link graph with Gaussian weights.

        Parameters
        ----------
        Z : ndarray of shape (n, W)
        distances : sslrank.core.distances.Distances
        bandwidth : float

        Returns
        -------
        degrees : ndarray of shape (n,)
        energies : ndarray of shape (W,)
        """
        i, j = _columns(self.must)
        weights = gaussian(edge_distances(distances.dense, i, j), bandwidth)
        return edge_degrees(i, j, weights, self.n_rows), edge_energy(Z, i, j, weights)

    def cannot_spread(self, Z, weights):
        """Compute ``sum_i weights_i sum_{j: (i, j) in CL} (z_i - z_j)^2``.

        Parameters
        ----------
        Z : ndarray of shape (n, W)
        weights : ndarray of shape (n,)

        Returns
        -------
        ndarray of shape (W,)
        """
        i, j = _columns(self.cannot)
        return edge_energy(Z, i, j, weights[i] + weights[j])

    @property
    def in_cannot(self):
        """Rows of at least one cannot-link, a mask of shape (n,)."""
        mask = np.zeros(self.n_rows, dtype=bool)
        mask[self.cannot.ravel()] = True
        return mask


def check_pairs(must_link, cannot_link, n_rows):
    """Check lists of pairs of row numbers.

    Parameters
    ----------
    must_link, cannot_link : array-like of int, shape (n_pairs, 2), or None
    n_rows : int

    Returns
    -------
    PairConstraints
        Each pair once, i < j, sorted.

    Raises
    ------
    ValueError
        If a list does not have the shape (n_pairs, 2), a row does not exist, or a pair links a row with itself or is in
        both lists.

    Examples
    --------
    >>> check_pairs([(1, 0)], None, n_rows=2).must
    array([[0, 1]])
    """
    checked, codes = [], []
    for name, pairs in (("must_link", must_link), ("cannot_link", cannot_link)):
        pairs = np.empty((0, 2), dtype=np.intp) if pairs is None or len(pairs) == 0 else np.asarray(pairs)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
            raise ValueError(f"{name} must be integer pairs of shape (n_pairs, 2), got {pairs.shape}")
        pairs = np.sort(pairs, axis=1).astype(np.intp)
        if len(pairs) and (pairs.min() < 0 or pairs.max() >= n_rows):
            raise ValueError(f"{name} has rows outside 0..{n_rows - 1}")
        if (pairs[:, 0] == pairs[:, 1]).any():
            raise ValueError(f"{name} links row {pairs[pairs[:, 0] == pairs[:, 1]][0, 0]} with itself")
        codes.append(np.unique(pairs[:, 0] * n_rows + pairs[:, 1]))
        checked.append(np.column_stack(np.divmod(codes[-1], n_rows)).astype(np.intp))
    both = np.intersect1d(*codes)
    if both.size:
        pair = divmod(int(both[0]), n_rows)
        raise ValueError(f"the pair {pair} is in must_link and in cannot_link")
    return PairConstraints(n_rows, *checked)


def close_constraints(must_link, cannot_link, n_rows):
    """Add the constraints that the given ones imply.

    Rows connected by must-links form a group: all of its pairs are must-links. A cannot-link between two rows holds for
    all pairs of their groups. The thesis scls (section 2.2) also treats cannot-links as transitive, which would exclude
    a third class.

    Parameters
    ----------
    must_link, cannot_link : array-like of int, shape (n_pairs, 2)
        Pairs of row numbers.
    n_rows : int

    Returns
    -------
    must_link, cannot_link : ndarray of shape (n_pairs, 2)
        Each pair once, i < j, sorted.

    Raises
    ------
    ValueError
        If the lists are malformed, or a pair is both a must-link and a cannot-link.

    Examples
    --------
    >>> from sslrank.rankers.graph.pair_constraints import close_constraints
    >>> must, cannot = close_constraints([[0, 1], [1, 2]], [[2, 3]], 4)
    >>> must.tolist(), cannot.tolist()
    ([[0, 1], [0, 2], [1, 2]], [[0, 3], [1, 3], [2, 3]])
    """
    given = check_pairs(must_link, cannot_link, n_rows)
    linked = sparse.coo_array((np.ones(len(given.must)), (given.must[:, 0], given.must[:, 1])), (n_rows, n_rows))
    groups = csgraph.connected_components(linked, directed=False)[1]
    members = np.split(np.argsort(groups, kind="stable"), np.flatnonzero(np.diff(np.sort(groups))) + 1)
    must = [rows[np.column_stack(np.triu_indices(len(rows), 1))] for rows in members if len(rows) > 1]
    apart = np.unique(np.sort(groups[given.cannot], axis=1), axis=0)
    if (apart[:, 0] == apart[:, 1]).any():
        row = members[apart[apart[:, 0] == apart[:, 1]][0, 0]][0]
        raise ValueError(f"the must-links connect row {row} with one that it cannot be linked to")
    cannot = [
        np.column_stack([np.repeat(members[a], len(members[b])), np.tile(members[b], len(members[a]))])
        for a, b in apart
    ]
    none = np.empty((0, 2), dtype=np.intp)
    closed = check_pairs(np.vstack([none, *must]), np.vstack([none, *cannot]), n_rows)
    return closed.must, closed.cannot


def _columns(pairs):
    return np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1])


def _pair_energy(Z, pairs):
    return edge_energy(Z, *_columns(pairs), np.ones(len(pairs)))
