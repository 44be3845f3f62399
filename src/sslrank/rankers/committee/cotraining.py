"""Co-training of a committee: Algorithms 1 (lines 1-20), 2 and 3 of paper ssfi."""

from dataclasses import dataclass, field

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from sslrank.core.random_state import derive_seed


@dataclass
class Member:
    """One classifier h^i of the committee with its bags; rows are row indices.

    Attributes
    ----------
    index : int
        i, which seeds the member's random streams.
    features : ndarray of int
        RSM^i.
    bag : ndarray of int32
        Distinct rows of L_bag^i: drawn from L, then pi^i of every iteration.
    counts : ndarray of int32
        How often each row is in L_bag^i.
    labels : ndarray of int32
        Class codes of the rows of L_bag^i: given for rows of L, voted for the others.
    pool : ndarray of int32
        Distinct rows of U_bag^i that have not moved to L_bag^i, in the order of their first draw.
    labeled_oob, unlabeled_oob : ndarray of int32
        L_oob^i and U_oob^i; they never change.
    model : object or None
        What the base learner returned.
    predicted : ndarray of int32 or None
        Class codes that the model predicts for `unlabeled_oob`: the votes of this member.
    """

    index: int
    features: np.ndarray
    bag: np.ndarray
    counts: np.ndarray
    labels: np.ndarray
    pool: np.ndarray
    labeled_oob: np.ndarray
    unlabeled_oob: np.ndarray
    model: object = None
    predicted: np.ndarray | None = field(default=None, repr=False)

    @classmethod
    def from_draws(cls, index, features, labeled, labeled_draw, unlabeled, unlabeled_draw, labels):
        """Make a member from its bootstrap draws (rows, with repetitions) out of L and U (Algorithm 1, 5-8).

        Parameters
        ----------
        index : int
            Number of the member.
        features : array-like of int
        labeled, unlabeled : ndarray of int32
            L and U.
        labeled_draw, unlabeled_draw : array-like of int
            Rows drawn from each.
        labels : ndarray of shape (n,), int

        Returns
        -------
        Member
        """
        bag, counts = np.unique(np.asarray(labeled_draw, dtype=np.int32), return_counts=True)
        draw = np.asarray(unlabeled_draw, dtype=np.int32)
        pool, first = np.unique(draw, return_index=True)
        return cls(
            index=index,
            features=np.asarray(features),
            bag=bag,
            counts=counts.astype(np.int32),
            labels=labels[bag].astype(np.int32),
            pool=pool[np.argsort(first)],
            labeled_oob=np.setdiff1d(labeled, bag).astype(np.int32),
            unlabeled_oob=np.setdiff1d(unlabeled, pool).astype(np.int32),
        )

    @classmethod
    def draw(cls, index, n_features, max_features, labeled, unlabeled, labels, seed):
        """Draw a member with random features and bags.

        Parameters
        ----------
        index, n_features, max_features : int
            Number of the member, number of all features, and number of features that the member gets.
        labeled, unlabeled : ndarray of int32
            L and U.
        labels : ndarray of shape (n,), int
        seed : int

        Returns
        -------
        Member
        """
        rng = np.random.default_rng(derive_seed(seed, "member", index))
        features = np.sort(rng.choice(n_features, max_features, replace=False))
        labeled_draw = labeled[rng.integers(0, len(labeled), len(labeled))]
        unlabeled_draw = unlabeled[rng.integers(0, max(len(unlabeled), 1), len(unlabeled))]
        return cls.from_draws(index, features, labeled, labeled_draw, unlabeled, unlabeled_draw, labels)

    def train(self, learner, n_rows, seed):
        """Train the model, BaseLearn(L_bag^i), and let it vote (Algorithm 1, lines 9 and 17).

        Parameters
        ----------
        learner : CartLearner or ScikitLearner
        n_rows : int
        seed : int
        """
        weights, labels = np.zeros((2, n_rows), dtype=np.int32)
        weights[self.bag] = self.counts
        labels[self.bag] = self.labels
        self.model = learner.fit(self.features, weights, labels, seed)
        self.predicted = self.model.predict(self.unlabeled_oob)

    def extend(self, rows, labels):
        """Move pi^i from U_bag^i to L_bag^i (Algorithm 1, line 16).

        Parameters
        ----------
        rows, labels : ndarray of int32
        """
        self.pool = self.pool[(self.pool[:, None] != rows).all(axis=1)]
        self.bag = np.concatenate([self.bag, rows])
        self.counts = np.concatenate([self.counts, np.ones(len(rows), dtype=np.int32)])
        self.labels = np.concatenate([self.labels, labels])


