"""FwFS: forward semi-supervised feature selection (Ren et al., PAKDD 2008), a competitor in paper ssfi."""

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator

from sslrank.core.base import BaseRanker
from sslrank.core.random_state import derive_seed
from sslrank.core.stratified import deal
from sslrank.core.validation import check_count, check_number
from sslrank.rankers.committee.learners import learner_columns, make_learner
from sslrank.rankers.committee.ssfi import coded_labels


class FwFS(BaseRanker):
    """Forward semi-supervised feature selection: a wrapper that extends the labelled rows by predicted ones.

    1. Sequential forward search on the labelled rows selects `start_features` features.
    2. The base learner, trained on the labelled rows and the selected features, labels the unlabelled rows.
    3. `sampling_times` times, a share `sampling_rate` of the unlabelled rows joins the labelled ones, and a
       sequential forward search on them adds `forward_steps` features to the selected ones.
    4. The feature that these searches added most often is selected for good. Steps 2-4 repeat until
       `n_selected` features are selected.

    Parameters
    ----------
    n_selected : int, default=10
        Features to select (sizeFS); at most all.
    sampling_rate : float in (0, 1], default=0.5
        Share of the unlabelled rows in each sample (SamplingRate), rounded up.
    sampling_times : int, default=10
        Samples per selected feature (SamplingTimes).
    forward_steps : int, default=6
        Features that the search on one sample adds (fnsteps).
    start_features : int, default=5
        Features selected on the labelled rows alone (startfn).
    cv : int, default=3
        Folds of the cross-validated accuracy that a search maximises. Three labelled rows per class, as in the papers,
        allow at most 3.
    estimator : scikit-learn classifier or None, default=None
        Base learner. None is a decision tree with the rules of ``DecisionTreeClassifier``.
    min_samples_split : int, default=2
        Minimum number of rows to split a node of the decision tree; refused with another base learner. MATLAB's
        ``treefit``, which paper ssfi used, has 10.
    supervised : bool, default=False
        Remove the unlabelled rows, which leaves the forward search.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    selected_ : ndarray of int
        Selected features in the order of selection.
    feature_importances_ : ndarray of shape (n_features,), float64
        `n_selected` for the feature selected first, one less for each next one, 0 for the others.

    Raises
    ------
    ValueError
        From `fit`: fewer than two classes among the labelled rows, or a parameter out of its range.

    Notes
    -----
    Paper ssfi gives only the parameters. This implementation chooses: a search on a sample starts from the features
    selected so far and never removes them; folds are stratified by given or predicted class; features of equal accuracy
    are tried in a random order and the first one wins; in a tied vote the feature that the searches added earlier (by
    the sum of its positions) wins, then the smaller column. Without unlabelled rows, forward search on the labelled
    rows selects all `n_selected` features. Nominal features and missing values are treated as in
    :class:`sslrank.rankers.committee.ssfi.SSFI`.

    References
    ----------
    Ren, Qiu, Fan, Cheng, Yu: Forward semi-supervised feature selection, PAKDD 2008.
    Barkia, Elghazel, Aussem: Semi-supervised feature importance evaluation with ensemble learning, ICDM 2011,
    section IV.A.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import FwFS
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> FwFS(random_state=0).fit(X, y).ranking_
    array([4, 2, 1, 3])
    """

    tasks = frozenset({"classification"})
    n_selected: int = 10
    sampling_rate: float = 0.5
    sampling_times: int = 10
    forward_steps: int = 6
    start_features: int = 5
    cv: int = 3
    estimator: BaseEstimator | None = None
    min_samples_split: int = 2
    supervised: bool = False

    def rank_coded(self, features, targets):
        labels, labeled, unlabeled = coded_labels(self, targets)
        n_features = features.shape[1]
        wanted = min(self.n_selected, n_features)
        seed = self.resolve_seed()
        learner = make_learner(self.estimator, learner_columns(features), targets.n_classes, self.min_samples_split)
        at_start = wanted if len(unlabeled) == 0 else min(self.start_features, wanted)
        selected = forward_search(learner, labels, labeled, [], at_start, self.cv, derive_seed(seed, "start"))
        parallel = Parallel(n_jobs=self.n_jobs, require="sharedmem")
        while len(selected) < wanted:
            n_selected = len(selected)
            weights = (labels >= 0).astype(np.int32)
            model = learner.fit(selected, weights, labels, derive_seed(seed, "label", n_selected))
            extended = labels.copy()
            extended[unlabeled] = model.predict(unlabeled)
            searches = parallel(
                delayed(self._search_sample)(
                    learner, extended, labeled, unlabeled, selected, derive_seed(seed, n_selected, time)
                )
                for time in range(self.sampling_times)
            )
            selected.append(most_frequent(searches, n_features))
        self.selected_ = np.array(selected)
        importances = np.zeros(n_features)
        importances[self.selected_] = np.arange(wanted, 0, -1)
        return importances

    def _search_sample(self, learner, labels, labeled, unlabeled, selected, seed):
        """Return the features that forward search on the labelled rows and one sample adds, in order."""
        rng = np.random.default_rng(derive_seed(seed, "sample"))
        size = int(np.ceil(self.sampling_rate * len(unlabeled)))
        rows = np.concatenate([labeled, rng.choice(unlabeled, size, replace=False)])
        steps = forward_search(learner, labels, rows, selected, len(selected) + self.forward_steps, self.cv, seed)
        return steps[len(selected) :]

    def check_params(self):
        check_count("min_samples_split", self.min_samples_split, least=2)
        if self.estimator is not None and self.min_samples_split != 2:
            raise ValueError("min_samples_split is of the decision tree: set it on the estimator that you pass")
        for name in ("n_selected", "sampling_times", "forward_steps", "start_features"):
            check_count(name, getattr(self, name))
        check_count("cv", self.cv, least=2)
        check_number("sampling_rate", self.sampling_rate, 0, 1, above=True)


