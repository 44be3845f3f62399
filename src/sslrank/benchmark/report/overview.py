"""First view of the results page: answer, leaderboard, and scores by dataset."""

from html import escape

import numpy as np
import pandas as pd

from sslrank.benchmark.report.answers import answers
from sslrank.benchmark.report.context import HEADS
from sslrank.benchmark.results.study import is_higher_better
from sslrank.benchmark.results.tables.leaderboard import first_contest, place
from sslrank.benchmark.results.tables.ranks import ALL_VALUES
from sslrank.plotting import charts, pages
from sslrank.plotting.pages import text_of
from sslrank.stats.pairwise import cliques

SCALE = (
    "On the scale from 0 to 1 a random ranking has 0 and the oracle, which ranks with all labels, has 1. The oracle is "
    "a yardstick, not a limit: above 1 a ranking is better than the oracle, below 0 worse than a random one. Empty if "
    "the oracle is not significantly better than a random ranking."
)
NOT_BETTER = "° is not significantly better than a random ranking (corrected resampled t-test over the folds)."


def contests(context):
    """List the contests (mode and kind of target); the one to show first is at the start."""
    keys = list(context.board.groupby(["mode", "task"], sort=False).groups) if len(context.board) else []
    first = first_contest(context.board, context.config.get("entered")) if keys else context.board
    first = (first["mode"].iloc[0], first["task"].iloc[0]) if len(first) else None
    return sorted(keys, key=lambda key: key != first)


def overview(context):
    """Build answer, leaderboard and scores of each contest."""
    parts = [
        (f"{mode}-{task}", context.contest(mode, task), _contest(context, mode, task))
        for mode, task in contests(context)
    ]
    if not parts:
        return "<h2>Overview</h2><p>No two rankings have scores on a common dataset: there is no leader.</p>"
    return "<h2>Overview</h2>" + pages.tabs("contest", "Kind of target", parts)


def _contest(context, mode, task):
    board = context.board[(context.board["mode"] == mode) & (context.board["task"] == task)]
    cells = context.scores[context.scores["mode"] == mode]
    cells = cells if task == ALL_VALUES else cells[cells["task"] == task]
    leaders = answers(board, context.pairs, context.names, cells) or []
    cards = "".join(
        f'<div><h3>{escape(question)}</h3><p class="large">{escape(large)}</p><p>{escape(text)}</p></div>'
        for question, large, text in leaders
    )
    ranked = board.dropna(subset="average_rank")
    note = "" if len(ranked) else "<p>No two rankings have scores on a common dataset: there is no leader.</p>"
    return (
        f'<h3>{escape(context.contest(mode, task))}</h3>{note}<div class="cards">{_card(context, board)}{cards}</div>'
        f"{leaderboard(context, board)}"
        f"<h3>Dataset by dataset</h3>{scores_table(context, cells)}"
    )


def _card(context, board):
    """Describe the place of the submitted result."""
    cards = ""
    for row in board[board["method"] == context.config.get("entered")].itertuples():
        large, text = "Without a rank", "Some of its scores are missing: see Runs."
        if not np.isnan(row.average_rank):
            large = "Number {} of {}".format(*place(board, row.entry))
            text = f"Average rank {row.average_rank:.2f} on the {row.n_datasets} datasets with scores of all of these."
        name = escape(context.title(row.entry))
        cards += f'<div class="mine"><h3>Your ranking: {name}</h3><p class="large">{large}</p><p>{text}</p></div>'
    return cards


