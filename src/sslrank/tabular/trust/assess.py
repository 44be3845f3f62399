"""Run the tests, half-samples, curve, comparison with unlabelled rows, and checks."""

from dataclasses import dataclass, field

import pandas as pd

from sslrank.hypothesis_tests.conditional import ConditionalTests
from sslrank.hypothesis_tests.related import Related
from sslrank.tabular.fits.feature_blocks import numbered_blocks
from sslrank.tabular.fits.folds import FOLDS, repeated_folds
from sslrank.tabular.trust.checks import run_checks
from sslrank.tabular.trust.dependence import detect_dependence
from sslrank.tabular.trust.named_blocks import tests_of_blocks
from sslrank.tabular.trust.redundancy import Redundancy, find_redundancy
from sslrank.tabular.trust.significance import conditional_tests_of, order_of, related_features
from sslrank.tabular.trust.stability.feature_curve import Curve, evaluation_note, feature_curve, fold_ranks
from sslrank.tabular.trust.stability.intervals import HalfSamples, half_samples
from sslrank.tabular.trust.stability.unlabeled import Unlabeled, compare_with_unlabeled


@dataclass(kw_only=True, repr=False)
class Assessment:
    """Tests, samples, curve and checks of a ranking; see the attributes of :class:`sslrank.tabular.result.Ranking`."""

    tests: Related
    conditional: ConditionalTests | None = None
    blocks: pd.DataFrame | None = None
    samples: HalfSamples | None = None
    curve: Curve | None = None
    unlabeled: Unlabeled | None = None
    redundancy: Redundancy | None = None
    checks: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def assess(table, problem, fits, settings, work):
    """Test features, rank half-samples, compute the curve, and check the table.

    Parameters
    ----------
    table : sslrank.tabular.schema.table.OwnTable
    problem : sslrank.core.coded_table.CodedTable
        The encoded table.
    fits : sslrank.tabular.fits.fitting.Fits
        Fits on all rows.
    settings : sslrank.tabular.fits.settings.RankingSettings
    work : sslrank.tabular.fits.work.ParallelFits

    Returns
    -------
    Assessment
    """
    seed, names = settings.seed, list(map(str, table.X.columns))
    chosen = [method for method in settings.methods if method.name in fits.rankers]
    light = [method.with_fewer_trees() for method in chosen]
    rows = detect_dependence(table, problem)
    assessment = Assessment(tests=related_features(problem, rows, seed=seed))
    if settings.conditional:
        named = numbered_blocks(settings.blocks, names)
        assessment.conditional = conditional_tests_of(problem, assessment.tests, rows.design, named, seed=seed)
        if settings.blocks:
            assessment.blocks = tests_of_blocks(settings.blocks, names, assessment.tests, assessment.conditional)
    if settings.repeats:
        assessment.samples = half_samples(problem, light, rows.design, work, n_pairs=settings.repeats, seed=seed)
    compared = _evaluate_sizes(assessment, problem, light, rows.design, settings, work) if settings.curve else None
    unlabeled_users = [method.name for method in chosen if method.uses_unlabeled]
    assessment.unlabeled = Unlabeled(len(problem.unlabeled), list(fits.rankers), unlabeled_users, *(compared or ()))
    order = order_of(assessment.tests, fits.mean_rank)
    assessment.redundancy = find_redundancy(problem, order, seed)
    assessment.checks = run_checks(table, problem, rows, assessment.redundancy, order, seed)
    return assessment


def _evaluate_sizes(assessment, problem, methods, design, settings, work):
    """Compute the curve of the mean rank, ranked inside each fold; return the effect of unlabelled rows, or None."""
    try:
        folds = repeated_folds(problem, settings.seed, design)
        ranks = fold_ranks(methods, problem, folds, work, seed=settings.seed)
        assessment.curve = feature_curve(problem, -ranks, folds, settings)
        assessment.notes += evaluation_note(problem)
        return compare_with_unlabeled(problem, methods, folds[:FOLDS], work, settings)
    except ValueError as error:
        assessment.notes.append(f"how many features are enough cannot be estimated: {error}")
        return None
