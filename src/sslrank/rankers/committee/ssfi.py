"""SSFI: semi-supervised feature importance from a co-trained committee (paper ssfi)."""

import math

import numpy as np
from sklearn.base import BaseEstimator

from sslrank.core.base import BaseRanker
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_count, check_number, resolve_size
from sslrank.rankers.committee.cotraining import Committee, Member, growth_rates
from sslrank.rankers.committee.learners import learner_columns, make_learner
from sslrank.rankers.committee.relevance import permutation_importances
from sslrank.rankers.committee.size import committee_size


class SSFI(BaseRanker):
    """Rank features by their importance to a co-trained committee (SSFI, Algorithms 1-4 of paper ssfi).

    Every member is a decision tree on a random subspace and a bootstrap sample of the labelled rows. Members then label
    rows for each other. In each iteration a member adds to its training set those rows of its unlabelled bootstrap
    sample on whose class the other members, which have not drawn them, agree most. The importance of a feature is the
    summed confidence of the out-of-bag rows, labelled and unlabelled, that members predict correctly before but not
    after the feature is permuted.

    Parameters
    ----------
    n_estimators : int or "auto", default="auto"
        Committee size N; "auto" is Eq. (1), :func:`committee_size`.
    max_features : int, float or "sqrt", default="sqrt"
        Size m of the random subspaces: a number, a share in (0, 1], or the square root of the number of
        features, rounded down.
    n_confident : float, default=1
        Sample size n: a member takes ceil(n Pr_k) rows of class k per iteration.
    max_iter : int, default=10
        Maximum number of iterations of co-training.
    estimator : scikit-learn classifier or None, default=None
        Base learner. None is a decision tree with the rules of ``DecisionTreeClassifier``.
    min_samples_split : int, default=2
        Minimum number of rows to split a node of the decision tree; refused with another base learner. MATLAB's
        ``treefit``, which paper ssfi used, has 10.
    supervised : bool, default=False
        Remove the unlabelled rows, which leaves bagged trees on random subspaces with an out-of-bag importance.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,), float64
        Confident rows per member whose prediction changes when the feature is permuted; at least 0.
    n_estimators_ : int
        Number of members.
    n_iter_ : int
        Iterations of co-training; the last one may have found no rows to add.
    ranking_ : ndarray of shape (n_features,), int
        Features that no tree uses have importance 0 and rank last, in column order.

    Raises
    ------
    ValueError
        From `fit`: fewer than two classes among the labelled rows (so also when no row is labelled), or a
        parameter out of its range.

    Notes
    -----
    The paper leaves these choices open:

    - n Pr_k (0.5 for n = 1 and two balanced classes) is rounded up; the priors are those of the labelled
      rows.
    - The committee changes at the end of an iteration, so that a row has one label per iteration, as
      section III.B says, not after each member, as lines 14-18 of Algorithm 1 might be read.
    - A row drawn twice into L_bag counts twice; a row drawn twice into U_bag is one candidate, and once
      selected it counts once.
    - Confidence is the share of H_x that votes for the label ("degree of agreement"), on the scale on which a labelled
      row has 1. A tied vote goes to the first class. Rows that tie in confidence are taken in the order in which the
      member's bootstrap drew them.
    - A class without candidates adds no rows to the member. A row that every member has drawn has an empty
      H_x: it gets no label, is never selected and never scored.
    - Bags are not stratified: a member whose bag misses a class does not vote for it until co-training brings
      rows of it; a bag with one class gives a constant member that uses no feature. Without unlabelled rows
      there is no co-training, and importances come from L_oob alone.
    - U_oob and L_oob stay as drawn; rows moved to L_bag come from U_bag, so they are never out of bag.
    - The importance is the sum over members divided by N, with one permutation per member and feature.
    - A nominal feature is one feature of the subspace and is permuted as a whole; the learner sees an
      indicator per category. Missing numbers go to scikit-learn's tree as they are (another base learner has
      to accept NaN); a missing nominal value belongs to no category.

    References
    ----------
    Barkia, Elghazel, Aussem: Semi-supervised feature importance evaluation with ensemble learning, ICDM 2011.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import SSFI
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> SSFI(random_state=0).fit(X, y).ranking_
    array([3, 4, 1, 2])
    """

    tasks = frozenset({"classification"})
    n_estimators: int | str = "auto"
    max_features: float | str = "sqrt"
    n_confident: float = 1
    max_iter: int = 10
    estimator: BaseEstimator | None = None
    min_samples_split: int = 2
    supervised: bool = False

    def check_params(self):
        check_count("min_samples_split", self.min_samples_split, least=2)
        if self.estimator is not None and self.min_samples_split != 2:
            raise ValueError("min_samples_split is of the decision tree: set it on the estimator that you pass")
        check_count("n_estimators", self.n_estimators, words=("auto",))
        check_count("max_iter", self.max_iter, least=0)
        check_number("n_confident", self.n_confident, above=True)

    def rank_coded(self, features, targets):
        n_rows, n_features = features.shape
        subspace = self.subspace_size(n_features)
        self.n_estimators_ = committee_size(n_features) if self.n_estimators == "auto" else int(self.n_estimators)
        labels, labeled, unlabeled = coded_labels(self, targets)
        seed = self.resolve_seed()
        learner = make_learner(self.estimator, learner_columns(features), targets.n_classes, self.min_samples_split)
        members = [
            Member.draw(i, n_features, subspace, labeled, unlabeled, labels, seed) for i in range(self.n_estimators_)
        ]
        committee = Committee(members, learner, n_rows, targets.n_classes, seed, self.n_jobs)
        committee.build()
        rates = growth_rates(labels[labeled], targets.n_classes, self.n_confident)
        self.n_iter_ = committee.refine(rates, self.max_iter)

        def shuffled(member, rows):
            rng = np.random.default_rng(derive_seed(seed, "permute", member.index))
            return lambda: rng.permutation(rows)

        return permutation_importances(committee, labels, n_features, shuffled)

    def subspace_size(self, n_features):
        """Resolve the number of features of each random subspace, m.

        Parameters
        ----------
        n_features : int

        Returns
        -------
        int
        """
        return resolve_size("max_features", self.max_features, n_features, {"sqrt": math.isqrt}, rounding=int)


def coded_labels(ranker, targets):
    """Split a problem into class codes, labelled rows and unlabelled rows.

    Parameters
    ----------
    ranker : BaseRanker
        Named in error messages.
    targets : sslrank.core.targets.Targets

    Returns
    -------
    labels : ndarray of shape (n,), int32
        Class codes; -1 for an unlabelled row.
    labeled, unlabeled : ndarray of int32
        Row indices.

    Raises
    ------
    ValueError
        If fewer than two classes have a labelled row.
    """
    known = targets.labeled
    if targets.n_classes < 2:
        raise ValueError(
            f"{type(ranker).__name__} needs labelled rows of at least two classes; y has {int(known.sum())} "
            f"labelled rows of {targets.n_classes} class(es)"
        )
    labels = np.full(len(known), -1, dtype=np.int32)
    labels[known] = targets.values[known, 0]
    return labels, np.flatnonzero(known).astype(np.int32), np.flatnonzero(~known).astype(np.int32)