def growth_rates(labels, n_classes, n_confident):
    """Compute n_k = n Pr_k of every class (Algorithm 1, lines 1-2), rounded up.

    The priors are the shares of the classes among the labelled rows. With n = 1, the paper's choice, n Pr_k
    is below one; rounding up makes it one row per class and iteration.

    Parameters
    ----------
    labels : ndarray of int
        Class codes of the labelled rows.
    n_classes, n_confident : int

    Returns
    -------
    ndarray of shape (n_classes,), int

    Examples
    --------
    >>> growth_rates(np.array([0, 0, 0, 1]), 2, 4)
    array([3, 1])
    """
    priors = np.bincount(labels, minlength=n_classes) / len(labels)
    return np.ceil(n_confident * priors - 1e-9).astype(int)


def measure_confidence(votes):
    """Compute label and confidence of every row from the votes of its H_x (Algorithm 3).

    Parameters
    ----------
    votes : ndarray of shape (n, K), int
        How many members for which the row is out of bag vote for each class.

    Returns
    -------
    label : ndarray of shape (n,), int32
        The class with the most votes, the first one in a tie; -1 if there is no vote (H_x is empty).
    confidence : ndarray of shape (n,), float64
        Its share of the votes; 0 without a vote.
    """
    total = votes.sum(axis=1)
    label = votes.argmax(axis=1).astype(np.int32)
    label[total == 0] = -1
    return label, votes.max(axis=1, initial=0) / np.maximum(total, 1)


def select_confident(pool, label, confidence, rates):
    """Select the n_k most confident rows of a pool for every class (Algorithm 2).

    Rows that tie in confidence keep their order in the pool, the random order in which they were drawn. A class without
    rows in the pool adds nothing; a row without a label cannot be selected.

    Parameters
    ----------
    pool : ndarray of int32
        U_bag^i.
    label, confidence : ndarray of shape (n,)
        Of every row, from :func:`measure_confidence`.
    rates : ndarray of shape (K,), int
        n_k.

    Returns
    -------
    ndarray of int32
        Rows pi^i, class after class.
    """
    of_pool = label[pool]
    order = np.lexsort((-confidence[pool], of_pool))  # stable: a tie keeps the order of the pool
    order = order[of_pool[order] >= 0]
    of_pool = of_pool[order]
    position = np.arange(len(order)) - np.searchsorted(of_pool, of_pool)
    return pool[order[position < rates[of_pool]]]


class Committee:
    """The committee H and the votes of its members on the unlabelled rows.

    Parameters
    ----------
    members : list of Member
    learner : CartLearner or ScikitLearner
    n_rows : int
        Rows of the data, labelled and unlabelled.
    n_classes : int
    seed : int
    n_jobs : int or None

    Attributes
    ----------
    votes : ndarray of shape (n_rows, n_classes), int32
        Updated when a member is trained again: its old votes are subtracted and its new ones added.
    """

    def __init__(self, members, learner, n_rows, n_classes, seed, n_jobs=None):
        self.members = members
        self.learner = learner
        self.votes = np.zeros((n_rows, n_classes), dtype=np.int32)
        self._seed = seed
        n_chunks = min(effective_n_jobs(n_jobs), max(len(members), 1))
        self._chunks = [members[k::n_chunks] for k in range(n_chunks)]
        self._parallel = Parallel(n_jobs=n_chunks, require="sharedmem")

    def each(self, function):
        """Apply a function to every chunk of members, in threads.

        Parameters
        ----------
        function : callable
            Of a list of members.

        Returns
        -------
        list
            Results, in the order of the chunks.
        """
        return self._parallel(delayed(function)(chunk) for chunk in self._chunks)

    def build(self):
        """Train the initial committee (Algorithm 1, lines 3-11)."""
        for change in self.each(lambda chunk: self._retrain(chunk, 0)):
            self.votes += change

    def refine(self, rates, max_iter):
        """Train the members again on rows that the other members label (Algorithm 1, lines 12-20).

        Votes change at the end of an iteration: "a given example x, in a given iteration t, will have the
        same label for all the committee members" (section III.B).

        Parameters
        ----------
        rates : ndarray of shape (n_classes,)
            Of :func:`growth_rates`.
        max_iter : int

        Returns
        -------
        int
            Number of iterations; the last one may find no rows.
        """
        for iteration in range(1, max_iter + 1):
            label, confidence = measure_confidence(self.votes)
            changed = []
            for member in self.members:
                rows = select_confident(member.pool, label, confidence, rates)
                if len(rows):
                    member.extend(rows, label[rows])
                    changed.append(member.index)
            if not changed:
                return iteration
            changed = set(changed)
            changes = self.each(
                lambda chunk, changed=changed, iteration=iteration: self._retrain(
                    [member for member in chunk if member.index in changed], iteration
                )
            )
            for change in changes:
                self.votes += change
        return max_iter

    def _retrain(self, members, iteration):
        n_rows, n_classes = self.votes.shape
        change = np.zeros(n_rows * n_classes, dtype=np.int32)
        for member in members:
            cells = member.unlabeled_oob * n_classes
            if member.predicted is not None:
                change[cells + member.predicted] -= 1
            member.train(self.learner, n_rows, derive_seed(self._seed, "train", member.index, iteration))
            change[cells + member.predicted] += 1
        return change.reshape(n_rows, n_classes)
