"""SSL-Relief: Algorithm 3 of Petković, Džeroski, Kocev (2020), paper ssl-ranking, section 5."""

from collections.abc import Sequence

import numpy as np

from sslrank.core.base import BaseRanker
from sslrank.core.random_state import derive_seed
from sslrank.core.stratified import deal
from sslrank.core.tasks import TASKS
from sslrank.core.validation import check_count, check_number
from sslrank.metrics.averages import fold_average
from sslrank.rankers.relief.grid import grid_sums, remoteness, settings
from sslrank.rankers.relief.held_out import HeldOutScorer
from sslrank.rankers.relief.space import FeatureSpace
from sslrank.rankers.relief.target_space import target_space

#: Values of the paper, section 6.3.
NEIGHBORS_GRID = (15, 20, 30)
WEIGHTS_GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
#: Weights that "auto" tries: at 0 unlabelled rows would still be counted among the neighbours.
AUTO_GRID = (0.25, 0.5, 1.0)
#: Repetitions of the folds for "auto".
REPEATS = 3
#: Value instead of "cv" if there are too few labelled rows to choose.
FALLBACK = {"n_neighbors": 15, "w0": 0.0, "w1": 1.0}


class SSLRelief(BaseRanker):
    """Rank features by semi-supervised Relief, for all kinds of target.

    A feature is relevant if it differs between neighbouring rows with different targets, and is similar for rows with
    similar targets. If a target is unknown, the distance of the features replaces that of the targets, and the weight
    of the pair decreases with its distance from the labelled rows. If all rows are labelled, this is Relief in its
    regression form; without a target, all distances are those of the features.

    Parameters
    ----------
    n_neighbors : int or "cv", default="cv"
        Neighbours k of each row; "cv" chooses from 15, 20, 30. At most all other rows are used.
    w0, w1 : float in [0, 1], "auto" or "cv", default="auto"
        Weights of the unlabelled rows farthest from and nearest to the labelled rows, w0 <= w1; other weights are
        interpolated. "cv", as in the paper, chooses from 0, 0.25, 0.5, 0.75, 1 by cross-validation. "auto" removes
        unlabelled rows, like `supervised`, unless weights of 0.25, 0.5 or 1 are better by more than one standard error
        (see Notes). If only one of the two is "auto", it means "cv".
    n_iterations : int or None, default=None
        Rows m to iterate over: a random sample without replacement, or all rows (None, or more than there
        are).
    hierarchy : sequence of sequences of int, optional
        Parents of each label, for hierarchical targets.
    hierarchy_alpha : float, default=0.75
    supervised : bool, default=False
        Remove the unlabelled rows first.
    cv : int, default=4
        Folds of the internal cross-validation, at most the number of labelled rows.
    scoring_neighbors : int, default=20
        Neighbours of the kNN model that scores a setting in the internal cross-validation.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`. The seed determines the folds and the sample of rows.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
        In [-1, 1].
    n_neighbors_, w0_, w1_ : int, float, float
        The setting used.
    n_iterations_ : int
        Rows iterated over.
    cv_results_ : dict of ndarrays or None
        "n_neighbors", "w0", "w1" and "score" (higher is better) of the settings tried; None if nothing was chosen.
    uses_unlabeled_ : bool
        Whether unlabelled rows were used.

    Notes
    -----
    Rows at the k-th distance share the places that nearer rows leave, so the order of the rows does not matter. (CLUS
    mostly takes the rows that come first, which decides importances where features are nominal or coarse.) Distances
    are those of :class:`sslrank.rankers.relief.space.FeatureSpace`.

    "cv" splits the labelled rows into random folds; each training set keeps all unlabelled rows. Ranges of targets are
    those of the training rows, ranges of features those of all rows. The score is the mean over the folds, weighted by
    their sizes. Ties go to the smallest k, then the smallest w0, then the largest w1. With fewer than two labelled
    rows, "cv" and "auto" mean k = 15, w0 = 0, w1 = 1. Without unlabelled rows, only k is chosen.

    "auto" compares each setting with the best one without unlabelled rows, on three repeats of stratified folds of the
    labelled rows. The best setting is used if its mean gain exceeds one standard error, which is corrected for
    overlapping training sets as in :func:`sslrank.rankers.trees.supervision.choose_by_standard_error`.

    If all unlabelled rows are equally far from the labelled ones, their weight is (w0 + w1) / 2. Without labelled rows
    all weights are 1. A term of the score is 0 if the weights of all its pairs are 0 or all pairs are equal; a constant
    feature thus scores 0.

    References
    ----------
    Petković, Džeroski, Kocev: Feature ranking for semi-supervised learning (2020), Algorithm 3, Eqs. (5)-(7).

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import SSLRelief
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1  # unlabelled
    >>> SSLRelief(supervised=True, random_state=0).fit(X, y).ranking_
    array([4, 3, 2, 1])
    """

    tasks = frozenset({*TASKS, "none"})
    n_neighbors: int | str = "cv"
    w0: float | str = "auto"
    w1: float | str = "auto"
    n_iterations: int | None = None
    hierarchy: Sequence | None = None
    hierarchy_alpha: float = 0.75
    supervised: bool = False
    cv: int = 4
    scoring_neighbors: int = 20

    def rank_coded(self, features, targets):
        labeled = targets.labeled
        chosen = None
        if self.w0 == self.w1 == "auto" and 2 <= labeled.sum() < len(labeled):
            chosen = self._choose(features, targets)
            if chosen is None:
                features, targets = features.rows(labeled), targets.rows(labeled)
        self.uses_unlabeled_ = not targets.labeled.all()
        return self._rank_as_set(features, targets, chosen)

    def _rank_as_set(self, features, targets, chosen):
        """Rank with one setting, or with the one that cross-validation finds best."""
        labeled = targets.labeled
        grid = [chosen] if chosen else self._grid(labeled)
        choose = len(grid) > 1
        seed = self.resolve_seed()
        group, n_folds = self._folds(labeled, derive_seed(seed, "relief", "folds") if choose else None)
        self.n_iterations_, sums = self._sums(features, targets, grid, group, n_folds, seed)
        self.cv_results_ = None
        if choose:
            self.cv_results_ = self._cross_validate(features, targets, grid, group, n_folds, sums)
            score = self.cv_results_["score"]
            grid = [grid[int(np.argmax(np.where(np.isnan(score), -np.inf, score)))]]
        self.n_neighbors_, self.w0_, self.w1_ = grid[0].n_neighbors, grid[0].w0, grid[0].w1
        return sums(-1).importances(grid[0])

    def _choose(self, features, targets):
        """Return the best setting with unlabelled rows if its gain exceeds one standard error, else None."""
        labeled = np.flatnonzero(targets.labeled)
        n_folds = min(self.cv, len(labeled))
        n_neighbors = _values(self.n_neighbors, NEIGHBORS_GRID, None, True)
        grid, alone = settings(n_neighbors, AUTO_GRID, AUTO_GRID), settings(n_neighbors, (1.0,), (1.0,))
        known, known_targets = features.rows(labeled), targets.rows(labeled)
        strata = known_targets.values[:, 0] if targets.task in ("classification", "regression") else None
        gains = []
        for repeat in range(REPEATS):
            seed = derive_seed(self.resolve_seed(), "relief", "auto", repeat)
            of_known = np.empty(len(labeled), dtype=np.int32)
            for fold, rows in enumerate(deal(len(labeled), n_folds, np.random.default_rng(seed), strata)):
                of_known[rows] = fold
            group = np.full(len(targets.labeled), n_folds, dtype=np.int32)
            group[labeled] = of_known
            _, with_all = self._sums(features, targets, grid, group, n_folds, seed)
            _, with_known = self._sums(known, known_targets, alone, of_known, n_folds, seed)
            for fold in range(n_folds):
                train, test = np.flatnonzero(group != fold), np.flatnonzero(group == fold)
                scorer = HeldOutScorer(features, targets, train, test, self.scoring_neighbors)
                both, only = with_all(fold), with_known(fold)
                vectors = [both.importances(item) for item in grid] + [only.importances(item) for item in alone]
                gains.append(scorer.scores(vectors, self.n_jobs))
        scores = np.array(gains)
        scores = scores[~np.isnan(scores).any(axis=1)]
        if len(scores) < 2:
            return None
        without = scores[:, len(grid) + int(np.argmax(scores[:, len(grid) :].mean(axis=0)))]
        best = int(np.argmax(scores[:, : len(grid)].mean(axis=0)))
        gain = scores[:, best] - without
        error = np.sqrt(gain.var(ddof=1) * (1 / len(gain) + 1 / (n_folds - 1)))
        return grid[best] if gain.mean() > error else None

    def _sums(self, features, targets, grid, group, n_folds, seed):
        """Return the number of iterations, and a function from a left-out fold (-1: none) to all settings' sums."""
        labeled = targets.labeled
        n_neighbors = sorted({setting.n_neighbors for setting in grid})
        space = FeatureSpace(features)
        rows = self._iterations(space.n_rows, seed)
        neighbors = self._search(space, group, n_folds, n_neighbors[-1], rows)
        nearest = self._nearest_labeled(space, group, n_folds, neighbors)

        def sums(left_out):
            training = group != left_out
            known = labeled & training
            scaled = target_space(targets, np.flatnonzero(known))
            others = [fold for fold in range(n_folds) if fold != left_out]
            away = nearest[:, others].min(axis=1) if known.any() else np.zeros(len(labeled))
            t = np.zeros(len(labeled))
            t[training] = remoteness(away[training], labeled[training])
            return grid_sums(space, neighbors, scaled, labeled, t, group, left_out, n_neighbors, self.n_jobs, rows=rows)

        return len(rows), sums

    def check_params(self):
        check_count("n_neighbors", self.n_neighbors, words=("cv",))
        for name in ("w0", "w1"):
            check_number(name, getattr(self, name), 0, 1, words=("auto", "cv"))
        if not isinstance(self.w0, str) and not isinstance(self.w1, str) and self.w0 > self.w1:
            raise ValueError(f"w0 must not exceed w1, got w0={self.w0!r}, w1={self.w1!r}")
        check_count("cv", self.cv, least=2)
        check_count("scoring_neighbors", self.scoring_neighbors)
        check_count("n_iterations", self.n_iterations, words=(None,))

    def _grid(self, labeled):
        """List the settings to try; one if nothing is to be chosen."""
        chosen = labeled.sum() >= 2
        weights = chosen and not labeled.all()
        return settings(
            _values(self.n_neighbors, NEIGHBORS_GRID, FALLBACK["n_neighbors"], chosen),
            _values(self.w0, _up_to(self.w1), min(FALLBACK["w0"], *_up_to(self.w1)), weights),
            _values(self.w1, _from(self.w0), max(FALLBACK["w1"], *_from(self.w0)), weights),
        )

    def _folds(self, labeled, seed):
        """Assign groups: 0 to n_folds - 1 to labelled rows, n_folds to the others; return them and n_folds."""
        n_labeled = int(labeled.sum())
        n_folds = 1 if seed is None else min(self.cv, n_labeled)
        group = np.full(len(labeled), n_folds, dtype=np.int32)
        order = np.flatnonzero(labeled)
        if seed is not None:
            order = np.random.default_rng(seed).permutation(order)
        group[order] = np.arange(n_labeled) % n_folds
        return group, n_folds

    def _iterations(self, n_rows, seed):
        """Choose the rows to iterate over."""
        if self.n_iterations is None or self.n_iterations >= n_rows:
            return np.arange(n_rows)
        sample = np.random.default_rng(derive_seed(seed, "relief", "rows")).permutation(n_rows)
        return np.sort(sample[: self.n_iterations])

    def _search(self, space, group, n_folds, k, rows):
        """Find the nearest rows of the rows to iterate over: at least k after any fold is removed."""
        queries = np.unique(space.point[rows])
        if n_folds == 1:
            return space.neighbors(k, queries=queries, n_jobs=self.n_jobs)
        left = 1 - np.bincount(group)[:n_folds].max() / space.n_rows
        enough = int(np.ceil(1.25 * k / left))  # missing neighbours are searched for below
        neighbors = space.neighbors(enough, queries=queries, n_jobs=self.n_jobs)
        in_fold = _fold_counts(space, group, n_folds)
        while (short := _short(space, neighbors, in_fold, k)).size:
            enough *= 2
            neighbors = neighbors.replaced(short, space.neighbors(enough, queries=queries[short], n_jobs=self.n_jobs))
        return neighbors

    def _nearest_labeled(self, space, group, n_folds, neighbors):
        """Compute the distance of each unlabelled row to the nearest row of each fold, shape (n, n_folds)."""
        in_fold = _fold_counts(space, group, n_folds) > 0
        unlabeled = np.unique(space.point[group >= n_folds])
        nearest = np.full((len(space.values), n_folds), np.inf)
        owner = neighbors.queries[neighbors.owner]
        for fold, here in enumerate(in_fold.T):
            found = here[neighbors.index]
            np.minimum.at(nearest[:, fold], owner[found], neighbors.distance[found])
            away = unlabeled[np.isinf(nearest[unlabeled, fold])]
            if here.any() and away.size:
                others = space.neighbors(1, group=(~here).astype(np.int32), queries=away, n_jobs=self.n_jobs)
                nearest[away, fold] = others.distance[others.start[:-1]]
        return nearest[space.point]

    def _cross_validate(self, features, targets, grid, group, n_folds, sums):
        scores, sizes = [], []
        for fold in range(n_folds):
            train, test = np.flatnonzero(group != fold), np.flatnonzero(group == fold)
            scorer = HeldOutScorer(features, targets, train, test, self.scoring_neighbors)
            in_fold = sums(fold)
            scores.append(scorer.scores([in_fold.importances(setting) for setting in grid], self.n_jobs))
            sizes.append(len(test))
        return {
            "n_neighbors": np.array([setting.n_neighbors for setting in grid]),
            "w0": np.array([setting.w0 for setting in grid]),
            "w1": np.array([setting.w1 for setting in grid]),
            "score": np.array([fold_average(of_setting, sizes) for of_setting in np.array(scores).T]),
        }


