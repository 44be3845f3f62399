"""Whether a rule could choose the ranking for a dataset: what differences between rankings depend on."""

import numpy as np
import pandas as pd

from sslrank.benchmark.results.tables.arena import ALL_VALUES, by_family
from sslrank.benchmark.results.tables.arena_points import arena_points
from sslrank.benchmark.results.tables.registry import table
from sslrank.datasets.arena import family_of


@table("Differences between rankings: by dataset, and by what describes datasets", keys=["first", "second"], values=[])
def arena_dependence(study, pairs):
    """What the difference of two rankings depends on, over datasets and L.

    `icc` is the intraclass correlation of the differences of a dataset over L: 1 if a dataset has the same difference
    at every L, 0 if datasets do not differ. `explained` is the share of the variance that a linear regression on the
    logarithms of rows, features and L and on the kind of target explains; `explained_elsewhere` is this share on
    families that the regression has not seen, below 0 if it predicts them worse than their mean does.
    """
    points, rows = arena_points(study), []
    for first, second in pairs:
        if not {first, second} <= set(points):
            continue
        part = points.assign(difference=points[first] - points[second]).dropna(subset="difference")
        wide = part.pivot(index="dataset", columns="L", values="difference").dropna()
        facts = [np.log(part[name].astype(float)) for name in ("rows", "features", "L")]
        X = np.column_stack([np.ones(len(part)), *facts, pd.get_dummies(part["task"], drop_first=True, dtype=float)])
        y, family = part["difference"].to_numpy(), part["dataset"].map(family_of).to_numpy()
        predicted, mean = np.empty(len(y)), np.empty(len(y))
        for name in np.unique(family):
            out = family == name
            predicted[out], mean[out] = X[out] @ _coefficients(X[~out], y[~out]), y[~out].mean()
        row = {"first": first, "second": second, "n_datasets": len(wide), "icc": intraclass_correlation(wide)}
        row["explained"] = 1 - np.sum((y - X @ _coefficients(X, y)) ** 2) / np.sum((y - y.mean()) ** 2)
        row["explained_elsewhere"] = 1 - np.sum((y - predicted) ** 2) / np.sum((y - mean) ** 2)
        rows.append(row)
    columns = ["first", "second", "n_datasets", "icc", "explained", "explained_elsewhere"]
    return pd.DataFrame(rows, columns=columns)


def _coefficients(X, y):
    return np.linalg.lstsq(X, y, rcond=None)[0]


def intraclass_correlation(values):
    """Compute the one-way intraclass correlation, ICC(1), of a table of groups by repetitions.

    Parameters
    ----------
    values : DataFrame of shape (n_groups, n_repetitions)

    Returns
    -------
    float

    Examples
    --------
    >>> round(intraclass_correlation(pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": [1.2, 1.8, 3.9]})), 3)
    0.993
    """
    k = values.shape[1]
    between, within = k * values.mean(axis=1).var(), values.var(axis=1).mean()
    return float((between - within) / (between + (k - 1) * within))


@table("Gain of choosing one of two rankings for each dataset", keys=["choice", "L"], values=["gain"])
def arena_choices(study, first, second, vote):
    """Points over the vote of two rankings if one of the two is chosen for each dataset, mean over families.

    "better at other L" chooses the one with more points at the other numbers of labels: a landmark that looks at test
    rows. "better" looks at the points themselves: no choice gains more.
    """
    points = arena_points(study)
    if not {first, second, vote} <= set(points):
        return pd.DataFrame(columns=["choice", "L", "n_families", "gain", "standard_error"])
    wide = points.pivot(index="dataset", columns="L", values=[first, second, vote]).dropna()
    lead = wide[first] - wide[second]
    elsewhere = pd.DataFrame({budget: lead.drop(columns=budget).mean(axis=1) for budget in lead})
    scores_by_choice = {
        first: wide[first],
        second: wide[second],
        "better at other L": wide[first].where(elsewhere > 0, wide[second]),
        "better": wide[first].where(lead > 0, wide[second]),
    }
    rows = []
    for choice, scores in scores_by_choice.items():
        gains = by_family(scores - wide[vote])
        for budget in (ALL_VALUES, *gains):
            gain = gains.mean(axis=1) if budget == ALL_VALUES else gains[budget]
            row = {"choice": choice, "L": budget, "n_families": len(gain)}
            rows.append(row | {"gain": gain.mean(), "standard_error": gain.sem()})
    return pd.DataFrame(rows)
