"""Memetic selection: genetic search over feature subsets, refined by a filter."""

import numpy as np

from sslrank.core.base import BaseRanker
from sslrank.core.columns import numeric_rows
from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_choice, check_count
from sslrank.metrics.multilabel import MEASURES
from sslrank.models.multilabel.ml_knn import MLkNN
from sslrank.rankers.multilabel.discrete import Indicators, label_information
from sslrank.rankers.multilabel.ppt_mi import order_importances
from sslrank.rankers.multilabel.s_cls import relevant_labels


class MemeticRanker(BaseRanker):
    """Rank features by memetic multi-label feature selection (after Lee and Kim 2015; thesis, section 4.4.1).

    A genetic algorithm searches for the subset of features with the best ML-kNN score on held-out rows; a filter
    refines the subsets. The thesis gives only the idea. This implementation chooses:

    - Fitness: the measure `scoring` of ML-kNN (k = 10) trained on two thirds of the labelled rows and tested on the
      rest, one random split for the whole search. Each new subset costs one evaluation; the search ends after `budget`
      evaluations, or when it finds no new subset.
    - Initial subsets are random, with 1 to `max_features` features.
    - Crossover: an offspring has the features that both parents have, and each feature of one parent with probability
      1/2. A parent is the better of two random subsets. Mutation: with probability 1/2 one random feature is removed,
      added or swapped. The offspring is cut at random to `max_features`, and never empty.
    - Refinement: the most relevant of ten random features outside of the subset is added. If the subset is full, and
      otherwise with probability 1/2, its least relevant feature is removed. The better of offspring and refined
      offspring is kept. Relevance is the sum over labels of the mutual information with the feature, discretised into
      three intervals.
    - The best `population_size` of parents and offspring survive; of equal fitness the smaller subset is better.

    The ranking puts the features of the best subset first, ordered by the number of subsets of the last population that
    contain them and then by relevance; the other features follow in the same order.

    Unlabelled rows are not used; a missing label of a labelled row counts as 0.

    Parameters
    ----------
    budget : int, default=300
        Maximum number of evaluated subsets.
    population_size : int, default=20
    max_features : int, default=50
        Maximum size of a subset.
    scoring : str, default="macro_auc"
        Name of a measure in :data:`sslrank.metrics.multilabel.MEASURES`.
    scale : {None, "range", "standard"}, default=None
        Divide numeric features by their range or standard deviation before distances are computed.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`; the search is sequential.

    Attributes
    ----------
    selected_ : ndarray
        The best subset, sorted.
    fitness_ : float
        Measure of this subset on the held-out rows.
    n_evaluations_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from sslrank import MemeticRanker
    >>> X, Y = make_multilabel_classification(80, 5, n_classes=3, random_state=0)
    >>> Y = np.where(np.arange(80)[:, None] % 2, Y, np.nan)  # every other row is unlabelled
    >>> MemeticRanker(random_state=0).fit(X, Y).ranking_
    array([2, 5, 3, 4, 1])
    """

    tasks = frozenset({"multilabel"})
    labeled_only = True
    budget: int = 300
    population_size: int = 20
    max_features: int = 50
    scoring: str = "macro_auc"
    scale: str | None = None

    def check_params(self):
        for name in ("budget", "population_size", "max_features"):
            check_count(name, getattr(self, name))
        check_choice("scoring", self.scoring, tuple(MEASURES))

    def rank_coded(self, features, targets):
        labels, _ = relevant_labels(targets)
        if len(labels) < 4:
            raise ValueError(f"memetic needs at least 4 labelled rows, y has n_samples = {len(labels)} of them")
        rng = np.random.default_rng(derive_seed(self.resolve_seed(), "memetic"))
        relevance = label_information(Indicators(features, 3), labels).sum(axis=1)
        fitness = _Fitness(numeric_rows(features, self.scale), labels, self.scoring, rng)
        population = self._search(fitness, relevance, rng)
        best = population[0]
        self.selected_ = np.flatnonzero(best)
        self.fitness_ = fitness.value(best)
        self.n_evaluations_ = fitness.spent
        times = np.sum(population, axis=0)
        order = np.lexsort((-relevance, -times, ~best))
        return order_importances(order, relevance)

    def _search(self, fitness, relevance, rng):
        """Search, and return the last population, best first."""
        n_features = len(relevance)
        most = min(self.max_features, n_features)
        population, idle = [], 0

        def done():
            return fitness.spent >= self.budget or idle > 20

        while len(population) < self.population_size and not done():
            subset = np.zeros(n_features, dtype=bool)
            subset[rng.choice(n_features, rng.integers(1, most + 1), replace=False)] = True
            fitness.try_(subset)
            population.append(subset)
        while not done():
            before = fitness.spent
            offspring = []
            for _ in range(self.population_size):
                child = _offspring(population, fitness, most, rng)
                fitness.try_(child)
                offspring.append(child)
                if not done():
                    refined = _refine(child, relevance, most, rng)
                    fitness.try_(refined)
                    offspring[-1] = max(child, refined, key=fitness.key)
                if done():
                    break
            distinct = {subset.tobytes(): subset for subset in [*population, *offspring]}
            population = sorted(distinct.values(), key=fitness.key, reverse=True)[: self.population_size]
            idle = 0 if fitness.spent > before else idle + 1
        return sorted(population, key=fitness.key, reverse=True)


