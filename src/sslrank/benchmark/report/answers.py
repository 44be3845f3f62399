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
    leaders, gap, follows = _lead(ranked.set_index("entry")["average_rank"], called, 2)
    wins = interval = ""
    if len(leaders) == 1 and not pd.isna(first["win_rate"]):
        wins = f"; the best on {100 * first['win_rate']:.0f} % of them"
    if len(leaders) == 1 and not pd.isna(first["lower"]):
        interval = f" (95 % interval {first['lower']:.1f} to {first['upper']:.1f})"
    who = f"Average rank {first['average_rank']:.2f}{interval} among {len(ranked)} rankings on {counted(n, 'dataset')}"
    if not pd.isna(first["relative"]):
        follows += " On the scale from a random ranking (0) to an oracle that sees all labels (1), "
        follows += f"{called[first['entry']]} reaches {first['relative']:.2f}, "
        follows += f"{called[second['entry']]} {second['relative']:.2f}."
    return [
        ("Who leads?", _and(leaders) + " tie" * (len(leaders) > 1), f"{who}{wins}."),
        ("By how much?", f"{gap} ranks" if gap else "Not at all", follows),
        _significance(first, ranked, pairs, called),
    ]


def _lead(values, called, digits):
    """Return the names that lead, their lead ("" if several do), and a sentence on those that follow."""
    leaders = [called[name] for name in values.index[values == values.iloc[0]]]
    others = values[values != values.iloc[0]]
    if others.empty:
        return leaders, "", "All are equal."
    next_value = others.iloc[0]
    names = [called[name] for name in others.index[others == next_value]]
    follows = f"{_and(names)} follow{'s' * (len(names) == 1)} with {next_value:.{digits}f}."
    gap = f"{abs(values.iloc[0] - next_value):.{digits}f}" if len(leaders) == 1 else ""
    return leaders, gap, follows


def _answers_for_one_dataset(ranked, pairs, scores, called):
    """Answer for a study of one dataset, with scores and tests over its folds."""
    scores = scores[scores["counts"] & scores["entry"].isin(ranked["entry"])].set_index("entry").loc[ranked["entry"]]
    dataset, best = scores["dataset"].iloc[0], scores.iloc[0]
    leaders, gap, follows = _lead(scores["score"], called, 3)
    error = "" if pd.isna(best["standard_error"]) else f" (standard error over the folds {best['standard_error']:.3f})"
    who = f"Score {best['score']:.3f} on {dataset}{error}, among {len(scores)} rankings."
    tested = scores["better_than_random"].dropna()
    better = [called[name] for name in tested.index[tested.eq(True)]]
    word, matters = "No test", "A test needs several datasets, or folds and a random ranking."
    if len(tested):
        word = f"{len(better)} of {len(tested)} beat random"
        matters = (
            f"Significantly better than a random ranking: {_and(better) if better else 'none'} (corrected resampled "
            "t-test over the folds). One dataset cannot show which ranking is best on others."
        )
    if len(pairs) and pairs["low"].notna().any():  # repeated folds
        _, word, explanation = _significance(ranked.iloc[0], ranked, pairs, called)
        matters = f"{explanation} {matters}" if len(tested) else explanation
    return [
        ("Who leads?", _and(leaders) + " tie" * (len(leaders) > 1), who),
        ("By how much?", gap or "Not at all", follows),
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
        text = f"{test}: no significant difference between {called[leader]} and others (smallest p = {smallest:.2f})."
        return question, "Not significant", text + " With few datasets or rows, only large differences are significant."
    if not not_beaten:
        return question, "Significant", f"{test}: better than each of the others."
    text = f"{test}: better than {_and(beaten)}; no significant difference from {_and(not_beaten)}."
    return question, "In part", text


def _and(names):
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
