"""Evaluators with one plain signature, as the workflow calls them.

An evaluator is a function ::

    evaluate(features, targets, train, test, labeled, importances, params, seed)
        -> list of (measure, size, value)

`features` and `targets` are all rows of a dataset, coded; `train`, `test` and `labeled` (a subset of train)
are row indices. Only the labels of `labeled` are used for training. `importances` has one number per feature,
higher is better. `params` is a dict of the evaluator's settings, checked for misspelt keys, and `seed` an
integer. In the result, `measure` names what was measured, `size` says at which k or number of features, and
`value` is a float (NaN where it is undefined).
"""

from collections import OrderedDict
from dataclasses import replace

import numpy as np

from sslrank.evaluation.curves import CurveProblem, random_curve, ranking_curves
from sslrank.evaluation.design import design_matrix
from sslrank.evaluation.eca import eca
from sslrank.evaluation.knn import knn_predict
from sslrank.evaluation.measures import get_measure, score
from sslrank.evaluation.predictors import fit_predict, make_predictor, training_targets
from sslrank.multilabel.evaluation import evaluate_multilabel


def _settings(params, **defaults):
    params = dict(params or {})
    unknown = sorted(set(params) - set(defaults))
    if unknown:
        raise ValueError(
            f"unknown evaluator settings: {', '.join(unknown)}; available: {', '.join(sorted(defaults))}"
        )
    return {**defaults, **params}


def labelled_only(targets, labeled):
    """The targets with every row outside of `labeled` unknown."""
    values = np.full_like(targets.values, np.nan)
    values[labeled] = targets.values[labeled]
    return replace(targets, values=values)


def evaluate_knn(features, targets, train, test, labeled, importances, params=None, seed=0):
    """Feature-weighted k nearest neighbours (paper ssl-ranking, section 6.4).

    Settings: `n_neighbors` (list of k, default [20, 40]), `measures` (a list, or one for each kind of target
    that is to have other measures than its default), `neighbors` ("labeled", the default, or "all"; see
    :func:`~sslrank.evaluation.knn.knn_predict`), `n_jobs`.

    Returns
    -------
    list of (measure, k, value)
    """
    settings = _settings(params, n_neighbors=(20, 40), measures=None, neighbors="labeled", n_jobs=None)
    names = settings["measures"]
    if isinstance(names, dict):
        names = names.get(targets.task)
    measures = [get_measure(name, targets.task) for name in names or [None]]
    ks = settings["n_neighbors"]
    predictions = knn_predict(
        features.rows(train),
        labelled_only(targets, labeled).rows(train),
        features.rows(test),
        importances,
        [ks] if isinstance(ks, int) else list(ks),
        neighbors=settings["neighbors"],
        n_jobs=settings["n_jobs"],
    )
    true = targets.rows(test)
    return [
        (measure.name, k, score(true, predicted, measure))
        for measure in measures
        for k, predicted in predictions.items()
    ]


def evaluate_top_features(features, targets, train, test, labeled, importances, params=None, seed=0):
    """A predictor on the top 1, 2, ... features (paper ssfi, Algorithm 5).

    Settings: `predictor` ("tree", "knn", "svm" or an estimator; default "tree"), `predictor_params`, `n_top`
    (default 10, at most the number of features), `measure` (default accuracy for classification, otherwise
    by task), `train` ("labeled", the default, trains on the labelled rows only; "all" on all training rows
    with the labels that the ranking did not see, as line 15 of Algorithm 5 can be read).

    Returns
    -------
    list of (measure, number of features, value)
    """
    settings = _settings(
        params, predictor="tree", predictor_params=None, n_top=10, measure=None, train="labeled"
    )
    if settings["train"] not in ("labeled", "all"):
        raise ValueError(f"train must be 'labeled' or 'all', got {settings['train']!r}")
    name = settings["measure"] or ("accuracy" if targets.task == "classification" else None)
    measure = get_measure(name, targets.task)
    known = np.asarray(labeled if settings["train"] == "labeled" else train)
    design = design_matrix(features, train)
    complete, y = training_targets(targets.rows(known))
    if complete.size == 0:
        raise ValueError(
            "no labelled row has all of its targets, so there is nothing to train a predictor on"
        )
    order = np.argsort(-np.asarray(importances, dtype=np.float64), kind="stable")
    true = targets.rows(test)
    results = []
    for size in range(1, min(settings["n_top"], len(order)) + 1):
        columns = design.columns(order[:size])
        predictor = make_predictor(
            settings["predictor"], targets.task, seed, **(settings["predictor_params"] or {})
        )
        X_train = design.values[np.ix_(known[complete], columns)]
        predicted = fit_predict(predictor, X_train, y, design.values[np.ix_(test, columns)], targets)
        results.append((measure.name, size, score(true, predicted, measure)))
    return results


