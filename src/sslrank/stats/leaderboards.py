"""Leaderboard of a table of scores: ranks, intervals, wins and tests."""

from dataclasses import dataclass

import pandas as pd

from sslrank.stats.pairwise import average_rank_intervals, pairwise_tests
from sslrank.stats.rank_tests import rank_table

#: Columns of the table of a :class:`Leaderboard`.
BOARD_COLUMNS = [
    *("method", "average_rank", "lower", "upper", "win_rate", "wins", "ties", "losses", "score", "n_datasets"),
    *("p_holm", "significant"),
]


@dataclass(frozen=True, repr=False)
class Leaderboard:
    """Result of :func:`leaderboard`.

    Attributes
    ----------
    table : DataFrame
        One row per method, best first: method; average_rank with its bootstrap interval lower and upper; win_rate, the
        share of datasets on which it is the best (ties share the win); wins, ties and losses against all other methods,
        in datasets; score, the mean; n_datasets; p_holm and significant of its test against the first method (NaN and
        False for the first). Ranks, win_rate and score are over the datasets on which all methods have a score.
    pairs : DataFrame
        One row per pair of methods: the columns of :func:`sslrank.stats.pairwise.pairwise_tests`. A pair is compared on
        all datasets that both have.
    left_out : list of str
        Datasets on which a method lacks a score; they do not count in the ranks.

    Examples
    --------
    >>> frame = pd.DataFrame({"dataset": ["iris", "iris"], "method": ["a", "b"], "score": [0.9, 0.8]})
    >>> leaderboard(frame).table[["method", "average_rank"]].values.tolist()
    [['a', 1.0], ['b', 2.0]]
    """

    table: pd.DataFrame
    pairs: pd.DataFrame
    left_out: list

    def __repr__(self):
        return self.table.to_string(index=False)


def leaderboard(frame, *, higher_is_better=True):
    """Compare methods over datasets by average ranks with intervals, wins and significant differences.

    The results page of a study shows it.

    Parameters
    ----------
    frame : DataFrame
        Columns dataset, method and score, with one row for each method and dataset; average over folds first.
        Missing rows and NaN mean no score. Other columns are ignored.
    higher_is_better : bool, default=True

    Returns
    -------
    Leaderboard

    Raises
    ------
    ValueError
        If a column is missing, there is no score, or a method has two scores on a dataset.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = {"iris": [0.9, 0.8, 0.5], "wine": [0.8, 0.7, 0.6], "zoo": [0.7, 0.7, 0.4]}
    >>> frame = pd.DataFrame(scores, index=["forest", "relief", "random"]).rename_axis("method")
    >>> frame = frame.reset_index().melt(id_vars="method", var_name="dataset", value_name="score")
    >>> found = leaderboard(frame)
    >>> found.table[["method", "average_rank", "win_rate", "wins", "ties", "losses"]].round(2)
       method  average_rank  win_rate  wins  ties  losses
    0  forest          1.17      0.83     5     1       0
    1  relief          1.83      0.17     3     1       2
    2  random          3.00      0.00     0     0       6
    >>> found.pairs[["first", "second", "mean_difference", "p_holm"]].round(2)
        first  second  mean_difference  p_holm
    0  forest  relief             0.07    0.75
    1  forest  random             0.30    0.75
    2  relief  random             0.23    0.75
    """
    matrix = _matrix(frame)
    complete = matrix.dropna()
    options = {"higher_is_better": higher_is_better}
    if len(complete):
        order = rank_table(complete, **options).mean(axis=0)
    else:
        order = matrix.mean(axis=0) * (-1 if higher_is_better else 1)
    order = order.sort_values(kind="stable").index
    pairs = pairwise_tests(matrix[order], **options)
    table = _board(complete, pairs, order, higher_is_better)
    left_out = [str(name) for name in matrix.index if name not in complete.index]
    return Leaderboard(table, pairs, left_out)


def _matrix(frame):
    """Pivot scores to datasets by methods; NaN if there is none."""
    missing = [name for name in ("dataset", "method", "score") if name not in frame]
    if missing:
        raise ValueError(f"the columns dataset, method and score are needed; {', '.join(missing)} is missing")
    frame = frame[["dataset", "method", "score"]].dropna(subset="score")
    frame = frame.assign(method=frame["method"].astype(str), score=frame["score"].astype(float))
    if frame.empty:
        raise ValueError("there is no score")
    twice = frame[frame.duplicated(["dataset", "method"])]
    if len(twice):
        method, dataset = twice.iloc[0][["method", "dataset"]]
        raise ValueError(f"method {method!r} has several scores on dataset {dataset!r}; average them first")
    return frame.pivot(index="dataset", columns="method", values="score")


def _board(complete, pairs, order, higher_is_better):
    board = average_rank_intervals(complete, higher_is_better=higher_is_better).reindex(order)
    best = complete.max(axis=1) if higher_is_better else complete.min(axis=1)
    best = complete.eq(best, axis=0)  # ties share the win
    board["win_rate"] = best.div(best.sum(axis=1), axis=0).mean(axis=0)
    board["score"] = complete.mean(axis=0)
    turned = pairs.rename(columns={"first": "second", "second": "first", "wins": "losses", "losses": "wins"})
    counts = pd.concat([pairs, turned]).groupby("first")[["wins", "ties", "losses"]].sum()
    board[["wins", "ties", "losses"]] = counts.reindex(order, fill_value=0)
    to_first = pairs[pairs["first"] == order[0]].set_index("second").reindex(order)
    board["n_datasets"], board["p_holm"] = len(complete), to_first["p_holm"]
    board["significant"] = to_first["significant"].eq(True)
    return board.rename_axis("method").reset_index()[BOARD_COLUMNS]
