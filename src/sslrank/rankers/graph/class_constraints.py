"""Constraints from class labels: must-links within a class, cannot-links between classes."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from sslrank.core.distances import BLOCK, SPARSE
from sslrank.rankers.graph.affinity import gaussian
from sslrank.rankers.graph.pair_constraints import PairConstraints
from sslrank.rankers.graph.scores import RELATIVE_ZERO


@dataclass(frozen=True)
class ClassConstraints:
    """Must-links within each class and cannot-links between classes, computed without listing the pairs.

    Attributes
    ----------
    codes : ndarray of shape (n,), intp
        The class of each row, -1 for a row without one.

    Examples
    --------
    >>> constraints = ClassConstraints(np.array([0, 0, 1, -1]))
    >>> constraints.pairs().must, constraints.pairs().cannot
    (array([[0, 1]]), array([[0, 2],
           [1, 2]]))
    """

    codes: np.ndarray

    @property
    def classes(self):
        """Row numbers of every class, in the order of the codes."""
        order = np.argsort(self.codes, kind="stable")
        order = order[self.codes[order] >= 0]
        return np.split(order, np.flatnonzero(np.diff(self.codes[order])) + 1) if len(order) else []

    def must_energy(self, Z):
        """As in :class:`PairConstraints`: the number of rows of each class times their scatter."""
        energy = np.zeros(Z.shape[1])
        for rows in self.classes:
            energy += len(rows) * _scatter(Z[rows])
        return energy

    def cannot_energy(self, Z):
        """As in :class:`PairConstraints`: from the scatter within classes and that of the class means."""
        labeled = Z[self.codes >= 0]
        energy = np.zeros(Z.shape[1])
        if not len(labeled):
            return energy
        between = np.zeros(Z.shape[1])
        centre = labeled.mean(axis=0)
        for rows in self.classes:
            energy += (len(labeled) - len(rows)) * _scatter(Z[rows])
            between += len(rows) * (Z[rows].mean(axis=0) - centre) ** 2
        between[between < RELATIVE_ZERO * (labeled**2).sum(axis=0)] = 0.0
        return energy + len(labeled) * between

    @property
    def kinds(self):
        """As in :class:`PairConstraints`: the classes."""
        return self.codes

    def same(self, i, j):
        """As in :class:`PairConstraints`, for any order of i and j."""
        return (self.codes[i] == self.codes[j]) & (self.codes[i] >= 0)

    def must_similarity(self, Z, distances, bandwidth):
        """As in :class:`PairConstraints`, block by block."""
        degrees, energy = np.zeros(len(self.codes)), np.zeros(Z.shape[1])
        for rows in self.classes:
            if len(rows) == 1:
                continue
            own = Z[rows] - Z[rows].mean(axis=0)
            step = max(1, BLOCK // len(rows))
            for start in range(0, len(rows), step):
                part = slice(start, min(start + step, len(rows)))
                weights = gaussian(distances.block(rows[part], rows), bandwidth)
                weights[np.arange(len(weights)), np.arange(part.start, part.stop)] = 0.0
                sums = weights.sum(axis=1)
                degrees[rows[part]] = sums
                energy += sums @ own[part] ** 2 - np.einsum("ij,ij->j", own[part], weights @ own)
        return degrees, np.maximum(energy, 0.0)

    def cannot_spread(self, Z, weights):
        """As in :class:`PairConstraints`, by sums over classes."""
        labeled = self.codes >= 0
        spread = np.zeros(Z.shape[1])
        if len(self.classes) < 2:
            return spread
        centre = Z[labeled].mean(axis=0)
        count, squares = labeled.sum(), ((Z[labeled] - centre) ** 2).sum(axis=0)
        for rows in self.classes:
            own = Z[rows] - centre
            sums, own_squares = own.sum(axis=0), own**2
            spread += weights[rows] @ own_squares * (count - len(rows))
            spread += 2.0 * (weights[rows] @ own) * sums  # the sum of the others is -sums
            spread += weights[rows].sum() * (squares - own_squares.sum(axis=0))
        spread[spread < RELATIVE_ZERO * squares * weights.sum()] = 0.0
        return np.maximum(spread, 0.0)

    @property
    def in_cannot(self):
        """Rows of at least one cannot-link, a mask of shape (n,)."""
        return (self.codes >= 0) & (len(self.classes) > 1)

    def pairs(self, limit=None, rng=None):
        """List the constraints.

        Parameters
        ----------
        limit : int, optional
            Maximum number of each kind, drawn without replacement.
        rng : numpy.random.Generator, optional
            Draws them.

        Returns
        -------
        PairConstraints
        """
        rows = np.flatnonzero(self.codes >= 0)
        i, j = np.triu_indices(len(rows), 1)
        i, j = rows[i], rows[j]
        same = self.same(i, j)
        kinds = []
        for kind in (same, ~same):
            chosen = np.flatnonzero(kind)
            if limit is not None and len(chosen) > limit:
                chosen = np.sort(rng.choice(chosen, limit, replace=False))
            kinds.append(np.column_stack([i[chosen], j[chosen]]).astype(np.intp))
        return PairConstraints(len(self.codes), *kinds)


def must_similarities(Z, distances, codes, bandwidth):
    """Compute :meth:`ClassConstraints.must_similarity` of several labelings of the same rows.

    The Gaussian weights of a block of rows are computed once for all labelings. A column with few nonzero entries needs
    them only for pairs of these rows; it is not centred, as its mean is near 0.

    Parameters
    ----------
    Z : ndarray of shape (n, W)
    distances : sslrank.core.distances.Distances
        Of the rows of Z.
    codes : ndarray of shape (n, L), int
        Classes in each labeling, -1 where a row has none.
    bandwidth : float

    Returns
    -------
    degrees : ndarray of shape (L, n)
    energies : ndarray of shape (L, W)

    Examples
    --------
    >>> from sslrank.core.distances import Distances
    >>> Z = np.array([[0.0], [1.0], [2.0]])
    >>> degrees, energies = must_similarities(Z, Distances(Z), np.array([[0], [0], [1]]), 1.0)
    >>> degrees.round(3), energies.round(3)
    (array([[0.368, 0.368, 0.   ]]), array([[0.368]]))
    """
    n_rows, n_labelings = codes.shape
    classes = [(k, codes[:, k] == c) for k in range(n_labelings) for c in np.unique(codes[:, k]) if c >= 0]
    degrees, energies = np.zeros((n_labelings, n_rows)), np.zeros((n_labelings, Z.shape[1]))
    if not classes:
        return degrees, energies
    labeling = np.array([k for k, _ in classes])
    members = np.column_stack([mask for _, mask in classes]).astype(np.float64)
    filled = np.count_nonzero(Z, axis=0) / n_rows
    thin, full = np.flatnonzero(filled < SPARSE), np.flatnonzero(filled >= SPARSE)
    dense, thin_columns = Z[:, full], sparse.csc_array(Z[:, thin])
    known = np.flatnonzero(members.any(axis=1))
    column_of = np.full(n_rows, -1)
    column_of[known] = np.arange(len(known))
    step = max(1, BLOCK // len(known))
    for start in range(0, len(known), step):
        part = known[start : start + step]
        weights = gaussian(distances.block(part, known), bandwidth)
        weights[np.arange(len(part)), np.arange(start, start + len(part))] = 0.0
        sums = (weights @ members[known]) * members[part]
        for c, (k, mask) in enumerate(classes):
            degrees[k, part] += sums[:, c]
            if len(full) and sums[:, c].any():
                rows, columns = mask[part], mask[known]
                centre = dense[mask].mean(axis=0)
                own, others = dense[part[rows]] - centre, dense[mask] - centre
                energies[k, full] += sums[rows, c] @ own**2
                energies[k, full] -= np.einsum("ij,ij->j", own, weights[np.ix_(rows, columns)] @ others)
        for j in range(len(thin)):
            at = slice(thin_columns.indptr[j], thin_columns.indptr[j + 1])
            column, values = column_of[thin_columns.indices[at]], thin_columns.data[at]
            column, values = column[column >= 0], values[column >= 0]
            here = (column >= start) & (column < start + len(part))
            row = column[here] - start
            belong = members[known[column]] * values[:, None]
            energy = values[here] ** 2 @ sums[row]
            energy -= ((weights[np.ix_(row, column)] @ belong) * belong[here]).sum(axis=0)
            np.add.at(energies[:, thin[j]], labeling, energy)
    return degrees, np.maximum(energies, 0.0)


def class_codes(targets, n_rows):
    """Return class codes as integers, -1 for unlabelled rows (all of them without a target).

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
    n_rows : int

    Returns
    -------
    ndarray of shape (n_rows,), intp

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> class_codes(encode_targets(["a", None, "b"], 3), 3)
    array([ 0, -1,  1])
    """
    codes = np.full(n_rows, -1, dtype=np.intp)
    if targets.task == "classification":
        labeled = targets.labeled
        codes[labeled] = targets.values[labeled, 0]
    return codes


def _scatter(Z):
    """Compute the sum of squares about the mean of each column; exactly 0 for a constant column."""
    scatter = ((Z - Z.mean(axis=0)) ** 2).sum(axis=0)
    scatter[scatter < RELATIVE_ZERO * (Z**2).sum(axis=0)] = 0.0
    return scatter
