"""Score all rankings of one dataset and method by the study's evaluators, in child processes.

An evaluator that fails or crashes becomes a status row. Scores of an earlier run of the job are kept if nothing that
they depend on has changed, so a change of one evaluator does not repeat the others.
"""

import hashlib
from pathlib import Path

from sslrank.benchmark.partial_results import read_partial_results, save_result
from sslrank.benchmark.steps import SplitJob
from sslrank.benchmark.steps.child_process import finish_units


class ScoreJob(SplitJob):
    """Write the `scores` of a method's `rankings`, and the `status` of each evaluator.

    `evaluators` has by name what :meth:`sslrank.benchmark.plan.study.StudyPlan.scoring` returns; study, dataset and
    method are columns of the scores. `shared` are outputs of the rule `share`, named by evaluator; `imported` are files
    of evaluators with a rule of their own, and `import_benchmarks` Snakemake's of their jobs.
    """

    rankings: Path
    shared: list
    imported: list
    import_benchmarks: list
    study: str
    dataset: str
    method: str
    evaluators: dict
    scores: Path
    status: Path


def score_job(job: ScoreJob):
    """Write the scores (:data:`~sslrank.benchmark.files.SCORE_COLUMNS`) and the status of each evaluator."""
    by_evaluator = {path.stem: path for path in [*job.shared, *job.imported]}
    inputs = [_sha256(path) for path in (job.splits, job.header, job.rankings)]
    made_from = {
        name: hashlib.sha256(repr((job.code_key, inputs, block, _sha256(by_evaluator.get(name)))).encode()).hexdigest()
        for name, block in job.evaluators.items()
    }
    options = {"may_retry": job.may_retry, "job": job, "by_evaluator": by_evaluator}
    finish_units(evaluate_missing, made_from, job.scores, _ended_evaluation, **options)


def _ended_evaluation(ended):
    """Return the status row, and no scores, of an evaluator that crashed."""
    message = f"while its rankings were evaluated, {ended.message}"
    return {"status": ended.status, "seconds": round(ended.seconds, 4), "message": message}, ""


def _sha256(path):
    return None if path is None else hashlib.sha256(path.read_bytes()).hexdigest()


def evaluate_missing(send_event, job, by_evaluator, partial, made_from):
    """Score the rankings by the missing evaluators, in the child process, and write the tables.

    `by_evaluator` are the files that only one evaluator reads. An evaluator that raises an exception gets no scores and
    the status "failed". An OSError, such as a full disk, is not due to the evaluator and fails the job.
    """
    # Imported here, so that the supervising process starts fast.
    import pandas as pd

    from sslrank.benchmark.files import SCORE_COLUMNS, SCORING_COLUMNS, read_benchmark, read_parquet, read_table
    from sslrank.core.errors import NoDataError
    from sslrank.datasets.dataset import Dataset
    from sslrank.model_selection.folds import Splits

    try:
        dataset, all_splits = Dataset.load(job.data), Splits.load(job.splits)
    except NoDataError as error:
        results = dict.fromkeys(job.evaluators, ({"status": "no data", "seconds": 0.0, "message": str(error)}, ""))
    else:
        rankings = read_parquet(job.rankings)
        tables = {budget: part.drop(columns="L") for budget, part in rankings.groupby("L", sort=False)}
        results = _earlier(job.scores, job.status, made_from) | read_partial_results(partial, made_from)
        benchmarks = {path.stem: path for path in job.import_benchmarks}
        names = {"study": job.study, "dataset": job.dataset, "method": job.method, "task": dataset.task}
        for name, block in job.evaluators.items():
            if name in results:
                continue
            send_event("unit", name)
            if name in benchmarks:
                seconds = read_benchmark(benchmarks[name]).get("s")
                row, rows = _imported(by_evaluator[name], all_splits, tables, block["budgets"], seconds)
            else:
                shared_table = read_table(by_evaluator[name]) if name in by_evaluator else None
                rankings_by_budget = {budget: tables[budget] for budget in block["budgets"] if budget in tables}
                row, rows = _scores(dataset, all_splits, rankings_by_budget, block, shared_table)
            table = pd.DataFrame(rows).assign(**names, evaluator=name).reindex(columns=SCORE_COLUMNS)
            text = table.astype({"k": "Int64"}).to_csv(index=False, header=False) if rows else ""
            results[name] = row, text
            save_result(partial, name, made_from, results[name])
            send_event("between")
    texts = "".join(results[name][1] for name in job.evaluators)
    job.scores.write_text(f"{','.join(SCORE_COLUMNS)}\n{texts}", encoding="utf-8")
    rows = [results[name][0] | {"evaluator": name, "made_from": made_from[name]} for name in job.evaluators]
    pd.DataFrame(rows, columns=["evaluator", *SCORING_COLUMNS, "made_from"]).to_csv(job.status, index=False)


def _scores(dataset, splits, tables, block, shared):
    """Return status row and scores of one evaluator."""
    import time
    import traceback

    from sslrank.benchmark.scoring import score_rankings
    from sslrank.evaluation.evaluators import load_evaluator

    evaluator = block["evaluator"]
    evaluate = load_evaluator(evaluator["evaluator"]).evaluate
    rows, row, started = [], {"status": "ok", "message": ""}, time.perf_counter()
    try:
        if shared is not None and "problem" in shared:
            raise RuntimeError(shared["problem"].iloc[0])
        options = {"params": evaluator.get("params"), "seed": block["seed"], "shared": shared}
        rows = list(score_rankings(dataset, splits, tables, evaluate, **options))
    except OSError:
        raise
    except (Exception, SystemExit) as error:  # report the failure and continue with the others
        traceback.print_exc()
        row = {"status": "failed", "message": f"{type(error).__name__}: {error}"}
    return row | {"seconds": round(time.perf_counter() - started, 4)}, rows


def _imported(path, splits, tables, budgets, seconds):
    """Return status row and scores of an evaluator with a rule of its own."""
    from sslrank.benchmark.steps.import_rankings import import_scores
    from sslrank.core.errors import DataError

    row = {"status": "ok", "seconds": seconds, "message": ""}
    try:
        return row, import_scores(path, splits, tables, budgets)
    except DataError as error:
        return row | {"status": "failed", "message": str(error)}, []


def _earlier(scores, status, made_from):
    """Return scores of an earlier run of the job, by evaluator, that are still valid."""
    import pandas as pd

    if not (scores.is_file() and status.is_file()):
        return {}
    table, rows = (pd.read_csv(path, dtype=str, keep_default_na=False) for path in (scores, status))
    same = rows[(rows["status"] == "ok") & (rows["made_from"] == rows["evaluator"].map(made_from))]
    return {
        row.evaluator: (
            {"status": "ok", "seconds": row.seconds, "message": ""},
            table[table["evaluator"] == row.evaluator].to_csv(index=False, header=False),
        )
        for row in same.itertuples()
    }
