"""Grow ensembles of semi-supervised predictive clustering trees: bags, batches of trees, threads."""

from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from sslrank.core.random_state import derive_seed
from sslrank.rankers.trees._builder import Builder
from sslrank.rankers.trees._permutation import add_values, apply_coded, permutation_score
from sslrank.rankers.trees.clustering import clustering_rows, target_columns
from sslrank.rankers.trees.search import choose_search

#: Number of trees in a batch. It determines the order of summation, so it must not depend on the number of threads.
BATCH = 5
#: Default maximum number of rows per tree, and of out-of-bag rows of its permutation score.
MOST_ROWS = 25_000
#: Sample weights, whose mean is 1, are multiples of this.
WEIGHT_UNIT = 2.0**-16


@dataclass(frozen=True)
class GrowthSettings:
    """Settings of tree growth; :class:`sslrank.rankers.trees.forest.PCTForestRanker` explains most parameters.

    Parameters
    ----------
    target_scale : {"all", "known"}
        "all" follows Eq. (1) and Alg. 2: a branch's target impurity is the mean over its labelled rows, counts for all
        its rows, and is that of the parent without labelled rows. "known" follows the original program CLUS: sums over
        labelled rows, scaled by N / N_labelled for numbers only, and not divided by the impurity of all training rows
        for a hierarchy.
    max_samples : int or None
        Maximum number of rows per tree; None for all.
    without : frozenset of str
        Search methods of :func:`sslrank.rankers.trees.search.choose_search` to switch off.
    """

    max_features: int
    random_tests: bool
    bootstrap: bool
    min_samples_leaf: float
    min_labeled_split: float
    max_depth: int | None
    target_scale: str
    max_samples: int | None = None
    without: frozenset = frozenset()


@dataclass(frozen=True)
class Problem:
    """Input of all forests on the same rows: coded features, targets, prototype columns, sample weights.

    Weights are rounded to multiples of :data:`WEIGHT_UNIT`, so that their sums are exact in any order.
    """

    features: object
    targets: object
    table: object
    weights: object = None

    def __post_init__(self):
        if self.weights is not None:
            rounded = np.maximum(np.round(self.weights / WEIGHT_UNIT), 1.0) * WEIGHT_UNIT
            object.__setattr__(self, "weights", rounded.astype(np.float32))
        values = target_columns(self.targets)
        object.__setattr__(self, "values", values)
        known = ~np.isnan(values)
        object.__setattr__(self, "known_together", bool((known.all(axis=1) | ~known.any(axis=1)).all()))
        labeled = known.any(axis=1) if values.shape[1] else np.zeros(len(values), dtype=bool)
        object.__setattr__(self, "labeled", labeled)


@dataclass
class Grown:
    """Results of a batch of trees by level of supervision, in the order of the trees."""

    trees: list  # [level][tree], empty unless asked for
    genie3: np.ndarray  # (level, D), sums over trees
    symbolic: np.ndarray
    random_forest: np.ndarray | None
    by_target: np.ndarray | None  # (level, D, T)
    predictions: np.ndarray | None  # (level, rows, V), sums over trees
    n_predictions: np.ndarray | None  # (rows,), trees that predicted them, if these are not all