def forward_search(learner, labels, rows, selected, n_selected, cv, seed):
    """Search features forward by the cross-validated errors of a base learner.

    Parameters
    ----------
    learner : CartLearner or ScikitLearner
    labels : ndarray of shape (n,), int32
        Class codes of `rows`.
    rows : ndarray of int32
        Rows that take part.
    selected : list of int
        Features to start from.
    n_selected : int
        Number of features to reach; at most all.
    cv : int
        Folds, no more than rows.
    seed : int

    Returns
    -------
    list of int
        `selected` and the features added, in order.
    """
    rng = np.random.default_rng(derive_seed(seed, "search"))
    n_folds = min(cv, len(rows))
    folds = np.full(len(labels), -1, dtype=np.int32)
    for number, dealt in enumerate(deal(len(rows), n_folds, rng, labels[rows])):
        folds[rows[dealt]] = number
    selected = list(selected)
    codes = np.maximum(labels, 0)  # rows outside the search have no class; none is looked at
    while len(selected) < min(n_selected, learner.design.n_features):
        candidates = rng.permutation(np.setdiff1d(np.arange(learner.design.n_features), selected))
        step_seed = int(rng.integers(2**32))
        best, _ = learner.forward_step(selected, candidates, folds, n_folds, codes, step_seed)
        selected.append(int(best))
    return selected


def most_frequent(searches, n_features):
    """Find the feature in most lists; in a tie the one at earlier positions, then the smaller index.

    Parameters
    ----------
    searches : sequence of sequences of int
    n_features : int

    Returns
    -------
    int

    Examples
    --------
    >>> most_frequent([[2, 0], [0, 2], [2, 1]], 3)
    2
    """
    counts = np.zeros(n_features, dtype=int)
    positions = np.zeros(n_features, dtype=int)
    for steps in searches:
        counts[steps] += 1
        positions[steps] += np.arange(len(steps))
    return int(np.lexsort((np.arange(n_features), positions, -counts))[0])
