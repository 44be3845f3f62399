"""Evaluate a ranking by error curves and their average (paper eca)."""

from dataclasses import replace

from sslrank.evaluation.curve_problem import CurveProblem
from sslrank.evaluation.curves import random_curve, ranking_curves
from sslrank.evaluation.error_curve_average import eca
from sslrank.evaluation.evaluators.settings import labelled_only, settings_of
from sslrank.metrics.single import measure_on_features

DEFAULTS = {
    "predictor": "knn",
    "predictor_params": None,
    "measure": None,
    "sizes": "auto",
    "weightings": ("1",),
    "n_rankings": 100,
    "expected": False,
    "curves": True,
    "n_jobs": None,
}


def _curve_problem(features, targets, train, test, labeled, settings, seed):
    sizes = settings["sizes"]
    if isinstance(sizes, list) and len(sizes) == 2 and isinstance(sizes[1], float):
        sizes = tuple(sizes)  # YAML has no tuples
    masked = labelled_only(targets, labeled).values
    masked[test] = targets.values[test]
    options = {name: settings[name] for name in ("predictor", "predictor_params", "measure")}
    return CurveProblem(features, replace(targets, values=masked), [(train, test)], **options, sizes=sizes, seed=seed)


def computes(params, task):
    """List the measures that :func:`evaluate` computes for a kind of target; their sizes depend on the dataset.

    Examples
    --------
    >>> computes({"curves": False}, "classification")
    (['eca[1] accuracy'], None)
    """
    settings = settings_of(params, **DEFAULTS)
    name = measure_on_features(settings["measure"], task).name
    measures = [f"eca[{weighting}] {name}" for weighting in settings["weightings"]]
    if settings["curves"]:
        kinds = ("ffa", "rfa", *(("expected", "expected error") if settings["expected"] else ()))
        measures += [f"{kind} {name}" for kind in kinds]
    return measures, None


def is_shared(params=None):
    """Check if the settings of :func:`evaluate` need the expected curve of random rankings.

    Parameters
    ----------
    params : dict, optional
        Settings.

    Returns
    -------
    bool

    Examples
    --------
    >>> is_shared({"weightings": ["1/|S|"]})
    True
    """
    settings = settings_of(params, **DEFAULTS)
    return bool(settings["expected"]) or any(weighting != "1" for weighting in settings["weightings"])


def share(features, targets, train, test, labeled, params=None, seed=0):
    """Compute the expected curve that :func:`evaluate` compares with (see :mod:`sslrank.evaluation.curves`).

    Parameters
    ----------
    features, targets, train, test, labeled, params, seed
        See :func:`evaluate`.

    Returns
    -------
    DataFrame

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 3))
    >>> features, targets = encode_features(X), encode_targets((X[:, 0] > 0).astype(int), 60)
    >>> train, test = np.arange(40), np.arange(40, 60)
    >>> share(features, targets, train, test, train[:20], {"expected": True, "n_rankings": 5}).columns.tolist()
    ['size', 'value', 'standard_error', 'n_rankings', 'measure']
    """
    settings = settings_of(params, **DEFAULTS)
    problem = _curve_problem(features, targets, train, test, labeled, settings, seed)
    return random_curve(problem, settings["n_rankings"], seed=seed, n_jobs=settings["n_jobs"])


def evaluate(features, targets, train, test, labeled, importances, params=None, seed=0, shared=None):
    """Evaluate a ranking by FFA and RFA curves on the test rows, and their ECA (paper eca).

    Settings: `predictor` ("knn", "tree", "svm" or an estimator; default "knn"), `predictor_params`, `measure` (default
    accuracy for classification, otherwise by task), `sizes` (default "auto"), `weightings` (default ["1"]),
    `n_rankings` (random rankings for the other weightings, default 100), `curves` (whether to report the points of the
    curves, default True), `expected` (whether to compute and report the expected curve even if no weighting needs it,
    default False), `n_jobs`.

    The result has points "ffa accuracy" and "rfa accuracy" with the number of features, "expected accuracy" and
    "expected error accuracy" (its standard error) with the setting `expected`, and "eca[w] accuracy" with the number of
    all features. A positive ECA is better than random for every measure. ECA is averaged over folds like any score.

    `shared` is the expected curve from :func:`share`; by default it is computed if needed. The seed does not depend on
    the method, so all methods are compared with the same random rankings.

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 3))
    >>> features, targets = encode_features(X), encode_targets((X[:, 0] > 0).astype(int), 60)
    >>> train, test = np.arange(40), np.arange(40, 60)
    >>> evaluate(features, targets, train, test, train[:20], [3.0, 2.0, 1.0], {"curves": False})[-1][0]
    'eca[1] accuracy'
    """
    settings = settings_of(params, **DEFAULTS)
    problem = _curve_problem(features, targets, train, test, labeled, settings, seed)
    table = ranking_curves(problem, importances, settings["n_jobs"])
    expected = shared
    if expected is None and is_shared(params):
        expected = random_curve(problem, settings["n_rankings"], seed=seed, n_jobs=settings["n_jobs"])
    name = problem.measure.name
    scores = []
    if settings["curves"]:
        points = zip(table["curve"], table["size"], table["value"], strict=True)
        scores += [(f"{curve.lower()} {name}", int(size), float(value)) for curve, size, value in points]
        if settings["expected"]:
            for prefix, column in (("expected", "value"), ("expected error", "standard_error")):
                points = zip(expected["size"], expected[column], strict=True)
                scores += [(f"{prefix} {name}", int(size), float(value)) for size, value in points]
    for weighting in settings["weightings"]:
        value = eca(table, None if weighting == "1" else expected, weighting)
        scores.append((f"eca[{weighting}] {name}", problem.n_features, value))
    return scores