def _values(given, grid, fallback, chosen):
    if given not in ("auto", "cv"):
        return (given,)
    return grid if chosen else (fallback,)


def _up_to(w1):
    return WEIGHTS_GRID if isinstance(w1, str) else [w for w in WEIGHTS_GRID if w <= w1]


def _from(w0):
    return WEIGHTS_GRID if isinstance(w0, str) else [w for w in WEIGHTS_GRID if w >= w0]


def _fold_counts(space, group, n_folds):
    """Count the rows of every point in each fold, shape (P, n_folds)."""
    counts = np.zeros((len(space.values), n_folds), dtype=np.intp)
    labeled = group < n_folds
    np.add.at(counts, (space.point[labeled], group[labeled]), 1)
    return counts


def _short(space, neighbors, in_fold, k):
    """Find the lists that are too short: fewer than k rows are left when a fold is removed."""
    owner, n_lists = neighbors.owner, len(neighbors.queries)
    rows = np.bincount(owner, space.counts[neighbors.index], n_lists) - (space.counts[neighbors.queries] > 1)
    lost = [np.bincount(owner, here[neighbors.index], n_lists) for here in in_fold.T]
    every = len(space.values) - (space.counts[neighbors.queries] == 1)
    return np.flatnonzero((np.diff(neighbors.start) < every) & (rows - np.max(lost, axis=0) < k))
