"""The procedure from rows to a ranking: fit the methods, test the features, order them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sslrank.core.coded_table import CodedTable
from sslrank.core.errors import DataError
from sslrank.core.random_state import derive_seed
from sslrank.hypothesis_tests.pairs import Pairs
from sslrank.hypothesis_tests.related import Related
from sslrank.tabular.fits.feature_blocks import numbered_blocks
from sslrank.tabular.fits.fitting import Fits, fit_methods
from sslrank.tabular.schema.column_map import ColumnMap
from sslrank.tabular.trust.dependence import Dependence
from sslrank.tabular.trust.named_blocks import tests_of_blocks
from sslrank.tabular.trust.order import joint_ranks
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
            See :func:`sslrank.tabular.trust.named_blocks.tests_of_blocks`.
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
            See :func:`sslrank.tabular.trust.order.joint_ranks`; NaN where no method can rank.
        """
        return np.array(work.run(_joint_ranks_of_part, [(self, is_tested, *part) for part in parts]))


def _joint_ranks_of_part(procedure, is_tested, labeled, unlabeled, seed):
    coded, design = procedure.coded, procedure.dependence.design
    fits = fit_methods(procedure.methods, coded, labeled, unlabeled, seed)
    if not fits.importances:
        return np.full(coded.X.shape[1], np.nan)
    tests = related_and_pairs(coded, design, labeled, seed=seed) if is_tested else (None, None)
    return joint_ranks(list(fits.ranks.values()), *tests)
