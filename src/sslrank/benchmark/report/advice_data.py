"""The answers of the view "Which ranking?" for every choice that can be made there, as JSON."""

import itertools

import pandas as pd

from sslrank.benchmark.report.json_tables import columns_and_rows, plain
from sslrank.stats.arena import DEFAULT, LEAST, LONG, WIDE
from sslrank.stats.similar_datasets import (
    VERDICTS,
    arena_board,
    gain_verdict,
    over_budgets,
    similar_datasets,
    unlabeled_gains,
)

#: Time limits that can be chosen, in seconds; "" is any time.
TIMES = ("", "0.1", "1", "10", "60")
#: Choices about columns and rows, and what they say.
COLUMNS = {"": None, "tall": False, "wide": True}
ROWS = {"": None, "few": False, "long": True}


def advice_data(points, seconds, entered=None):
    """Make the answers from the tables ``arena_points`` and ``arena_seconds``; None without points.

    `entered` is the ranking that a comparison is about. `answers` has by choice (L, kind, columns, rows and time,
    joined by "|"; the L "" is the mean over all): the words of what counts and of what does not, and the indices of its
    `boards` and `gains`, which several answers share.
    """
    if points.empty:
        return None
    budgets, kinds = ["", *dict.fromkeys(points["L"])], ["", *dict.fromkeys(points["task"])]
    points = pd.concat([over_budgets(points), points], ignore_index=True)
    took = {}
    if len(seconds):
        took = {L: part.set_index("ranking")["seconds"].to_dict() for L, part in seconds.groupby("L")}
        took[""] = seconds.groupby("ranking")["seconds"].mean().to_dict()
    boards, gains, answers, seen = [], [], {}, {}

    def place(found, key, make):
        """The index in a list of what `make` gives, made once for each key."""
        if key not in seen:
            seen[key] = len(found)
            found.append(make())
        return seen[key]

    for L, kind, columns, rows in itertools.product(budgets, kinds, COLUMNS, ROWS):
        similar = similar_datasets(points, L, task=kind or None, wide=COLUMNS[columns], long=ROWS[rows])
        same = L, tuple(similar.points.index)
        words = {"with": similar.words, "without": " and ".join(similar.dropped)}
        words["gains"] = place(gains, ("gains", *same), lambda found=similar: _gains(found.points))
        for time in TIMES if took else TIMES[:1]:
            limit = float(time) if time else None
            board = place(
                boards,
                (limit, *same),
                lambda found=similar, L=L, limit=limit: _board(found.points, dict(took.get(L, ())), limit, entered),
            )
            answers["|".join((L, kind, columns, rows, time))] = words | {"board": board}
    choices = {"budgets": budgets, "kinds": kinds, "columns": list(COLUMNS), "rows": list(ROWS)}
    choices["times"] = list(TIMES) if took else []
    about = {"choices": choices, "wide": WIDE, "long": LONG, "default": DEFAULT}
    return about | {"boards": boards, "gains": gains, "answers": answers}


def _board(points, seconds, limit, entered):
    board = arena_board(points, seconds, limit, entered)
    about, count = board.attrs, board.attrs["n_datasets"]
    board = (board if count else board[:0]).rename_axis("ranking").dropna(axis=1, how="all").reset_index()
    made = columns_and_rows(board, 4)
    is_empty = not made["rows"]
    return {
        "n_datasets": 0 if is_empty else count,
        "datasets": [] if is_empty else about["datasets"],
        "absent": about["absent"],
        "is_enough": count >= LEAST,
        "made": made,
    }


def _gains(points):
    """The verdict on unlabelled rows and its evidence; None with fewer than two datasets."""
    found = unlabeled_gains(points)
    if not found:
        return None
    parts = [{name: plain(value, 5) for name, value in vars(gain).items()} for gain in found]
    return {"verdict": VERDICTS[gain_verdict(found)][1], "parts": parts}
