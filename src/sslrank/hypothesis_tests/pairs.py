"""Pair tests: which two features are related to the target only together, such as by their product.

References
----------
D. Freedman, D. Lane: A nonstochastic interpretation of reported significance levels. Journal of Business & Economic
Statistics 1, 1983.
P. H. Westfall, S. S. Young: Resampling-based multiple testing. Wiley, 1993 (largest statistic).
C. J. DiCiccio, J. P. Romano: Robust permutation tests for correlation and regression coefficients. JASA 112, 2017
(studentised statistics).
"""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtri

from sslrank.core.messages import counted
from sslrank.core.random_state import derive_seed
from sslrank.hypothesis_tests.design import INDEPENDENT
from sslrank.hypothesis_tests.marginal import column_ranks, target_groups
from sslrank.hypothesis_tests.partial import orthonormal_basis
from sslrank.hypothesis_tests.permutations import Permutations

#: Family-wise error rate of the pairs that are claimed.
PAIR_LEVEL = 0.05
#: Maximum number of permutations, and of pairs that are claimed, one after the other.
N_PERMUTATIONS, MAX_PAIRS = 400, 10
#: With fewer rows, groups or times nothing is tested.
MIN_UNITS = 20
#: Maximum of pairs times rows to test all pairs; above it, this number of pairs among this number of features is chosen
#: on one half of the rows and tested on the other.
_MAX_PAIR_ROWS, _N_CHOSEN, _MAX_FEATURES = 6e6, 500, 300
#: Rows for each column of the additive model with squares; with fewer, it is linear.
_ROWS_PER_COLUMN = 3
#: Levels of a nominal feature that have a column of their own; the rarer ones are one level.
_MAX_LEVELS = 8
#: Number of products in memory at a time, and of permutations tried before it is decided whether to go on.
_CELLS, _BATCH = 1_000_000, 40
#: Penalties of the additive model, as multiples of the largest eigenvalue.
_PENALTIES = np.array([10 ** (k / 3) for k in range(-18, 7)])  # powers of NumPy depend on the processor


@dataclass(frozen=True)
class Pairs:
    """Pairs of features that are related to the target together.

    Attributes
    ----------
    pairs : ndarray of shape (P, 2), int
        The strongest pair first; each one is tested given the pairs before it.
    p_values : ndarray of shape (P,)
        Family-wise error rate of each, at most :data:`PAIR_LEVEL`.
    p_value : float
        That no pair is related: of the strongest one, claimed or not.
    reason : str
        Why nothing was tested; empty if tests were made.
    n_rows : int
        Number of labelled rows in the tests.
    """

    pairs: np.ndarray = field(default_factory=lambda: np.empty((0, 2), dtype=np.intp))
    p_values: np.ndarray = field(default_factory=lambda: np.empty(0))
    p_value: float = 1.0
    reason: str = ""
    n_rows: int = 0

    @property
    def features(self):
        """Features of at least one pair, in the order of the pairs."""
        return np.array(list(dict.fromkeys(self.pairs.ravel().tolist())), dtype=np.intp)

    def partners(self, feature):
        """Return the features that a feature is related together with."""
        return [int(sum(pair) - feature) for pair in self.pairs if feature in pair]


