"""ECC: an ensemble of classifier chains."""

from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed

from sslrank.core.random_state import derive_seed, resolve_seed
from sslrank.core.validation import check_count
from sslrank.models.multilabel.base import MultilabelClassifier, fit_base, positive_probability


@dataclass(eq=False, repr=False)
class EnsembleOfClassifierChains(MultilabelClassifier):
    """Ensemble of classifier chains (Read et al. 2011; thesis, section 4.4.2.1).

    Each chain learns the labels in a random order on a bootstrap sample, each label from the features and the previous
    labels. In prediction, predicted labels (probability above 1/2) replace the previous ones; probabilities are
    averaged over the chains. scikit-learn's ClassifierChain cannot train on a sample in which a label is constant.

    Parameters
    ----------
    estimator : classifier or None
        Base learner; None is a decision tree with at least two rows per leaf.
    n_chains : int, default=10
    bootstrap : bool, default=True
    n_jobs : int or None
        Threads.
    random_state : int, RandomState, Generator or None

    Attributes
    ----------
    orders_ : list of ndarray
        Order of the labels in each chain.
    chains_ : list of lists of classifiers

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> X, Y = make_multilabel_classification(100, n_features=8, n_classes=3, random_state=0)
    >>> EnsembleOfClassifierChains(n_chains=3, random_state=0).fit(X[:80], Y[:80]).predict(X[80:83])
    array([[0, 0, 1],
           [0, 1, 1],
           [0, 1, 1]])
    """

    estimator: object = None
    n_chains: int = 10
    bootstrap: bool = True
    n_jobs: int | None = None
    random_state: object = None

    def _fit(self, X, Y):
        check_count("n_chains", self.n_chains)
        seed = resolve_seed(self.random_state)
        fitted = Parallel(n_jobs=self.n_jobs, require="sharedmem")(
            delayed(self._fit_chain)(X, Y, derive_seed(seed, "ecc", chain)) for chain in range(self.n_chains)
        )
        self.orders_, self.chains_ = [f[0] for f in fitted], [f[1] for f in fitted]

    def _fit_chain(self, X, Y, seed):
        rng = np.random.default_rng(seed)
        order = rng.permutation(Y.shape[1])
        if self.bootstrap:
            sample = rng.integers(0, len(X), len(X))
            X, Y = X[sample], Y[sample]
        wide = np.hstack([X, Y[:, order]])
        chain = [
            fit_base(self.estimator, wide[:, : X.shape[1] + j], Y[:, label], derive_seed(seed, j))
            for j, label in enumerate(order)
        ]
        return order, chain

    def _probabilities(self, X):
        total = np.zeros((len(X), self.n_labels_))
        for order, chain in zip(self.orders_, self.chains_, strict=True):
            wide = np.hstack([X, np.zeros((len(X), self.n_labels_))])
            for j, (label, learner) in enumerate(zip(order, chain, strict=True)):
                probability = positive_probability(learner, wide[:, : X.shape[1] + j])
                wide[:, X.shape[1] + j] = probability > 0.5
                total[:, label] += probability
        return total / self.n_chains
