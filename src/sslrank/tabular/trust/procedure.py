"""The procedure from rows to a ranking: fit the methods, test the features, order them."""

from dataclasses import dataclass, replace

import numpy as np

from sslrank.core.coded_table import CodedTable
from sslrank.core.errors import DataError
from sslrank.core.random_state import derive_seed
from sslrank.hypothesis_tests.related import Related
from sslrank.tabular.fits.feature_blocks import numbered_blocks
from sslrank.tabular.fits.fitting import Fits, fit_methods, importances_of, screen_each
from sslrank.tabular.trust.dependence import Dependence
from sslrank.tabular.trust.named_blocks import tests_of_blocks
from sslrank.tabular.trust.significance import conditional_tests_of, order_of, related_features


@dataclass(frozen=True, eq=False)
class Ranked:
    """Fits and tests of some rows, and the order of the features that follows from them.

    Attributes
    ----------
    fits : sslrank.tabular.fits.fitting.Fits
    tests : sslrank.hypothesis_tests.related.Related
    """

    fits: Fits
    tests: Related

    @property
    def order(self):
        """Indices of the features, the best first."""
        return order_of(self.tests, self.fits.mean_rank)


@dataclass(frozen=True, eq=False)
class Procedure:
    """A table and the methods that rank it, for all its rows or parts of them.

    Attributes
    ----------
    coded : sslrank.core.coded_table.CodedTable
    dependence : sslrank.tabular.trust.dependence.Dependence
    methods : list of sslrank.tabular.fits.methods.RankingMethod
    seed : int
    """

    coded: CodedTable
    dependence: Dependence
    methods: list
    seed: int = 0

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
        return Ranked(fits, related_features(self.coded, self.dependence, seed=self.seed))

    def conditional(self, related, blocks, names):
        """Test which features add information beyond the others.

        Parameters
        ----------
        related : sslrank.hypothesis_tests.related.Related
        blocks : dict of str to sequence of str, or None
            Features to test as one.
        names : list of str
            Features.

        Returns
        -------
        tests : sslrank.hypothesis_tests.conditional.ConditionalTests
        blocks : DataFrame or None
            See :func:`sslrank.tabular.trust.named_blocks.tests_of_blocks`.
        """
        numbers = numbered_blocks(blocks, names)
        tests = conditional_tests_of(self.coded, related, self.dependence.design, numbers, seed=self.seed)
        return tests, tests_of_blocks(blocks, names, related, tests) if blocks else None

    def light(self, names):
        """Return the procedure with the methods of these names, with fewer trees."""
        return replace(self, methods=[method.with_fewer_trees() for method in self.methods if method.name in names])

    def importances(self, parts, work):
        """Rank parts of the rows.

        Parameters
        ----------
        parts : list of (labeled, unlabeled, seed)
            Rows of each part, as indices, and the seed of its fits.
        work : sslrank.tabular.fits.work.ParallelFits

        Returns
        -------
        ndarray of shape (n_parts, n_methods, D)
            NaN where a method fails.
        """
        kept = screen_each(self.methods, self.coded, [labeled for labeled, _, _ in parts])
        tasks = [(self.methods, self.coded, *part, of_part) for part, of_part in zip(parts, kept, strict=True)]
        return np.array(work.run(importances_of, tasks))
