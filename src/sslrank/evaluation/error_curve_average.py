"""Error curve averages: one number for the quality of a ranking (paper eca, Eqs. 1 to 5)."""

import numpy as np
import pandas as pd

from sslrank.core.validation import check_choice
from sslrank.metrics.averages import fold_average
from sslrank.metrics.single import MEASURES

#: The four weightings of section 3.2 as functions of the difference and the size of the feature set.
WEIGHTINGS = {
    "1": lambda difference, size: np.ones_like(difference),
    "1/|S|": lambda difference, size: 1.0 / size,
    "|delta|": lambda difference, size: np.abs(difference),
    "|delta|/|S|": lambda difference, size: np.abs(difference) / size,
}


#: Sizes of the average of Eq. (3) for a curve that skips sizes.
STEPS = ("every", "computed")


def weighted_difference(difference, sizes, weighting="1", *, steps="every"):
    """Average the differences of two curves with weights (Eq. 3).

    Parameters
    ----------
    difference : array-like of shape (n,)
        Differences at `sizes`.
    sizes : array-like of shape (n,)
        Ascending.
    weighting : {"1", "1/|S|", "|delta|", "|delta|/|S|"}
    steps : {"every", "computed"}, default="every"
        Sizes to average over: "every" size 1, 2, ..., max(sizes), with interpolated differences, or only the "computed"
        `sizes`. Section 3.1 allows curves to skip sizes and does not say which. If all sizes are given, both equal Eq.
        (3).

    Returns
    -------
    float
        0 if all weights are 0 (equal curves with "|delta|").

    Raises
    ------
    ValueError
        If the weighting or the steps are unknown.

    Examples
    --------
    >>> weighted_difference([0.2, 0.1], [1, 3]), round(weighted_difference([0.2, 0.1], [1, 2], "1/|S|"), 3)
    (0.15000000000000002, 0.167)
    >>> round(weighted_difference([0.2, 0.1], [1, 3], "1/|S|"), 4)
    0.1682
    >>> round(weighted_difference([0.2, 0.1], [1, 3], "1/|S|", steps="computed"), 4)
    0.175
    """
    check_choice("steps", steps, STEPS)
    check_choice("weighting", weighting, WEIGHTINGS)
    sizes, difference = np.asarray(sizes, dtype=np.float64), np.asarray(difference, dtype=np.float64)
    if steps == "every" and sizes[-1] > len(sizes):
        all_sizes = np.arange(1.0, sizes[-1] + 1)
        sizes, difference = all_sizes, np.interp(all_sizes, sizes, difference)
    weights = WEIGHTINGS[weighting](difference, sizes)
    total = weights.sum()
    return float((weights * difference).sum() / total) if total > 0 else 0.0


def mean_curves(curves):
    """Average curves over the folds, weighted by their test-set sizes.

    Parameters
    ----------
    curves : DataFrame
        From :func:`sslrank.evaluation.error_curves`; `fold`, `n_test` and `ranking` may be missing.

    Returns
    -------
    DataFrame
        Columns ranking, curve, size, measure, value.

    Examples
    --------
    >>> import pandas as pd
    >>> curves = pd.DataFrame({"curve": "FFA", "fold": [0, 1], "n_test": [10, 30], "size": 1, "value": [0.5, 0.9]})
    >>> mean_curves(curves)[["curve", "size", "value"]]
      curve  size  value
    0   FFA     1    0.8
    """
    curves = curves.assign(
        ranking=curves.get("ranking", "ranking"), n_test=curves.get("n_test", 1), measure=curves.get("measure", "")
    )
    keys = ["ranking", "curve", "size", "measure"]
    groups = curves.groupby(keys, sort=False)[["value", "n_test"]]
    values = [(*key, fold_average(part["value"], part["n_test"])) for key, part in groups]
    return pd.DataFrame(values, columns=[*keys, "value"])


def _sign(measures):
    names = set(measures)
    if len(names) != 1 or not names <= set(MEASURES):
        raise ValueError(f"expected one measure of {', '.join(MEASURES)}, got {', '.join(sorted(map(str, names)))}")
    return MEASURES[names.pop()].sign


