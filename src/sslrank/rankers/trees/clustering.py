"""Clustering rows: scaled features and targets whose variance is the impurity of Eq. (1)."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

#: Blocks of columns are padded with zeros to a multiple of this, the vector length of `_rows.h`.
LANES = 16
#: Number of one-column variables scaled at a time, so that they stay in the cache.
BLOCK = 8


@dataclass
class ClusteringRows:
    """Clustering columns Z of all rows, in the layout of :class:`sslrank.rankers.trees._criterion.Criterion`.

    Columns are scaled on the training rows, so that a sum of column variances is one of the two parts of Eq. (1).

    Attributes
    ----------
    values : ndarray of shape (n_rows * stride,), float32, or None
        Dense rows [features | targets | ragged values | ragged known flags].
    entries : tuple of (start, column, value), or None
        Sparse rows.
    entry_value : ndarray of shape (D,), float32, or None
        Sparse rows: value of the entries of a two-valued feature, 0 for a feature without a column.
    labeled : ndarray of shape (n_rows,), uint8
    target_of_column : ndarray of int32
        Target of each column after the block of features, -1 for none.
    """

    n_rows: int
    width_f: int
    width_t: int
    n_ragged: int
    n_ragged_f: int
    values: np.ndarray | None
    entries: tuple | None
    labeled: np.ndarray
    target_of_column: np.ndarray
    scale_all: bool
    target_factor: float
    parent_estimate: float
    ragged_factor: np.ndarray
    ragged_estimate: np.ndarray
    entry_value: np.ndarray | None = None

    @property
    def sparse(self):
        """True if rows are stored as lists of entries."""
        return self.values is None


@dataclass
class _Column:
    values: np.ndarray  # centred and scaled, 0 where unknown
    known: np.ndarray | None  # None: in every training row (feature) or every labelled one (target)
    estimate: float  # with target_scale "known": share of its parent's impurity that a branch without known values has
    factor: float  # with target_scale "known": N / number of known values of a numeric variable, else 1
    target: int | np.ndarray  # of all columns, or of each one


def target_columns(targets):
    """Encode targets for impurity and prototypes: one 0/1 column per class, or the values themselves.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets

    Returns
    -------
    ndarray of shape (n, V), float64
        NaN where unknown.

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> target_columns(encode_targets(["a", None, "b"], 3))
    array([[ 1.,  0.],
           [nan, nan],
           [ 0.,  1.]])
    """
    if targets.task != "classification":
        return np.ascontiguousarray(targets.values, dtype=np.float64)
    codes = targets.values[:, 0]
    columns = (codes[:, None] == np.arange(targets.n_classes)).astype(np.float64)
    columns[np.isnan(codes)] = np.nan
    return columns


def clustering_rows(features, targets, table, train, levels, target_scale):
    """Build the clustering rows of Eq. (1).

    Parameters
    ----------
    features : sslrank.core.features.Features
    targets : sslrank.core.targets.Targets
    table : FeatureTable
        Coded features; the rows are dense or sparse as this table is.
    train : ndarray of int
        Training rows, which determine means and variances.
    levels : sequence of float
        Levels of supervision. The feature columns are left out if all are 1, the target columns if all are 0.
    target_scale : {"all", "known"}

    Returns
    -------
    ClusteringRows

    Raises
    ------
    ValueError
        If the table is sparse and a row has both known and missing targets.
    """
    n_rows, _ = features.shape
    labeled = targets.labeled if targets.values.shape[1] else np.zeros(n_rows, dtype=bool)
    want_features = any(w < 1 for w in levels)
    want_targets = any(w > 0 for w in levels) and labeled[train].any()
    kept_as = np.float64 if table.sparse else np.float32
    target_blocks = list(_target_blocks(targets, train, labeled, kept_as, target_scale)) if want_targets else []
    numeric = targets.task in ("regression", "multitarget")
    common = {
        "n_rows": n_rows,
        "labeled": labeled.astype(np.uint8),
        "scale_all": target_scale == "all",
        "target_factor": len(train) / max(labeled[train].sum(), 1) if numeric else 1.0,
        "parent_estimate": parent_estimate(targets),
    }
    if table.sparse:
        if any(block.known is not None for block in target_blocks):
            raise ValueError(
                "a sparse table needs rows that know all of their targets or none, some rows know only a part: "
                "code the features with encode_table(features, allow_sparse=False)"
            )
        return _sparse_rows(table, train, want_features, target_blocks, common)
    blocks = list(_feature_blocks(features, train)) if want_features else []
    whole_f = [b for b in blocks if b.known is None]
    whole_t = [b for b in target_blocks if b.known is None]
    ragged_f = [b for b in blocks if b.known is not None]
    ragged = ragged_f + [b for b in target_blocks if b.known is not None]
    width_f, width_t, n_ragged = _padded(whole_f), _padded(whole_t), _padded(ragged)
    stride = width_f + width_t + 2 * n_ragged
    values = np.zeros((n_rows, stride), dtype=np.float32)
    _fill(values, 0, whole_f)
    _fill(values, width_f, whole_t)
    _fill(values, width_f + width_t, ragged)
    at = width_f + width_t + n_ragged
    for block in ragged:
        values[:, at] = block.known
        at += 1
    target_of_column = np.full(width_t + n_ragged, -1, dtype=np.int32)
    target_of_column[: sum(b.values.shape[1] for b in whole_t)] = _targets_of(whole_t)
    target_of_column[width_t : width_t + len(ragged)] = _targets_of(ragged)
    factor, estimate = np.ones((2, max(n_ragged, 1)), dtype=np.float32)
    factor[: len(ragged)] = [b.factor for b in ragged]
    estimate[: len(ragged)] = [b.estimate for b in ragged]
    return ClusteringRows(
        width_f=width_f,
        width_t=width_t,
        n_ragged=n_ragged,
        n_ragged_f=len(ragged_f),
        values=_not_empty(values.ravel()),
        entries=None,
        target_of_column=target_of_column,
        ragged_factor=factor,
        ragged_estimate=estimate,
        **common,
    )


def _not_empty(array):
    """Return the array, or one zero if it is empty: kernels take the address of its first element."""
    return array if array.size else np.zeros(1, dtype=array.dtype)


def _padded(blocks):
    columns = sum(b.values.shape[1] for b in blocks)
    return -(-columns // LANES) * LANES


def _fill(values, at, blocks):
    for block in blocks:
        width = block.values.shape[1]
        values[:, at : at + width] = block.values
        at += width


def _targets_of(blocks):
    return [t for b in blocks for t in np.broadcast_to(b.target, b.values.shape[1])]


def _feature_blocks(features, train):
    """Scale the columns of each feature that is not constant in the training rows."""
    X = features.values.toarray() if sparse.issparse(features.values) else features.values
    n_features = X.shape[1]
    at = 0
    while at < n_features:
        k = features.n_categories[at]
        if k > 2:
            column = X[:, at]
            one_hot = (column[:, None] == np.arange(k)).astype(np.float64)
            one_hot[np.isnan(column)] = np.nan
            yield from _scaled(one_hot, train, 1 / n_features, estimate=0.0)
            at += 1
            continue
        nominal = np.flatnonzero(features.n_categories[at : at + BLOCK] > 2)
        stop = min(at + (nominal[0] if len(nominal) else BLOCK), n_features)
        yield from _scaled_apart(
            X[:, at:stop],
            train,
            np.full(stop - at, 1 / n_features),
            estimate=features.n_categories[at:stop] == 0,
            target=np.full(stop - at, -1),
        )
        at = stop


def parent_estimate(targets):
    """Share of its parent's target impurity that the original program assigns to a branch without labelled rows.

    1 for numbers, 0 for classes and labels, 1 / L for a hierarchy of L labels (the program divides by L twice).

    Parameters
    ----------
    targets : sslrank.core.targets.Targets

    Returns
    -------
    float

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> parent_estimate(encode_targets([0.5, 1.5], 2, task="regression"))
    1.0
    """
    if targets.task == "hierarchical":
        return 1 / targets.values.shape[1]
    return float(targets.task in ("regression", "multitarget"))


def _target_blocks(targets, train, labeled, kept_as, target_scale):
    n_targets = targets.values.shape[1]
    rows = train[labeled[train]]
    if targets.task == "classification":
        columns = target_columns(targets)
        if columns.shape[1] == 2:
            columns = columns[:, 1:]
        yield from _scaled(columns, rows, 1.0, estimate=0.0, target=0, n_train=len(train))
        return
    # The original program treats a hierarchy as one variable, whose impurity is the mean of the labels' unscaled ones.
    raw = targets.task == "hierarchical" and target_scale == "known"
    weights = targets.weights / (targets.weights.sum() if raw else n_targets)
    for at in range(0, n_targets, BLOCK):
        target = np.arange(at, min(at + BLOCK, n_targets))
        yield from _scaled_apart(
            targets.values[:, at : at + BLOCK],
            rows,
            weights[target],
            estimate=np.full(len(target), parent_estimate(targets)),
            target=target,
            n_train=len(train),
            kept_as=kept_as,
            raw=raw,
        )


def _scaled_apart(columns, rows, weight, *, estimate, target, n_train=None, kept_as=np.float32, raw=False):
    """Scale each column as a separate variable; columns known in all rows are scaled together."""
    if len(rows) == 0:
        return
    by_column = np.array(columns.T, order="C")
    part = by_column.take(rows, axis=1)
    mean = part.mean(axis=1)
    complete = ~np.isnan(mean)
    varying = (part != part[:, :1]).any(axis=1)
    part -= mean[:, None]
    impurity = np.square(part, out=part).mean(axis=1)
    whole = complete & varying & (impurity > 0)
    del part  # a block can be large
    if whole.any():
        values = by_column if whole.all() else by_column[whole]
        values -= mean[whole, None]
        values *= np.sqrt(weight[whole] / (1 if raw else impurity[whole]))[:, None]
        values = values.astype(kept_as, copy=False)  # as the rows will hold them: twice the features is much
        values[np.isnan(values)] = 0
        yield _Column(values.T, None, 0.0, 1.0, target[whole])
    for c in np.flatnonzero(~complete):
        yield from _scaled(
            columns[:, c : c + 1],
            rows,
            weight[c],
            estimate=float(estimate[c]),
            target=int(target[c]),
            n_train=n_train,
            raw=raw,
        )


def _scaled(columns, rows, weight, *, estimate, target=-1, n_train=None, raw=False):
    """Centre and scale the columns of one variable, which are known (or missing) together.

    The impurity of a variable is the sum of its columns' variances, divided by that of the training rows; for a nominal
    variable it is the Gini index.
    """
    known = ~np.isnan(columns[:, 0])
    fit = rows[known[rows]]
    if len(fit) == 0:
        return
    part = columns[fit]
    varying = (part != part[0]).any(axis=0)
    if not varying.any():
        return
    columns = columns[:, varying]
    part = part[:, varying]
    mean = part.mean(axis=0)
    impurity = ((part - mean) ** 2).mean(axis=0).sum()
    if not impurity > 0:
        return
    values = (columns - mean) * np.sqrt(weight / (1 if raw else impurity))
    if target < 0:  # as the rows will hold them: twice the features is much for large data
        values = values.astype(np.float32)
    values[~known] = 0
    complete = len(fit) == len(rows)
    factor = (len(rows) if n_train is None else n_train) / len(fit) if estimate and not raw else 1.0
    if complete:
        yield _Column(values, None, estimate, factor, target)
        return
    for c in range(values.shape[1]):
        yield _Column(values[:, c : c + 1], known, estimate, factor, target)


def _sparse_rows(table, train, want_features, target_blocks, common):
    """Store rows as entries: columns are shifted so that the most frequent value is 0, which keeps variances."""
    n_rows, n_features = common["n_rows"], table.n_features
    entries = []
    width_f = 0
    entry_value = np.zeros(n_features, dtype=np.float32)
    if want_features:
        start = np.asarray(table.column_start)
        feature = np.repeat(np.arange(n_features), np.diff(start))
        rows = np.asarray(table.column_row)
        all_values, value_start = np.asarray(table.values), np.asarray(table.value_start)
        default = all_values[value_start[:-1] + np.maximum(np.asarray(table.default_code), 0)]
        x = all_values[value_start[feature] + np.asarray(table.column_code)] - default[feature]
        inside = np.zeros(n_rows)
        inside[train] = 1
        mean = np.bincount(feature, weights=x * inside[rows], minlength=n_features) / len(train)
        listed = np.bincount(feature, weights=inside[rows], minlength=n_features)
        squares = np.bincount(feature, weights=(x - mean[feature]) ** 2 * inside[rows], minlength=n_features)
        variance = (squares + (len(train) - listed) * mean**2) / len(train)
        varying = np.flatnonzero(variance > 1e-14 * (mean**2 + 1e-300))
        column_of = np.full(n_features, -1, dtype=np.int32)
        column_of[varying] = np.arange(len(varying))
        width_f = -(-len(varying) // LANES) * LANES
        scale = np.zeros(n_features)
        scale[varying] = np.sqrt(1 / (n_features * variance[varying]))
        kept = column_of[feature] >= 0
        x *= scale[feature]
        entry_value[feature] = x
        entries.append((rows[kept], column_of[feature][kept], x[kept]))
    columns = [(column, t) for b in target_blocks for column, t in zip(b.values.T, _targets_of([b]), strict=True)]
    width_t = -(-len(columns) // LANES) * LANES
    labeled = common["labeled"].astype(bool)
    for c, (values, _) in enumerate(columns):
        # The most frequent value of the labelled rows becomes 0.
        distinct, counts = np.unique(values[labeled], return_counts=True)
        shift = distinct[np.argmax(counts)]
        rows = np.flatnonzero(labeled & (values != shift))
        entries.append((rows, np.full(len(rows), width_f + c), values[rows] - shift))
    rows = np.concatenate([e[0] for e in entries]) if entries else np.empty(0, dtype=np.intp)
    column = np.concatenate([e[1] for e in entries]) if entries else np.empty(0, dtype=np.intp)
    value = np.concatenate([e[2] for e in entries]) if entries else np.empty(0)
    # Columns ascend in the lists, and therefore in each row.
    by_row = sparse.csr_array((value.astype(np.float32), (rows, column)), shape=(n_rows, width_f + width_t))
    target_of_column = np.full(width_t, -1, dtype=np.int32)
    target_of_column[: len(columns)] = [t for _, t in columns]
    return ClusteringRows(
        width_f=width_f,
        width_t=width_t,
        n_ragged=0,
        n_ragged_f=0,
        values=None,
        entries=(
            by_row.indptr.astype(np.int64),
            _not_empty(by_row.indices.astype(np.int32, copy=False)),
            _not_empty(by_row.data),
        ),
        target_of_column=target_of_column,
        ragged_factor=np.ones(1, dtype=np.float32),
        ragged_estimate=np.ones(1, dtype=np.float32),
        entry_value=entry_value,
        **common,
    )
