"""A plain NumPy tree grower, straight from Eq. (1) and Algorithms 1 and 2 of paper ssl-ranking.

It enumerates every test, parts the rows, and computes the impurity of each variable in each part. Only
the random numbers and the order in which tests are tried are those of the kernel; nothing else is shared.
"""

from dataclasses import dataclass

import numpy as np

MASK = (1 << 64) - 1
TIE = 3e-6
SMALLEST_GAIN = 1e-6


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


class Stream:
    def __init__(self, state):
        self.state = state

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        return mix(self.state)

    def uniform(self):
        return (self.next() >> 11) / 9007199254740992.0

    def below(self, bound):
        return ((self.next() >> 32) * bound) >> 32


def child_stream(node, branch):
    return mix(node ^ (((branch + 1) * 0xD1342543DE82EF95) & MASK))


@dataclass
class Node:
    rows: np.ndarray
    weight: float
    labeled: float
    feature: int = -1
    threshold: float = np.nan
    categories: frozenset | None = None
    missing_right: bool = False
    value: np.ndarray | None = None


def one_hot(codes, k):
    columns = (codes[:, None] == np.arange(k)).astype(float)
    columns[np.isnan(codes)] = np.nan
    return columns


class ReferenceGrower:
    def __init__(self, case, growth, train, w):
        X, n_categories, Y, task, alphas = case.X, case.n_categories, case.Y, case.task, case.alphas
        self.X, self.n_categories, self.w, self.task, self.train = X, n_categories, w, task, train
        self.max_features, self.random_tests = growth.max_features, growth.random_tests
        self.min_leaf, self.min_labeled = growth.min_samples_leaf, growth.min_labeled_split
        self.target_scale = target_scale = growth.target_scale
        n, D = X.shape
        self.labeled = ~np.isnan(Y).all(axis=1) if Y.shape[1] else np.zeros(n, bool)
        self.values = one_hot(Y[:, 0], 3) if task == "classification" else Y
        self.raw_targets = task == "hierarchical" and target_scale == "known"
        variables = []
        for j in range(D):
            columns = one_hot(X[:, j], n_categories[j]) if n_categories[j] else X[:, [j]]
            variables += self._variable(columns, 1 / D, -1, n_categories[j] == 0)
        if task == "classification":
            variables += self._variable(self.values, 1.0, 0, False)
        else:
            scale = sum(alphas) if self.raw_targets else Y.shape[1]
            for j in range(Y.shape[1]):
                variables += self._variable(Y[:, [j]], alphas[j] / scale, j, task in ("regression", "multitarget"))
        columns, *rest = zip(*variables, strict=True) if variables else ([np.empty((n, 0))], *[()] * 5)
        self.share, self.impurity, self.count, self.target, self.numeric = map(np.array, rest)
        self.first = np.cumsum([0, *(part.shape[1] for part in columns)])[:-1]
        self.known = ~np.isnan(np.hstack(columns))
        self.columns = np.nan_to_num(np.hstack(columns))

    def _variable(self, columns, weight, target, numeric):
        """A variable of Eq. (1): its columns (one, or one for each category), its share, its training impurity,
        known rows, target (-1: a feature); nothing if it is constant."""
        known = self.train[~np.isnan(columns[self.train, 0])]
        if len(known) == 0 or (columns[known] == columns[known[0]]).all():
            return []
        impurity = 1 if target >= 0 and self.raw_targets else columns[known].var(axis=0).sum()
        return [(columns, weight * (self.w if target >= 0 else 1 - self.w), impurity, len(known), target, numeric)]

    def _sums_of_squares(self, rows, weights):
        """Known weight, and sum of squares about the mean, of each variable on some rows."""
        known = weights[rows, None] * self.known[rows]
        part, weight = self.columns[rows], known.sum(axis=0)
        mean = (known * part).sum(axis=0) / np.where(weight > 0, weight, 1)
        return weight[self.first], np.add.reduceat((known * (part - mean) ** 2).sum(axis=0), self.first)

    def h(self, rows, right, weights, by_target=None):
        """Alg. 2, line 4."""
        if not len(self.first):
            return 0.0
        parts = rows, rows[~right], rows[right]
        n, n_left, n_right = (weights[r].sum() for r in parts)
        (k, ss), (k_left, ss_left), (k_right, ss_right) = (self._sums_of_squares(r, weights) for r in parts)
        if self.target_scale == "all":
            impu = ss / np.where(k > 0, k, 1)
            impu_left = np.where(k_left > 0, ss_left / np.where(k_left > 0, k_left, 1), impu)
            impu_right = np.where(k_right > 0, ss_right / np.where(k_right > 0, k_right, 1), impu)
            gain = n * impu - n_left * impu_left - n_right * impu_right
        else:
            of_targets = ss / self.values.shape[1] if self.raw_targets else 0.0
            lost = np.where(self.numeric, ss, np.where(self.target >= 0, of_targets, 0.0))
            gain = ss - np.where(k_left > 0, ss_left, lost) - np.where(k_right > 0, ss_right, lost)
            gain = gain * np.where(self.numeric, len(self.train) / self.count, 1)
        gain = np.where(k > 0, gain * self.share / self.impurity, 0.0)
        if by_target is not None:
            np.add.at(by_target, self.target[self.target >= 0], gain[self.target >= 0])
        return gain.sum()

    def _prototype(self, rows, weights, parent):
        if not self.values.shape[1]:
            return np.empty(0)
        part, weight = self.values[rows], weights[rows]
        known = ~np.isnan(part)
        support = (weight[:, None] * known).sum(axis=0)
        mean = (weight[:, None] * np.where(known, part, 0)).sum(axis=0) / np.where(support > 0, support, 1)
        return np.where(support > 0, mean, np.nan if parent is None else parent.value)

    @staticmethod
    def goes_right(node, X):
        x = X[:, node.feature]
        right = x > node.threshold if node.categories is None else np.isin(x, list(node.categories))
        return np.where(np.isnan(x), node.missing_right, right)

    def _best_test(self, rows, weights, stream):
        n = weights[rows].sum()
        best = None

        def consider(feature, threshold, categories, missing_right, h=None):
            nonlocal best
            probe = Node(rows, 0, 0, feature, threshold, categories, missing_right)
            right = self.goes_right(probe, self.X[rows])
            if h is None:
                h = self.allowed_h(rows, right, weights)
            if h > (0 if best is None else best[0]) * (1 + TIE) and h > SMALLEST_GAIN * n:
                best = (h, feature, threshold, categories, missing_right)

        for feature in self._sample(stream):
            x = self.X[rows, feature]
            present = np.unique(x[~np.isnan(x)])
            sides = (False, True) if np.isnan(x).any() else (False,)
            u = stream.uniform() if self.random_tests and self.n_categories[feature] <= 2 else None
            if len(present) < 2:
                continue
            if self.n_categories[feature] > 2:
                if self.random_tests:
                    subset = self._random_subset(present, stream)
                    if subset is not None:
                        for side in sides:
                            consider(feature, np.nan, subset, side)
                else:
                    for side in sides:
                        h, subset = self._greedy_subset(rows, weights, x, present, side)
                        if subset:
                            consider(feature, np.nan, subset, side, h)
            elif self.random_tests:
                t = present[0] if self.n_categories[feature] else present[0] + u * (present[-1] - present[0])
                for side in sides:
                    consider(feature, t, None, side)
            else:
                for side in sides:
                    for t in present[-2::-1]:
                        consider(feature, t, None, side)
        return best

    def allowed_h(self, rows, right, weights):
        heavy = weights[rows][right].sum() >= self.min_leaf and weights[rows][~right].sum() >= self.min_leaf
        return self.h(rows, right, weights) if heavy else -np.inf

    def _sample(self, stream):
        D = self.X.shape[1]
        if self.max_features == D:
            return range(D)
        drawn = []
        for i in range(self.max_features):
            f = stream.below(D - self.max_features + i + 1)
            drawn.append(D - self.max_features + i if f in drawn else f)
        return drawn

    def _greedy_subset(self, rows, weights, x, present, missing_right):
        n = weights[rows].sum()
        taken, best_h = [], 0.0
        while len(taken) < len(present) - 1:
            step, step_h = None, best_h
            for v in present:
                if v in taken:
                    continue
                right = np.where(np.isnan(x), missing_right, np.isin(x, [*taken, v]))
                h = self.allowed_h(rows, right, weights)
                if h > step_h * (1 + TIE) and h > SMALLEST_GAIN * n:
                    step, step_h = v, h
            if step is None:
                break
            taken.append(step)
            best_h = step_h
        return best_h, frozenset(taken)

    @staticmethod
    def _random_subset(present, stream):
        for _ in range(10):
            taken = []
            for g, v in enumerate(present):
                if g % 64 == 0:
                    bits = stream.next()
                if (bits >> (g & 63)) & 1:
                    taken.append(v)
            if 0 < len(taken) < len(present):
                return frozenset(taken)
        return None
