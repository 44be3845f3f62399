"""Rank the features of one dataset by one method for every L, in child processes.

A fit that crashes or times out becomes a status row. The child saves the result of each fit at once; after a crash or
timeout, a new child continues with the next fit. A stopped job reuses saved fits if nothing that they depend on has
changed.
"""

import hashlib
from pathlib import Path

from sslrank.benchmark.partial_results import read_partial_results, save_result
from sslrank.benchmark.steps.child_process import finish_units


def rank_job(
    data, splits, budgets, spec, rankings, status, *, modes, seed=0, n_jobs=1, limit=0, may_retry=False, code_key=""
):
    """Fit a ranker for every L, fold and mode, and write its rankings and the status of the fits.

    `spec`, `modes`, `seed` and `n_jobs` are those of :func:`sslrank.benchmark.fits.rank_dataset`. A fit of more than
    `limit` seconds (0 is no limit) gets the status "timeout". `code_key` has what fits depend on in addition to data,
    splits and these arguments, such as the code of the ranker. For `may_retry` and errors see
    :func:`sslrank.benchmark.steps.child_process.supervise`.
    """
    depends = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (Path(splits), Path(data, "header.json"))]
    made_from = hashlib.sha256(repr((code_key, depends, spec, modes, seed)).encode()).hexdigest()
    files = {"data": str(data), "splits": str(splits), "rankings": str(rankings), "status": str(status)}
    options = {"modes": modes, "seed": seed, "n_jobs": n_jobs}
    job = {"budgets": list(budgets), "spec": spec, "options": options}
    finish_units(fit_missing, made_from, rankings, _ended_fit, limit=limit, may_retry=may_retry, **files, **job)


def _ended_fit(ended):
    """Return the status row, and no ranking, of a fit that crashed or timed out."""
    _, fold, mode = ended.unit
    message = f"in this fit, {ended.message}"
    row = {"mode": mode, "fold": fold, "details": {}, "seconds": ended.seconds}
    return row | {"status": ended.status, "message": message}, []


def fit_missing(send_event, data, splits, budgets, spec, rankings, status, options, partial, made_from):
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
        dataset, all_splits = Dataset.load(Path(data)), Splits.load(splits)
    except NoDataError as error:
        write_no_data(budgets, options["modes"], str(error), rankings, status)
        return

    def on_finish(unit, results):
        save_result(partial, unit, made_from, results)
        send_event("between")

    finished, tables = read_partial_results(partial, made_from), []
    options = options | {
        "finished": finished,
        "on_start": lambda unit: send_event("unit", unit),
        "on_finish": on_finish,
    }
    try:
        for budget in budgets:
            results = rank_dataset(dataset, all_splits, budget, spec, **options)
            tables.append([table.assign(L=budget) for table in results])
    except ImportError as error:
        raise ImportError(f"{error}; is sslrank installed and compiled (make install)?") from error
    results, fits = zip(*tables, strict=True)
    write_rankings(stacked(results, FILE_SCHEMA.names), pd.concat(fits), rankings, status, made_from)