class Bags:
    """Samples of training rows; labelled and unlabelled rows are drawn separately.

    If not all rows are drawn, at least half of the drawn rows are labelled, if there are enough labelled rows.

    Parameters
    ----------
    train : ndarray of int
    labeled : ndarray of bool
        Mask of the labelled rows among all rows.
    bootstrap : bool
        Draw with replacement.
    max_samples : int, optional
        Maximum number of drawn rows.

    Examples
    --------
    >>> Bags(np.arange(4), np.array([True, True, False, False]), False, 2).draw(0)
    array([1, 0, 1, 0])
    """

    def __init__(self, train, labeled, bootstrap, max_samples=None):
        self.n_rows = len(train)
        self.bootstrap = bootstrap
        parts = np.flatnonzero(labeled[train]), np.flatnonzero(~labeled[train])
        sizes = sizes_of_bag(*map(len, parts), max_samples)
        self.all_rows = not bootstrap and sum(sizes) == self.n_rows
        self.parts = [(part, size) for part, size in zip(parts, sizes, strict=True) if len(part)]

    def draw(self, seed):
        """Draw one bag.

        Parameters
        ----------
        seed : int

        Returns
        -------
        ndarray of shape (n_rows,), int
            Multiplicity of each training row in the bag.
        """
        counts = np.ones(self.n_rows, dtype=np.int64)
        if self.all_rows:
            return counts
        random = np.random.Generator(np.random.PCG64(seed))
        for part, size in self.parts:
            if self.bootstrap:
                counts[part] = np.bincount(random.integers(0, len(part), size), minlength=len(part))
            elif size < len(part):
                counts[random.permutation(part)[size:]] = 0
        return counts


