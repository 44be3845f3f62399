"""The procedure from rows to a ranking: fit the methods, test the features and named blocks, order them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from sslrank.core.coded_table import CodedTable
from sslrank.core.errors import DataError
from sslrank.core.random_state import derive_seed
from sslrank.hypothesis_tests.combining import cauchy, q_values
from sslrank.hypothesis_tests.half_samples import HalfSampleRanks, halves
from sslrank.hypothesis_tests.pairs import Pairs
from sslrank.hypothesis_tests.related import Related
from sslrank.tabular.fits.feature_blocks import numbered_blocks
from sslrank.tabular.fits.fitting import Fits, fit_methods
from sslrank.tabular.schema.column_map import ColumnMap
from sslrank.tabular.trust.dependence import Dependence
from sslrank.tabular.trust.significance import (
    conditional_tests_of,
    pairs_of,
    related_and_pairs,
    related_features,
)


@dataclass(frozen=True, eq=False)
class Ranked:
    """Fits and tests of some rows, and the order of the features that follows from them.

    Attributes
    ----------
    fits : sslrank.tabular.fits.fitting.Fits
    tests : sslrank.hypothesis_tests.related.Related
    pairs : sslrank.hypothesis_tests.pairs.Pairs
    """

    fits: Fits
    tests: Related
    pairs: Pairs

    @cached_property
    def joint_ranks(self):
        """Ranks joined over methods and tests, shape (D,); see :func:`joint_ranks`."""
        return joint_ranks(list(self.fits.ranks.values()), self.tests, self.pairs)

    @property
    def order(self):
        """Indices of the features, the best first."""
        return np.argsort(self.joint_ranks, kind="stable")


@dataclass(frozen=True, eq=False)
class Procedure:
    """A table, and the methods and tests that rank it, for all its rows or parts of them.

    Attributes
    ----------
    coded : sslrank.core.coded_table.CodedTable
    dependence : sslrank.tabular.trust.dependence.Dependence
    methods : list of sslrank.tabular.fits.methods.RankingMethod
    seed : int
    names : list of str
        Features.
    blocks : dict of str to sequence of str, or None
        Features that the conditional tests take as one.
    columns : sslrank.tabular.schema.column_map.ColumnMap, optional
        Features that are one variable.
    """

    coded: CodedTable
    dependence: Dependence
    methods: list
    seed: int = 0
    names: Sequence = ()
    blocks: Mapping | None = None
    columns: ColumnMap | None = None

    def ranked(self, work):
        """Rank all rows.

        Parameters
        ----------
        work : sslrank.tabular.fits.work.ParallelFits

        Returns
        -------
        Ranked

        Raises
        ------
        DataError
            If no method can rank these rows.
        """
        seed = derive_seed(self.seed, "all rows")
        fits = fit_methods(self.methods, self.coded, self.coded.labeled, self.coded.unlabeled, seed, work.n_jobs)
        work.done(len(self.methods))
        if not fits.importances:
            why = "; ".join(f"{name}: {message}" for name, message in fits.failures.items())
            raise DataError(f"no method can rank these rows ({why})")
        tests = related_features(self.coded, self.dependence, seed=self.seed)
        return Ranked(fits, tests, pairs_of(self.coded, self.dependence.design, seed=self.seed))

    def conditional(self, related):
        """Test which features add information beyond the others.

        Parameters
        ----------
        related : sslrank.hypothesis_tests.related.Related

        Returns
        -------
        tests : sslrank.hypothesis_tests.conditional.ConditionalTests
        blocks : DataFrame or None
            See :func:`tests_of_blocks`.
        """
        blocks, names = self.blocks, self.names
        numbers = numbered_blocks(blocks, names)
        same = None if self.columns is None else self.columns.numbers
        tests = conditional_tests_of(self.coded, related, self.dependence.design, numbers, same, seed=self.seed)
        return tests, tests_of_blocks(blocks, names, related, tests) if blocks else None

    def light(self, names):
        """Return the procedure with the methods of these names, with fewer trees."""
        return replace(self, methods=[method.with_fewer_trees() for method in self.methods if method.name in names])

    def joint_ranks(self, parts, work, *, is_tested=True):
        """Rank parts of the rows as all rows are ranked.

        Parameters
        ----------
        parts : list of (labeled, unlabeled, seed)
            Rows of each part, as indices, and the seed of its fits.
        work : sslrank.tabular.fits.work.ParallelFits
        is_tested : bool, default=True
            False to join the methods only, where just the differences between parts matter.

        Returns
        -------
        ndarray of shape (n_parts, D)
            See :func:`joint_ranks`; NaN where no method can rank.
        """
        return np.array(work.run(_joint_ranks_of_part, [(self, is_tested, *part) for part in parts]))

    def fold_ranks(self, folds, work, *, is_tested=True):
        """Rank the training rows of each fold, shape (n_folds, D), see :meth:`joint_ranks`.

        Raises ValueError if no method can rank those of a fold.
        """
        parts = []
        for i, (train, _) in enumerate(folds):
            is_known = np.isin(train, self.coded.labeled)
            parts.append((train[is_known], train[~is_known], derive_seed(self.seed, "fold", i)))
        ranks = self.joint_ranks(parts, work, is_tested=is_tested)
        if np.isnan(ranks).any():
            raise ValueError("no method can rank the training rows of a fold")
        return ranks

    def half_samples(self, work, n_pairs):
        """Rank complementary pairs of half-samples; None if no method can rank one of them.

        The methods choose their settings inside each half.
        """
        parts = []
        for i in range(n_pairs):
            sides = halves(self.coded, self.dependence.design, derive_seed(self.seed, "halves", i))
            parts += [(*side, derive_seed(self.seed, "half", i, k)) for k, side in enumerate(sides)]
        ranks = self.joint_ranks(parts, work, is_tested=False)
        if np.isnan(ranks).any():
            return None
        return HalfSampleRanks(rankdata(ranks, axis=1).reshape(n_pairs, 2, -1))


def _joint_ranks_of_part(procedure, is_tested, labeled, unlabeled, seed):
    coded, design = procedure.coded, procedure.dependence.design
    fits = fit_methods(procedure.methods, coded, labeled, unlabeled, seed)
    if not fits.importances:
        return np.full(coded.X.shape[1], np.nan)
    tests = related_and_pairs(coded, design, labeled, seed=seed) if is_tested else (None, None)
    return joint_ranks(list(fits.ranks.values()), *tests)


def joint_ranks(ranks, related=None, pairs=None):
    """Join the ranks by several methods and by p-value, with features that a test shows before the others.

    The harmonic mean lets one member that ranks a feature first place it, where means would let the others outvote it
    (tests/measurements/README.md). A feature of a pair counts with the smallest p-value.

    Parameters
    ----------
    ranks : sequence of ndarray of shape (D,)
        Ranks by each method; 1 is the best.
    related : sslrank.hypothesis_tests.related.Related, optional
    pairs : sslrank.hypothesis_tests.pairs.Pairs, optional
        Given if `related` is.

    Returns
    -------
    ndarray of shape (D,)
        Low for good features: the harmonic mean of the ranks, plus D for features that no test shows.
    """
    if related is None:
        return len(ranks) / np.sum([1 / rank for rank in ranks], axis=0)
    p_values = related.p_values.copy()
    p_values[pairs.features] = p_values.min()
    joint = joint_ranks([*ranks, rankdata(p_values)])
    is_shown = np.isin(np.arange(len(joint)), [*related.related, *pairs.features])
    return np.where(is_shown, joint, joint + len(joint))


def tests_of_blocks(blocks, names, related, conditional):
    """Rank and test named blocks among each other and the features that are in none.

    P-values of relation of a block's features are combined by the Cauchy combination test, so that large blocks have no
    advantage. q is that of Benjamini and Hochberg over blocks and single features; the rank is by p. If no feature is
    related, q is 1.

    Parameters
    ----------
    blocks : dict of str to sequence of str
    names : list of str
        Features.
    related : sslrank.hypothesis_tests.related.Related
    conditional : sslrank.hypothesis_tests.conditional.ConditionalTests
        With the named blocks as its blocks.

    Returns
    -------
    DataFrame
        Columns block, rank, of (blocks and single features), p, q, conditional_p, conditional_q, features (a list, the
        best first); the best block first.
    """
    index_of = {name: j for j, name in enumerate(names)}
    blocks = {block: list(dict.fromkeys(map(str, group))) for block, group in blocks.items() if len(group)}
    members = [[index_of[name] for name in group] for group in blocks.values()]
    single_features = sorted(set(range(len(names))).difference(*members))
    p = np.array([cauchy(related.p_values[features]) for features in members + [[j] for j in single_features]])
    q = q_values(p) if related.any_related else np.ones_like(p)
    first, k = [features[0] for features in members], len(members)
    table = pd.DataFrame(
        {
            "block": list(map(str, blocks)),
            "rank": [1 + int((p < p[i]).sum()) for i in range(k)],
            "of": len(p),
            "p": p[:k],
            "q": q[:k],
            "conditional_p": conditional.p_values[first],
            "conditional_q": conditional.q_values[first],
            "features": [[names[j] for j in sorted(block, key=lambda j: related.p_values[j])] for block in members],
        }
    )
    return table.sort_values(["rank", "conditional_p"], kind="stable", ignore_index=True)
