"""Score all rankings of one dataset and method by one evaluator, in a child process.

An evaluator that fails, ends its process becomes a status row.
"""

from pathlib import Path

from sslrank.benchmark.steps import may_retry
from sslrank.benchmark.steps.child_process import supervise


def score(job, tell):
    """Do the job of the rule `score`."""
    names, given = ("study", "dataset", "method", "evaluator"), job.params.job
    score_job(
        Path(job.input.table).parent,
        job.input.splits,
        dict(zip(given["budgets"], job.input.rankings, strict=True)),
        given["evaluator"],
        job.output.scores,
        job.output.status,
        names={name: job.wildcards[name] for name in names},
        seed=given["seed"],
        shared=job.input.shared or None,
        may_retry=may_retry(job),
    )


def score_job(data, splits, rankings, evaluator, scores, status, *, names, seed=0, shared=None, may_retry=False):
    """Write all scores of an evaluator (:data:`~sslrank.benchmark.files.SCORE_COLUMNS`), or none, and how it went.

    `rankings` are files by L; `evaluator` has "evaluator" and "params" as configured; `names` are the columns study,
    dataset, method and evaluator; `shared` is what the rule `share` has written for this dataset and evaluator. For
    `may_retry` and errors see :func:`sslrank.benchmark.steps.child_process.supervise`.
    """
    files = {"data": str(data), "splits": str(splits), "scores": str(scores), "status": str(status)}
    files |= {"rankings": {L: str(path) for L, path in rankings.items()}, "shared": shared}
    work = {"evaluator": evaluator, "names": names, "seed": seed}
    ended = supervise(evaluate_all, may_retry=may_retry, **files, **work)
    if ended is not None:
        print(f"{names['evaluator']}: {ended.status}: {ended.message}", flush=True)
        message = f"while its rankings were judged, {ended.message}"
        row = {"status": ended.status, "seconds": round(ended.seconds, 4), "message": message}
        _write([], row, scores, status, names)


def evaluate_all(tell, data, splits, rankings, evaluator, scores, status, names, seed, shared):
    """Judge the rankings in the child process, and write the tables.

    An evaluator that raises gives no scores and the status "failed"; an OSError, such as a full disk, is not due to it
    and fails the job.
    """
    # Imported here, so that the supervising process starts fast.
    import time
    import traceback

    from sslrank.benchmark.files import read_parquet, read_table
    from sslrank.benchmark.scoring import score_rankings
    from sslrank.core.errors import NoDataError
    from sslrank.datasets.dataset import Dataset
    from sslrank.evaluation.evaluators import load_evaluator
    from sslrank.model_selection.folds import Splits

    try:
        dataset, every = Dataset.load(data), Splits.load(splits)
    except NoDataError as error:
        _write([], {"status": "no data", "seconds": 0.0, "message": str(error)}, scores, status, names)
        return
    tables = {budget: read_parquet(path) for budget, path in rankings.items()}
    evaluate = load_evaluator(evaluator["evaluator"]).evaluate
    known = None if shared is None else read_table(shared)
    tell("unit", names["evaluator"])
    rows, row, started = [], {"status": "ok", "message": ""}, time.perf_counter()
    try:
        if known is not None and "problem" in known:
            raise RuntimeError(known["problem"].iloc[0])
        params = evaluator.get("params")
        rows = list(score_rankings(dataset, every, tables, evaluate, params=params, seed=seed, shared=known))
    except OSError:
        raise
    except (Exception, SystemExit) as error:  # one evaluator's failure is reported, the others go on
        traceback.print_exc()
        row = {"status": "failed", "message": f"{type(error).__name__}: {error}"}
    row["seconds"] = round(time.perf_counter() - started, 4)
    tell("between")
    _write(rows, row, scores, status, names | {"task": dataset.task})


def _write(rows, row, scores, status, names):
    import pandas as pd

    from sslrank.benchmark.files import SCORE_COLUMNS, SCORING_COLUMNS

    table = pd.DataFrame(rows, columns=[name for name in SCORE_COLUMNS if name not in (*names, "task")])
    table = table.assign(**names).reindex(columns=SCORE_COLUMNS)
    table["k"] = table["k"].astype("Int64")
    table.to_csv(scores, index=False)
    pd.DataFrame([row], columns=SCORING_COLUMNS).to_csv(status, index=False)