def find_pairs(features, targets, *, design=INDEPENDENT, count=N_PERMUTATIONS, seed=0, sample_weight=None):
    """Find pairs of features whose product explains what an additive model of all features leaves.

    The product of the normal scores of two numbers, or of levels, less what each of both explains alone, is correlated
    with the residuals of a ridge regression of the target on all features. The residuals are permuted, and the model is
    fitted to them again. The statistic is divided by its standard error in each permutation; pairs as strong as the
    strongest of at most 5 % of the permutations can be claimed. The product of the one that explains most enters the
    model, and the others are tested again, so a feature that only correlates with a true partner is not named. Of many
    features, pairs are chosen on one half of the rows and tested on the other.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    design : sslrank.hypothesis_tests.design.Design
    count : int
        Maximum number of permutations; fewer are made if they show that no pair can be claimed.
    seed : int
    sample_weight : ndarray of shape (n,), optional

    Returns
    -------
    Pairs
    """
    n, D = features.shape
    units = {"rows": np.arange(n), "groups": design.groups, "times": design.time}[design.unit]
    n_units, which = len(np.unique(units)), {"rows": "labelled row", "groups": "group", "times": "time"}[design.unit]
    if D < 2:
        return Pairs(reason="not tested: there is one feature")
    if n_units < MIN_UNITS:
        return Pairs(reason=f"not tested: {counted(n_units, which)}, and at least {MIN_UNITS} are needed")
    seed, rows, partners_of = derive_seed(seed, "pairs"), np.arange(n), None
    if D * (D - 1) / 2 * n > _MAX_PAIR_ROWS:
        if n_units < 2 * MIN_UNITS:
            return Pairs(reason=f"not tested: {counted(n_units, which)}, and at least {2 * MIN_UNITS} are needed")
        choose, rows = _halves(units, design.unit, seed)
        partners_of = _chosen(_PairModel(features, targets, design, sample_weight, choose, count, seed))
    model = _PairModel(features, targets, design, sample_weight, rows, count, seed)
    pairs, p_values, smallest = [], [], 1.0
    while len(pairs) < MAX_PAIRS and model.Y.shape[1]:
        pair, p, products = _strongest(model, pairs, partners_of)
        smallest = smallest if pairs else p
        if pair is None:
            break
        pairs.append(pair)
        p_values.append(p)
        model.add(products)
    return Pairs(np.array(pairs, dtype=np.intp).reshape(-1, 2), np.array(p_values), smallest)


def _halves(units, unit, seed):
    """Divide rows into two halves without dividing a unit; times into earlier and later ones."""
    names, codes = np.unique(units, return_inverse=True)
    rng = np.random.default_rng(derive_seed(seed, "halves"))
    position = np.arange(len(names)) if unit == "times" else rng.permutation(len(names))
    return np.flatnonzero(position[codes] < len(names) / 2), np.flatnonzero(position[codes] >= len(names) / 2)


def _chosen(model):
    """Choose pairs by their statistics among the features with the strongest linear or quadratic relation."""
    D, E = len(model.columns), model.Y
    features = np.arange(D)
    if D > _MAX_FEATURES:
        strengths = [np.square(_unit(np.hstack([x, x**2 - 1])).T @ E).sum(axis=1).max(initial=0) for x in model.columns]
        features = np.sort(np.argsort(-np.array(strengths), kind="stable")[:_MAX_FEATURES])
    partners_of = {int(a): features[features != a] for a in features}
    E, pairs, scores = model.residuals, [], []
    for some, owner, products in _products(model, partners_of):
        shares = np.square(products.T @ E) / np.maximum((products**2).T @ E**2, 1e-300)
        pairs.append(some)
        scores.append(_scores(shares, owner, 1)[:, 0])
    pairs, scores = np.concatenate(pairs), np.concatenate(scores)
    best = pairs[np.argsort(-scores, kind="stable")[:_N_CHOSEN]]
    return {int(a): np.concatenate([best[best[:, 0] == a, 1], best[best[:, 1] == a, 0]]) for a in np.unique(best)}


def normal_scores(X):
    """Replace the values of columns by normal scores of their ranks with variance 1; 0 if missing or constant.

    Parameters
    ----------
    X : ndarray of shape (n, D)

    Returns
    -------
    ndarray of shape (n, D)
    """
    is_known = ~np.isnan(X)
    counts = np.maximum(is_known.sum(axis=0), 1)
    z = np.where(is_known, ndtri(np.where(is_known, column_ranks(X), 1.0) / (counts + 1)), 0.0)
    z = np.where(is_known, z - z.sum(axis=0) / counts, 0.0)
    spread = np.sqrt((z**2).mean(axis=0))
    return np.divide(z, spread, out=np.zeros_like(z), where=spread > 1e-9)


def _levels(x):
    """Make orthogonal contrasts of the levels of a nominal feature; a gap is a level."""
    _, codes, sizes = np.unique(x, return_inverse=True, return_counts=True)
    position = np.argsort(np.argsort(-sizes, kind="stable"), kind="stable")
    levels = np.eye(min(len(sizes), _MAX_LEVELS))[np.minimum(position[codes], _MAX_LEVELS - 1)]
    return orthonormal_basis(levels - levels.mean(axis=0)) * np.sqrt(len(x))


