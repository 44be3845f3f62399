"""Conditional tests: which features add information about the target beyond the others.

References
----------
A. Belloni, V. Chernozhukov, C. Hansen: Inference on treatment effects after selection among high-dimensional controls.
Review of Economic Studies 81(2), 2014.
D. P. Foster, E. I. George: The risk inflation criterion for multiple regression. Annals of Statistics 22(4), 1994.
J. S. Long, L. H. Ervin: Using heteroscedasticity consistent standard errors in the linear regression model. American
Statistician 54(3), 2000.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.polynomial.legendre import legvander
from scipy.special import betainc, betaincinv, chdtrc, gammaln

from sslrank.core.messages import counted
from sslrank.tabular.trust.rows.arrangements import log_arrangements
from sslrank.tabular.trust.tests.combining import cauchy, q_values
from sslrank.tabular.trust.tests.marginal import MarginalTests, ranks_of, target_groups

#: False discovery rate at which features are claimed to add information beyond the others.
CONDITIONAL_FDR = 0.1
#: Minimum correlation of two columns of a block.
COPIES = 0.95
#: Number of features with the smallest p-values of relation that are tested, and that serve as controls. Both bound the
#: time, which grows with the rows times the square of the columns.
MOST, _CONTROLS = 200, 400
#: With fewer rows or groups nothing is tested: the variance of a sum over rows could not be estimated.
FEWEST_UNITS = 10
#: With this many rows for each linear column all of them are controls. On tables of 10 columns and 40 or 150 rows the
#: power is .9 of that of least squares or more; of 60 columns and 60 rows, choosing them finds .9, least squares none.
_OUTRIGHT = 4
#: Above this number of linear columns, controls are selected: with 200 columns and 2,000 rows all of them take five
#: times as long.
_MOST_OUTRIGHT = 64
#: Minimum number of rows per chosen column: a bound on time that is rarely reached, as the criterion stops earlier.
_ROWS_A_COLUMN = 6
#: Kinds of columns that represent a feature.
NUMBER, DISTANCE, LEVEL, GAP = range(4)
#: Weights of the tests of a feature by the kind of its columns: a number as it is, and by the distance from its middle
#: rank. With (.7, .3) and (.9, .1) power is .43 and .45 on linear tables (here .45), .83 and .75 for distances (.79).
WEIGHTS = (0.8, 0.2, 1.0, 0.5)
#: Blocks with a q-value up to this are retested with nonlinear controls: larger ones would not be named.
AGAIN = 0.2
#: Features that have nonlinear functions, and those of them that have products, the most related first: bounds on time.
MAX_NONLINEAR, MAX_INTERACTING = 50, 20
#: Of the rank of a number, from -1 to 1: highest degree of polynomials, and places of steps. Where noisy sines of
#: features are tested, the false discovery rate is .13 with degree 3, .03 with 5 and 8. Of 64 tables in which a noisy
#: sine or step of a feature is tested, it is named in 50 without steps, in 26 with 15 of them, in 6 with 63.
_DEGREE, _STEPS = 5, np.linspace(-1, 1, 65)[1:-1]


@dataclass(frozen=True)
class ConditionalTests:
    """Tests of each feature given all others.

    Attributes
    ----------
    p_values, q_values : ndarray of shape (D,)
        Features of a block have the same; 1 for features that were not tested.
    blocks : ndarray of shape (D,), int
        Number of the block of each feature.
    reason : str
        Why nothing was tested; empty if tests were made.
    """

    p_values: np.ndarray
    q_values: np.ndarray
    blocks: np.ndarray
    reason: str = ""

    @property
    def named(self):
        """Features that add information beyond the others at a false discovery rate of :data:`CONDITIONAL_FDR`."""
        return np.flatnonzero(self.q_values <= CONDITIONAL_FDR)

    def n_blocks(self, features):
        """Count the blocks of some features, given as indices; near-duplicates are one block."""
        return len(np.unique(self.blocks[features]))

    def describe(self, related=None):
        """Describe the result in one line; of the `related` features only, if their indices are given."""
        if self.reason:
            return f"conditional tests: {self.reason}"
        features = self.named if related is None else np.intersect1d(self.named, related)
        n, blocks = len(features), self.n_blocks(features)
        if not n:
            return "conditional tests: these rows show no feature that adds information beyond the others"
        said = counted(n, "feature") if n == blocks else f"{counted(blocks, 'block')} ({counted(n, 'feature')})"
        return (
            f"conditional tests: {said} {'adds' if n == 1 else 'add'} information beyond the others, at a false "
            f"discovery rate of {CONDITIONAL_FDR:.0%}"
        )


def near_duplicates(features, least=COPIES):
    """Group numeric columns connected by correlations of at least `least`.

    Returns
    -------
    ndarray of shape (D,), int
        First column of each column's block.
    """
    D = features.shape[1]
    block = np.arange(D)
    numbers = np.flatnonzero(~features.nominal)
    x = _standardized(features.values[:, numbers])
    for i in range(len(numbers)):
        near = numbers[i + 1 :][np.abs(x[:, i + 1 :].T @ x[:, i]) >= least]
        for j in near:
            block[block == block[j]] = block[numbers[i]]
    return block


def _standardized(values):
    known = ~np.isnan(values)
    counts = np.maximum(known.sum(axis=0), 1)
    values = np.where(known, values, 0.0)
    values = np.where(known, values - values.sum(axis=0) / counts, 0.0)
    lengths = np.sqrt((values**2).sum(axis=0))
    return np.divide(values, lengths, out=np.zeros_like(values), where=lengths > 1e-12 * np.sqrt(counts))


@dataclass(frozen=True)
class _Columns:
    """Columns of norm 1 that represent features.

    Attributes
    ----------
    values : ndarray of shape (n, P)
    owners : ndarray of shape (P,), int
        Feature of each column.
    kinds : ndarray of shape (P,), int
        NUMBER, DISTANCE, LEVEL or GAP.
    """

    values: np.ndarray
    owners: np.ndarray
    kinds: np.ndarray


def _columns(features):
    """Make columns: numbers, distances from the middle rank, indicators of levels, and indicators of gaps."""
    columns, owners, kinds = [], [], []
    for j, nominal in enumerate(features.nominal):
        x = features.values[:, j]
        known = ~np.isnan(x)
        values, counts = np.unique(x[known], return_counts=True)
        if nominal:  # all but the most frequent level
            parts = [(x == level, LEVEL) for level in np.delete(values, counts.argmax()) if len(values) > 1]
        else:
            parts = [(x, NUMBER)]
            if len(values) > 2:
                ranks = ranks_of(x)
                parts.append((np.abs(ranks - (known.sum() + 1) / 2), DISTANCE))
        parts = [(np.where(known, column, np.nan), kind) for column, kind in parts]
        parts += [] if known.all() else [(known, GAP)]
        columns += [column for column, _ in parts]
        owners += [j] * len(parts)
        kinds += [kind for _, kind in parts]
    values = np.array(columns, dtype=np.float64).reshape(len(columns), len(features.values)).T
    return _Columns(_standardized(values), np.array(owners, dtype=np.intp), np.array(kinds, dtype=np.intp))


def nonlinear_bases(features, used):
    """Make polynomials and steps of the rank of each feature, and products of the first features.

    Parameters
    ----------
    features : sslrank.core.features.Features
    used : sequence of int
        Features, the most related first; the first :data:`MAX_INTERACTING` also have pairwise products.

    Returns
    -------
    columns : ndarray of shape (n, P), of length one
    owners : ndarray of shape (P, 2), int
        One or two features of each column.
    """
    columns, owners, numbers = [], [], []
    for j in used:
        x = features.values[:, j]
        if features.nominal[j] or len(np.unique(x[~np.isnan(x)])) < 3:
            continue
        ranks = ranks_of(x) / (np.sum(~np.isnan(x)) + 1) * 2 - 1
        bases = np.column_stack([legvander(ranks, _DEGREE)[:, 1:], np.sign(ranks[:, None] - _STEPS)])
        columns.append(np.where(np.isnan(x)[:, None], np.nan, bases))
        owners += [(j, j)] * bases.shape[1]
        numbers.append(j)
    if not numbers:
        return np.empty((len(features.values), 0)), np.empty((0, 2), dtype=np.intp)
    x = _standardized(features.values)
    pairs = list(combinations(numbers[:MAX_INTERACTING], 2))
    columns += [(x[:, a] * x[:, b])[:, None] for a, b in pairs]
    return _standardized(np.hstack(columns)), np.array(owners + pairs)


def choose_forward(Y, Z, forbidden, most, units, given=None):
    """Choose columns of Z that explain each column of Y, by forward selection.

    A column enters by an F test at the level of the risk inflation criterion (Foster, George 1994), the tail area of
    chi squared beyond 2 log(P). With few rows, the criterion itself would select columns by chance.

    Parameters
    ----------
    Y : ndarray of shape (n, J)
    Z : ndarray of shape (n, P)
    forbidden : ndarray that broadcasts to (J, P), bool
    most : int
    units : float
        Number of independent rows.
    given : ndarray of shape (n, K), optional
        Orthonormal columns that are already in each model.

    Returns
    -------
    list of list of int
    """
    if not Z.shape[1]:
        return [[] for _ in Y.T]
    given = np.empty((len(Y), 0)) if given is None else given
    forbidden = np.broadcast_to(forbidden, (Y.shape[1], Z.shape[1]))
    level = chdtrc(1, 2 * np.log(max((~forbidden).sum(axis=1).max(), 2)))
    entry = betaincinv(0.5, np.maximum(units - given.shape[1] - 1 - np.arange(1, most + 1), 1) / 2, 1 - level)
    Y, known = Y - given @ (given.T @ Y), given.T @ Z
    left, variances = Y.T @ Z, (Y**2).sum(axis=0)
    K, outside = len(known), (Z**2).sum(axis=0) - (known**2).sum(axis=0)
    products, chosen_of = {}, []  # of a column with all others, for those that are chosen
    for j, closed in enumerate(forbidden.copy()):
        basis, rest, chosen = np.empty((K + most, Z.shape[1])), outside.copy(), []
        basis[:K] = known
        for step in range(K, K + most):
            gain = np.where((rest > 0.05) & ~closed, left[j] ** 2 / np.maximum(rest, 0.05), 0.0)
            best = int(gain.argmax())
            if gain[best] / max(variances[j], 1e-300) <= entry[step - K]:
                break
            if best not in products:
                products[best] = Z[:, best] @ Z
            new = products[best] - basis[:step, best] @ basis[:step]
            basis[step] = new = new / np.sqrt(rest[best])
            along = left[j, best] / np.sqrt(rest[best])
            left[j] -= along * new
            rest -= new**2
            variances[j] -= along**2
            closed[best] = True
            chosen.append(best)
        chosen_of.append(chosen)
    return chosen_of


def conditional_tests(
    features, targets, *, blocks=None, related=None, sample_weight=None, groups=None, time=None,
):  # fmt: skip
    """Test each feature, or block of features, given all others.

    The residuals of the feature and of the target, given models of the other features, are compared. With at least four
    rows for each linear column, the models contain all of these; otherwise forward selection chooses columns that
    explain the feature or the target (double selection). Blocks with a small q-value are retested, also given nonlinear
    functions of the others that explain the feature; the larger p-value counts. Numbers enter by their values and their
    distance from the middle rank, nominal features by their levels, missing values by an indicator.

    Rows of a group count as one. With times, all columns are first filtered by an autoregression of the target, whose
    order has the smallest AIC (prewhitening).

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    blocks : ndarray of shape (D,), optional
        Features of a block are tested together, given the others; by default near-duplicates.
    related : ndarray of shape (D,), optional
        P-values of relation; in wide tables only the features with the smallest ones are tested.
    sample_weight, groups, time : ndarray of shape (n,), optional

    Returns
    -------
    ConditionalTests
    """
    n, D = features.shape
    if D > _CONTROLS:
        return _of_part(features, targets, blocks, related, sample_weight, groups, time)
    codes = np.unique(near_duplicates(features) if blocks is None else blocks, return_inverse=True)[1]
    units = n if groups is None else len(np.unique(groups))
    if units < FEWEST_UNITS:
        of_what = counted(units, "labelled row" if groups is None else "group")
        reason = f"not tested: {of_what}, and at least {FEWEST_UNITS} are needed"
        return ConditionalTests(np.ones(D), np.ones(D), codes, reason)
    related = np.ones(D) if related is None else related
    order = np.argsort(related, kind="stable")
    tested = np.flatnonzero(np.isin(codes, codes[order[:MOST]]))
    plain, _ = target_groups(targets, None)
    of_target = np.repeat(np.arange(len(plain)), [group.shape[1] for group in plain])
    Y = np.nan_to_num(np.hstack(plain))
    rows = _Rows.of(Y, sample_weight, groups, time)
    constant = np.ones((n, 1)) if targets.null is None else np.column_stack([np.ones(n), targets.null.columns])
    Y, constant, columns = rows.apply(Y), rows.apply(_unit_lengths(constant)), _columns(features)
    tested = [j for j in tested if (columns.owners == j).any()]
    models = _Models(rows.apply(columns.values), columns, Y, constant, codes, tested, rows.units)
    p_values = np.ones(D)
    of_targets = [min(log_arrangements(group), gammaln(units + 1)) for group in plain]
    of_features = [log_arrangements(features.values[:, [j]]) for j in range(D)]

    def test(j, functions=None):
        x, kinds = models.of(j)
        p, weights = [], []
        for target, weight in enumerate(targets.weights):
            at = np.flatnonzero(of_target == target)
            if not len(at):
                continue
            linear = models.basis(j, at)
            for kind in np.unique(kinds):
                basis, of_kind = linear, x[:, kinds == kind]
                if functions is not None:
                    forbidden = (codes[functions[1]] == codes[j]).any(axis=1)
                    explained = models.explained(j, at) if kind == LEVEL else of_kind
                    basis = _with_functions(linear, functions[0], forbidden, explained, rows.units)
                y = _orthonormal(Y[:, at] - basis @ (basis.T @ Y[:, at]))
                smallest = np.exp(-min(of_features[j], of_targets[target]))
                p.append(max(_partial(y, of_kind, basis, rows.groups), smallest))
                weights.append(weight * WEIGHTS[kind])
        return cauchy(np.array(p), np.array(weights)) if p else 1.0

    for j in tested:
        p_values[j] = test(j)
    to_retest = q_values(_of_blocks(p_values, codes))[codes] <= AGAIN
    if to_retest.any():
        values, owners = nonlinear_bases(features, order[:MAX_NONLINEAR])
        values = rows.apply(values)
        for j in tested:
            if to_retest[j]:
                p_values[j] = max(p_values[j], test(j, (values, owners)))
    of_block = _of_blocks(p_values, codes)
    return ConditionalTests(of_block[codes], q_values(of_block)[codes], codes)


@dataclass(frozen=True)
class _Rows:
    """Transformation of the rows of all columns, and the number of independent rows."""

    root: np.ndarray
    order: np.ndarray | None
    past: np.ndarray
    groups: np.ndarray | None

    @classmethod
    def of(cls, Y, sample_weight, groups, time):
        """Make the rows from the target's columns, weights, and groups or times; groups go before times."""
        root = np.ones((len(Y), 1)) if sample_weight is None else np.sqrt(sample_weight / sample_weight.mean())[:, None]
        codes = None if groups is None else np.unique(groups, return_inverse=True)[1]
        if time is None or groups is not None:
            return cls(root, None, np.empty(0), codes)
        order = np.argsort(time, kind="stable")
        return cls(root, order, autoregression((root * Y)[order]), None)

    def apply(self, columns):
        """Weight the rows; in the order of time, subtract the prediction from the rows before."""
        columns = self.root * columns
        if self.order is None:
            return columns
        columns, p = columns[self.order], len(self.past)
        return columns[p:] - sum(a * columns[p - k : len(columns) - k] for k, a in enumerate(self.past, 1))

    @property
    def units(self):
        """Number of independent rows or groups."""
        return len(self.root) - len(self.past) if self.groups is None else self.groups.max() + 1


