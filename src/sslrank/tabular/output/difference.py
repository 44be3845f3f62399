"""The differences between two saved rankings that exceed their errors.

References
----------
R. G. Newcombe: Interval estimation for the difference between independent proportions: comparison of eleven methods.
Statistics in Medicine 17, 1998 (method 10: limits of a difference from the limits of both estimates).
G. Y. Zou: Toward using confidence intervals to compare correlations. Psychological Methods 12, 2007 (the same for
correlations).
S. Holm: A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 1979.
"""

import numpy as np
import pandas as pd
from scipy.special import stdtr

from sslrank.hypothesis_tests.related import FDR
from sslrank.stats.pairwise import holm
from sslrank.tabular.trust.effects import AUC, PARTIAL, C, Z, auc_interval

#: Error rate of all features together at which an effect changed.
CHANGED = 0.05
_WHEN = ("before", "after")


def differences(before, after):
    """Compare the features of two rankings of tables that share no rows.

    Parameters
    ----------
    before, after : dict
        The fields of saved rankings, see :func:`sslrank.tabular.output.recipe.read_fields`.

    Returns
    -------
    DataFrame
        A row for each feature of either ranking, indexed by its name, in the order of `after`: rank, q, kind, effect,
        each with the suffixes _before and _after; an effect in the direction before, so that an AUC below 0.5 is of the
        other direction; difference of the effects, low and high (its 95 % interval), p (adjusted by Holm for all
        features that are compared), and change: "gained" and "lost" (related to the target now or before only),
        "stronger", "weaker" or "turned"; empty unless p is at most 0.05. Without difference if the effect has no
        interval (categories, weights, dependent rows), or is of another measure. Of more than two classes it is the AUC
        of one class against the rest, the one with the largest effect in both tables together.
    """
    rows = [pd.DataFrame(fields["features"]).set_index("feature") for fields in (before, after)]
    pairs = rows[1].merge(rows[0], "outer", left_index=True, right_index=True, suffixes=("_after", "_before"))
    pairs = pairs.loc[[*rows[1].index, *rows[0].index.difference(rows[1].index, sort=False)]]
    one, two = ([pairs[f"effect{end}_{when}"].astype(float) for end in ("", "_low", "_high")] for when in _WHEN)
    measure, of = ([pairs[f"{name}_{when}"].fillna("") for when in _WHEN] for name in ("effect_measure", "effect_of"))
    classes = [fields["recipe"]["levels"].get(fields["recipe"]["target"][0]) for fields in (before, after)]
    are_two = classes[0] == classes[1] and len(classes[0] or ()) == 2
    is_one = all(len(fields["table"]["target"]["names"]) == 1 for fields in (before, after))
    turn = pd.Series([_turn(*row, is_one, are_two) for row in zip(*measure, *of, strict=True)], pairs.index)
    turn = turn.where(pairs["kind_before"] == pairs["kind_after"]).where(is_one | (one[0] * two[0] > 0))
    if (of_class := _of_classes(pairs, one, two, before, after)) is not None:
        one, two = of_class
        turn = (pairs["kind_before"] == pairs["kind_after"]).map({True: 1.0, False: np.nan})
    two = [two[0].where(turn != -1, 1 - two[0]), *(two[j].where(turn != -1, 1 - two[3 - j]) for j in (1, 2))]
    difference = (two[0] - one[0]).where(turn.notna())
    down, up = np.hypot(two[0] - two[1], one[2] - one[0]), np.hypot(two[2] - two[0], one[0] - one[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        z = Z * difference.abs() / np.where(difference > 0, down, up)
    has_intervals = z.notna() & pairs["effect_low_before"].notna() & pairs["effect_low_after"].notna()
    freedom = max(min(fields["table"]["n_labeled"] for fields in (before, after)) - 2, 1)  # at least that of Welch
    p = pd.Series(holm(2 * stdtr(freedom, -z.where(has_intervals))), pairs.index)
    related = [pairs[f"q_{when}"].astype(float) <= FDR for when in _WHEN]
    middle = np.where(measure[0].isin([AUC, C]), 0.5, 0.0)
    sizes = [(effect - middle) * np.sign(one[0] - middle) for effect in (one[0], two[0])]
    same_direction = np.where(sizes[1] > sizes[0], "stronger", "weaker")
    change = pd.Series(np.where(sizes[1] < 0, "turned", same_direction), pairs.index)
    change = change.mask(related[1] & ~related[0] & (sizes[1].abs() > sizes[0]), "gained")
    change = change.mask(related[0] & ~related[1] & (sizes[1].abs() < sizes[0]), "lost")
    columns = {f"{name}_{when}": pairs[f"{name}_{when}"] for name in ("rank", "q", "kind") for when in _WHEN}
    columns["effect_measure"] = measure[1].where(measure[1] != "", measure[0])
    columns |= {"effect_before": one[0], "effect_after": two[0]}
    columns |= {"difference": difference, "low": difference - down, "high": difference + up, "p": p}
    return pd.DataFrame(columns).assign(change=change.where(p <= CHANGED, ""))


def _of_classes(pairs, one, two, before, after):
    """Return the AUC and its interval of one class against the rest, before and after, if there are more than two.

    Of a feature it is the class of the largest mean effect: the sum of two estimates is nearly independent of their
    difference, so that this choice makes no difference larger. None if the classes are not the same.
    """
    sizes = [fields["table"]["target"].get("class_sizes", {}) for fields in (before, after)]
    if sizes[0].keys() != sizes[1].keys() or len(sizes[0]) < 3:
        return None
    areas = [np.column_stack([pairs[f"AUC:{name}_{when}"].astype(float) for name in sizes[0]]) for when in _WHEN]
    class_numbers = np.nan_to_num(np.abs(areas[0] + areas[1] - 1)).argmax(axis=1)
    effects_by_class = []
    for when, values, counts, effect in zip(_WHEN, areas, sizes, (one, two), strict=True):
        counts, names = np.array(list(counts.values())), list(counts)
        area, size = values[np.arange(len(class_numbers)), class_numbers], counts[class_numbers]
        low, high = auc_interval(area, size, counts.sum() - size)
        # the saved interval is wider if values are missing, and there is none for dependent rows
        of = [str(text).partition(" in ")[2] for text in pairs[f"effect_of_{when}"]]
        of = [names.index(name) if name in names else 0 for name in of]
        ends = auc_interval(effect[0].to_numpy(), counts[of], counts.sum() - counts[of])
        wider = (effect[2] - effect[1]).to_numpy() / (ends[1] - ends[0])
        effects_by_class.append(
            [pd.Series(x, pairs.index) for x in (area, area - wider * (area - low), area + wider * (high - area))]
        )
    return effects_by_class


def _turn(measure, measure_after, of, of_after, is_one, are_two):
    """Return 1 if two effects are of the same class or target, -1 if an area or C is of the other one, else NaN.

    Of several targets or more than two classes an effect is the largest, so that it has no sign of its own.
    """
    if measure != measure_after:
        return np.nan
    if of == of_after:
        return 1
    is_high = of.startswith("high in ") and of_after.startswith("high in ")
    if is_one and (measure == C or (measure == AUC and are_two and is_high)):
        return -1
    return 1 if is_one and measure == PARTIAL else np.nan