class _PairModel:
    """Columns of the features, permutations, and residuals of a ridge regression of the target on all features.

    The penalty has the smallest error of generalised cross-validation; the intercept, adjusting columns and the
    products that were claimed have none.
    """

    def __init__(self, features, targets, design, sample_weight, rows, count, seed):
        features, targets = features.rows(rows), targets.rows(rows).without_unused_categories()
        weights, null = None if sample_weight is None else sample_weight[rows], targets.null
        self.Y = np.hstack(target_groups(targets, weights)[0])
        adjusting = None if null is None else null.columns
        self.permutations = Permutations(design.rows(rows), self.Y, adjusting, count=count, seed=seed)
        self.nominal = features.nominal
        scores = normal_scores(features.values)
        self.columns = [
            _levels(features.values[:, j]) if is_nominal else scores[:, j : j + 1]
            for j, is_nominal in enumerate(self.nominal)
        ]
        n, gaps = len(self.Y), np.isnan(features.values[:, ~self.nominal])
        squares = [self.columns[j] ** 2 - 1 for j in np.flatnonzero(~self.nominal)]
        parts = [*self.columns, gaps[:, gaps.any(axis=0)] * 1.0]
        if sum(part.shape[1] for part in [*parts, *squares]) <= n / _ROWS_PER_COLUMN:
            parts += squares
        self.A = np.hstack(parts)
        self.fixed = np.column_stack([np.full(n, n**-0.5), self.permutations.removed])
        self._fit()

    def _fit(self):
        def free(columns):
            return columns - self.fixed @ (self.fixed.T @ columns)

        A, Y = free(self.A), free(self.Y)
        if A.shape[1] <= len(A):
            squares, directions = np.linalg.eigh(A.T @ A)
            kept = squares > 1e-9 * max(squares[-1], 1e-300)
            squares = squares[kept]
            self.left = A @ (directions[:, kept] / np.sqrt(squares))
        else:
            squares, left = np.linalg.eigh(A @ A.T)
            kept = squares > 1e-9 * max(squares[-1], 1e-300)
            squares, self.left = squares[kept], left[:, kept]
        along, total = ((self.left.T @ Y) ** 2).sum(axis=1), (Y**2).sum()
        penalties = _PENALTIES * max(squares.max(initial=0.0), 1e-300)
        # the largest one where the columns without a penalty take half of the rows, as strata of two rows do
        best, self.shrunk = np.inf, squares / (squares + penalties.max())
        for penalty in penalties:
            shrunk = squares / (squares + penalty)
            n_free = len(A) - self.fixed.shape[1] - shrunk.sum()
            if n_free < len(A) / 2:
                continue
            error = (total - along.sum() + ((1 - shrunk) ** 2 * along).sum()) / n_free**2
            if error < best:
                best, self.shrunk = error, shrunk
        self.residuals = self.project(Y)

    def project(self, columns):
        """Subtract the fit from columns."""
        columns = columns - self.fixed @ (self.fixed.T @ columns)
        return columns - self.left @ (self.shrunk[:, None] * (self.left.T @ columns))

    def add(self, products):
        """Add columns without penalty."""
        new = products - self.fixed @ (self.fixed.T @ products)
        self.fixed = np.column_stack([self.fixed, orthonormal_basis(new / np.linalg.norm(new, axis=0))])
        self._fit()


