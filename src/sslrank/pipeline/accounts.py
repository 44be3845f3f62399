"""What a study took, and what failed in it."""


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


def durations_table(status, estimate=None):
    """Seconds of the fits per dataset and method, against the estimate where there is one.

    Parameters
    ----------
    status : DataFrame
        Of the collecting job.
    estimate : DataFrame, optional
        See :mod:`sslrank.pipeline.estimate`.

    Returns
    -------
    DataFrame
        dataset, method, seconds, and with an estimate estimated_seconds and actual_over_estimated; the
        longest first.
    """
    actual = status.groupby(["dataset", "method"], sort=False)["seconds"].sum().reset_index()
    if estimate is not None:
        wanted = estimate[["dataset", "method", "seconds"]].rename(columns={"seconds": "estimated_seconds"})
        actual = actual.merge(wanted, on=["dataset", "method"], how="left")
        actual["actual_over_estimated"] = actual["seconds"] / actual["estimated_seconds"]
    return actual.sort_values("seconds", ascending=False)
