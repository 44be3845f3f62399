"""Rank the features of one dataset by one method for every L, in child processes.

A fit that crashes or times out becomes a status row. The child saves the result of each fit at once; after a crash or
timeout, a new child continues with the next fit. A stopped job reuses saved fits if nothing that they depend on has
changed.
"""

import hashlib
from pathlib import Path

from sslrank.benchmark.partial_results import read_partial_results, save_result
from sslrank.benchmark.steps import SplitJob
from sslrank.benchmark.steps.child_process import finish_units


class RankJob(SplitJob):
    """Fit the ranker of `spec` for every label budget, fold and mode; write `rankings` and the `status` of the fits.

    `spec`, `modes` and `seed` are those of :func:`sslrank.benchmark.fits.rank_dataset`.
    """

    spec: dict
    budgets: list
    modes: list
    seed: int
    rankings: Path
    status: Path


def rank_job(job: RankJob):
    """Fit a ranker for every L, fold and mode; a fit of more than `fit_limit` seconds gets the status "timeout"."""
    depends = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (job.splits, job.header)]
    made_from = hashlib.sha256(repr((job.code_key, depends, job.spec, job.modes, job.seed)).encode()).hexdigest()
    limits = {"limit": job.fit_limit, "may_retry": job.may_retry}
    finish_units(fit_missing, made_from, job.rankings, _ended_fit, **limits, job=job)


def _ended_fit(ended):
    """Return the status row, and no ranking, of a fit that crashed or timed out."""
    _, fold, mode = ended.unit
    message = f"in this fit, {ended.message}"
    row = {"mode": mode, "fold": fold, "details": {}, "seconds": ended.seconds}
    return row | {"status": ended.status, "message": message}, []


def fit_missing(send_event, job, partial, made_from):
    """Run the missing fits, in the child process, and write the tables."""
    # Imported here, so that the supervising process starts fast.
    import pandas as pd

    from sslrank.benchmark.files import stacked
    from sslrank.benchmark.fits import rank_dataset
    from sslrank.benchmark.rankings import FILE_SCHEMA, write_no_data, write_rankings
    from sslrank.core.errors import NoDataError
    from sslrank.datasets.dataset import Dataset
    from sslrank.model_selection.folds import Splits

    try:
        dataset, all_splits = Dataset.load(job.data), Splits.load(job.splits)
    except NoDataError as error:
        write_no_data(job.budgets, job.modes, str(error), job.rankings, job.status)
        return

    def on_finish(unit, result):
        save_result(partial, unit, made_from, result)
        send_event("between")

    finished, tables = read_partial_results(partial, made_from), []
    options = {"modes": job.modes, "seed": job.seed, "n_jobs": job.threads, "finished": finished}
    events = {"on_start": lambda unit: send_event("unit", unit), "on_finish": on_finish}
    try:
        for budget in job.budgets:
            ranked = rank_dataset(dataset, all_splits, budget, job.spec, **options, **events)
            tables.append([table.assign(L=budget) for table in ranked])
    except ImportError as error:
        raise ImportError(f"{error}; is sslrank installed and compiled (make install)?") from error
    rankings, fits = zip(*tables, strict=True)
    write_rankings(stacked(rankings, FILE_SCHEMA.names), pd.concat(fits), job.rankings, job.status, made_from)
