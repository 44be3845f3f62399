"""Scoring in child processes: an evaluator that fails, ends its process or takes too long is a status row."""

import csv
from pathlib import Path

from sslrank.benchmark.steps.child_process import supervise


def supervised_scoring(data, splits, items, *, names, seed=0, limit=0, may_retry=False):
    """Do a scoring job in child processes; see :func:`sslrank.benchmark.steps.score_rankings.scoring_job`.

    Parameters
    ----------
    data, splits : path-like
    items : list of dict
        Per evaluator: name, evaluator, rankings and shared as for that function, and the files `scores` and `status`,
        which are written: all scores of an evaluator, or none and why.
    names : dict
        The columns study, dataset and method.
    seed : int
        The study's seed.
    limit : float, default=0
        Seconds that one evaluator may take; 0 is no limit.
    may_retry : bool, default=False
        Whether a kill from outside fails the job, which is then repeated with more memory, instead of the evaluator.

    Raises
    ------
    JobError
        If a child ends outside of an evaluation, or is killed and `may_retry`.
    """
    job = {"data": str(data), "splits": str(splits), "names": names, "seed": seed}
    while (ended := supervise(score_items, items=items, limit=limit, may_retry=may_retry, **job)) is not None:
        item = items[ended.unit]
        print(f"{item['name']}: {ended.status}: {ended.message}", flush=True)
        message = f"while its rankings were judged, {ended.message}"
        row = {"status": ended.status, "seconds": round(ended.seconds, 4), "message": message}
        write_unscored(item["scores"], item["status"], row)
        items = items[ended.unit + 1 :]


def score_items(tell, data, splits, items, names, seed):
    """In the child: one evaluator after the other."""
    from sslrank.benchmark.steps.score_rankings import scoring_job  # here, so that the supervising process starts fast

    for number, item in enumerate(items):
        scoring_job(
            data,
            splits,
            item["rankings"],
            item["evaluator"],
            item["scores"],
            item["status"],
            names=names | {"evaluator": item["name"]},
            seed=seed,
            shared=item["shared"],
            before=lambda number=number: tell("unit", number),
            after=lambda: tell("between"),
        )


def write_unscored(scores, status, row):
    """Write that an evaluator gave no scores, and why."""
    from sslrank.benchmark.files import SCORE_COLUMNS, SCORING_COLUMNS  # here, as in `score_items`

    for path, columns, rows in ((scores, SCORE_COLUMNS, []), (status, SCORING_COLUMNS, [row])):
        with Path(path).open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
