"""S-CLS: soft-constrained Laplacian score of multi-label data."""

import numpy as np
from scipy import sparse
from scipy.special import entr

from sslrank.core.columns import numeric_rows
from sslrank.core.distances import BLOCK, Distances
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_choice
from sslrank.rankers.graph.affinity import gaussian, row_graph
from sslrank.rankers.graph.base import GraphRanker
from sslrank.rankers.graph.scores import RELATIVE_ZERO, lower_is_better, ratio, weighted_scatter
from sslrank.rankers.multilabel.prototypes import with_prototypes

#: Importance of labels by the share of rows that have them.
LABEL_WEIGHTS = {
    "frequency": lambda share: share,
    "entropy": lambda share: entr(share) + entr(1.0 - share),
}


class SCLS(GraphRanker):
    r"""Soft-constrained Laplacian score (Alalga et al. 2016; thesis, Eqs. 4.1-4.8, Algorithm 9).

    .. math:: SCLS_r = \frac{\sum_{i,j} (f_{ri} - f_{rj})^2 S_{ij}}
        {\sum_{i,j} (\alpha^i_{rj} - \beta^i_{rj})^2 D_{ii}}

    Lower is better. The soft constraint of two labelled rows is the share of labels that both have, P_ij = y_i'y_j / C.
    S_ij is g_ij P_ij for two labelled rows, and the Gaussian weight g_ij for other nearest neighbours; D has its row
    sums. alpha - beta is (f_i - f_j)(1 - P_ij) for two labelled rows, and f_i - mu_r otherwise, where mu_r is the
    D-weighted mean.

    The printed formulas are ambiguous; they are read as follows:

    - Eq. (4.4) requires both rows to be unlabelled, the text above it "one or both". This class follows the text; with
      "both", no labelled row would be linked to an unlabelled one.
    - The denominator of Eq. (4.3) lacks its indices; they are those of Eqs. (4.6) and (4.7). Without labels it is N
      times that of the Laplacian score, so the score is 2/N LS, with the same order. If all rows are labelled, only the
      soft cannot-links (1 - P)^2 remain: the weighted constraint score that the thesis generalises.
    - A row is neither its own neighbour nor its own constraint: S_ii = 0.

    A row with some missing labels counts as labelled; a missing label counts as 0.

    For numeric targets, which the thesis leaves to future work, P_ij is one minus the mean distance of the targets,
    each divided by its range; a missing number is replaced by the mean.

    Sums over labelled pairs are products with blocks of weights. (1 - P)^2 has a sparse factorisation over the labels
    and the pairs of labels that occur together, so the matrix is never formed.

    Parameters
    ----------
    n_prototypes : int or None, default=None
        Replace the unlabelled rows by about this number of prototypes of a self-organising map (end of section 4.3);
        needs the package ``minisom``.
    n_neighbors, bandwidth
        See :class:`sslrank.rankers.graph.base.GraphRanker`.
    scale : {None, "range", "standard"}, default="range"
        Divide numeric features by their range or standard deviation first. The thesis does not mention scaling. The
        default gives ML-kNN a higher AUC with 10 % of the labels (study scls-readings), but is not nearer to the
        published values.
    label_weights : {None, "frequency", "entropy"}, default=None
        Importance of labels: the share of labelled rows that have a label, or the entropy of this share; P_ij is then
        the share of the total weight. The conclusions of the thesis name a variant with label importance but print no
        formula.
    supervised : bool, default=False
        Remove the unlabelled rows.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; only the map is random; matrix products use the threads of BLAS.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        NaN for a constant feature.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from sslrank import SCLS
    >>> X, Y = make_multilabel_classification(80, 5, n_classes=3, random_state=0)
    >>> Y = np.where(np.arange(80)[:, None] % 2, Y, np.nan)  # every other row is unlabelled
    >>> SCLS().fit(X, Y).ranking_
    array([3, 5, 4, 2, 1])
    """

    tasks = frozenset({"multilabel", "regression", "multitarget", "none"})
    scale: str | None = "range"
    n_prototypes: int | None = None
    label_weights: str | None = None
    supervised: bool = False

    def check_params(self):
        super().check_params()
        check_choice("label_weights", self.label_weights, (None, *LABEL_WEIGHTS))

    def rank_coded(self, features, targets):
        rows = numeric_rows(features, self.scale)
        numbers = targets.task in ("regression", "multitarget")
        labels, labeled = scaled_numbers(targets) if numbers else relevant_labels(targets)
        if self.label_weights is not None and not numbers:
            labels = weighted_labels(labels, labeled, self.label_weights)
        if self.n_prototypes is not None:
            seed = derive_seed(self.resolve_seed(), "s_cls", "map")
            rows, labels, labeled = with_prototypes(rows, labels, labeled, self.n_prototypes, seed)
        self.scores_ = s_cls_scores(rows, labels, labeled, self.n_neighbors, self.bandwidth, numbers=numbers)
        return lower_is_better(self.scores_)


