"""Residuals of the target given related features, to test the other features against."""

from dataclasses import replace

import numpy as np

from sslrank.hypothesis_tests.marginal import centered_orthonormal, column_ranks, feature_bases
from sslrank.hypothesis_tests.partial import basis_of_near_dependent, orthonormal_basis

#: Rows for each column of the model: the usual rule of ten to twenty is for estimates, this model only takes away.
_ROWS_A_COLUMN = 5
#: Events for each column of Cox's model (P. Peduzzi et al.: Journal of Clinical Epidemiology 48, 1995).
_EVENTS_A_COLUMN = 10
#: Shorter residuals of a column of length 1 are rounding errors, which differ between units.
_MIN_LENGTH = 1e-8
#: Maximum number of values of the columns of the model, to save memory and time.
_MAX_VALUES = 20_000_000


def residual_targets(features, targets, tests, related, sample_weight=None):
    """Compute residuals of each target given related features, as orthonormal columns, of values and of ranks.

    The model is linear in each related number, its rank, and the square and cube of the rank, or in the levels of a
    nominal column; with few rows, only in the number. A feature that is independent of the target and the related
    features is independent of these residuals, so all arrangements of rows stay equally likely. Times with events have
    Cox's model, including the adjusting columns, because a linear model leaves part of the effects on risks.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    tests : sslrank.hypothesis_tests.marginal.MarginalTests
        With the residuals of the targets, and what was removed from them.
    related : sequence of int
        Features, the best first.
    sample_weight : ndarray of shape (n,), optional

    Returns
    -------
    plain, ranked : list of ndarray of shape (n, q)
    """
    null, permutations, plain = targets.null, tests.permutations, tests.plain
    removed = permutations.removed
    if null is not None and null.time is not None and permutations.design.unit != "times":  # else trends come back
        model = model_of(features, related, int(null.event.sum()) // _EVENTS_A_COLUMN)
        scores = replace(null, columns=removed).scores(model)
        return 2 * ([permutations.residuals(centered_orthonormal(scores[:, None], sample_weight))],)
    n = len(features.values)
    model = model_of(features, related, min(n // _ROWS_A_COLUMN, _MAX_VALUES // n))
    if removed.shape[1]:
        model = orthonormal_basis(np.column_stack([removed, model]))
    missing = np.isnan(targets.values)
    residuals, of_ranks = [], []
    for k, group in enumerate(plain):
        is_known = ~missing[:, k if len(plain) > 1 else 0]
        basis = model if is_known.all() else np.linalg.qr(model[is_known])[0]
        rest = np.full(group.shape, np.nan)
        rest[is_known] = group[is_known] - basis @ (basis.T @ group[is_known])
        rest[:, np.linalg.norm(rest[is_known], axis=0) < _MIN_LENGTH] *= 0
        residuals.append(centered_orthonormal(rest))
        # several classes have no ranks, nor has a target that is constant in these rows, or completely explained
        same = group.shape[1] != 1 or residuals[-1].shape[1] != 1
        of_ranks.append(
            residuals[-1] if same else centered_orthonormal(column_ranks(rest[:, 0])[:, None], sample_weight)
        )
    return residuals, of_ranks


def model_of(features, related, most):
    """Compute an orthonormal basis of the columns of related features, including the intercept."""
    bases = [np.ones((len(features.values), 1))]
    rich = 4 * len(related) <= most
    for j in related:
        if features.nominal[j]:
            basis = feature_bases(features.columns([j]))[0][0]
        else:
            x = features.values[:, j]
            is_known = ~np.isnan(x)
            rank = np.full(len(x), 0.0)
            rank[is_known] = column_ranks(x[is_known]) / (is_known.sum() + 1) * 2 - 1
            x = np.where(is_known, x, np.nanmean(x))
            basis = np.column_stack([x, rank, rank**2, rank**3] if rich else [x])
            if not is_known.all():
                basis = np.column_stack([basis, is_known])
        if len(bases) > 1 and sum(b.shape[1] for b in bases) + basis.shape[1] > max(most, 2):
            continue
        bases.append(basis)
    return basis_of_near_dependent(np.hstack(bases))
