"""PPT+MI: pruned problem transformation and greedy selection by mutual information."""

import numpy as np
from joblib import Parallel, delayed
from scipy.special import digamma

from sslrank.core.base import BaseRanker
from sslrank.core.features import check_magnitude
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_count
from sslrank.rankers.multilabel._neighbor_information import neighbor_counts, widen
from sslrank.rankers.multilabel.lp_cls import label_set_codes


class PPTMI(BaseRanker):
    r"""Rank features by PPT+MI (Doquire and Verleysen 2011; thesis, section 3.3.1).

    Each set of labels is a class; rows of sets that occur fewer than `min_count` times are removed (pruned problem
    transformation). Then features are added one at a time, each time the one that, with those already selected, has the
    highest mutual information with the class.

    The thesis leaves these choices open:

    - The information is estimated from nearest neighbours in the maximum norm on standardised features (Ross 2014),
      counting all rows at the k-th distance (Gao et al. 2017), which handles equal values such as word counts: :math:`I
      = \psi(N) - \langle\psi(N_y)\rangle + \langle\psi(k_i)\rangle - \langle\psi(m_i)\rangle`.
    - The selection stops after `n_greedy` features, which rank in the order of selection; the others follow by their
      information in the last round.
    - Of equally informative features the one with more information alone is added, then the first column.
    - If pruning leaves fewer than two classes, the threshold is lowered to the highest value that leaves two.

    Unlabelled rows, and rows with a missing label, are not used.

    Parameters
    ----------
    min_count : int, default=6
        Minimum number of rows of a set of labels.
    n_greedy : int, default=30
        Number of features to select one at a time.
    n_neighbors : int, default=3
        k of the nearest-neighbour estimate.
    max_samples : int or None, default=1000
        Maximum number of rows, drawn at random; time and memory grow with its square.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; threads share the candidates of a round.

    Attributes
    ----------
    selected_ : ndarray
        Selected features, in the order of selection.
    information_ : ndarray
        Mutual information of the class with the first selected feature, the first two, ..., in nats.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from sslrank import PPTMI
    >>> X, Y = make_multilabel_classification(80, 5, n_classes=3, random_state=0)
    >>> Y = np.where(np.arange(80)[:, None] % 2, Y, np.nan)  # every other row is unlabelled
    >>> PPTMI().fit(X, Y).ranking_
    array([4, 3, 5, 2, 1])
    """

    tasks = frozenset({"multilabel"})
    min_count: int = 6
    n_greedy: int = 30
    n_neighbors: int = 3
    max_samples: int | None = 1000

    def check_params(self):
        for name in ("min_count", "n_greedy", "n_neighbors"):
            check_count(name, getattr(self, name))
        check_count("max_samples", self.max_samples, words=(None,))

    def rank_coded(self, features, targets):
        check_magnitude(features)
        codes = pruned_codes(label_set_codes(targets.values), self.min_count)
        kept = np.flatnonzero(codes >= 0)
        if self.max_samples is not None and len(kept) > self.max_samples:
            rng = np.random.default_rng(derive_seed(self.resolve_seed(), "ppt_mi", "rows"))
            kept = rng.choice(kept, self.max_samples, replace=False)
            codes[np.setdiff1d(np.arange(len(codes)), kept)] = -1
            codes = pruned_codes(codes, 2)  # a class may have only one row left
            kept = np.flatnonzero(codes >= 0)
        n_features = features.shape[1]
        if len(kept) == 0:
            self.selected_, self.information_ = np.empty(0, dtype=np.intp), np.empty(0)
            return np.zeros(n_features)
        kept = kept[np.argsort(codes[kept], kind="stable")]
        starts = np.append(np.flatnonzero(np.diff(codes[kept], prepend=-1)), len(kept)).astype(np.intp)
        columns = comparable_columns(features.values[kept], features.nominal)
        distances = np.zeros((len(kept), len(kept)))
        left, selected, reached, last, alone = list(range(n_features)), [], [], np.zeros(n_features), None
        with Parallel(n_jobs=self.n_jobs, require="sharedmem") as parallel:
            for _ in range(min(self.n_greedy, n_features)):
                information = parallel(
                    delayed(class_information)(distances, columns[f], features.nominal[f], starts, self.n_neighbors)
                    for f in left
                )
                last[left] = np.round(information, 12)
                alone = last.copy() if not selected else alone
                best = left.pop(int(np.lexsort((alone[left], last[left]))[-1]))
                selected.append(best)
                reached.append(last[best])
                widen(distances, columns[best], features.nominal[best])
        self.selected_, self.information_ = np.array(selected), np.array(reached)
        return order_importances(selected, last)


