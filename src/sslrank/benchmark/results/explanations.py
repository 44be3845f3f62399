"""Durations and failures of a study."""

import pandas as pd

from sslrank.benchmark.results.study import UNPLANNED
from sslrank.core.messages import counted

#: Statuses of failed fits and evaluations.
FAILED = ("failed", "timeout")
#: Statuses of fits that were not run.
UNTRIED = (*UNPLANNED, "not run")


def failure_words(status, scoring, datasets):
    """Describe failures: title, text, and whether a rerun is needed; None without failures.

    Counts failed and timed-out fits and evaluations by method; if no dataset could be read, gives the reason of the
    first.
    """
    if len(datasets) and not datasets["available"].astype(bool).any():
        first = datasets.iloc[0]
        text = f"({first['dataset']}: {first['reason']}). The next run tries again."
        return {"title": f"None of {counted(len(datasets), 'dataset')} could be read", "text": text, "again": False}
    fits, evaluations = (table[table["status"].isin(FAILED)] for table in (status, scoring))
    methods = list(dict.fromkeys([*fits["method"], *evaluations["method"]]))
    if not methods:
        return None
    n_tried = (~status["status"].isin(UNTRIED)).sum()
    counts = [f"{len(fits)} of {counted(n_tried, 'fit')}"] * bool(len(fits))
    counts += [counted(len(evaluations), "evaluation")] * bool(len(evaluations))
    named = ", ".join(methods[:8]) + (f" and {len(methods) - 8} more" if len(methods) > 8 else "")
    return {"title": f"{' and '.join(counts)} failed", "text": f"({named}).", "again": True}


def failures_table(status, scoring):
    """List fits and evaluations that failed or have a message, grouped by message; `fits` counts them.

    Missing datasets and results that are not in the archive are omitted.
    """
    status = pd.concat([status, scoring], ignore_index=True).fillna({"message": "", "L": "", "evaluator": ""})
    status = status[~status["status"].isin(["no data", "not run"])]
    bad = status[(status["status"] != "ok") | (status["message"] != "")]
    keys = ["dataset", "task", "method", "status", "message"]
    if bad.empty:
        return bad.reindex(columns=[*keys, "fits", "L", "evaluator"])
    grouped = bad.groupby(keys, sort=False)
    return grouped.agg(fits=("fold", "count"), L=("L", _distinct), evaluator=("evaluator", _distinct)).reset_index()


def _distinct(column):
    return ", ".join(filter(None, dict.fromkeys(column)))


def durations_table(status, durations):
    """Sum seconds of fits and of scoring jobs per dataset and method, longest first."""
    keys = ["dataset", "method"]
    scores = durations[durations["step"] == "scores"].groupby(keys)["s"].sum().rename("scoring_seconds")
    ran = status[status["status"] != "not run"]
    actual = ran.groupby(keys, sort=False)["seconds"].sum(min_count=1).rename("ranking_seconds").reset_index()
    actual = actual.merge(scores.reset_index(), on=keys, how="left")
    return actual.sort_values("ranking_seconds", ascending=False)
