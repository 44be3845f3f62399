"""What a study took, and what failed in it."""

import pandas as pd


def failures_table(status):
    """Fits that failed or have a message, those with the same message together.

    Parameters
    ----------
    status : DataFrame
        Of the collecting job.

    Returns
    -------
    DataFrame
        dataset, task, method, status, message, fits (their number), L.
    """
    status = status.fillna({"message": ""})
    bad = status[(status["status"] != "ok") | (status["message"] != "")]
    keys = ["dataset", "task", "method", "status", "message"]
    if bad.empty:
        return bad.reindex(columns=[*keys, "fits", "L"])
    grouped = bad.groupby(keys, sort=False)
    budgets = ("L", lambda column: ", ".join(dict.fromkeys(column)))
    return grouped.agg(fits=("fold", "size"), L=budgets).reset_index()


def incomplete_table(status):
    """Methods that lack some or all planned fits on a dataset, which therefore count there in no rank and no test.

    Parameters
    ----------
    status : DataFrame
        Of the collecting job.

    Returns
    -------
    DataFrame
        dataset, method, mode, missing and planned (numbers of fits), why.
    """
    planned = status[status["status"] != "unsupported"].fillna({"message": ""})
    rows = []
    for key, part in planned.groupby(["dataset", "method", "mode"], sort=False):
        bad = part[part["status"] != "ok"]
        if len(bad):
            rows.append((*key, len(bad), len(part), "; ".join(dict.fromkeys(bad["message"]))))
    return pd.DataFrame(rows, columns=["dataset", "method", "mode", "missing", "planned", "why"])


def durations_table(status, durations, estimate=None):
    """Seconds per dataset and method, against the estimate where there is one.

    Parameters
    ----------
    status, durations : DataFrame
        Of the collecting job: seconds inside the fits, and wall seconds of the jobs.
    estimate : DataFrame, optional
        See :mod:`sslrank.pipeline.jobs.calibrating`.

    Returns
    -------
    DataFrame
        dataset, method, ranking_seconds, scoring_seconds, and with an estimate estimated_ranking,
        estimated_scoring and actual_over_estimated (of both together); the longest first.
    """
    keys = ["dataset", "method"]
    scores = durations[durations["step"] == "scores"].groupby(keys)["s"].sum().rename("scoring_seconds")
    actual = status.groupby(keys, sort=False)["seconds"].sum().rename("ranking_seconds").reset_index()
    actual = actual.merge(scores.reset_index(), on=keys, how="left")
    if estimate is not None:
        wanted = estimate.pivot_table(index=keys, columns="step", values="seconds", aggfunc="sum")
        wanted = wanted.reindex(columns=["ranking", "scores"]).add_prefix("estimated_")
        wanted = wanted.rename(columns={"estimated_scores": "estimated_scoring"})
        actual = actual.merge(wanted.reset_index(), on=keys, how="left")
        sums = (
            actual[["ranking_seconds", "scoring_seconds"]].sum(axis=1),
            actual[["estimated_ranking", "estimated_scoring"]].sum(axis=1, min_count=1),
        )
        actual["actual_over_estimated"] = sums[0] / sums[1]
    return actual.sort_values("ranking_seconds", ascending=False)
