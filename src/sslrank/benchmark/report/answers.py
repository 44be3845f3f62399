"""Answers at the top of the results page: the leader, its lead, and the significance of the lead."""

import pandas as pd

from sslrank.core.messages import counted


def answers(board, pairs, names, scores=None):
    """Return leader, lead and significance of the lead, each as question, short answer and sentence.

    `board` is one contest of the table "leaderboard", `pairs` the table "pairs", `names` maps names to titles, `scores`
    has the contest's rows of the table "contest_scores", used for a study of one dataset. Returns None without a
    contest.
    """
    ranked = board[board["average_rank"].notna()].sort_values("average_rank", kind="stable")
    if len(ranked) < 2:
        return None
    first, second = ranked.iloc[0], ranked.iloc[1]
    n = int(first["n_datasets"])
    called = {name: names.get(name, name) for name in ranked["entry"]}
    if n == 1 and scores is not None and len(scores):
        return _answers_for_one_dataset(ranked, pairs, scores, called)
    leaders = [called[name] for name in ranked.loc[ranked["average_rank"] == first["average_rank"], "entry"]]
    where = f"on {counted(n, 'dataset')}"
    # If several lead, do not describe only the first.
    alone = len(leaders) == 1
    wins = "" if not alone or pd.isna(first["win_rate"]) else f"; the best on {100 * first['win_rate']:.0f} % of them"
    interval = ""
    if alone and not pd.isna(first["lower"]):
        interval = f" (95 % interval {first['lower']:.1f} to {first['upper']:.1f})"
    who = (
        "Who leads?",
        " and ".join(leaders) + (" tie" if len(leaders) > 1 else ""),
        f"Average rank {first['average_rank']:.2f}{interval} among {len(ranked)} rankings {where}{wins}.",
    )
    after = ranked[ranked["average_rank"] > first["average_rank"]]
    follows = "All are equal."
    if len(after):
        names = after.loc[after["average_rank"] == after["average_rank"].iloc[0], "entry"]
        follows = f"{_and([called[name] for name in names])} follow{'s' * (len(names) == 1)} "
        follows += f"with {after['average_rank'].iloc[0]:.2f}."
    gap = second["average_rank"] - first["average_rank"]
    scale = ""
    if not pd.isna(first["relative"]):
        scale = " On the scale from a random ranking (0) to an oracle that sees all labels (1), "
        scale += f"{called[first['entry']]} reaches {first['relative']:.2f}, "
        scale += f"{called[second['entry']]} {second['relative']:.2f}."
    much = ("By how much?", f"{gap:.2f} ranks" if gap else "Not at all", follows + scale)
    return [who, much, _significance(first, ranked, pairs, called)]


def _answers_for_one_dataset(ranked, pairs, scores, called):
    """Answer for a study of one dataset, with scores and tests over its folds."""
    scores = scores[scores["counts"] & scores["entry"].isin(ranked["entry"])].set_index("entry").loc[ranked["entry"]]
    dataset, best = scores["dataset"].iloc[0], scores.iloc[0]
    leaders = [called[name] for name in scores.index[scores["score"] == best["score"]]]
    others = scores[scores["score"] != best["score"]]
    error = "" if pd.isna(best["standard_error"]) else f" (standard error over the folds {best['standard_error']:.3f})"
    who = f"Score {best['score']:.3f} on {dataset}{error}, among {len(scores)} rankings."
    gap = abs(best["score"] - others["score"].iloc[0]) if len(others) else 0.0
    follows = "All are equal."
    if len(others):
        follows = f"{called[others.index[0]]} follows with {others['score'].iloc[0]:.3f}."
    tested = scores["better_than_random"].dropna()
    better = [called[name] for name in tested.index[tested.eq(True)]]
    word, matters = "No test", "A test needs several datasets, or folds and a random ranking."
    if len(tested):
        word = f"{len(better)} of {len(tested)} beat random"
        matters = (
            f"Significantly better than a random ranking: {_and(better) if better else 'none'} (corrected resampled "
        )
        matters += "t-test over the folds). Which ranking is the best elsewhere one dataset cannot show."
    if len(pairs) and pairs["low"].notna().any():  # repeated folds
        _, word, said = _significance(ranked.iloc[0], ranked, pairs, called)
        matters = f"{said} {matters}" if len(tested) else said
    return [
        ("Who leads?", _and(leaders) + (" tie" if len(leaders) > 1 else ""), who),
        ("By how much?", f"{gap:.3f}" if gap else "Not at all", follows),
        ("Does it matter?", word, matters),
    ]


def _significance(first, ranked, pairs, called):
    """Answer whether the leader differs significantly from the others."""
    question, leader = "Does it matter?", first["entry"]
    part = pairs[(pairs["mode"] == first["mode"]) & (pairs["task"] == first["task"])] if len(pairs) else pairs
    of_leader = part[(part["first"] == leader) | (part["second"] == leader)] if len(part) else part
    tested = of_leader[of_leader["p_holm"].notna()] if len(of_leader) else of_leader
    if not len(tested):
        return question, "No test", "A test needs scores of two rankings on several datasets or repeated folds."
    other = tested["second"].where(tested["first"] == leader, tested["first"])
    order = [name for name in ranked["entry"] if name != leader]
    beaten = [called[name] for name in order if name in set(other[tested["significant"]])]
    not_beaten = [called[name] for name in order if name in set(other[~tested["significant"]])]
    test = "Wilcoxon tests" if first["n_datasets"] > 1 else "Corrected resampled t-tests over the folds"
    test += " with Holm's correction"
    if not beaten:
        smallest = tested["p_holm"].min()
        text = f"{test} show no significant difference of {called[leader]} to any other (smallest p = {smallest:.2f})."
        return question, "Not significant", text + " With few datasets or rows only large differences are."
    if not not_beaten:
        return question, "Significant", f"{test}: better than each of the others."
    return question, "In part", f"{test}: better than {_and(beaten)}; no significant difference to {_and(not_beaten)}."


def _and(names):
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
