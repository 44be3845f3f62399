"""PPT+MI: pruned problem transformation and greedy multivariate mutual information."""

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
    r"""Pruned problem transformation with mutual information (Doquire and Verleysen 2011; thesis, 3.3.1).

    Every set of labels is a class; sets that occur less than `min_count` times are dropped with their rows.
    Then features are added one by one, each time the one that, together with those selected, has the highest
    mutual information with the class.

    Choices that the thesis leaves open:

    - The information is estimated from nearest neighbours in the maximum norm on standardised features (Ross
      2014), with all rows at the k-th distance counted (Gao et al. 2017), so that equal values, as in columns
      of word occurrences, do no harm:
      :math:`I = \psi(N) - \langle\psi(N_y)\rangle + \langle\psi(k_i)\rangle - \langle\psi(m_i)\rangle`.
    - It stops after `n_greedy` features, which rank in their order; the others rank below by the information
      that they had in the last round.
    - When pruning leaves fewer than two classes, the threshold is lowered to the highest that leaves two.

    Unlabelled rows, and rows with a missing label, are not used.

    Parameters
    ----------
    min_count : int, default=6
        Fewest rows of a set of labels.
    n_greedy : int, default=30
        Features to select one by one.
    n_neighbors : int, default=3
        k of the estimate.
    max_samples : int or None, default=1000
        Most rows, drawn at random; time and memory grow with their square.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; the candidates of a round are shared among the threads.

    Attributes
    ----------
    selected_ : ndarray
        The features selected one by one, in order.
    information_ : ndarray
        Mutual information with the class of the first one, first two, ..., in nats.

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
            codes = pruned_codes(codes, 2)  # a class may be down to one row
            kept = np.flatnonzero(codes >= 0)
        n_features = features.shape[1]
        if len(kept) == 0:
            self.selected_, self.information_ = np.empty(0, dtype=np.intp), np.empty(0)
            return np.zeros(n_features)
        kept = kept[np.argsort(codes[kept], kind="stable")]
        starts = np.append(np.flatnonzero(np.diff(codes[kept], prepend=-1)), len(kept)).astype(np.intp)
        columns = comparable_columns(features.values[kept], features.nominal)
        distances = np.zeros((len(kept), len(kept)))
        left, selected, reached, last = list(range(n_features)), [], [], np.zeros(n_features)
        with Parallel(n_jobs=self.n_jobs, require="sharedmem") as parallel:
            for _ in range(min(self.n_greedy, n_features)):
                found = parallel(
                    delayed(class_information)(distances, columns[f], features.nominal[f], starts, self.n_neighbors)
                    for f in left
                )
                last[left] = found
                best = left.pop(int(np.argmax(found)))
                selected.append(best)
                reached.append(last[best])
                widen(distances, columns[best], features.nominal[best])
        self.selected_, self.information_ = np.array(selected), np.array(reached)
        return order_importances(selected, last)


def pruned_codes(codes, min_count):
    """Keep the classes of at least `min_count` (never fewer than two) rows.

    When fewer than two classes are left, the threshold is lowered to the highest that leaves two; without two
    classes of two rows nothing is left.

    Parameters
    ----------
    codes : ndarray of shape (n,), int
        -1: no class.
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
        place = np.minimum(np.searchsorted(kept, codes), len(kept) - 1)
        found = kept[place] == codes
        pruned[found] = place[found]
    return pruned


def comparable_columns(values, nominal):
    """Scale columns so that their distances can be compared: numbers over their deviation, codes of nominal ones.

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
    """Compute the mutual information, in nats, of the class and the features behind `distances` with one more.

    Parameters
    ----------
    distances : ndarray of shape (n, n)
        In the maximum norm; rows sorted by class.
    column : ndarray of shape (n,)
    nominal : bool
    starts : ndarray of shape (n_classes + 1,)
        First row of each class, and n.
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
    """Turn a greedy selection into importances: the selected features in order, below them the others by score.

    Parameters
    ----------
    selected : sequence of int
        Features in the order of their selection.
    scores : ndarray of shape (D,)
        Higher is better; only those of the other features count.

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
