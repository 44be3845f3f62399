"""Linear models of features and targets by the other features: which columns serve as controls.

References
----------
A. Belloni, V. Chernozhukov, C. Hansen: Inference on treatment effects after selection among high-dimensional controls.
Review of Economic Studies 81(2), 2014.
D. P. Foster, E. I. George: The risk inflation criterion for multiple regression. Annals of Statistics 22(4), 1994.
"""

import math

import numpy as np
from scipy.special import betainc, betaincinv, chdtrc

from sslrank.hypothesis_tests.feature_columns import DISTANCE, LEVEL_INDICATOR
from sslrank.hypothesis_tests.partial import orthonormal_basis, unit_lengths

#: With at least this many rows per linear column, all columns are controls; otherwise they are selected, which keeps
#: power where least squares has none (tests/measurements/README.md).
_ROWS_PER_COLUMN_FOR_ALL = 4
#: Above this number of linear columns, controls are selected: all 200 columns of 2,000 rows would take five times as
#: long.
_MAX_UNSELECTED = 64
#: Minimum number of rows per selected column: a bound on time that is rarely reached, as the criterion stops earlier.
_MIN_ROWS_PER_COLUMN = 6


class ControlSelection:
    """Linear models of each feature and each column of the target by the columns of the other features.

    With four rows for each linear column, and at most 64 of these, they contain all columns; otherwise those chosen for
    the feature or the target (double selection).

    Parameters
    ----------
    columns : sslrank.hypothesis_tests.feature_columns.FeatureColumns
        Controls, with transformed rows.
    Y : ndarray of shape (n, J)
        Columns of the target.
    constant : ndarray of shape (n, 1 + adjusting columns)
    codes : ndarray of shape (D,), int
        Block of each feature, which is no control of its members.
    tested : sequence of int
        Features.
    units : int
        Number of independent rows.
    """

    def __init__(self, columns, Y, constant, codes, tested, units):
        self.Z, self.owners, self.kinds = columns
        self.codes, self.constant, self.Y, self.units = codes, constant, Y, units
        self.block = codes[self.owners]
        self.max_columns = max(1, int(units) // _MIN_ROWS_PER_COLUMN)
        linear, free = self.kinds != DISTANCE, units - constant.shape[1] + 1
        self.all_columns = (
            np.flatnonzero(linear) if linear.sum() <= min(free / _ROWS_PER_COLUMN_FOR_ALL, _MAX_UNSELECTED) else None
        )
        if self.all_columns is not None:
            basis = orthonormal_basis(np.column_stack([constant, self.Z[:, linear]]))
            self.for_target = choose_forward(Y, self.Z, linear, self.max_columns, units, basis)
            return
        self.for_target = self._choose_columns(Y, np.zeros((Y.shape[1], len(self.block)), dtype=bool))
        explained = {j: self.explained(j, slice(None)) for j in tested}
        owners = np.repeat(list(explained), [x.shape[1] for x in explained.values()])
        chosen_columns = self._choose_columns(np.hstack(list(explained.values())), codes[owners][:, None] == self.block)
        self.for_features = {j: set() for j in explained}
        for j, of_column in zip(owners, chosen_columns, strict=True):
            self.for_features[j].update(of_column)

    def _choose_columns(self, V, forbidden):
        """Choose single columns, and all levels of nominal features, that explain each column of V.

        All levels enter by an F test at level 1 / P, so about one by chance among P columns.
        """
        chosen_columns = choose_forward(V, self.Z, forbidden, self.max_columns, self.units)
        total = ((V - V.mean(axis=0)) ** 2).sum(axis=0)
        for k in np.unique(self.owners[self.kinds == LEVEL_INDICATOR]):
            at = np.flatnonzero(self.owners == k)
            basis = self._with_constant(self.Z[:, at])
            df, rest = basis.shape[1] - 1, max(self.units - basis.shape[1], 1)
            share = 1 - ((V - basis @ (basis.T @ V)) ** 2).sum(axis=0) / np.maximum(total, 1e-300)
            p = betainc(rest / 2, df / 2, np.clip(1 - share, 0, 1))
            for j in np.flatnonzero(p <= 1 / self.Z.shape[1]):
                if not forbidden[j, at].any():
                    chosen_columns[j] = [*chosen_columns[j], *at]
        return chosen_columns

    def of(self, j):
        """Return the columns of a feature and their kinds."""
        at = self.owners == j
        return self.Z[:, at], self.kinds[at]

    def explained(self, j, at):
        """Return the columns of a feature that models explain: itself, or means of the target's columns by level."""
        x, kinds = self.of(j)
        if LEVEL_INDICATOR not in kinds:
            return x
        basis = self._with_constant(x)
        return basis @ (basis.T @ self.Y[:, at])

    def basis(self, j, at):
        """Compute an orthonormal basis of the models of feature j and of some columns of the target."""
        used = {c for k in at for c in self.for_target[k] if self.block[c] != self.codes[j]}
        if self.all_columns is None:
            used |= self.for_features[j]
        else:
            used |= set(self.all_columns[self.block[self.all_columns] != self.codes[j]])
        return self._with_constant(self.Z[:, sorted(used)])

    def with_functions(self, basis, functions, owners, forbidden, x):
        """Extend a basis by the functions that explain columns x given the basis.

        Of two features, all products are added if one explains x, or all together: slopes of groups, or cells. The F
        test of these is at level 1 / number of such pairs.
        """
        columns = choose_forward(x, functions, forbidden, self.max_columns, self.units, basis)
        columns = np.array(sorted({column for of_column in columns for column in of_column}), dtype=np.intp)
        residuals = x - basis @ (basis.T @ x)
        total, pair = (residuals**2).sum(axis=0), owners[:, 0] * (owners.max(initial=0) + 1) + owners[:, 1]
        pairs, counts = np.unique(pair[(owners[:, 0] != owners[:, 1]) & ~forbidden], return_counts=True)
        whole = set(pair[columns])
        for k in pairs[counts > 1]:
            products = functions[:, pair == k]
            products = orthonormal_basis(products - basis @ (basis.T @ products))
            share = ((products.T @ residuals) ** 2).sum(axis=0) / np.maximum(total, 1e-300)
            df, free = products.shape[1], max(self.units - basis.shape[1] - products.shape[1], 1)
            if betainc(free / 2, df / 2, np.clip(1 - share, 0, 1)).min() <= 1 / (counts > 1).sum():
                whole.add(k)
        whole = np.union1d(columns, np.flatnonzero(np.isin(pair, list(whole)) & (owners[:, 0] != owners[:, 1])))
        added = functions[:, whole if len(whole) <= self.max_columns else columns]
        return np.column_stack([basis, orthonormal_basis(added - basis @ (basis.T @ added))])

    def _with_constant(self, controls):
        """Compute an orthonormal basis of controls, a constant, and adjusting columns."""
        return orthonormal_basis(np.column_stack([unit_lengths(self.constant), controls]))


def choose_forward(Y, Z, forbidden, max_columns, units, fixed_basis=None):
    """Choose columns of Z that explain each column of Y, by forward selection.

    A column enters by an F test at the level of the risk inflation criterion (Foster, George 1994), the tail area of
    chi squared beyond 2 log(P). With few rows, the criterion itself would select columns by chance.

    Parameters
    ----------
    Y : ndarray of shape (n, J)
    Z : ndarray of shape (n, P)
    forbidden : ndarray that broadcasts to (J, P), bool
    max_columns : int
    units : float
        Number of independent rows.
    fixed_basis : ndarray of shape (n, K), optional
        Orthonormal columns that are already in each model.

    Returns
    -------
    list of list of int
    """
    if not Z.shape[1]:
        return [[] for _ in Y.T]
    fixed = np.empty((len(Y), 0)) if fixed_basis is None else fixed_basis
    forbidden = np.broadcast_to(forbidden, (Y.shape[1], Z.shape[1]))
    level = chdtrc(1, 2 * math.log(max((~forbidden).sum(axis=1).max(), 2)))
    to_enter = betaincinv(0.5, np.maximum(units - fixed.shape[1] - 1 - np.arange(1, max_columns + 1), 1) / 2, 1 - level)
    Y, along_fixed = Y - fixed @ (fixed.T @ Y), fixed.T @ Z
    residual_products, variances = Y.T @ Z, (Y**2).sum(axis=0)
    K, outside = len(along_fixed), (Z**2).sum(axis=0) - (along_fixed**2).sum(axis=0)
    products, chosen_of = {}, []  # of a column with all others, for those that are chosen
    for j, closed in enumerate(forbidden.copy()):
        basis, unexplained, columns = np.empty((K + max_columns, Z.shape[1])), outside.copy(), []
        basis[:K] = along_fixed
        for step in range(K, K + max_columns):
            gain = np.where(
                (unexplained > 0.05) & ~closed, residual_products[j] ** 2 / np.maximum(unexplained, 0.05), 0.0
            )
            best = int(gain.argmax())
            if gain[best] / max(variances[j], 1e-300) <= to_enter[step - K]:
                break
            if best not in products:
                products[best] = Z[:, best] @ Z
            new = products[best] - basis[:step, best] @ basis[:step]
            basis[step] = new = new / np.sqrt(unexplained[best])
            along = residual_products[j, best] / np.sqrt(unexplained[best])
            residual_products[j] -= along * new
            unexplained -= new**2
            variances[j] -= along**2
            closed[best] = True
            columns.append(best)
        chosen_of.append(columns)
    return chosen_of