def leaderboard(context, board):
    """Format the leaderboard of a contest: ranks, groups, differences from the first, and controls."""
    ranked = board.dropna(subset="average_rank")
    mode, task = board["mode"].iloc[0], board["task"].iloc[0]
    pairs = context.pairs
    pairs = pairs[(pairs["mode"] == mode) & (pairs["task"] == task)] if len(pairs) else pairs
    order = list(ranked["entry"])
    runs = cliques(order, pairs) if len(pairs) and pairs["p_holm"].notna().any() else []
    letters = {name: "".join(chr(97 + i % 26) for i, run in enumerate(runs) if name in run) for name in order}
    high = max(ranked["upper"].fillna(ranked["average_rank"]).max(), 2) if len(ranked) else 2
    behind = pairs[pairs["first"] == order[0]].set_index("second") if len(pairs) else pairs
    table = board.reset_index(drop=True)
    wins = ["" if np.isnan(share) else f"{share:.0%}" for share in table["win_rate"].astype(float)]
    html = {"entry": [], "average_rank": [], "behind": [], "win_rate": wins}
    for row in table.itertuples():
        by = ""
        if not row.control and set(str(row.method).split(", ")) & set(context.study.family_of):
            by = ", ".join(map(context.method_title, row.method.split(", ")))
            by = f"<small>computed by {escape(by)}</small>"
        html["entry"].append(context.entry_with_colour(row.entry) + by)
        html["average_rank"].append(_rank(row, high, context.css_classes.get(row.entry, "")))
        gap = behind.loc[row.entry] if row.entry in behind.index else None
        has_interval = gap is not None and not np.isnan(gap["low"])
        values = "{mean_difference:.3f}<small>{low:.3f} to {high:.3f}</small>".format(**gap) if has_interval else ""
        html["behind"].append(values.replace("-", "\u2212"))
    table["group"] = table["entry"].map(letters).fillna("")
    table["behind"] = table["entry"].map(behind["mean_difference"]) if len(behind) else np.nan
    table["beats random"] = [
        "" if np.isnan(row.better_than_random) else f"{row.better_than_random:.0f} of {row.n_tested:.0f}"
        for row in table.astype({"better_than_random": float}).itertuples()
    ]
    columns = ["entry", "average_rank", "group", "behind", "win_rate", "relative", "beats random", "score", "seconds"]
    table = table[[*columns, "n_datasets", "control"]]
    empty = [name for name in columns[2:] if table[name].replace("", np.nan).isna().all()]
    rows = ["control" if control else "" for control in table["control"]]
    heads = {"entry": "ranking", "behind": "behind the first", "win_rate": "wins", "relative": "0 random, 1 oracle"}
    explained = {
        "group": "Rankings that share a letter do not differ significantly (tests of the pairs, Holm's correction).",
        "behind": "Behind the first: mean difference of the scores, with its 95 % interval over the datasets.",
        "win_rate": "Wins: share of the datasets on which a ranking is the best.",
        "relative": SCALE,
    }
    sentences = ["Mean rank over the datasets; 1 is the best."]
    if ranked["lower"].notna().any():
        sentences.append("The interval is a bootstrap over the datasets.")
    sentences += [text for name, text in explained.items() if name not in empty]
    sentences += ["Controls, in italics, take no part in ranks and tests."] * any(rows)
    table = table.drop(columns=[*empty, "control"])
    options = {"heads": HEADS | heads, "html": html, "rows": rows, "file": "tables/leaderboard.csv"}
    return (
        f'<h3>Leaderboard</h3>{pages.table(table, "Leaderboard", **options)}<p class="soft">{" ".join(sentences)}</p>'
    )


def _rank(row, high, kind):
    if np.isnan(row.average_rank):
        return ""
    if np.isnan(row.lower):
        return f"{row.average_rank:.2f}"
    positions = [(value - 1) / (high - 1) for value in (row.average_rank, row.lower, row.upper)]
    return f"{charts.strip(*positions, kind)}{row.average_rank:.2f}<small>{row.lower:.1f} to {row.upper:.1f}</small>"


def scores_table(context, cells):
    """Format scores of a contest, datasets by entries; bold: best of a dataset, °: not better than random."""
    if not len(cells):
        return ""
    lead = ["dataset", *(name for name in ("task", "measure") if cells[name].nunique() > 1)]
    order = [*cells.loc[~cells["control"], "entry"].unique(), *cells.loc[cells["control"], "entry"].unique()]
    unit = "" if "measure" in lead else f"<p class=soft>{escape(context.measure_title(cells['measure'].iloc[0]))}.</p>"
    tested = cells["better_than_random"].notna().any()
    note = f'<p class="soft">{NOT_BETTER}</p>' if tested else ""
    return (
        unit + note + wide(context, cells, lead, "entry", "score", order, "Scores, dataset by dataset",
                           file="tables/contest_scores.csv")
    )  # fmt: skip


def wide(context, cells, lead, across, value, order, caption, file=None):
    """Format a table with a column for each name; bold: best of a row, °: not better than a control.

    Returns None if a cell would have several values.
    """
    cells = cells.reset_index(drop=True)
    if cells.duplicated([*lead, across]).any():
        return None
    index = cells.set_index(lead).index.unique()
    keys = [*lead, across]
    values = cells.set_index(keys)[value].unstack(across).reindex(index)[order]
    flag = next((name for name in ("better_than_random", "better_than_control") if name in cells), None)
    weak = cells.set_index(keys)[flag].eq(False).unstack(across).reindex(index)[order] if flag else None
    controls = cells.loc[cells["control"].eq(True), across].unique() if "control" in cells else []
    table = context.with_titles(values.index.to_frame(index=False)).join(values.reset_index(drop=True))
    html, marks = {}, pd.DataFrame("", index=table.index, columns=table.columns)
    contest = values.drop(columns=controls)
    if "measure" in lead:
        lower = [not is_higher_better(name) for name in values.index.get_level_values("measure")]
    else:
        falls = "measure" in cells and not is_higher_better(cells["measure"].iloc[0])
        lower = [falls or value in ("rank", "average_rank")] * len(values)
    best = contest.max(axis=1).where(~np.array(lower), contest.min(axis=1)).to_numpy()
    for name in order:
        html[name] = [text_of(float(number)) for number in values[name]]
        if flag:
            html[name] = [text + " °" * mark for text, mark in zip(html[name], weak[name].eq(True), strict=True)]
        is_best = (values[name].to_numpy() == best) & (name not in controls)
        kind = "number control" if name in controls else "number"
        marks[name] = [f'class="{kind} best"' if shown else f'class="{kind}"' for shown in is_best]
    heads = HEADS | {name: context.title(name) for name in order}
    return pages.table(table, caption, heads=heads, html=html, marks=marks, file=file)
