"""Measures of predictive performance: paper ssl-ranking, section 6.5 and Table 4, and the accuracy of eca.

Predictions have the form of :func:`sslrank.evaluation.knn_predict`: class shares (n, n_classes), numbers (n, T) or
label scores (n, T). Only known targets of test rows count.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature

import numpy as np

from sslrank.core.null_model import concordance
from sslrank.metrics import multilabel


def f1_macro(true, predicted, weights=None):
    """Compute macro-averaged F1 of class codes.

    The mean is over the classes that are true or predicted in some row, as in scikit-learn. A class that is never
    predicted, or never true, has F1 = 0.

    Parameters
    ----------
    true, predicted : array-like of shape (n,)
        Class codes.
    weights : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float
        In [0, 1]; NaN without rows.

    Examples
    --------
    >>> f1_macro([0, 0, 1, 1], [0, 1, 1, 1])
    0.7333333333333334
    """
    codes, joint = np.unique(np.concatenate([true, predicted]), return_inverse=True)
    if codes.size == 0:
        return np.nan
    true, predicted = joint[: len(true)], joint[len(true) :]
    weights = np.ones(len(true)) if weights is None else np.asarray(weights)
    hits = np.bincount(true, weights * (true == predicted), minlength=codes.size)
    both = np.bincount(true, weights, minlength=codes.size) + np.bincount(predicted, weights, minlength=codes.size)
    return float(np.mean(np.sort(2.0 * hits / both)))  # sorted: the names of the classes do not change a bit


def f1_positive(true, predicted, weights=None):
    """Compute F1 of the rarer class if two are true, otherwise macro-averaged F1.

    Table 4 of the paper averages only "for multi-class problems", and does not say which class is positive.

    Parameters
    ----------
    true, predicted : array-like of shape (n,)
        Class codes. If two classes are equally frequent, or a third class is predicted, F1 is macro-averaged.
    weights : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float
        In [0, 1]; NaN without rows.

    Examples
    --------
    >>> f1_positive([0, 0, 0, 1], [0, 0, 1, 1])
    0.6666666666666666
    """
    codes, joint = np.unique(true, return_inverse=True)
    counts = np.bincount(joint, weights, minlength=2)
    if len(codes) != 2 or counts[0] == counts[1] or not np.isin(predicted, codes).all():
        return f1_macro(true, predicted, weights)
    positive = codes[np.argmin(counts)]
    true, predicted = np.asarray(true) == positive, np.asarray(predicted) == positive
    weights = np.ones(len(true)) if weights is None else np.asarray(weights)
    return float(2.0 * weights[true & predicted].sum() / (weights[true].sum() + weights[predicted].sum()))


def accuracy(true, predicted, weights=None):
    """Compute the share of equal class codes.

    Parameters
    ----------
    true, predicted : array-like of shape (n,)
        Class codes.
    weights : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float
        In [0, 1]; NaN without rows.

    Examples
    --------
    >>> accuracy([0, 0, 1, 1], [0, 1, 1, 1])
    0.75
    """
    true, predicted = np.asarray(true), np.asarray(predicted)
    return float(np.average(true == predicted, weights=weights)) if true.size else np.nan


def balanced_accuracy(true, predicted, weights=None):
    """Average the share of correctly predicted rows over the true classes.

    scikit-learn's ``balanced_accuracy_score``.

    Parameters
    ----------
    true, predicted : array-like of shape (n,)
        Class codes.
    weights : array-like of shape (n,), optional
        Weights of the rows.

    Returns
    -------
    float
        In [0, 1]; NaN without rows.

    Examples
    --------
    >>> balanced_accuracy([0, 0, 0, 1], [0, 0, 1, 1])
    0.8333333333333333
    """
    true, predicted = np.asarray(true), np.asarray(predicted)
    if true.size == 0:
        return np.nan
    weights = np.ones(len(true)) if weights is None else np.asarray(weights)
    counts, hits = np.bincount(true, weights), np.bincount(true, weights * (true == predicted))
    return float(np.mean(np.sort(hits[counts > 0] / counts[counts > 0])))


def r2(true, predicted):
    """Average the coefficient of determination over the targets: scikit-learn's ``r2_score`` without constant targets.

    Parameters
    ----------
    true, predicted : array-like of shape (n,) or (n, T)
        NaN in `true` is an unknown value and does not count.

    Returns
    -------
    float
        At most 1; NaN if all targets are constant.

    Examples
    --------
    >>> r2([1.0, 2.0, 3.0], [1.0, 2.0, 2.0])
    0.5
    """
    pairs = _known_pairs(true, predicted)
    coefficients = [1.0 - np.mean((y - guess) ** 2) / np.var(y) for y, guess in pairs if y.min() < y.max()]
    return float(np.mean(coefficients)) if coefficients else np.nan


def auprc_rarer(true, shares):
    """Compute average precision of the rarer class if two are true; for several classes, the mean over them.

    Parameters
    ----------
    true : array-like of shape (n,) or (n, 1)
        Class codes; NaN is unknown and does not count. Of two equally frequent classes both count.
    shares : array-like of shape (n, n_classes)
        Share or score of each class.

    Returns
    -------
    float
        In [0, 1]; NaN if fewer than two classes are true.

    Examples
    --------
    >>> auprc_rarer([0, 0, 1], [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]])
    1.0
    """
    true = np.ravel(np.asarray(true, dtype=np.float64))
    known = ~np.isnan(true)
    true, shares = true[known].astype(np.intp), np.asarray(shares, dtype=np.float64)[known]
    codes, counts = np.unique(true, return_counts=True)
    if len(codes) < 2:
        return np.nan
    if len(codes) == 2 and counts[0] != counts[1]:
        codes = codes[[np.argmin(counts)]]
    return float(np.mean([auprc_micro(true == code, shares[:, code]) for code in codes]))


def rrmse(true, predicted):
    """Average the root relative squared error over the targets (Table 4).

    The root mean squared error of a target is divided by the standard deviation (population form) of its values *among
    the test rows*. For constant values the quotient is defined as 0 if the predictions are exact, and otherwise as 1,
    like the prediction of the mean. This equals sqrt(1 - R^2) with scikit-learn's R^2.

    Parameters
    ----------
    true, predicted : array-like of shape (n,) or (n, T)
        NaN in `true` is an unknown value and does not count.

    Returns
    -------
    float
        At least 0, lower is better; NaN if no target has a known value.

    Examples
    --------
    >>> rrmse([1.0, 2.0, 3.0], [2.0, 2.0, 2.0])
    1.0
    """
    errors = []
    for y, guess in _known_pairs(true, predicted):
        squared = np.mean((guess - y) ** 2)
        if y.min() == y.max():
            errors.append(0.0 if squared == 0.0 else 1.0)
        else:
            errors.append(np.sqrt(squared / np.var(y)))
    return float(np.mean(errors)) if errors else np.nan


def auprc_micro(true, scores):
    """Compute the area under the micro-averaged precision-recall curve.

    All (row, label) pairs are pooled and sorted by score. The area is the sum of precision times the step in
    recall over the distinct scores: a step function, no interpolation between points. scikit-learn
    calls it ``average_precision_score(average="micro")``. (Linear interpolation is too optimistic, and
    the hyperbolic one of Davis and Goadrich 2006, which the CLUS program uses, gives slightly larger areas.)

    Parameters
    ----------
    true : array-like of shape (n, T)
        Labels 0/1; NaN is unknown and does not count.
    scores : array-like of shape (n, T)
        Higher means the label is more likely.

    Returns
    -------
    float
        In [0, 1]; NaN when no label is positive, because recall is then undefined.

    Examples
    --------
    >>> round(auprc_micro([[1, 0], [0, 1]], [[0.9, 0.8], [0.1, 0.7]]), 3)
    0.833
    """
    true, scores = (np.ravel(np.asarray(values, dtype=np.float64)) for values in (true, scores))
    known = ~np.isnan(true)
    if not known.all():
        true, scores = true[known], scores[known]
    n_positive = true.sum()
    if not n_positive:
        return np.nan
    positive = np.sort(scores[true > 0])  # sorting values, not indices, is many times as fast
    first = np.flatnonzero(np.diff(positive, prepend=-np.inf))  # of each distinct score
    hits = positive.size - first
    pairs = scores.size - np.searchsorted(np.sort(scores), positive[first])
    return float(np.sum(-np.diff(hits, append=0) * (hits / pairs)) / n_positive)


def label_average_precision(true, scores):
    """Average the area under the precision-recall curve over the labels that occur.

    scikit-learn calls it ``average_precision_score(average="macro")``; see :func:`auprc_micro`.

    Parameters
    ----------
    true : array-like of shape (n, T)
        Labels 0/1; NaN is unknown and does not count.
    scores : array-like of shape (n, T)

    Returns
    -------
    float
        In [0, 1]; NaN when no label is positive.

    Examples
    --------
    >>> label_average_precision([[1, 0], [0, 1]], [[0.9, 0.8], [0.1, 0.7]])
    0.75
    """
    areas = np.array(
        [auprc_micro(y, of_label) for y, of_label in zip(_columns(true).T, _columns(scores).T, strict=True)]
    )
    return float(np.mean(areas[~np.isnan(areas)])) if not np.isnan(areas).all() else np.nan


def c_index(targets, predicted):
    """Compute Harrell's C of predicted log-rank scores, by the times and events of the rows.

    See :func:`sslrank.core.null_model.concordance`.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
        Targets of the kind "survival"; rows without a time or an event are ignored.
    predicted : ndarray of shape (n, 1)

    Returns
    -------
    float
        In [0, 1], 0.5 for unrelated predictions; NaN if no pair of rows counts.

    Examples
    --------
    >>> from sslrank.core.targets import encode_targets
    >>> c_index(encode_targets([[1, 1], [2, 1], [3, 0]], 3, task="survival"), np.array([[5.0], [4.0], [1.0]]))
    1.0
    """
    time, event, entry = targets.null.time, targets.null.event, targets.null.entry
    known = ~np.isnan(time) & ~np.isnan(event)
    return float(
        concordance(time[known], event[known], predicted[known], None if entry is None else entry[known])[0][0]
    )


def _known_pairs(true, predicted):
    """Yield the known values of each target that has any, and their predictions."""
    for y, guess in zip(_columns(true).T, _columns(predicted).T, strict=True):
        known = ~np.isnan(y)
        if known.any():
            yield y[known], guess[known]


def _columns(values):
    values = np.asarray(values, dtype=np.float64)
    return values[:, None] if values.ndim == 1 else values


#: Shares of classes that differ by less are equal.
_SAME_SHARE = 1e-9


def _predicted_codes(shares):
    """Predict the class with the largest share; classes with equal shares share the row, whatever their names.

    Returns
    -------
    rows, codes : ndarray of int
    weights : ndarray, or None
        Equal for all classes of a row, with the same sum for each row.
    """
    # Sums of the same votes in another order of rows differ in their last bits.
    best = shares >= shares.max(axis=1, keepdims=True, initial=-np.inf) - _SAME_SHARE
    rows, codes = np.nonzero(best)
    counts = best.sum(axis=1)[rows]
    if (counts == 1).all():
        return rows, codes, None
    # Sums of whole numbers do not depend on the order of the rows; a large multiple is not exact in float64 anyway.
    return rows, codes, min(math.lcm(*set(counts.tolist())), 2**53) / counts


@dataclass(frozen=True)
class Measure:
    """A measure of predictive performance.

    Attributes
    ----------
    name : str
        Name in the tidy tables.
    higher_is_better : bool
    tasks : frozenset of str
        Kinds of target that it applies to.
    needs : str
        Input of `function`: "codes" (class codes), "values" (the predictions), or "targets" (the coded targets and the
        predictions).
    function : callable
        ``function(true, predicted) -> float``; of class codes ``function(true, predicted, weights=None)``: a row whose
        largest share several classes have occurs once with each of them, with a part of its weight.

    Raises
    ------
    ValueError
        If a function of class codes has no parameter `weights`.

    Examples
    --------
    >>> measure = measure_for("classification")
    >>> measure.name, measure.higher_is_better, measure.sign
    ('f1_macro', True, 1.0)
    """

    name: str
    higher_is_better: bool
    tasks: frozenset
    needs: str
    function: Callable

    def __post_init__(self):
        if self.needs == "codes" and "weights" not in signature(self.function).parameters:
            raise ValueError(
                f"measure {self.name!r}: its function must take weights, as in {self.name}(true, predicted, "
                "weights=None), because several classes can have the largest share of a row"
            )

    def __call__(self, targets, predictions):
        """Score `predictions` (class shares, numbers or label scores) against coded targets."""
        true = targets.values
        if self.needs == "codes":
            known = ~np.isnan(true[:, 0])
            rows, codes, weights = _predicted_codes(predictions[known])
            return self.function(true[known, 0].astype(np.intp)[rows], codes, weights=weights)
        return self.function(targets if self.needs == "targets" else true, predictions)

    @property
    def sign(self):
        """1.0 when higher is better, otherwise -1.0: `sign` times a difference is positive for the better."""
        return 1.0 if self.higher_is_better else -1.0


_CLASSES = frozenset({"classification"})
_LABELS = frozenset({"multilabel", "hierarchical"})
_NUMBERS = frozenset({"regression", "multitarget"})
MEASURES = {
    measure.name: measure
    for measure in (
        Measure("f1_macro", True, _CLASSES, "codes", f1_macro),
        Measure("f1_positive", True, _CLASSES, "codes", f1_positive),
        Measure("accuracy", True, _CLASSES, "codes", accuracy),
        Measure("balanced_accuracy", True, _CLASSES, "codes", balanced_accuracy),
        Measure("label_average_precision", True, _LABELS, "values", label_average_precision),
        Measure("r2", True, _NUMBERS, "values", r2),
        Measure("auprc_rarer", True, _CLASSES, "values", auprc_rarer),
        Measure("auprc_micro", True, _LABELS, "values", auprc_micro),
        Measure("c_index", True, frozenset({"survival"}), "targets", c_index),
        Measure("rrmse", False, _NUMBERS, "values", rrmse),
    )
}
MEASURES |= {
    name: Measure(name, higher, _LABELS, "values", multilabel.of_known_rows(name))
    for name, (_, _, higher) in multilabel.MEASURES.items()
}

_DEFAULT = {
    "classification": "f1_macro",
    "multilabel": "auprc_micro",
    "hierarchical": "auprc_micro",
    "regression": "rrmse",
    "multitarget": "rrmse",
    "survival": "c_index",
}


def measure_for(task):
    """Return the measure of paper ssl-ranking, Table 4, for a kind of target.

    Parameters
    ----------
    task : str
        One of :data:`sslrank.core.tasks.DATASET_TASKS`.

    Returns
    -------
    Measure

    Raises
    ------
    ValueError
        If the task is unknown.

    Examples
    --------
    >>> measure_for("multitarget").name
    'rrmse'
    """
    if task not in _DEFAULT:
        raise ValueError(f"there is no measure for task {task!r}; the tasks are {', '.join(_DEFAULT)}")
    return MEASURES[_DEFAULT[task]]


def get_measure(name, task):
    """Look up a measure by name, and check that it applies to the task; None is :func:`measure_for`.

    Parameters
    ----------
    name : str, Measure or None
    task : str
        One of :data:`sslrank.core.tasks.DATASET_TASKS`.

    Returns
    -------
    Measure

    Raises
    ------
    ValueError
        If the name is unknown or the measure does not apply.

    Examples
    --------
    >>> get_measure("balanced_accuracy", "classification").needs
    'codes'
    >>> get_measure("rrmse", "classification")
    Traceback (most recent call last):
        ...
    ValueError: measure 'rrmse' is for multitarget, regression, not for 'classification'
    """
    if name is None:
        return measure_for(task)
    if isinstance(name, Measure):
        measure = name
    elif name in MEASURES:
        measure = MEASURES[name]
    else:
        raise ValueError(f"unknown measure {name!r}; available: {', '.join(MEASURES)}")
    if task not in measure.tasks:
        raise ValueError(f"measure {measure.name!r} is for {', '.join(sorted(measure.tasks))}, not for {task!r}")
    return measure


def measure_on_features(name, task):
    """Look up a measure of predictors on the best features; None is accuracy for classes (paper eca), or the default.

    Parameters
    ----------
    name : str or None
    task : str

    Returns
    -------
    Measure

    Examples
    --------
    >>> measure_on_features(None, "classification").name, measure_on_features(None, "regression").name
    ('accuracy', 'rrmse')
    """
    return get_measure(name or ("accuracy" if task == "classification" else None), task)


def score(targets, predictions, measure=None):
    """Score predictions against coded targets.

    Parameters
    ----------
    targets : sslrank.core.targets.Targets
        The true targets of n rows.
    predictions : ndarray of shape (n, n_classes) or (n, T)
        Class shares, numbers or label scores.
    measure : str or Measure, optional
        A name of :data:`MEASURES`; by default the one of Table 4.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the measure is unknown or is not for this kind of target.

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.core.targets import encode_targets
    >>> score(encode_targets(["no", "yes", "yes"], 3), np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]), "accuracy")
    0.6666666666666666
    """
    return get_measure(measure, targets.kind)(targets, predictions)
