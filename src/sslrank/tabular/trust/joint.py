"""Whether all features together predict the target, where no feature and no pair is shown to be related."""

from dataclasses import dataclass

import numpy as np

from sslrank.core.random_state import derive_seed
from sslrank.core.threads import one_blas_thread
from sslrank.evaluation.forest_path import Forest
from sslrank.hypothesis_tests.permutations import Permutations
from sslrank.metrics.single import get_measure
from sslrank.tabular.fits.screening import has_screening
from sslrank.tabular.trust.significance import sampled_rows
from sslrank.tabular.trust.stability.measures import MEASURE_NAMES, choose_measure

#: Level of the test, permutations including the observed order, folds, and maximum number of rows.
LEVEL, _COUNT, _FOLDS, _MAX_ROWS = 0.05, 40, 3, 1_000


@dataclass(frozen=True)
class Joint:
    """Test of a forest's predictions of rows that it has not seen.

    Attributes
    ----------
    p_value : float
        Share of the permutations of the target whose predictions correlate as much with it. They end as soon as the
        p-value cannot be at most :data:`LEVEL`.
    score : float
        Of these predictions.
    measure : str
        Measure of the score, in words.
    """

    p_value: float
    score: float
    measure: str

    @property
    def is_shown(self):
        """True if the features together predict the target."""
        return self.p_value <= LEVEL


def joint_test(procedure):
    """Test whether a forest predicts held-out rows better than with the target permuted.

    Parameters
    ----------
    procedure : sslrank.tabular.trust.procedure.Procedure

    Returns
    -------
    Joint or None
        None for wide tables, columns to adjust for, and rows in the order of time.
    """
    coded, seed = procedure.coded, derive_seed(procedure.seed, "joint")
    rows = sampled_rows(coded, _MAX_ROWS, procedure.seed)
    design, part = procedure.dependence.design.rows(rows), coded.rows(rows)
    permutations = Permutations(design, np.zeros((len(rows), 1)), count=_COUNT, seed=seed)
    is_adjusted = part.targets.null is not None and part.targets.null.columns.shape[1]
    if has_screening(coded.X.shape[1]) or is_adjusted or design.unit == "times" or permutations.removed.shape[1]:
        return None
    features, targets = part.features.without_unused_categories(), part.targets.without_unused_categories()
    units = np.arange(len(rows)) if design.whole_groups is None else design.whole_groups
    names, codes = np.unique(units, return_inverse=True)
    fold = (np.random.default_rng(seed).permutation(len(names)) % _FOLDS)[codes]
    measure, every = get_measure(choose_measure(part)[0], targets.kind), np.arange(features.shape[1])
    stronger, observed, score = 0, None, np.nan
    with one_blas_thread():
        for b, order in enumerate(permutations.rows):
            permuted = targets.rows(order)
            predicted = np.empty((len(rows), targets.n_classes or targets.values.shape[1]))
            for number in range(_FOLDS):
                both = np.concatenate([np.flatnonzero(fold != number), np.flatnonzero(fold == number)])
                n_train, forest = int((fold != number).sum()), Forest(seed=derive_seed(seed, b, number))
                of_fold = forest.predictions(features.rows(both), permuted.rows(both), n_train, every, [len(every)])
                predicted[both[n_train:]] = next(of_fold)
            strength = _agreement(permuted, predicted)
            if observed is None:
                observed, score = strength, float(measure(permuted, predicted))
            stronger += strength >= observed
            if stronger > LEVEL * _COUNT:
                break
    return Joint(stronger / (b + 1), score, MEASURE_NAMES.get(measure.name, measure.name))


def _agreement(targets, predicted):
    """Correlate predictions with the targets, over all columns of both."""
    values = targets.values
    if targets.task == "classification":
        values = np.eye(targets.n_classes)[values[:, 0].astype(np.intp)]
    true = np.nan_to_num(values - np.nanmean(values, axis=0))
    predicted = np.where(np.isnan(values), 0.0, predicted - predicted.mean(axis=0))
    lengths = np.sqrt((true**2).sum(axis=0) * (predicted**2).sum(axis=0))
    return float(
        np.divide((true * predicted).sum(axis=0), lengths, out=np.zeros_like(lengths), where=lengths > 0).sum()
    )