_EXPECTED = OrderedDict()


def _expected(key, features, targets, problem, n_rankings, n_jobs):
    """The expected curve, computed once for all rankings that are judged on the same rows with the same seed.

    An entry holds on to its features and targets, so that the identities in the key stay theirs.
    """
    if key not in _EXPECTED:
        curve = random_curve(problem, n_rankings, seed=key[2], n_jobs=n_jobs)
        _EXPECTED[key] = (features, targets, curve)
        while len(_EXPECTED) > 256:
            _EXPECTED.popitem(last=False)
    return _EXPECTED[key][2]


ECA_DEFAULTS = {
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
    return CurveProblem(
        features,
        replace(targets, values=masked),
        [(train, test)],
        settings["predictor"],
        predictor_params=settings["predictor_params"],
        measure=settings["measure"],
        sizes=sizes,
        seed=seed,
    )


def needs_expected(params=None):
    """Whether the settings of :func:`evaluate_eca` ask for the expected curve of random rankings."""
    settings = _settings(params, **ECA_DEFAULTS)
    return bool(settings["expected"]) or any(weighting != "1" for weighting in settings["weightings"])


def expected_eca(features, targets, train, test, labeled, params=None, seed=0):
    """The expected curve that :func:`evaluate_eca` compares with; it does not depend on a ranking.

    Returns
    -------
    DataFrame
        See :func:`sslrank.evaluation.curves.random_curve`.
    """
    settings = _settings(params, **ECA_DEFAULTS)
    problem = _curve_problem(features, targets, train, test, labeled, settings, seed)
    return random_curve(problem, settings["n_rankings"], seed=seed, n_jobs=settings["n_jobs"])


def evaluate_eca(features, targets, train, test, labeled, importances, params=None, seed=0, shared=None):
    """FFA and RFA curves on the test rows and their ECA (paper eca).

    Settings: `predictor` ("knn", "tree", "svm" or an estimator; default "knn"), `predictor_params`, `measure`
    (default accuracy for classification, otherwise by task), `sizes` (default "auto"), `weightings` (default
    ["1"]), `n_rankings` (random rankings for the other weightings, default 100), `curves` (whether the points
    of the curves are reported too, default True), `expected` (whether the expected curve is computed and
    reported although no weighting needs it, default False), `n_jobs`.

    Parameters
    ----------
    shared : DataFrame, optional
        The expected curve, from :func:`expected_eca`; by default it is computed where it is needed. With a
        seed that does not depend on the method, all methods meet the same random rankings; calls in one
        process compute their curve once.
    **others
        See :mod:`sslrank.evaluation.evaluators`.

    Returns
    -------
    list of (measure, size, value)
        Points "ffa accuracy" and "rfa accuracy" with the number of features, "expected accuracy" and
        "expected error accuracy" (its standard error) with the setting `expected`, and "eca[w]
        accuracy" with the number of all features; positive is better than random for every measure. Several
        folds: average ECA over them like any score.
    """
    settings = _settings(params, **ECA_DEFAULTS)
    problem = _curve_problem(features, targets, train, test, labeled, settings, seed)
    table = ranking_curves(problem, importances, settings["n_jobs"])
    expected = shared
    if expected is None and needs_expected(params):
        key = (id(features), id(targets), seed, repr(sorted(settings.items(), key=lambda item: item[0])))
        key += tuple(np.asarray(rows, dtype=np.int64).tobytes() for rows in (train, test, labeled))
        expected = _expected(key, features, targets, problem, settings["n_rankings"], settings["n_jobs"])
    name = problem.measure.name
    results = []
    if settings["curves"]:
        points = zip(table["curve"], table["size"], table["value"], strict=True)
        results += [(f"{curve.lower()} {name}", int(size), float(value)) for curve, size, value in points]
        if settings["expected"]:
            for prefix, column in (("expected", "value"), ("expected error", "standard_error")):
                points = zip(expected["size"], expected[column], strict=True)
                results += [(f"{prefix} {name}", int(size), float(value)) for size, value in points]
    for weighting in settings["weightings"]:
        value = eca(table, None if weighting == "1" else expected, weighting)
        results.append((f"eca[{weighting}] {name}", problem.n_features, value))
    return results


EVALUATORS = {
    "eca": evaluate_eca,
    "knn": evaluate_knn,
    "multilabel": evaluate_multilabel,
    "top_features": evaluate_top_features,
}

#: What an evaluator computes once per fold for all rankings: whether its settings ask for it, and the
#: function, which takes the arguments of an evaluator but the importances. The evaluator gets the table as
#: `shared`.
SHARED = {
    "eca": (needs_expected, expected_eca),
}
