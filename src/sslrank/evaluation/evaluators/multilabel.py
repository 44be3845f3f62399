"""Evaluate a ranking or a transformer by a multi-label classifier (thesis, sections 4.4 and 5.4)."""

from pkgutil import resolve_name

import numpy as np

from sslrank.core.columns import numeric_rows
from sslrank.core.validation import check_choice
from sslrank.evaluation.evaluators.settings import labelled_only, settings_of
from sslrank.metrics.multilabel import MEASURES

#: Classes by their names in settings; a module is imported when it is used.
CLASSIFIERS = {
    "ml_knn": "sslrank.models.multilabel.ml_knn:MLkNN",
    "rakel": "sslrank.models.multilabel.rakel:RAkEL",
    "ecc": "sslrank.models.multilabel.ecc:EnsembleOfClassifierChains",
    "homer": "sslrank.models.multilabel.homer:HOMER",
    "iblr": "sslrank.models.multilabel.iblr:IBLR",
}
TRANSFORMERS = {
    "ssdr": "sslrank.evaluation.transformers.ssdr:SSDR",
    "sdr_mc": "sslrank.evaluation.transformers.sdr_mc:SDRMC",
}
DEFAULTS = {
    "classifier": "ml_knn",
    "classifier_params": None,
    "sizes": 30,
    "measures": None,
    "train": "labeled",
    "transformer": None,
    "transformer_params": None,
    "scale": None,
}


def evaluate(features, targets, train, test, labeled, importances, params=None, seed=0):
    """Evaluate a ranking by a multi-label classifier on the top features, with the measures of the thesis.

    Settings:

    - `classifier`: "ml_knn" (default, its k found by 3-fold cross-validation), "rakel", "ecc", "homer" or
      "iblr", with `classifier_params`;
    - `sizes`: numbers of top features, a list or the largest one (default 30: 1 to 30); 0 means all features, the
      baseline;
    - `measures`: names in :data:`sslrank.metrics.multilabel.MEASURES` (default all nine);
    - `train`: "labeled" (default) trains the classifier on the labelled training rows, "all" on all training rows,
      including labels hidden from the ranking, as in the thesis;
    - `transformer`: "ssdr" or "sdr_mc", with `transformer_params`, projects the rows. It is fitted on the training rows
      with the labels of `labeled`; importances are then ignored, and each size is a number of components;
    - `scale`: None (default, as the thesis), "range" or "standard".

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 3))
    >>> features, targets = encode_features(X), encode_targets((X[:, :2] > 0).astype(float), 60)
    >>> train, test = np.arange(40), np.arange(40, 60)
    >>> found = evaluate(features, targets, train, test, train[:20], [3.0, 2.0, 1.0], {"sizes": [2]})
    >>> len(found), found[0][:2]
    (9, ('hamming_loss', 2))
    """
    settings = _settings(params)
    if targets.task not in ("multilabel", "hierarchical"):
        raise ValueError(
            f"the multilabel evaluator is for tasks 'multilabel' and 'hierarchical', not for {targets.task!r}"
        )
    rows = numeric_rows(features, settings["scale"])
    complete = ~np.isnan(targets.values).any(axis=1)
    training = np.asarray(train if settings["train"] == "all" else labeled)
    training, tested = training[complete[training]], np.asarray(test)[complete[test]]
    if len(training) == 0 or len(tested) == 0:
        raise ValueError("no training row, or no test row, has all of its labels")
    order = np.argsort(-np.asarray(importances, dtype=np.float64), kind="stable")
    scores = []
    for size in _sizes(settings["sizes"], len(order)):
        if settings["transformer"]:
            Y, make = labelled_only(targets, labeled).values, resolve_name(TRANSFORMERS[settings["transformer"]])
            transformer = make(size, **(settings["transformer_params"] or {})).fit(rows.values[train], Y[train])
            Z = transformer.transform(rows.values)
        else:
            Z = rows.values[:, np.isin(rows.owner, order[:size])] if size else rows.values
        classifier = _classifier(settings, seed)
        classifier.fit(Z[training], targets.values[training])
        F, P = classifier.predict_proba(Z[tested]), classifier.predict(Z[tested])
        for name in settings["measures"] or MEASURES:
            measure, ranks, _ = MEASURES[name]
            scores.append((name, size, measure(targets.values[tested], F if ranks else P)))
    return scores


def computes(params, task):
    """List the measures, and the numbers of features, that :func:`evaluate` computes for a kind of target.

    Examples
    --------
    >>> computes({"measures": ["hamming_loss"], "sizes": [5, 10]}, "multilabel")
    (['hamming_loss'], [5, 10])
    """
    settings = _settings(params)
    sizes = settings["sizes"]
    measures = list(settings["measures"] or MEASURES) if task in ("multilabel", "hierarchical") else []
    return measures, list(range(1, sizes + 1)) if isinstance(sizes, int) else list(sizes)


def _settings(params):
    settings = settings_of(params, **DEFAULTS)
    check_choice("classifier", settings["classifier"], CLASSIFIERS)
    check_choice("transformer", settings["transformer"], (None, *TRANSFORMERS))
    check_choice("train", settings["train"], ("all", "labeled"))
    for name in settings["measures"] or ():
        check_choice("measures", name, MEASURES)
    return settings


def _sizes(sizes, n_features):
    sizes = range(1, sizes + 1) if isinstance(sizes, int) and sizes > 0 else np.atleast_1d(sizes).tolist()
    return list(dict.fromkeys(min(size, n_features) for size in sizes))


def _classifier(settings, seed):
    params = dict(settings["classifier_params"] or {})
    if settings["classifier"] == "ml_knn":
        params = {"n_neighbors": "cv", **params}
    classifier = resolve_name(CLASSIFIERS[settings["classifier"]])(**params)
    if "random_state" in classifier.get_params() and "random_state" not in params:
        classifier.set_params(random_state=seed)
    return classifier