def pruned_codes(codes, min_count):
    """Keep the classes of at least `min_count` rows, and of at least two.

    If fewer than two classes are left, the threshold is lowered to the highest value that leaves two; without two
    classes of at least two rows, no class is kept.

    Parameters
    ----------
    codes : ndarray of shape (n,), int
        -1 for no class.
    min_count : int

    Returns
    -------
    ndarray of shape (n,), intp
        0, 1, ... for the classes that are kept, -1 for all other rows.

    Examples
    --------
    >>> import numpy as np
    >>> pruned_codes(np.array([4, 4, 4, 7, 7, 9]), 2)
    array([ 0,  0,  0,  1,  1, -1])
    """
    classes, counts = np.unique(codes[codes >= 0], return_counts=True)
    second = np.sort(counts)[-2] if len(counts) > 1 else 0
    kept = classes[counts >= max(min(min_count, second), 2)]
    pruned = np.full(len(codes), -1, dtype=np.intp)
    if len(kept) > 1:
        index = np.minimum(np.searchsorted(kept, codes), len(kept) - 1)
        is_kept = kept[index] == codes
        pruned[is_kept] = index[is_kept]
    return pruned


def comparable_columns(values, nominal):
    """Scale columns to comparable distances: numbers by their standard deviation, nominal ones as codes.

    Parameters
    ----------
    values : ndarray of shape (n, D)
    nominal : ndarray of shape (D,), bool

    Returns
    -------
    ndarray of shape (D, n)
        Without missing values.

    Examples
    --------
    >>> import numpy as np
    >>> comparable_columns(np.array([[0.0, 1.0], [4.0, np.nan]]), np.array([False, True]))
    array([[ 0.,  2.],
           [ 1., -1.]])
    """
    columns = np.ascontiguousarray(values.T)
    for f, column in enumerate(columns):
        missing = np.isnan(column)
        if nominal[f]:
            column[missing] = -1.0
            continue
        known = column[~missing]
        column[missing] = known.mean() if len(known) else 0.0
        spread = column.std()
        if (column != column[0]).any() and spread > 0.0:
            column /= spread
    return columns


def class_information(distances, column, nominal, starts, n_neighbors):
    """Compute the mutual information, in nats, of the class and the selected features plus one more.

    Parameters
    ----------
    distances : ndarray of shape (n, n)
        Distances by the selected features in the maximum norm; rows sorted by class.
    column : ndarray of shape (n,)
    nominal : bool
    starts : ndarray of shape (n_classes + 1,)
        First row of each class, then n.
    n_neighbors : int

    Returns
    -------
    float
    """
    own, every = neighbor_counts(distances, column, nominal, starts, n_neighbors)
    sizes = np.diff(starts)
    mean_size = (sizes * digamma(sizes)).sum() / len(column)
    return digamma(len(column)) - mean_size + digamma(own).mean() - digamma(every).mean()


def order_importances(selected, scores):
    """Turn a greedy selection into importances: selected features in order, then the others by score.

    Parameters
    ----------
    selected : sequence of int
        Features in the order of selection.
    scores : ndarray of shape (D,)
        Higher is better; only scores of unselected features are used.

    Returns
    -------
    ndarray of shape (D,), in (0, 1]

    Examples
    --------
    >>> import numpy as np
    >>> order_importances([2, 0], np.array([0.0, 0.3, 0.0, 0.1]))
    array([0.75, 0.5 , 1.  , 0.25])
    """
    n_features = len(scores)
    importances = np.empty(n_features)
    others = np.setdiff1d(np.arange(n_features), selected)
    if len(others):
        importances[others] = np.unique(scores[others], return_inverse=True)[1] + 1.0
    importances[np.asarray(selected, dtype=np.intp)] = n_features - np.arange(len(selected))
    return importances / n_features
