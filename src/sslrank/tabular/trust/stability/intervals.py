"""Rank complementary pairs of half-samples by the methods."""

import numpy as np
from scipy.stats import rankdata

from sslrank.core.random_state import derive_seed
from sslrank.hypothesis_tests.half_samples import HalfSampleRanks, halves


def half_samples(procedure, work, n_pairs=10):
    """Rank complementary pairs of half-samples; None if no method can rank all of them.

    `procedure` is a :class:`sslrank.tabular.trust.procedure.Procedure`, whose methods choose their settings inside each
    half; `work` a :class:`sslrank.tabular.fits.work.ParallelFits`.
    """
    seed, parts = procedure.seed, []
    for i in range(n_pairs):
        sides = halves(procedure.coded, procedure.dependence.design, derive_seed(seed, "halves", i))
        parts += [(*side, derive_seed(seed, "half", i, k)) for k, side in enumerate(sides)]
    importances = procedure.importances(parts, work)
    is_ranked = ~np.isnan(importances).any(axis=(0, 2))
    if not is_ranked.any():
        return None
    ranks = rankdata(rankdata(-importances[:, is_ranked], axis=2).mean(axis=1), axis=1)
    return HalfSampleRanks(ranks.reshape(n_pairs, 2, -1))
