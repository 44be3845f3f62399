"""Rank complementary pairs of half-samples by the methods, and measure how stable the best features are."""

import numpy as np
from scipy.stats import rankdata

from sslrank.core.random_state import derive_seed
from sslrank.hypothesis_tests.half_samples import HalfSampleRanks, halves
from sslrank.stats.stability import selection_stability


def half_samples(procedure, work, n_pairs=10):
    """Rank complementary pairs of half-samples; None if no method can rank one of them.

    `procedure` is a :class:`sslrank.tabular.trust.procedure.Procedure`, whose methods choose their settings inside each
    half; `work` a :class:`sslrank.tabular.fits.work.ParallelFits`.
    """
    seed, parts = procedure.seed, []
    for i in range(n_pairs):
        sides = halves(procedure.coded, procedure.dependence.design, derive_seed(seed, "halves", i))
        parts += [(*side, derive_seed(seed, "half", i, k)) for k, side in enumerate(sides)]
    ranks = procedure.joint_ranks(parts, work, is_tested=False)
    if np.isnan(ranks).any():
        return None
    return HalfSampleRanks(rankdata(ranks, axis=1).reshape(n_pairs, 2, -1))


def stability(samples, top, seed):
    """Measure the stability of the `top` best features of half-samples; None without these, or if it is undefined."""
    value = np.nan if samples is None else selection_stability(samples.selected(top, seed)).value
    return None if np.isnan(value) else value
