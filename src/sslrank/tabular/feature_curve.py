"""How many features are enough: error curves of rankings that never saw the rows they are judged on."""

import time
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError
from sslrank.core.features import encode_features
from sslrank.core.messages import suggestion
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import encode_targets
from sslrank.evaluation.curves import CurveProblem, random_curve, ranking_curves
from sslrank.evaluation.error_curve_average import eca
from sslrank.metrics.single import fold_average
from sslrank.model_selection.labeled_kfold import labeled_folds

#: Fewer labelled rows than this say nothing about a predictor.
MIN_LABELED = 10
FOLDS = 5
PREDICTORS = ("knn", "tree", "svm")
N_RANDOM = 20
MAX_NEIGHBORS = 20
#: The time of nearest neighbours grows with the square of the labelled rows, times the features: this is the most.
MAX_JUDGED = 1e9
#: Labelled rows of the part on which the time to judge is measured.
PILOT_ROWS = 1000


@dataclass
class Curve:
    """How well a predictor does with the best features only.

    Attributes
    ----------
    table : DataFrame
        Columns size, best (the best `size` features), error (its standard error over the folds), worst (the
        worst `size` features), random, random_error.
    measure : str
    higher_is_better : bool
    predictor : str
    n_folds : int
    best : int
        The size at which `best` is best.
    enough : int
        The smallest size within one standard error of that.
    eca : float
        Error curve average (paper eca): half the mean of best - worst. 0 is what rankings drawn at random have in the
        mean, whatever the data. A method's ranking of pure noise is not drawn at random, though: with unequal classes
        it may favour features with which the predictor says the larger class more often. So on noise with classes of
        37 and 63 % relief had +0.06 (24 seeds, standard error 0.003), with equal classes 0.00; forests and
        information gain had 0.00 with both.
    """

    table: pd.DataFrame
    measure: str
    higher_is_better: bool
    predictor: str
    n_folds: int
    best: int
    enough: int
    eca: float

    def value(self, size, column="best"):
        """Performance with the best `size` features, or with others: `column` of the table."""
        return float(self.table.loc[self.table["size"] == size, column].iloc[0])

    def describe(self):
        """The result in one sentence."""
        last = int(self.table["size"].iloc[-1])
        return (
            f"enough features: {self.enough} of {last} ({self.measure} {self.value(self.enough):.3f}, as many drawn at "
            f"random {self.value(self.enough, 'random'):.3f}; best "
            f"{self.value(self.best):.3f} with {self.best}, all {self.value(last):.3f}; {self.predictor}, "
            f"{self.n_folds} folds); ECA {self.eca:+.3f} (0: drawn at random)"
        )


def check_predictor(predictor, task):
    """Refuse a predictor that is unknown or not for the kind of target.

    Raises
    ------
    DataError
    """
    if predictor not in PREDICTORS:
        raise DataError(f"unknown predictor {predictor!r}; {suggestion(predictor, PREDICTORS)}")
    if predictor == "svm" and task != "classification":
        raise DataError(f"predictor 'svm' is for classification, the target's kind is {task}")


def why_not(table):
    """Why a table is too small for curves; None if it is not."""
    labeled = int(table.labeled.sum())
    if labeled < MIN_LABELED:
        return f"how many features are enough cannot be said from {labeled} labelled rows (at least {MIN_LABELED})"
    if table.task == "classification" and len({label for label in table.y if label is not None}) < 2:
        return "how many features are enough cannot be said from one class"
    return None


def limit_judged(table, seed):
    """The table with fewer labelled rows, drawn at random, if judging on all would take long; and a note on that."""
    labeled = np.flatnonzero(table.labeled)
    limit = max(MIN_LABELED, int((MAX_JUDGED / table.X.shape[1]) ** 0.5))
    if len(labeled) <= limit:
        return table, []
    drawn = np.random.default_rng(derive_seed(seed, "judged")).permutation(labeled)[:limit]
    rows = np.sort(np.concatenate([drawn, np.flatnonzero(~table.labeled)]))
    return table.rows(rows), [f"how many features are enough is judged on {limit} of {len(labeled)} labelled rows"]


