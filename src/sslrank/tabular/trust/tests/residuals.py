"""Tests beside what is found: each other feature alone against what the found ones leave of the target."""

import numpy as np

from sslrank.tabular.trust.tests.univariate import feature_views, orthonormal, p_values_of, ranks_of, target_groups

#: Rows for each column of the model of what is found.
_ROWS_A_COLUMN = 5


def p_values_beside(features, targets, found, rows, sample_weight=None):
    """Test the features that are not found against the residuals of a model of those that are.

    The model is linear in each found number, its rank, its square and cube of the rank, or in the levels of a nominal
    column; in the number itself only, where there are too few rows for that. A feature that does not know
    anything of the target nor of the found ones knows nothing of the residuals, so that permutations of rows calibrate
    the test.

    Parameters
    ----------
    features : sslrank.core.features.Features
        Labelled rows, dense.
    targets : sslrank.core.targets.Targets
    found : sequence of int
        Features, the best first.
    rows : ndarray of shape (count, n), int
        Permutations.
    sample_weight : ndarray of shape (n,), optional

    Returns
    -------
    ndarray of shape (D,)
        NaN for the found features.
    """
    n = len(features.values)
    model = model_of(features, found, n // _ROWS_A_COLUMN)
    plain, ranked = [], []
    for group, of_ranks in zip(*target_groups(targets, sample_weight), strict=True):
        known = ~np.isnan(group).any(axis=1)
        basis = model if known.all() else np.linalg.qr(model[known])[0]
        left = np.full_like(group, np.nan)
        left[known] = group[known] - basis @ (basis.T @ group[known])
        plain.append(orthonormal(left))
        same = of_ranks is group or group.shape[1] == 0  # a target that is constant in these rows
        ranked.append(plain[-1] if same else orthonormal(ranks_of(left[:, 0])[:, None], sample_weight))
    p_values = p_values_of(features, plain, ranked, rows, weights=targets.weights)
    p_values[list(found)] = np.nan
    return p_values


def model_of(features, found, most):
    """An orthonormal basis of the found features' columns, the intercept included."""
    bases = [np.ones((len(features.values), 1))]
    rich = 4 * len(found) <= most
    for j in found:
        if features.nominal[j]:
            basis = feature_views(features.columns([j]))[0][0]
        else:
            x = features.values[:, j]
            known = ~np.isnan(x)
            rank = np.full(len(x), 0.0)
            rank[known] = ranks_of(x[known]) / (known.sum() + 1) * 2 - 1
            x = np.where(known, x, np.nanmean(x))
            basis = np.column_stack([x, rank, rank**2, rank**3] if rich else [x])
            if not known.all():
                basis = np.column_stack([basis, known])
        if len(bases) > 1 and sum(b.shape[1] for b in bases) + basis.shape[1] > max(most, 2):
            continue
        bases.append(basis)
    basis = np.hstack(bases)
    basis = basis / np.maximum(np.sqrt((basis**2).sum(axis=0)), 1e-300)
    left, lengths, _ = np.linalg.svd(basis, full_matrices=False)
    return left[:, lengths > 1e-8 * lengths[0]]
