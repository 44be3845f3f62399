"""Evaluate a procedure on held-out rows: the curve of the number of features, and the effect of unlabelled rows."""

from sslrank.tabular.fits.folds import FOLDS, repeated_folds
from sslrank.tabular.trust.stability.feature_curve import evaluation_note, feature_curve
from sslrank.tabular.trust.stability.unlabeled import compare_with_unlabeled


def evaluate(procedure, settings, work):
    """Rank the training rows of each fold, and evaluate the rankings on the test rows.

    Parameters
    ----------
    procedure : sslrank.tabular.trust.procedure.Procedure
    settings : sslrank.tabular.fits.settings.RankingSettings
    work : sslrank.tabular.fits.work.ParallelFits

    Returns
    -------
    curve : sslrank.tabular.trust.stability.feature_curve.Curve or None
        None if the predictor or the measure cannot be used.
    change : dict
        See :func:`sslrank.tabular.trust.stability.unlabeled.compare_with_unlabeled`.
    notes : list of str
    """
    curve, coded = None, procedure.coded
    try:
        folds = repeated_folds(coded, procedure.seed, procedure.dependence.design)
        curve = feature_curve(coded, -procedure.fold_ranks(folds, work), folds, settings)
        return curve, compare_with_unlabeled(procedure, folds[:FOLDS], work, settings), evaluation_note(coded)
    except ValueError as error:
        notes = [] if curve is None else evaluation_note(coded)
        return curve, {}, [*notes, f"how many features are enough cannot be estimated: {error}"]
