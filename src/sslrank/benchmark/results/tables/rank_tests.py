"""Statistical tests of methods over datasets, by kind of target."""

from itertools import combinations

import pandas as pd

from sslrank.benchmark.results import ALPHA
from sslrank.benchmark.results.tables.ranks import contest
from sslrank.benchmark.results.tables.registry import table
from sslrank.stats.rank_tests import average_ranks, critical_distance, friedman_test


@table("Friedman's test of the rankings, with Iman and Davenport's correction", keys=["task"], values=["p_value"])
def friedman(study, measure=None):
    """Friedman's test that the rankings differ, for each task, or the reason why it is not possible."""
    rows = []
    for task, matrix, dropped in contest(study, measure=measure):
        row = {"task": task, "n_datasets": len(matrix), "n_rankings": matrix.shape[1]}
        note = f"left out: {', '.join(dropped)}" if dropped else ""
        if len(matrix) < 2 or matrix.shape[1] < 3:
            note = "; ".join(filter(None, ["a test needs two datasets and three rankings", note]))
        else:
            test = friedman_test(matrix)
            row |= {
                "chi_squared": test.statistic,
                "chi_squared_p_value": test.p_value,
                "F": test.iman_davenport,
                "p_value": test.iman_davenport_p_value,
                "critical_distance": critical_distance(matrix.shape[1], len(matrix)),
            }
        rows.append(row | {"note": note})
    columns = ["task", "n_datasets", "n_rankings", "chi_squared", "chi_squared_p_value", "F", "p_value"]
    return pd.DataFrame(rows, columns=[*columns, "critical_distance", "note"])


@table("Nemenyi's test of each pair of rankings", keys=["task", "first", "second"], values=["p_value"])
def nemenyi(study, measure=None):
    """Nemenyi's test of each pair of rankings, for each task."""
    from scikit_posthocs import posthoc_nemenyi_friedman  # takes seconds to load

    rows = []
    for task, matrix, _ in contest(study, measure=measure):
        if len(matrix) < 2 or matrix.shape[1] < 2:
            continue
        ranks, p_values = average_ranks(matrix), posthoc_nemenyi_friedman(matrix)
        for first, second in combinations(matrix, 2):
            p_value = p_values.loc[first, second]
            gap = ranks[second] - ranks[first]
            rows.append((task, first, second, gap, p_value, bool(p_value <= ALPHA)))
    return pd.DataFrame(rows, columns=["task", "first", "second", "rank_gap", "p_value", "significant"])
