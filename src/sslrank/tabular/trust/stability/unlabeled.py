"""Which methods use unlabelled rows, and whether using them helps."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from sslrank.core import libm
from sslrank.core.random_state import derive_seed
from sslrank.evaluation.curves import feature_order
from sslrank.tabular.fits.screening import N_SCREENED, has_screening
from sslrank.tabular.trust.stability.feature_curve import corrected_error, curve_problem, limit_evaluated_rows

#: Maximum of unlabelled rows times features in the comparison.
MAX_COMPARED_CELLS = 100_000
#: Nominal coverage of the interval of the change.
COVERAGE = 0.9
#: Trees of each forest in the comparison; semi-supervised forests take most of the time of a default run.
COMPARED_TREES = 25
#: Upper bound on trees x rows x features², to which the time is proportional; above it, fewer trees (at least 5) are
#: grown.
COMPARED_STEPS = 4e9


@dataclass(frozen=True)
class Unlabeled:
    """Use and effect of unlabelled rows.

    Attributes
    ----------
    n_unlabeled : int
    methods, used : list of str
        Methods of the ranking, and those that use unlabelled rows.
    change, low, high : float or None
        Change of the ranking's score on held-out labelled rows when they are used, and its 90 % interval.
    n_rows : int
        Unlabelled rows of that comparison.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> y[::2] = -1
    >>> found = rank(X, y, methods="f_score", effort="order").unlabeled
    >>> print(found.describe())
    unlabelled rows: used by none of the methods
    """

    n_unlabeled: int
    methods: list
    used: list
    change: float | None = None
    low: float | None = None
    high: float | None = None
    n_rows: int = 0

    def describe(self):
        """Describe the result in one line."""
        if not self.n_unlabeled:
            return "unlabelled rows: there are none"
        if len(self.used) == len(self.methods):
            use = "used by all methods"
        else:
            use = f"used by {', '.join(self.used)}" if self.used else "used by none of the methods"
        if self.change is None:
            return f"unlabelled rows: {use}"
        verb = "using them changes" if self.used else "using them would change"
        return f"unlabelled rows: {use}; {verb} the score by {self.low:+.2f} to {self.high:+.2f}"


def compare_with_unlabeled(procedure, folds, work, settings):
    """Score rankings with and without unlabelled rows on the same held-out labelled rows.

    The score is the mean of the curve over sizes evenly spaced on a log scale, for the methods that can rank with and
    without unlabelled rows. Returns a dict with change, low, high and n_rows, positive if unlabelled rows help; empty
    if there is no such method.
    """
    coded, seed = procedure.coded, procedure.seed
    able = [method for method in procedure.methods if hasattr(method.ranker, "supervised")]
    unlabeled = coded.unlabeled
    if not able or not len(unlabeled):
        return {}
    limit = max(50, MAX_COMPARED_CELLS // coded.X.shape[1])
    drawn = np.sort(np.random.default_rng(derive_seed(seed, "unlabelled")).permutation(unlabeled)[:limit])
    used_rows = np.concatenate([coded.labeled, drawn])
    folds = [(train[np.isin(train, used_rows)], test) for train, test in folds]
    n_used = N_SCREENED if has_screening(coded.X.shape[1]) else coded.X.shape[1]
    n_rows = max(len(train) for train, _ in folds)
    trees = int(np.clip(COMPARED_STEPS // (n_rows * n_used**2), 5, COMPARED_TREES))
    rankings = []
    for variant in ("supervised", "semi_supervised"):
        methods = [getattr(method.with_fewer_trees(trees), variant)() for method in able]
        rankings.append(-replace(procedure, methods=methods).fold_ranks(folds, work, is_tested=False))
    limited_folds = limit_evaluated_rows(folds, coded.labeled, coded.X.shape[1], seed)
    model = "knn" if settings.predictor == "best" else settings.predictor
    evaluation = curve_problem(coded, limited_folds, settings, model)
    orders = [[feature_order(row) for row in of_folds] for of_folds in rankings]
    values = evaluation.scores(np.array(orders), work.n_jobs)
    step = np.gradient(libm.log(evaluation.sizes + 1.0)) if len(evaluation.sizes) > 1 else np.ones(1)
    without, using = np.average(values, axis=2, weights=step)
    difference = evaluation.measure.sign * (using - without)[None]
    if np.isnan(difference).all():
        return {}
    n_known = int((~np.isnan(difference)).sum())
    half_width = stdtrit(max(n_known - 1, 1), (1 + COVERAGE) / 2) * corrected_error(difference, limited_folds)[0]
    change, half_width = float(np.nanmean(difference)), float(half_width)
    return {"change": change, "low": change - half_width, "high": change + half_width, "n_rows": len(drawn)}
