"""Rank the features of one dataset by one method for every L, in child processes.

A fit that crashes or times out becomes a status row. The child saves the result of each fit at once; after a crash or
timeout, a new child continues with the next fit. A stopped job reuses saved fits if nothing that they depend on has
changed.
"""

import hashlib

from sslrank.benchmark.partial_results import read_partial_results, save_result
from sslrank.benchmark.steps.child_process import finish_units


def rank_job(
    *, header, splits, spec, budgets, modes, seed, rankings, status, code_key, threads=1, fit_limit=0, may_retry=False
):
    """Fit a ranker for every L, fold and mode; write the rankings and the status of the fits.

    `spec`, `modes` and `seed` are those of :func:`sslrank.benchmark.fits.rank_dataset`. A fit of more than `fit_limit`
    seconds gets the status "timeout".
    """
    depends = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (splits, header)]
    made_from = hashlib.sha256(repr((code_key, depends, spec, modes, seed)).encode()).hexdigest()
    files = {"data": header.parent, "splits": splits, "rankings": rankings, "status": status}
    settings = {"spec": spec, "budgets": budgets, "modes": modes, "seed": seed, "n_jobs": threads}
    limits = {"limit": fit_limit, "may_retry": may_retry}
    finish_units(fit_missing, made_from, rankings, _ended_fit, **limits, **files, **settings)


def _ended_fit(ended):
    """Return the status row, and no ranking, of a fit that crashed or timed out."""
    _, fold, mode = ended.unit
    message = f"in this fit, {ended.message}"
    row = {"mode": mode, "fold": fold, "details": {}, "seconds": ended.seconds}
    return row | {"status": ended.status, "message": message}, []


def fit_missing(send_event, *, data, splits, rankings, status, spec, budgets, partial, made_from, **options):
    """Run the missing fits, in the child process, and write the tables; `options` has modes, seed and n_jobs."""
    # Imported here, so that the supervising process starts fast.
    import pandas as pd

    from sslrank.benchmark.files import stacked
    from sslrank.benchmark.fits import rank_dataset
    from sslrank.benchmark.rankings import FILE_SCHEMA, write_no_data, write_rankings
    from sslrank.core.errors import NoDataError
    from sslrank.datasets.dataset import Dataset
    from sslrank.model_selection.folds import Splits

    try:
        dataset, all_splits = Dataset.load(data), Splits.load(splits)
    except NoDataError as error:
        write_no_data(budgets, options["modes"], str(error), rankings, status)
        return

    def on_finish(unit, result):
        save_result(partial, unit, made_from, result)
        send_event("between")

    options["finished"], tables = read_partial_results(partial, made_from), []
    events = {"on_start": lambda unit: send_event("unit", unit), "on_finish": on_finish}
    try:
        for budget in budgets:
            ranked = rank_dataset(dataset, all_splits, budget, spec, **options, **events)
            tables.append([table.assign(L=budget) for table in ranked])
    except ImportError as error:
        raise ImportError(f"{error}; is sslrank installed and compiled (make install)?") from error
    ranked, fits = zip(*tables, strict=True)
    write_rankings(stacked(ranked, FILE_SCHEMA.names), pd.concat(fits), rankings, status, made_from)