def seconds_to_judge(table, predictor, n_jobs=None):
    """How long :func:`judge` takes, about: measured on a part of the rows and scaled.

    Returns
    -------
    float
        Seconds; 0 if the part cannot be judged.
    """
    labeled = np.flatnonzero(table.labeled)
    part = table.rows(labeled[:: -(-len(labeled) // PILOT_ROWS)])
    started = time.perf_counter()
    try:  # best, worst and one random ranking in one fold
        judge(part, np.zeros(part.X.shape[1]), make_folds(part, FOLDS, 0)[:1], predictor, 0, n_jobs, 1)
    except ValueError:
        return 0.0
    taken = time.perf_counter() - started
    growth = len(labeled) / len(part.X)
    # between measures, which take time by the rows, and distances, by their square
    return taken * FOLDS * (N_RANDOM + 2) / 3 * growth ** (1.1 if predictor == "tree" else 1.5)


def make_folds(table, n_folds, seed):
    """Split the labelled rows into folds; unlabelled rows are in every training part."""
    targets = encode_targets(table.y, len(table.y), task=table.task, hierarchy=table.hierarchy)
    parts = int(targets.labeled.sum()) if table.groups is None else len(np.unique(table.groups[targets.labeled]))
    return labeled_folds(targets, min(n_folds, parts), seed, table.groups)


def judge(table, importances, folds, predictor="knn", seed=0, n_jobs=None, n_random=N_RANDOM):
    """The curve of a ranking.

    Parameters
    ----------
    table : sslrank.tabular.table.OwnTable
    importances : ndarray of shape (D,) or (n_folds, D)
        Higher is better. One row per fold: the ranking made from its training rows.
    folds : list of (train, test)
    predictor : {"knn", "tree", "svm"}
    seed : int
    n_jobs : int, optional
    n_random : int
        Rankings drawn at random.

    Returns
    -------
    Curve

    Raises
    ------
    ValueError
        If the predictor does not suit the kind of target.
    """
    features = encode_features(table.X)
    targets = encode_targets(table.y, len(table.y), task=table.task, hierarchy=table.hierarchy)
    params = {}
    if predictor == "knn":  # as many neighbours as the square root of the labelled training rows, at most 20
        labeled = min(int(targets.labeled[train].sum()) for train, _ in folds)
        params["n_neighbors"] = max(1, min(MAX_NEIGHBORS, round(labeled**0.5)))
    problem = CurveProblem(features, targets, folds, predictor, predictor_params=params, seed=seed)
    curves = ranking_curves(problem, importances, n_jobs=n_jobs)
    expected = random_curve(problem, n_random, seed=derive_seed(seed, "random rankings"), n_jobs=n_jobs)
    means, errors = {}, None
    for name, part in curves.groupby("curve"):
        by_size = part.pivot(index="size", columns="fold", values="value").to_numpy()
        means[name] = np.array([fold_average(row, problem.test_sizes) for row in by_size])
        if name == "FFA":
            if np.isnan(by_size).all(axis=1).any():
                raise ValueError(f"{problem.measure.name} is not defined in any fold")
            known = (~np.isnan(by_size)).sum(axis=1)
            spread = np.sqrt(np.nansum((by_size - np.nanmean(by_size, axis=1)[:, None]) ** 2, axis=1))
            errors = spread / np.sqrt(np.maximum(known - 1, 1) * known)
    sign = problem.measure.sign
    at_best = int(np.argmax(sign * means["FFA"]))
    good = sign * means["FFA"] >= sign * means["FFA"][at_best] - errors[at_best]
    frame = pd.DataFrame(
        {
            "size": problem.sizes,
            "best": means["FFA"],
            "error": errors,
            "worst": means["RFA"],
            "random": expected["value"],
            "random_error": expected["standard_error"],
        }
    )
    return Curve(
        frame,
        problem.measure.name,
        sign > 0,
        f"{params['n_neighbors']} nearest neighbours" if params else predictor,
        len(folds),
        int(problem.sizes[at_best]),
        int(problem.sizes[np.argmax(good)]),
        float(eca(curves)),
    )
