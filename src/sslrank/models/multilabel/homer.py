"""HOMER: tree of multi-label classifiers, each for a few groups of labels."""

from dataclasses import dataclass

import numpy as np

from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.validation import check_count
from sslrank.models.multilabel.base import MultilabelClassifier, fit_base, positive_probability


@dataclass(eq=False, repr=False)
class HOMER(MultilabelClassifier):
    """Hierarchy of multi-label classifiers (Tsoumakas et al. 2008; thesis, section 4.4.2.1).

    The labels of a node are split into `n_clusters` groups of similar size by balanced k-means on the columns of Y.
    From the training rows with any of its labels, the node learns one binary classifier per group: "has a label of the
    group". A label is predicted if all groups on its path are predicted; its probability, for rankings, is the product
    along the path.

    Parameters
    ----------
    estimator : classifier or None
        Base learner; None is a decision tree with at least two rows per leaf.
    n_clusters : int, default=3
    n_iterations : int, default=5
        Rounds of the balanced k-means.
    random_state : int, RandomState, Generator or None

    Attributes
    ----------
    nodes_ : list of (list of ndarray, list of classifiers)
        Groups of labels of each node and their classifiers, parents first.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(100, n_features=8, n_classes=4, random_state=0)
    >>> model = HOMER(n_clusters=2, random_state=0).fit(X[:80], Y[:80])
    >>> len(model.nodes_), model.predict(X[80:]).shape
    (3, (20, 4))
    """

    estimator: object = None
    n_clusters: int = 3
    n_iterations: int = 5
    random_state: object = None

    def _fit(self, X, Y):
        check_count("n_clusters", self.n_clusters, least=2)
        seed = resolve_seed(self.random_state)
        self.nodes_, open_nodes = [], [np.arange(Y.shape[1])]
        while open_nodes:
            labels = open_nodes.pop(0)
            number = len(self.nodes_)
            rows = Y[:, labels].any(axis=1) if number else np.ones(len(X), dtype=bool)
            if not rows.any():  # no training row reaches this node; nothing is predicted
                rows[:] = True
            rng = np.random.default_rng(derive_seed(seed, "homer", number, "clusters"))
            clusters = balanced_k_means(Y[np.ix_(rows, labels)].T, self.n_clusters, self.n_iterations, rng)
            groups = [labels[cluster] for cluster in clusters]
            models = [
                fit_base(self.estimator, X[rows], Y[rows][:, g].any(axis=1).astype(float), derive_seed(seed, number, i))
                for i, g in enumerate(groups)
            ]
            self.nodes_.append((groups, models))
            open_nodes += [group for group in groups if len(group) > 1]

    def _probabilities(self, X):
        return self._walk(X)[0]

    def predict(self, X):
        """Predict the labels that all classifiers on their path predict.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_labels), 0 or 1
        """
        return (self._walk(self._check(X))[1] > 0.5).astype(np.int64)

    def _walk(self, X):
        """Compute product and minimum of the probabilities along each label's path."""
        product, minimum = np.ones((len(X), self.n_labels_)), np.ones((len(X), self.n_labels_))
        for groups, models in self.nodes_:
            for group, model in zip(groups, models, strict=True):
                probability = positive_probability(model, X)[:, None]
                product[:, group] *= probability
                minimum[:, group] = np.minimum(minimum[:, group], probability)
        return product, minimum


def balanced_k_means(points, n_clusters, n_iterations, rng):
    """Cluster points into groups of at most ceil(n / n_clusters).

    Each point in turn is assigned to the cluster with the nearest centre; a cluster that becomes too large moves its
    farthest point to that point's next nearest cluster.

    Parameters
    ----------
    points : ndarray of shape (n, d)
    n_clusters, n_iterations : int
    rng : numpy.random.Generator

    Returns
    -------
    list of ndarray
        Sorted positions of each group; no group is empty. With at most `n_clusters` points, each is a group.

    Examples
    --------
    >>> import numpy as np
    >>> points = np.array([[0.0], [0.1], [0.2], [5.0]])
    >>> [group.tolist() for group in balanced_k_means(points, 2, 5, np.random.default_rng(0))]
    [[1, 2], [0, 3]]
    """
    n_points = len(points)
    if n_points <= n_clusters:
        return [np.array([i]) for i in range(n_points)]
    max_size = -(-n_points // n_clusters)
    centres = points[rng.choice(n_points, n_clusters, replace=False)].astype(np.float64)
    for _ in range(n_iterations):
        distances = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
        order = np.argsort(distances, axis=1, kind="stable")
        clusters = [[] for _ in range(n_clusters)]
        tried = np.zeros(n_points, dtype=np.intp)
        for point in range(n_points):
            moving = point
            while True:  # a full cluster stays full, so not all of them can reject a point
                cluster = order[moving, tried[moving]]
                clusters[cluster].append(moving)
                if len(clusters[cluster]) <= max_size:
                    break
                moving = max(clusters[cluster], key=lambda p: (distances[p, cluster], p))
                clusters[cluster].remove(moving)
                tried[moving] += 1
        centres = np.array(
            [points[members].mean(axis=0) if members else centres[c] for c, members in enumerate(clusters)]
        )
    return [np.sort(members) for members in clusters if members]
