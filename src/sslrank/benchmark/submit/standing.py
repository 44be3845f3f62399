"""The place of a result among the others, in lines for the terminal."""

from sslrank.benchmark.files import read_table
from sslrank.benchmark.results.tables.arena import DEFAULT_RANKING, datasets_needed
from sslrank.benchmark.results.tables.leaderboard import first_contest, place


def standing(tables, name):
    """Describe the place of a result in lines, from the tables of its comparison, which its page also shows."""
    board, pairs, scores, names = (
        read_table(tables / f"{part}.csv") for part in ("leaderboard", "pairs", "contest_scores", "names")
    )
    names = names.set_index("name")["title"].to_dict()
    contest = first_contest(board, name)
    own_row = contest[(contest["method"] == name) & contest["average_rank"].notna()]
    if own_row.empty or (own_row["n_datasets"] < 2).all():
        yield f"{name} has no place: that needs all scores on two datasets"
        return
    ranked = contest.dropna(subset="average_rank")
    for row in own_row.itertuples():  # most rankers have one ranking, with the entry's name
        number, n_ranked = place(contest, row.entry)
        place_text = f"rank {number} of {n_ranked}"
        yield f"{names[row.entry]} has {place_text} on the {row.n_datasets} datasets that all rankings have:"
        yield f"  average rank {row.average_rank:.1f} (95 % interval {row.lower:.1f} to {row.upper:.1f}); 1 is the best"
        if row.relative == row.relative:
            yield f"  {row.relative:.2f} on the scale from a random ranking (0) to the oracle (1)"
        if row.entry != DEFAULT_RANKING and DEFAULT_RANKING in set(ranked["entry"]):
            yield from _against(row, pairs, scores, names)
        order = ranked["entry"].to_list()
        position = order.index(row.entry)
        neighbors = order[max(position - 1, 0) : position + 2]
        listed_rows = {*order[:3], *neighbors, DEFAULT_RANKING, "scikit_forest"}
        yield "    place  average rank  ranking"
        for other in ranked[ranked["entry"].isin(listed_rows)].itertuples():
            mark = "  <- the default" if other.entry == DEFAULT_RANKING else ""
            mark = "  <- yours" if other.entry == row.entry else mark
            number = place(contest, other.entry)[0]
            yield f"    {number:5}  {other.average_rank:12.1f}  {names[other.entry]}{mark}"


def _against(row, pairs, scores, names):
    """Compare an entry with the default, in points (100 times the measure)."""
    tested = pairs[(pairs["mode"] == row.mode) & (pairs["task"] == row.task)]
    compared = [row.entry, DEFAULT_RANKING]
    pair = tested[tested["first"].isin(compared) & tested["second"].isin(compared)].iloc[0]
    is_first = pair["first"] == row.entry
    sign, (wins, losses) = (1, (pair.wins, pair.losses)) if is_first else (-1, (pair.losses, pair.wins))
    yield f"  against the default, {names[DEFAULT_RANKING]}: better on {wins} datasets, worse on {losses}"
    low, high = sorted([100 * sign * pair.low, 100 * sign * pair.high])
    yield f"    {100 * sign * pair.mean_difference:+.2f} points (95 % interval {low:+.2f} to {high:+.2f})"
    scores_of_both = scores[scores["counts"] & (scores["mode"] == row.mode)]
    scores_of_both = scores_of_both.pivot(index="dataset", columns="entry", values="score")[compared].dropna()
    n_needed = datasets_needed(scores_of_both[row.entry] - scores_of_both[DEFAULT_RANKING])
    if n_needed > len(scores_of_both):
        yield f"    detecting such a difference with a power of 80 % takes {n_needed:.0f} datasets"
