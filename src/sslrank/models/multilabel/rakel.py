"""RAkEL: ensemble of label powerset classifiers on small random sets of labels."""

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from joblib import Parallel, delayed

from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.validation import check_count
from sslrank.models.multilabel.base import MultilabelClassifier, fit_base


@dataclass(eq=False, repr=False)
class RAkEL(MultilabelClassifier):
    """Random k-labelsets, overlapping (Tsoumakas and Vlahavas 2007; thesis, section 3.2.1.5).

    Each model predicts which of its k labels a row has, with each subset as a class. The votes of the models that
    include a label are averaged; the label is predicted if the mean is above 1/2.

    Parameters
    ----------
    estimator : classifier or None
        Base learner; None is a decision tree with at least two rows per leaf.
    labelset_size : int, default=3
        k, at most the number of labels.
    n_models : int or None
        Number of distinct sets, drawn without replacement; None is twice the number of labels. At most the number of
        possible sets; a label in no set gets a further set.
    n_jobs : int or None
        Threads.
    random_state : int, RandomState, Generator or None

    Attributes
    ----------
    labelsets_ : list of ndarray
    models_ : list of classifiers

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(100, n_features=8, n_classes=4, random_state=0)
    >>> model = RAkEL(labelset_size=2, random_state=0).fit(X[:80], Y[:80])
    >>> len(model.labelsets_), model.predict(X[80:83])
    (6, array([[0, 1, 0, 0],
           [0, 0, 1, 0],
           [0, 0, 0, 0]]))
    """

    estimator: object = None
    labelset_size: int = 3
    n_models: int | None = None
    n_jobs: int | None = None
    random_state: object = None

    def _fit(self, X, Y):
        check_count("labelset_size", self.labelset_size)
        seed, n_labels = resolve_seed(self.random_state), Y.shape[1]
        n_models = 2 * n_labels if self.n_models is None else self.n_models
        rng = np.random.default_rng(derive_seed(seed, "rakel", "sets"))
        self.labelsets_ = draw_labelsets(n_labels, min(self.labelset_size, n_labels), n_models, rng)
        self.models_ = Parallel(n_jobs=self.n_jobs, require="sharedmem")(
            delayed(fit_base)(
                self.estimator, X, Y[:, labels] @ 2.0 ** np.arange(len(labels)), derive_seed(seed, "rakel", m)
            )
            for m, labels in enumerate(self.labelsets_)
        )

    def _probabilities(self, X):
        votes, times = np.zeros((len(X), self.n_labels_)), np.zeros(self.n_labels_)
        for labels, model in zip(self.labelsets_, self.models_, strict=True):
            codes = model.predict(X).astype(np.int64)
            votes[:, labels] += codes[:, None] >> np.arange(len(labels)) & 1
            times[labels] += 1
        return votes / times


def draw_labelsets(n_labels, size, count, rng):
    """Draw distinct sets of labels that together cover all labels.

    Parameters
    ----------
    n_labels, size, count : int
        Number of labels, of labels in a set, and of sets; all sets if there are no more.
    rng : numpy.random.Generator

    Returns
    -------
    list of ndarray of int
        Sorted.

    Examples
    --------
    >>> import numpy as np
    >>> [labels.tolist() for labels in draw_labelsets(3, 2, 5, np.random.default_rng(0))]
    [[0, 1], [0, 2], [1, 2]]
    """
    total = comb(n_labels, size)
    if count >= total:
        return [np.array(labels) for labels in combinations(range(n_labels), size)]
    drawn = {}
    while len(drawn) < count:
        drawn[tuple(np.sort(rng.choice(n_labels, size, replace=False)).tolist())] = None
    for label in range(n_labels):
        if not any(label in labels for labels in drawn):
            others = rng.choice(np.delete(np.arange(n_labels), label), size - 1, replace=False)
            drawn[tuple(sorted([label, *others.tolist()]))] = None
    return [np.array(labels) for labels in drawn]
