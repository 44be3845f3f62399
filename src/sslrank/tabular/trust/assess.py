"""Run the tests, half-samples, curve, comparison with unlabelled rows, and checks, within the time budget."""

from dataclasses import dataclass, field

import pandas as pd

from sslrank.tabular.fits.feature_blocks import numbered_blocks
from sslrank.tabular.fits.fitting import uses_unlabeled
from sslrank.tabular.fits.folds import FOLDS, repeated_folds
from sslrank.tabular.trust.checks import run_checks
from sslrank.tabular.trust.redundancy import Redundancy, find_redundancy
from sslrank.tabular.trust.rows.dependence import look_at_rows
from sslrank.tabular.trust.stability.feature_curve import Curve, feature_curve, fold_ranks, judged_note
from sslrank.tabular.trust.stability.intervals import HalfSamples, half_samples
from sslrank.tabular.trust.stability.unlabeled import Unlabeled, compare_with_unlabeled, how_used
from sslrank.tabular.trust.tests.conditional import ConditionalTests
from sslrank.tabular.trust.tests.named_blocks import tests_of_blocks
from sslrank.tabular.trust.tests.related import Related
from sslrank.tabular.trust.tests.significance import conditional_tests_of, order_of, related_features


@dataclass
class Trust:
    """Everything computed about a ranking, with the attributes of :class:`sslrank.tabular.result.Ranking`."""

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
    """Test features, rank half-samples, compute the curve, and check the table; steps with few fits come first.

    Parameters
    ----------
    table : sslrank.tabular.understanding.table.OwnTable
    problem : sslrank.core.coded_table.CodedTable
        The table, coded.
    fits : sslrank.tabular.fits.fitting.Fits
        Of all rows.
    settings : sslrank.tabular.fits.settings.RankingSettings
    work : sslrank.tabular.fits.work.Work

    Returns
    -------
    Trust
    """
    seed, names = settings.seed, list(map(str, table.X.columns))
    chosen = [method for method in settings.methods if method.name in fits.rankers]
    light = [method.with_fewer_trees() for method in chosen]
    rows = look_at_rows(table, problem)
    found = Trust(related_features(problem, rows, seed=seed))
    if settings.conditional and work.left > 0:
        named = numbered_blocks(settings.blocks, names)
        found.conditional = conditional_tests_of(problem, found.tests, rows.blocks, named, seed=seed)
        if settings.blocks:
            found.blocks = tests_of_blocks(settings.blocks, names, found.tests, found.conditional)
    if settings.repeats and work.left > 0:
        share, count = 0.4 if settings.curve else 0.95, settings.repeats
        found.samples = half_samples(problem, light, rows.blocks, work, n_pairs=count, share=share, seed=seed)
    compared = None
    if settings.curve and work.left > 0:
        try:
            compared = _judge_sizes(found, problem, light, rows.blocks, settings, work)
        except ValueError as error:
            found.notes.append(f"how many features are enough cannot be estimated: {error}")
    used = how_used(chosen, list(fits.rankers.values()), bool(len(problem.unlabeled)))
    found.unlabeled = Unlabeled(used, [method.name for method in chosen if uses_unlabeled(method)], *(compared or ()))
    order = order_of(found.tests, fits.mean_rank)
    found.redundancy = find_redundancy(problem, order, seed)
    has_time = work.left > 0
    found.checks = run_checks(table, problem, rows, found.redundancy, order, seed, work.n_jobs, fits=has_time)
    return found


def _judge_sizes(found, problem, methods, blocks, settings, work):
    """Add the curve of the mean rank, ranked inside each fold; return the effect of unlabelled rows, or None."""
    folds = repeated_folds(problem, settings.seed, blocks)
    ranks = fold_ranks(methods, problem, folds, work, share=0.75, seed=settings.seed)
    if len(ranks) < min(FOLDS, len(folds)) or work.left <= 0:
        return None
    found.curve = feature_curve(problem, -ranks, folds[: len(ranks)], settings)
    found.notes += judged_note(problem)
    return compare_with_unlabeled(problem, methods, folds[:FOLDS], work, settings) if work.left > 0 else None