def relevant_labels(targets):
    """Return labels as 0/1 (0 if missing), and mark the rows with at least one known label.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets

    Returns
    -------
    labels : ndarray of shape (n, C)
    labeled : ndarray of shape (n,), bool

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> relevant_labels(encode_targets([[0, 1], [None, 1]], 2, task="multilabel"))
    (array([[0., 1.],
           [0., 1.]]), array([ True,  True]))
    """
    if targets.task == "none":
        return np.zeros((len(targets.values), 0)), np.zeros(len(targets.values), dtype=bool)
    return (targets.values == 1.0).astype(np.float64), targets.labeled


def scaled_numbers(targets):
    """Divide targets by the range of their known values, (n, T), and mark the rows with a known one."""
    values, labeled = targets.values, targets.labeled
    if not labeled.any():
        return np.zeros(values.shape), labeled
    spread = np.nanmax(values[labeled], axis=0) - np.nanmin(values[labeled], axis=0)
    scaled = values / np.where(spread > 0, spread, 1.0)
    return np.where(np.isnan(scaled), np.nanmean(scaled[labeled], axis=0), scaled), labeled


def weighted_labels(labels, labeled, weighting):
    """Multiply labels by the root of their importance, so that P_ij is the importance of the shared labels.

    Parameters
    ----------
    labels : ndarray of shape (n, C), 0 or 1
    labeled : ndarray of shape (n,), bool
    weighting : {"frequency", "entropy"}

    Returns
    -------
    ndarray of shape (n, number of labels with any importance)
        `labels` if no label has any importance.
    """
    share = labels[labeled].mean(axis=0) if labeled.any() else np.zeros(labels.shape[1])
    weights = LABEL_WEIGHTS[weighting](share)
    used = weights > 0
    if not used.any():
        return labels
    weights = weights[used] / weights[used].mean()
    return labels[:, used] * np.sqrt(weights)


def s_cls_scores(rows, labels, labeled, n_neighbors=10, bandwidth="percentile", numbers=False):
    """Compute S-CLS of each feature.

    Parameters
    ----------
    rows : sslrank.core.columns.Columns
    labels : ndarray of shape (n, C), 0 or 1
        Or the result of :func:`weighted_labels` or :func:`scaled_numbers`.
    labeled : ndarray of shape (n,), bool
    n_neighbors, bandwidth
        Of the graph.
    numbers : bool, default=False
        Whether the labels are numbers.

    Returns
    -------
    ndarray of shape (n_features,)
    """
    Z, n_rows = rows.values, len(rows.values)
    graph = row_graph(Z, n_neighbors, bandwidth, kind=labeled)
    known = np.flatnonzero(labeled)
    weights = np.where(labeled[graph.i] & labeled[graph.j], 0.0, graph.weights)
    degrees, energy = graph.degrees(weights), graph.energy(Z, weights)
    own = Z[known] - (Z[known].mean(axis=0) if len(known) else 0.0)
    shares = _number_shares if numbers else _label_shares
    soft_degrees, soft_energy = _soft_similarity(Distances(Z), known, own, labels[known], graph.bandwidth, shares)
    degrees[known] += soft_degrees
    energy += soft_energy
    times = np.where(labeled, n_rows - len(known), n_rows).astype(np.float64)
    spread = weighted_scatter(Z, degrees, times)
    soft_spread = _number_spread if numbers else _soft_spread
    spread += soft_spread(own, labels[known], degrees[known])
    return ratio(rows.sum_by_feature(2.0 * energy), rows.sum_by_feature(spread))