def _strongest(model, claimed, partners_of):
    """Find the strongest pair, its family-wise p-value, and the columns of its product.

    Permutations are tried in batches, until so many are as strong that no pair can be claimed. Of the pairs that can,
    the one that explains most is taken: the standard error of a product is largest for the pair that matters.
    """
    rows = model.permutations.rows
    count, n = len(rows), len(model.Y)
    allowed, largest = int(PAIR_LEVEL * count), np.empty(0)
    pairs, scores, shares = [], [], []
    while len(largest) < count:
        batch = rows[len(largest) : len(largest) + (_BATCH if len(largest) else _BATCH // 2)]
        E = model.project(model.residuals[batch].transpose(1, 0, 2).reshape(n, -1))
        of_batch = np.full(len(batch), -np.inf)
        for some, owner, products in _products(model, partners_of):
            explained = np.square(products.T @ E)
            studentized = _scores(explained / np.maximum((products**2).T @ E**2, 1e-300), owner, len(batch))
            studentized[[tuple(pair) in claimed for pair in some.tolist()]] = -np.inf
            of_batch = np.maximum(of_batch, studentized.max(axis=0))
            if not len(largest):
                pairs.append(some)
                scores.append(studentized[:, 0])
                q = E.shape[1] // len(batch)
                plain = explained[:, :q] / np.maximum((E[:, :q] ** 2).sum(axis=0), 1e-300)
                shares.append(_scores(plain, owner, 1)[:, 0])
        largest = np.append(largest, of_batch)
        if not scores or (largest >= max(of_part.max() for of_part in scores)).sum() > allowed:
            return None, float((largest >= largest[0]).mean()), None
    pairs, scores, shares = np.concatenate(pairs), np.concatenate(scores), np.concatenate(shares)
    p_values = (largest[:, None] >= scores).mean(axis=0)
    best = int(np.where(p_values <= PAIR_LEVEL, shares, -np.inf).argmax())
    a, b = map(int, pairs[best])
    _, _, products = next(_products(model, {a: np.array([b]), b: np.array([a])}))
    return (a, b), float(p_values[best]), products


def _scores(squares, owner, count):
    """Add up squares over the columns of a pair and of the target, and convert them to a normal quantile."""
    q = squares.shape[1] // count
    sums = squares.reshape(len(squares), count, q).sum(axis=2)
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    degrees = np.diff(first, append=len(owner))[:, None] * q
    return np.round(_normal(np.add.reduceat(sums, first, axis=0) if len(first) < len(owner) else sums, degrees), 9)


def _normal(sums, degrees):
    """Convert sums of squares with degrees of freedom to normal quantiles (Wilson and Hilferty)."""
    share = 2 / (9 * degrees)
    return (np.cbrt(sums / degrees) - (1 - share)) / np.sqrt(share)


def _products(model, partners_of=None):
    """Generate products of pairs, less what each feature explains alone, as parts (pairs, pair of column, columns).

    `partners_of` has the partners of each feature; by default all pairs are made. Levels come first, because the
    products of a feature with several numbers are made at once.
    """
    columns, nominal = model.columns, model.nominal
    n, order = len(model.Y), np.argsort(~nominal, kind="stable")
    for position, a in enumerate(order):
        partners = order[position + 1 :]
        if partners_of is not None:
            partners = partners[np.isin(partners, partners_of.get(int(a), ()))]
        own = columns[a]
        if not len(partners) or not own.any():
            continue
        basis = orthonormal_basis(_unit(np.column_stack([np.ones(n), own] + [own**2] * (not nominal[a]))))

        def free(values, basis=basis):
            return values - basis @ (basis.T @ values)

        for b in partners[nominal[partners]]:
            other = orthonormal_basis(_unit(free(columns[b])))
            products = free((own[:, :, None] * columns[b][:, None, :]).reshape(n, -1))
            products -= other @ (other.T @ products)
            yield from _block(a, np.array([b]), products, products.shape[1])
        numbers, step = partners[~nominal[partners]], max(1, _CELLS // (n * own.shape[1]))
        for some in np.split(numbers, range(step, len(numbers), step)):
            if not len(some):
                continue
            Z = np.hstack([columns[b] for b in some])
            z, square = _unit(free(Z)), free(Z**2)
            square = _unit(square - z * (z * square).sum(axis=0))
            parts = []
            for column in own.T:
                products = free(column[:, None] * Z)
                products -= z * (z * products).sum(axis=0)
                parts.append(products - square * (square * products).sum(axis=0))
            yield from _block(a, some, np.stack(parts, axis=2).reshape(n, -1), len(parts))


def _block(a, partners, products, width):
    """Yield the products of a feature with some partners, scaled to variance 1, without those that vanish."""
    lengths = np.sqrt((products**2).mean(axis=0))
    kept = lengths > 1e-6
    if kept.any():
        used, owner = np.unique(np.repeat(np.arange(len(partners)), width)[kept], return_inverse=True)
        pairs = np.column_stack([np.minimum(a, partners[used]), np.maximum(a, partners[used])])
        yield pairs, owner, products[:, kept] / lengths[kept]


def _unit(values):
    """Scale columns to norm 1; columns without a length become 0."""
    lengths = np.sqrt((values**2).sum(axis=0))
    return np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 1e-6 * np.sqrt(len(values)))
