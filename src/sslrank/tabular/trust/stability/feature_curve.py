"""The number of features that suffice, by curves on rows that the rankings have not seen."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from sslrank.core.messages import counted
from sslrank.core.random_state import derive_seed
from sslrank.core.threads import one_blas_thread
from sslrank.evaluation.curve_problem import CurveProblem
from sslrank.evaluation.curves import feature_order
from sslrank.evaluation.error_curve_average import weighted_difference
from sslrank.metrics.averages import fold_average
from sslrank.tabular.fits.folds import FOLDS
from sslrank.tabular.fits.settings import MODELS
from sslrank.tabular.trust.stability.measures import MEASURE_NAMES, chance_level, choose_measure

#: Minimum number of labelled rows to evaluate a predictor.
MIN_LABELED = 10
MAX_NEIGHBORS = 20
#: Sizes of the curve: all up to the first number, then growing by the second as a factor.
SIZES = (8, 1.3)
MODEL_NAMES = {"linear": "a linear model", "forest": "a forest", "tree": "a tree", "svm": "a quadratic SVM"}
#: Maximum of training rows x test rows x features in a fold; larger folds are evaluated on a sample.
MAX_EVALUATED = 2e8


@dataclass
class Curve:
    """Performance of a predictor against the number of best features.

    Attributes
    ----------
    table : DataFrame
        Columns size, best (the best `size` features), error (its standard error over repeated folds), worst (the
        worst `size` features), random (features in random order, drawn for each fold); the last two over the first
        repetition of the folds.
    measure : str
    higher_is_better : bool
    predictor : str
        Model in words, such as "a forest".
    n_folds, n_repeats : int
    best : int
        The size at which `best` is best.
    enough : int
        Smallest size from which the curve stays within one standard error of the best, up to `best`.
    upper : int
        Last size around `best` up to which the curve stays within one standard error.
    chance : float
        Score of a predictor without features: the largest class, the mean or the labels' shares.
    eca : float
        Error curve average (Slavkov et al. 2018): half the mean of best - worst. Random rankings have mean 0; with
        unequal classes, a ranking of noise may have more.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import rank
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = rank(X, y, methods="f_score", repeats=0).curve
    >>> print(found.describe())
    One feature predicts the target about as well as more do (balanced accuracy 0.96 at best, 0.33 by chance)
    """

    table: pd.DataFrame
    measure: str
    higher_is_better: bool
    predictor: str
    n_folds: int
    n_repeats: int
    best: int
    enough: int
    upper: int
    chance: float
    eca: float

    def value(self, size, column="best"):
        """Return the score with `size` features, from a column of the table."""
        return float(self.table.loc[self.table["size"] == size, column].iloc[0])

    @property
    def is_flat(self):
        """True if no number of features is better than another by more than a standard error."""
        return self.enough == 1 and self.upper == int(self.table["size"].iloc[-1])

    @property
    def is_above_chance(self):
        """True if the best size is better than the prediction without features, by two standard errors."""
        gain = self.value(self.best) - self.chance
        return (gain if self.higher_is_better else -gain) > 2 * self.value(self.best, "error")

    @property
    def measure_name(self):
        """The measure in words."""
        return MEASURE_NAMES.get(self.measure, self.measure)

    @property
    def is_conclusive(self):
        """True if the curve shows how many features are enough: it is above chance, and some sizes are better."""
        return self.is_above_chance and not self.is_flat

    def describe(self, target="the target"):
        """Describe the result in a sentence."""
        last = int(self.table["size"].iloc[-1])
        chance = "" if np.isnan(self.chance) else f", {self.chance:.2f} by chance"
        if not self.is_conclusive:
            scores = f"({self.measure_name} {self.value(self.best):.2f} at best{chance})"
            if self.is_above_chance:
                return f"One feature predicts {target} about as well as more do {scores}"
            return f"No number of features is shown to predict {target} better than chance {scores}"
        n = counted(self.enough, "feature is", "features are")
        target += f" by {self.predictor}"
        scores = f"{self.measure_name} {self.value(self.enough):.2f}; {self.value(last):.2f} with all{chance}"
        return f"{n} enough to predict {target} ({scores})"


def reason_without_curve(table):
    """Return the reason why a table is too small for curves, or None."""
    labeled = int(table.labeled.sum())
    if labeled < MIN_LABELED:
        rows = counted(labeled, "labelled row")
        return f"cannot estimate how many features suffice from {rows} (at least {MIN_LABELED})"
    if table.task == "classification" and len({label for label in table.y if label is not None}) < 2:
        return "cannot estimate how many features suffice from one class"
    return None


def suggest_number(curve, n_shown, top):
    """Suggest a number of features: by the curve, else the number that tests show, else `top`; and say which, in words.

    Parameters
    ----------
    curve : Curve or None
    n_shown, top : int

    Returns
    -------
    n_features : int
    why : str
    """
    if curve is not None and curve.is_conclusive:
        return curve.enough, "enough by the curve"
    if n_shown:
        return n_shown, "related to the target"
    return top, "the default, since neither a curve nor a test gives a number"


def max_evaluated_rows(n_features):
    """Compute the maximum number of labelled rows to train or test a predictor on."""
    return max(MIN_LABELED, int((MAX_EVALUATED / n_features) ** 0.5))


def evaluation_note(coded):
    """Return a list with a note if predictors do not use all labelled rows; otherwise an empty list."""
    limit, n_labeled = max_evaluated_rows(coded.X.shape[1]), len(coded.labeled)
    if n_labeled <= limit:
        return []
    return [f"the number of features is evaluated on at most {limit} of {n_labeled} labelled rows in each fold"]


def limit_evaluated_rows(folds, labeled, n_features, seed):
    """Sample the rows of the predictor if all would take too long; rankings use all rows."""
    limit, sizes = max_evaluated_rows(n_features), []
    for i, (train, test) in enumerate(folds):
        rng = np.random.default_rng(derive_seed(seed, "judged", i))
        train = np.intersect1d(train, labeled)
        sizes.append(tuple(np.sort(rng.permutation(part)[:limit]) for part in (train, test)))
    return sizes


def curve_problem(coded, folds, settings, predictor):
    """Set up the scoring of a predictor along orders of the features; `folds` have only labelled rows."""
    options = {"measure": choose_measure(coded, settings.measure)[0], "sizes": SIZES, "seed": settings.seed}
    if predictor == "knn":
        options["predictor_params"] = {"n_neighbors": usual_neighbors(min(len(train) for train, _ in folds))}
    return CurveProblem(coded.features, coded.targets, folds, predictor, **options)


def usual_neighbors(n_train):
    """Return the number of neighbours: the root of that of labelled training rows, at most :data:`MAX_NEIGHBORS`."""
    return max(1, min(MAX_NEIGHBORS, round(n_train**0.5)))


def corrected_error(values, folds):
    """Standard error of mean scores (n_sizes, J) over repeated folds, corrected as by Nadeau and Bengio (2003).

    Training parts overlap, so scores of folds are not independent: their variance is multiplied by 1 / J + n_test
    / n_train instead of 1 / J. NaN is left out; `folds` are of labelled rows.
    """
    n_known = (~np.isnan(values)).sum(axis=1)
    ratio = np.mean([len(test) / max(len(train), 1) for train, test in folds])
    center = np.nanmean(values, axis=1)[:, None]
    variance = np.nansum((values - center) ** 2, axis=1) / np.maximum(n_known - 1, 1)
    return np.sqrt(variance * (1 / np.maximum(n_known, 1) + ratio))


def feature_curve(coded, importances, folds, settings):
    """Evaluate a ranking by the curve of a predictor with its best features.

    The predictor "best" is the one of :data:`sslrank.tabular.fits.settings.MODELS` with the best score over the sizes
    in the first repetition of the folds.

    Importances have the shape (D,), or (n_folds, D) for rankings of the training rows of each fold. `folds` are one or
    several repetitions of :data:`FOLDS`. `settings`, a :class:`sslrank.tabular.fits.settings.RankingSettings`, has
    predictor and measure. Raises ValueError if the predictor does not support the kind of target, or the measure is
    undefined in all folds.
    """
    limited_folds = limit_evaluated_rows(folds, coded.labeled, coded.X.shape[1], settings.seed)
    best_first = np.array([feature_order(row) for row in np.broadcast_to(importances, (len(folds), coded.X.shape[1]))])
    first, repetitions = limited_folds[:FOLDS], limited_folds[FOLDS:]
    models = MODELS if settings.predictor == "best" else (settings.predictor,)
    evaluations = [curve_problem(coded, first, settings, model) for model in models]
    measure, sign, sizes = evaluations[0].measure.name, evaluations[0].measure.sign, evaluations[0].sizes
    rng = np.random.default_rng(derive_seed(settings.seed, "random rankings"))
    at_random = rng.permuted(np.tile(np.arange(coded.X.shape[1]), (len(first), 1)), axis=1)
    with one_blas_thread():
        of_models = [
            evaluation.scores(best_first[None, : len(first)], settings.n_jobs)[0] for evaluation in evaluations
        ]
        if np.isnan(of_models).all(axis=1).any():
            raise ValueError(f"{measure} is not defined in any fold")
        best_model = int(np.argmax([(sign * np.nanmean(scores, axis=0)).max() for scores in of_models]))
        evaluation, scores = evaluations[best_model], of_models[best_model]
        two = evaluation.scores(np.array([best_first[: len(first), ::-1], at_random]), settings.n_jobs)
        n_test = evaluation.test_sizes
        if repetitions:
            repeated = curve_problem(coded, repetitions, settings, models[best_model])
            scores = np.concatenate([scores, repeated.scores(best_first[None, FOLDS:], settings.n_jobs)[0]])
            n_test = np.concatenate([n_test, repeated.test_sizes])
    best = np.array([fold_average(of_size, n_test) for of_size in scores.T])
    worst, random = (np.array([fold_average(of_size, evaluation.test_sizes) for of_size in part.T]) for part in two)
    errors = corrected_error(scores.T, limited_folds)
    at_best = int(np.argmax(sign * best))
    good = sign * best >= sign * best[at_best] - errors[at_best]
    others = np.flatnonzero(~good)
    lowest, highest = others[others < at_best].max(initial=-1) + 1, others[others > at_best].min(initial=len(sizes)) - 1
    frame = pd.DataFrame({"size": sizes, "best": best, "error": errors, "worst": worst, "random": random})
    n_folds = min(FOLDS, len(folds))
    k = getattr(evaluation.predictor, "n_neighbors", None)
    return Curve(
        frame, measure, sign > 0, f"{k} nearest neighbours" if k else MODEL_NAMES[models[best_model]], n_folds,
        len(folds) // n_folds, int(sizes[at_best]), int(sizes[lowest]), int(sizes[highest]),
        chance_level(coded, measure), sign * weighted_difference(best - worst, sizes) / 2,
    )  # fmt: skip