def sizes_of_bag(n_labeled, n_unlabeled, max_samples):
    """Split the size of a bag into labelled and unlabelled rows.

    Parameters
    ----------
    n_labeled, n_unlabeled : int
        Available rows.
    max_samples : int or None
        Maximum size of the bag; None takes all rows.

    Returns
    -------
    labeled, unlabeled : int

    Examples
    --------
    >>> sizes_of_bag(100, 900, 200)
    (100, 100)
    """
    if max_samples is None or n_labeled + n_unlabeled <= max_samples:
        return n_labeled, n_unlabeled
    of_labeled = min(n_labeled, max((max_samples + 1) // 2, max_samples - n_unlabeled))
    return of_labeled, max_samples - of_labeled


def grow_forest(
    problem,
    train,
    levels,
    settings,
    n_estimators,
    seed,
    *,
    n_jobs=None,
    keep=False,
    permutation=False,
    by_target=False,
    predict=None,
    only_predict=False,
):
    """Grow `n_estimators` trees for each level of supervision on the same bags.

    Parameters
    ----------
    problem : Problem
    train : ndarray of int
        Training rows.
    levels : sequence of float
        Levels of supervision w.
    settings : GrowthSettings
    n_estimators : int
    seed : int
    n_jobs : int or None
        Threads.
    keep : bool
        Return the trees.
    permutation, by_target : bool
        Compute the random_forest score, or the genie3 score by target.
    predict : ndarray of int or "out-of-bag", optional
        Rows to predict. With "out-of-bag" each tree predicts the labelled rows outside of its bag, and the result has
        all rows.
    only_predict : bool
        Grow only what the predictions need, and return nothing else.

    Returns
    -------
    Grown
        Sums over all trees.
    """
    train = np.ascontiguousarray(train, dtype=np.int32)
    rows = clustering_rows(problem.features, problem.targets, problem.table, train, levels, settings.target_scale)
    bags = Bags(train, problem.labeled, settings.bootstrap, settings.max_samples)
    batches = [range(at, min(at + BATCH, n_estimators)) for at in range(0, n_estimators, BATCH)]
    wanted = {"keep": keep, "permutation": permutation, "by_target": by_target}
    wanted |= {"predict": predict, "only_predict": only_predict}
    given, n_threads = (problem, rows, train, bags, levels, settings), effective_n_jobs(n_jobs)
    if n_threads == 1:  # joblib and three more work spaces take a fifth of the time of a small forest
        parts = [_grow_batches(*given, batches, seed, **wanted)]
    else:
        together = max(1, len(batches) // (4 * n_threads))  # four parts a thread, as trees differ in size
        parts = Parallel(n_jobs=n_jobs, require="sharedmem")(
            delayed(_grow_batches)(*given, batches[at : at + together], seed, **wanted)
            for at in range(0, len(batches), together)
        )
    of_batches = [grown for part in parts for grown in part]
    total = of_batches[0]
    for part in of_batches[1:]:
        for kept, more in zip(total.trees, part.trees, strict=True):
            kept.extend(more)
        total.genie3 += part.genie3
        total.symbolic += part.symbolic
        for name in ("random_forest", "by_target", "predictions", "n_predictions"):
            if getattr(part, name) is not None:
                getattr(total, name).__iadd__(getattr(part, name))
    return total


def _grow_batches(problem, rows, train, bags, levels, settings, batches, seed, *, by_target, **wanted):
    """Return the results of each batch; batches share a work space, as allocating one costs more than a small tree."""
    builder = Builder(
        choose_search(problem.table, rows, settings, levels, settings.without),
        problem.values,
        problem.known_together,
        -1 if settings.max_depth is None else settings.max_depth,
        settings.min_labeled_split,
        rows.target_of_column if by_target else None,
        problem.targets.values.shape[1],
    )
    return [
        _grow_batch(builder, problem, train, bags, levels, batch, seed, by_target=by_target, **wanted)
        for batch in batches
    ]


def _grow_batch(
    builder, problem, train, bags, levels, batch, seed, *, keep, permutation, by_target, predict, only_predict
):
    table, n_levels, n_features = problem.table, len(levels), problem.table.n_features
    n_targets = problem.targets.values.shape[1]
    of_bags = isinstance(predict, str)
    n_predicted = table.n_rows if of_bags else 0 if predict is None else len(predict)
    grown = Grown(
        [[] for _ in levels],
        np.zeros((n_levels, n_features)),
        np.zeros((n_levels, n_features)),
        np.zeros((n_levels, n_features)) if permutation else None,
        np.zeros((n_levels, n_features, n_targets)) if by_target else None,
        None if predict is None else np.zeros((n_levels, n_predicted, problem.values.shape[1])),
        np.zeros(n_predicted, dtype=np.intp) if of_bags else None,
    )
    predicted = None if predict is None or of_bags else np.ascontiguousarray(predict, dtype=np.int32)
    weights = np.zeros(table.n_rows, dtype=np.float32)
    labeled = problem.labeled.astype(np.uint8)
    for number in batch:
        bag_seed = derive_seed(seed, "bag", number)
        counts = bags.draw(bag_seed)
        weights[train] = counts if problem.weights is None else counts * problem.weights[train]
        tree_seed = derive_seed(seed, "tree", number)
        out_of_bag = train[counts == 0] if of_bags or permutation else None
        if of_bags:
            predicted = out_of_bag[problem.labeled[out_of_bag]]
            grown.n_predictions[predicted] += 1
        evaluated = _limited(out_of_bag, problem.labeled, derive_seed(bag_seed, "judged")) if permutation else None
        trees, parts = builder.grow(train[counts > 0], weights, tree_seed, predicted if only_predict else None)
        if by_target:
            grown.by_target += parts
        for k, tree in enumerate(trees):
            tree.add_importances(grown.genie3[k], grown.symbolic[k])
            if permutation:
                grown.random_forest[k] += permutation_score(
                    tree, table, evaluated, labeled, problem.values, problem.targets.task, tree_seed
                )
            if of_bags:
                values = np.zeros((len(predicted), problem.values.shape[1]))
                add_values(tree, apply_coded(tree, table, predicted), values)
                grown.predictions[k, predicted] += values
            elif predict is not None:
                add_values(tree, apply_coded(tree, table, predicted), grown.predictions[k])
            if keep:
                grown.trees[k].append(tree)
    return grown


def _limited(rows, labeled, seed):
    """Limit out-of-bag rows to :data:`MOST_ROWS`, ascending; labelled rows, which are predicted, are kept first."""
    if len(rows) <= MOST_ROWS:
        return rows
    random = np.random.Generator(np.random.PCG64(seed))
    of_labeled, others = (random.permutation(rows[kind]) for kind in (labeled[rows], ~labeled[rows]))
    n_labeled, n_others = sizes_of_bag(len(of_labeled), len(others), MOST_ROWS)
    return np.sort(np.concatenate([of_labeled[:n_labeled], others[:n_others]]))