def _label_shares(labels, part):
    """Compute P_ij of some rows with all rows."""
    return labels[part] @ labels.T / labels.shape[1]


def _number_shares(numbers, part):
    return 1.0 - np.mean([np.abs(column[part, None] - column) for column in numbers.T], axis=0)


def _soft_similarity(distances, known, own, labels, bandwidth, shares):
    """Compute degrees and energies of the labelled pairs with weights g_ij P_ij, by blocks of rows."""
    degrees, energy = np.zeros(len(known)), np.zeros(own.shape[1])
    if not len(known) or not labels.any():
        return degrees, energy
    step = max(1, BLOCK // len(known))
    for start in range(0, len(known), step):
        part = slice(start, min(start + step, len(known)))
        weights = gaussian(distances.block(known[part], known), bandwidth)
        weights *= shares(labels, part)
        weights[np.arange(len(weights)), np.arange(part.start, part.stop)] = 0.0
        degrees[part] = weights.sum(axis=1)
        energy += degrees[part] @ own[part] ** 2 - np.einsum("ij,ij->j", own[part], weights @ own)
    return degrees, np.maximum(energy, 0.0)


def _soft_spread(own, labels, degrees):
    """Compute ``sum_ij D_i (1 - P_ij)^2 (z_i - z_j)^2`` over labelled rows.

    With Q = (1 - P)^2 = G diag(s) G' it is ``sum_i z_i^2 (D_i (Q1)_i + (QD)_i) - 2 sum_i D_i z_i (Qz)_i``.
    """
    spread = np.zeros(own.shape[1])
    if labels.all():  # P is 1; the terms below would leave rounding error
        return spread
    factor, signs = _factor_cannot_links(labels)

    def times_q(right):
        inner = factor.T @ right
        return factor @ (signs[:, None] * inner if inner.ndim == 2 else signs * inner)

    squares = own**2
    spread += (degrees * times_q(np.ones(len(own))) + times_q(degrees)) @ squares
    spread -= 2.0 * np.einsum("i,ij,ij->j", degrees, own, times_q(own))
    spread[spread < RELATIVE_ZERO * (degrees.sum() * squares.sum(axis=0))] = 0.0
    return spread


def _number_spread(own, numbers, degrees):
    """Compute the sums for numeric targets by blocks of rows; here (1 - P)^2 has no sparse factorisation."""
    spread = np.zeros(own.shape[1])
    squares = own**2
    step = max(1, BLOCK // max(1, len(own)))
    for start in range(0, len(own), step):
        part = slice(start, start + step)
        apart = (1.0 - _number_shares(numbers, part)) ** 2
        weighted = degrees[part, None] * apart
        spread += weighted.sum(axis=1) @ squares[part] + weighted.sum(axis=0) @ squares
        spread -= 2.0 * np.einsum("ij,ij->j", own[part], weighted @ own)
    spread[spread < RELATIVE_ZERO * (degrees.sum() * squares.sum(axis=0))] = 0.0
    return spread


def _factor_cannot_links(labels):
    """Factor the cannot-links: sparse G (L, K) and signs s (K,) with ``(1 - P)^2 = G diag(s) G'``.

    With P = YY'/C, the square of y_i'y_j is the inner product of all pairwise products of labels.
    """
    n_rows, n_labels = labels.shape
    columns, signs = [sparse.csr_array(np.ones((n_rows, 1)))], [np.ones(1)]
    Y = sparse.csr_array(labels)
    if Y.nnz:
        columns.append(Y)
        signs.append(np.full(n_labels, -2.0 / n_labels))
        for a in range(n_labels):
            have = labels[:, a]
            together = labels[:, a:] * have[:, None]
            used = together.any(axis=0)
            scale = np.where(np.arange(a, n_labels) == a, 1.0, np.sqrt(2.0))
            columns.append(sparse.csr_array(together[:, used] * scale[used]))
            signs.append(np.full(int(used.sum()), 1.0 / n_labels**2))
    return sparse.hstack(columns, format="csr"), np.concatenate(signs)