def _curves(table, ranking):
    """Return the sizes, and the FFA and RFA curves of a ranking."""
    parts = []
    for name in ("FFA", "RFA"):
        parts.append(table[(table["ranking"] == ranking) & (table["curve"] == name)].sort_values("size"))
        if parts[-1].empty:
            raise ValueError(f"ranking {ranking!r} has no {name} curve")
    sizes, other = (part["size"].to_numpy() for part in parts)
    _matching(sizes, other, "the RFA curve")
    return sizes, *(part["value"].to_numpy() for part in parts)


def _matching(sizes, other, what):
    if len(sizes) != len(other) or (sizes != other).any():
        raise ValueError(f"{what} has other sizes than the curves; compute both with the same `sizes`")


def eca(curves, expected=None, weighting="1", *, steps="every"):
    """Compute ECA of rankings against random ones (section 3.3): positive is better than random.

    Parameters
    ----------
    curves : DataFrame
        From :func:`sslrank.evaluation.error_curves`.
    expected : DataFrame, optional
        From :func:`sslrank.evaluation.expected_curve`. Not needed with weighting "1", with which it cancels: the score
        is then half the mean of FFA - RFA, without sampling error.
    weighting : {"1", "1/|S|", "|delta|", "|delta|/|S|"}, default="1"
        The weights w_i of Eq. (3).
    steps : {"every", "computed"}, default="every"
        Sizes that the average runs over; see :func:`weighted_difference`.

    Returns
    -------
    float or Series
        One number, or one per ranking if there are several. If lower values are better, the sign is reversed,
        so that positive is better.

    Raises
    ------
    ValueError
        If `expected` is required but missing, its sizes differ, or the measure is not in
        :data:`sslrank.metrics.single.MEASURES`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank.evaluation import eca, error_curves
    >>> X, y = load_iris(return_X_y=True)
    >>> eca(error_curves("knn", X, y, {"good": [0.1, 0.0, 0.9, 1.0], "bad": [1.0, 0.9, 0.0, 0.1]}, cv=3)).round(2)
    good    0.09
    bad    -0.05
    Name: eca, dtype: float64
    """
    table = mean_curves(curves)
    sign = _sign(table["measure"])
    names = list(dict.fromkeys(table["ranking"]))
    averages = {}
    for name in names:
        sizes, forward, reverse = _curves(table, name)
        if expected is None:
            if weighting != "1":
                raise ValueError(f"weighting {weighting!r} needs the expected curve of random rankings")
            averages[name] = sign * weighted_difference(forward - reverse, sizes, steps=steps) / 2
            continue
        _matching(sizes, expected["size"].to_numpy(), "the expected curve")
        level = expected["value"].to_numpy()
        ffa = weighted_difference(sign * (forward - level), sizes, weighting, steps=steps)
        rfa = weighted_difference(sign * (reverse - level), sizes, weighting, steps=steps)
        averages[name] = (ffa - rfa) / 2
    return averages[names[0]] if len(names) == 1 else pd.Series(averages, name="eca")


def compare_rankings(curves, first, second, weighting="1"):
    """Compare two rankings by their curves (Eqs. 1, 2 and 4).

    Parameters
    ----------
    curves : DataFrame
        From :func:`sslrank.evaluation.error_curves`, with both rankings in it.
    first, second : str
        Names of the rankings.
    weighting
        As in :func:`eca`.

    Returns
    -------
    dict
        "FFA" (positive: the first is better), "RFA" (negative: the first is better) and "ECA", half their
        difference (positive: the first is better).

    Raises
    ------
    ValueError
        If a curve is missing, sizes differ or the measure is unknown.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank.evaluation import compare_rankings, error_curves
    >>> X, y = load_iris(return_X_y=True)
    >>> curves = error_curves("knn", X, y, {"good": [0.1, 0.0, 0.9, 1.0], "bad": [1.0, 0.9, 0.0, 0.1]}, cv=3)
    >>> {name: round(value, 2) for name, value in compare_rankings(curves, "good", "bad").items()}
    {'FFA': 0.11, 'RFA': -0.17, 'ECA': 0.14}
    """
    table = mean_curves(curves)
    sign = _sign(table["measure"])
    sizes, *one = _curves(table, first)
    other_sizes, *two = _curves(table, second)
    _matching(sizes, other_sizes, f"ranking {second!r}")
    ffa, rfa = (weighted_difference(sign * (a - b), sizes, weighting) for a, b in zip(one, two, strict=True))
    return {"FFA": ffa, "RFA": rfa, "ECA": (ffa - rfa) / 2}