class _Fitness:
    """Measure of ML-kNN on held-out rows, cached by subset."""

    def __init__(self, rows, labels, scoring, rng):
        self.rows, self.labels = rows, labels
        self.measure, self.ranks, higher = MEASURES[scoring]
        self.sign = 1.0 if higher else -1.0
        order = rng.permutation(len(labels))
        cut = len(order) - max(1, len(order) // 3)
        self.train, self.test = np.sort(order[:cut]), np.sort(order[cut:])
        self.known = {}

    @property
    def spent(self):
        return len(self.known)

    def try_(self, subset):
        if subset.tobytes() not in self.known:
            Z = self.rows.values[:, subset[self.rows.owner]]
            model = MLkNN(n_neighbors=10).fit(Z[self.train], self.labels[self.train])
            scores = model.predict_proba(Z[self.test])
            value = self.measure(self.labels[self.test], scores if self.ranks else scores > 0.5)
            self.known[subset.tobytes()] = value

    def value(self, subset):
        return self.known[subset.tobytes()]

    def key(self, subset):
        """Sort key: higher for the better subset, lowest for a subset without a value."""
        value = self.value(subset)
        return (-np.inf if np.isnan(value) else self.sign * value), -int(subset.sum())


def _offspring(population, fitness, most, rng):
    parents = []
    for _ in range(2):
        pair = rng.integers(0, len(population), 2)
        parents.append(max((population[p] for p in pair), key=fitness.key))
    child = (parents[0] | parents[1]) & (rng.random(len(parents[0])) < 0.5) | (parents[0] & parents[1])
    if rng.random() < 0.5:
        inside, outside = np.flatnonzero(child), np.flatnonzero(~child)
        kind = rng.integers(0, 3)
        if kind != 1 and len(inside):
            child[rng.choice(inside)] = False
        if kind != 0 and len(outside):
            child[rng.choice(outside)] = True
    inside = np.flatnonzero(child)
    if len(inside) > most:
        child[rng.choice(inside, len(inside) - most, replace=False)] = False
    if not child.any():
        child[rng.integers(0, len(child))] = True
    return child


def _refine(child, relevance, most, rng):
    refined = child.copy()
    outside = np.flatnonzero(~child)
    if len(outside):
        drawn = rng.choice(outside, min(10, len(outside)), replace=False)
        inside = np.flatnonzero(child)
        if len(inside) == most or rng.random() < 0.5:
            refined[inside[np.argmin(relevance[inside])]] = False
        refined[drawn[np.argmax(relevance[drawn])]] = True
    return refined