def autoregression(Y):
    """Estimate the autoregression common to all columns of Y by least squares, with the order by AIC.

    Parameters
    ----------
    Y : ndarray of shape (n, J)
        In the order of time.

    Returns
    -------
    ndarray of shape (p,)
        Coefficients, at most 10 log10(n) and a tenth of the rows, as in
        :func:`statsmodels.tsa.ar_model.ar_select_order`.
    """
    n = len(Y)
    most = int(min(10 * np.log10(n), n / 10))
    Y = Y - Y.mean(axis=0)
    best, coefficients = np.inf, np.empty(0)
    present = Y[most:].ravel()
    for p in range(most + 1):
        past = np.column_stack([Y[most - k : n - k].ravel() for k in range(1, p + 1)] or [np.empty((len(present), 0))])
        a = np.linalg.lstsq(past, present, rcond=None)[0]
        aic = (n - most) * np.log(max(((present - past @ a) ** 2).sum(), 1e-300)) + 2 * p
        if aic < best:
            best, coefficients = aic, a
    return coefficients


class _Models:
    """Linear models of each feature and each column of the target by the columns of the other features.

    With four rows for each linear column they contain all columns; otherwise those chosen for the feature or the
    target.
    """

    def __init__(self, Z, columns, Y, constant, codes, tested, units):
        self.Z, self.columns, self.codes, self.constant, self.Y = Z, columns, codes, constant, Y
        self.block = codes[columns.owners]
        linear = columns.kinds != DISTANCE
        self.outright = np.flatnonzero(linear) if linear.sum() <= min(units / _OUTRIGHT, _MOST_OUTRIGHT) else None
        most = max(1, int(units) // _ROWS_A_COLUMN)
        if self.outright is not None:
            given = _orthonormal(np.column_stack([constant, Z[:, linear]]))
            self.of_y = choose_forward(Y, Z, linear, most, units, given)
            return
        self.of_y = self._chosen(Y, np.zeros((Y.shape[1], len(self.block)), dtype=bool), most, units)
        explained = {j: self.explained(j, slice(None)) for j in tested}
        owners = np.repeat(list(explained), [x.shape[1] for x in explained.values()])
        chosen = self._chosen(np.hstack(list(explained.values())), codes[owners][:, None] == self.block, most, units)
        self.of_x = {j: set() for j in explained}
        for j, of_column in zip(owners, chosen, strict=True):
            self.of_x[j].update(of_column)

    def _chosen(self, V, forbidden, most, units):
        """Choose single columns, and all levels of nominal features, that explain each column of V.

        All levels enter by an F test at level 1 / P, so about one by chance among P columns.
        """
        chosen = choose_forward(V, self.Z, forbidden, most, units)
        total = ((V - V.mean(axis=0)) ** 2).sum(axis=0)
        for k in np.unique(self.columns.owners[self.columns.kinds == LEVEL]):
            at = np.flatnonzero(self.columns.owners == k)
            basis = _basis(self.constant, self.Z[:, at])
            df, rest = basis.shape[1] - 1, max(units - basis.shape[1], 1)
            share = 1 - ((V - basis @ (basis.T @ V)) ** 2).sum(axis=0) / np.maximum(total, 1e-300)
            p = betainc(rest / 2, df / 2, np.clip(1 - share, 0, 1))
            for j in np.flatnonzero(p <= 1 / self.Z.shape[1]):
                if not forbidden[j, at].any():
                    chosen[j] = [*chosen[j], *at]
        return chosen

    def of(self, j):
        """Return the columns of a feature and their kinds."""
        at = self.columns.owners == j
        return self.Z[:, at], self.columns.kinds[at]

    def explained(self, j, at):
        """Return the columns of a feature that models explain: itself, or means of the target's columns by level."""
        x, kinds = self.of(j)
        if LEVEL not in kinds:
            return x
        basis = _basis(self.constant, x)
        return basis @ (basis.T @ self.Y[:, at])

    def basis(self, j, at):
        """Compute an orthonormal basis of the models of feature j and of some columns of the target."""
        used = {c for k in at for c in self.of_y[k] if self.block[c] != self.codes[j]}
        if self.outright is None:
            used |= self.of_x[j]
        else:
            used |= set(self.outright[self.block[self.outright] != self.codes[j]])
        return _basis(self.constant, self.Z[:, sorted(used)])


def _of_blocks(p_values, codes):
    """Combine the p-values of the members of each block."""
    members = [p_values[codes == code] for code in range(codes.max() + 1)]
    return np.array([cauchy(values) if len(values) > 1 else values[0] for values in members])


def _with_functions(basis, functions, forbidden, x, units):
    """Extend a basis by the functions that explain columns x given the basis."""
    chosen = choose_forward(x, functions, forbidden, max(1, int(units) // _ROWS_A_COLUMN), units, basis)
    added = functions[:, sorted({column for of_column in chosen for column in of_column})]
    return np.column_stack([basis, _orthonormal(added - basis @ (basis.T @ added))])


def _of_part(features, targets, blocks, related, sample_weight, groups, time):
    """Extend tests of the most related features to all; the others have a p-value of 1 and count in q."""
    D = features.shape[1]
    if related is None:
        related = MarginalTests(features, targets, sample_weight=sample_weight, groups=groups, time=time)().p_values
    kept = np.sort(np.argsort(related, kind="stable")[:_CONTROLS])
    part = features.columns(kept)
    codes = np.arange(D)
    codes[kept] = kept[near_duplicates(part)]
    codes = np.unique(codes if blocks is None else blocks, return_inverse=True)[1]
    tests = conditional_tests(
        part, targets, blocks=codes[kept], related=related[kept], sample_weight=sample_weight, groups=groups, time=time
    )
    of_block = np.ones(codes.max() + 1)
    of_block[codes[kept]] = tests.p_values
    return ConditionalTests(of_block[codes], q_values(of_block)[codes], codes, tests.reason)


def _partial(y, x, basis, groups=None):
    """Compute the p-value of columns x given a basis, for residuals of the target as orthonormal columns y.

    It is the larger p-value of a test with equal residual variances (F, Pillai's trace) and of one with the variance of
    each row estimated from its residual (HC2). With groups, only the latter, on the sums over each group.
    """
    x = _orthonormal(x - basis @ (basis.T @ x))
    free = len(y) - basis.shape[1]
    p, q = x.shape[1], y.shape[1]
    if not p or not q or free < p * q + 2:
        return 1.0
    along = x.T @ y
    sums = along.ravel()
    if groups is None:
        s = min(p, q)
        share = min(float((along**2).sum()) / s, 1 - 1e-15)
        equal = betainc(s * max(free - max(p, q), 1) / 2, p * q / 2, 1 - share)
        leverage = np.minimum((basis**2).sum(axis=1) + (x**2).sum(axis=1), 1 - 1e-9)
        residuals = (y - x @ along) / np.sqrt(1 - leverage)[:, None]
        products = (x[:, :, None] * residuals[:, None, :]).reshape(len(y), p * q)
        squares = products.T @ products
        statistic = float(sums @ _inverse(squares) @ sums)
        share = min(statistic / (statistic + free), 1 - 1e-15)
    else:
        equal = 0.0
        products = (x[:, :, None] * y[:, None, :]).reshape(len(y), p * q)
        products = np.column_stack([np.bincount(groups, weights=column) for column in products.T])
        free = len(products) - basis.shape[1]
        if free < p * q + 2:
            return 1.0
        share = min(float(sums @ _inverse(products.T @ products) @ sums) / len(products), 1 - 1e-15)
    robust = betainc(max(free - p * q, 1) / 2, p * q / 2, 1 - share)
    return float(np.clip(max(equal, robust), 1e-300, 1.0))


def _inverse(squares):
    if len(squares) == 1:
        return 1 / np.maximum(squares, 1e-300)
    return np.linalg.pinv(squares, rcond=1e-9, hermitian=True)


def _orthonormal(columns):
    """Compute an orthonormal basis from the products of columns, in a tenth of the time of their decomposition."""
    products = columns.T @ columns
    if columns.shape[1] == 1:  # as below, in a third of the time
        return columns @ (1 / np.sqrt(products)) if products[0, 0] > 1e-9 else columns[:, :0]
    squares, directions = np.linalg.eigh(products)
    kept = squares > 1e-9
    return columns @ (directions[:, kept] / np.sqrt(squares[kept]))


def _unit_lengths(columns):
    return columns / np.maximum(np.linalg.norm(columns, axis=0), 1e-300)


def _basis(constant, controls):
    """Compute an orthonormal basis of controls, a constant, and adjusting columns."""
    return _orthonormal(np.column_stack([_unit_lengths(constant), controls]))
