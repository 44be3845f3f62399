"""Rank the features of one dataset by one method for one L, in child processes.

A fit that ends its process, or takes too long, becomes a status row. The child keeps each fit's result in a file as
soon as it is there; after a fit that crashed or timed out, a new child continues with the next one. A job that was
stopped reuses the fits in that file if they are the same.
"""

import hashlib
import os
import pickle
import tempfile
from contextlib import contextmanager
from pathlib import Path

from sslrank.benchmark.steps import fit_limit, may_retry
from sslrank.benchmark.steps.child_process import supervise

#: Fits of unfinished jobs, which Snakemake does not know of. Only the workflow writes them, so they may be pickled.
FITS = Path(".snakemake/fits")


def rank(job, tell):
    """Do the job of the rule `rank`."""
    from sslrank.benchmark.environment import environment

    given, made_by = job.params.job, environment()
    rank_job(
        Path(job.input.table).parent,
        job.input.splits,
        job.wildcards.L,
        given["spec"],
        job.output.rankings,
        job.output.status,
        modes=given["modes"],
        seed=given["seed"],
        n_jobs=job.threads,
        limit=fit_limit(job),
        may_retry=may_retry(job),
        # Fits of a job that was stopped are taken only if they would be made in the same way.
        identity=repr((job.params.code, given, made_by["versions"], made_by["instructions"])),
    )


def rank_job(
    data, splits, budget, spec, rankings, status, *, limit=0, may_retry=False, identity="", fits=FITS, **options
):
    """Fit a ranker on every fold and mode, and write its rankings and the status of the fits.

    `spec` and `options` are those of :func:`sslrank.benchmark.fits.rank_dataset`. A fit that takes longer than `limit`
    seconds (0 is no limit) gets the status "timeout". `identity` is what the fits depend on in addition to the data,
    the splits and these arguments, such as the code of the ranker; `fits` is the folder of the fits of unfinished jobs.
    For `may_retry` and errors see :func:`sslrank.benchmark.steps.child_process.supervise`.
    """
    depends = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (Path(splits), Path(data, "header.json"))]
    choices = sorted((key, repr(value)) for key, value in options.items() if key != "n_jobs")
    job = {"data": str(data), "splits": str(splits), "budget": budget, "spec": spec, "options": options}
    job |= {"rankings": str(rankings), "status": str(status)}
    with _known_file(Path(rankings), Path(fits), repr((identity, depends, spec, choices))) as known:
        job["known"] = known
        while (ended := supervise(fit_missing, limit=limit, may_retry=may_retry, **job)) is not None:
            budget, fold, mode = ended.unit
            print(f"L {budget}, fold {fold}, {mode}: {ended.status}: {ended.message}", flush=True)
            row = {"mode": mode, "fold": fold, "details": {}, "seconds": ended.seconds}
            row |= {"status": ended.status, "message": f"in this fit, {ended.message}"}
            with open(known, "ab") as stream:
                pickle.dump(((budget, fold, mode), (row, [])), stream)


@contextmanager
def _known_file(output, folder, identity):
    """The file of the fits that are done, which begins with what they depend on; it goes when the job is finished."""
    if output.is_absolute() or ".." in output.parts:
        with tempfile.TemporaryDirectory() as folder:
            yield _begin(Path(folder) / "fits.pickle", identity)
        return
    path = folder / f"{output}.pickle"
    path.parent.mkdir(parents=True, exist_ok=True)
    yield _begin(path, identity)
    path.unlink()


def _begin(path, identity):
    """Begin the file with the fits of a job that was stopped, if they succeeded."""
    found = _read_known(path, identity) if path.exists() else {}
    done = {key: fit for key, fit in found.items() if key is not None and fit[0]["status"] == "ok"}
    if done:
        print(f"{len(done)} fits of this job were done when it was stopped", flush=True)
    new = path.with_suffix(".new")
    with new.open("wb") as stream:
        for item in ((None, identity), *done.items()):
            pickle.dump(item, stream)
    os.replace(new, path)  # a kill in between loses none
    return str(path)


def fit_missing(tell, data, splits, budget, spec, rankings, status, options, known):
    """Do the fits that are missing in the child process, and write the tables."""
    # Imported here, so that the supervising process starts fast.
    from sslrank.benchmark.fits import rank_dataset
    from sslrank.benchmark.rankings import write_no_data, write_rankings
    from sslrank.core.errors import NoDataError
    from sslrank.datasets.dataset import Dataset
    from sslrank.model_selection.folds import Splits

    try:
        dataset, every = Dataset.load(Path(data)), Splits.load(splits)
    except NoDataError as error:
        write_no_data(options["modes"], str(error), rankings, status)
        return
    done = _read_known(known)
    with open(known, "ab") as stream:

        def keep(key, found):
            pickle.dump((key, found), stream)
            stream.flush()
            tell("between")

        options = options | {"known": done, "before": lambda key: tell("unit", key), "after": keep}
        try:
            tables = rank_dataset(dataset, every, budget, spec, **options)
        except ImportError as error:
            raise ImportError(f"{error}; is sslrank installed and compiled (make install)?") from error
    write_rankings(*tables, rankings, status)


def _read_known(path, identity=None):
    """Fits that are done, by (L, fold, mode), and by None what they depend on; none if that is not `identity`."""
    known = {}
    with open(path, "rb") as stream:
        while True:
            try:
                key, found = pickle.load(stream)
            except Exception:  # the end, a fit that was cut off, or one of other versions of what it is made of
                return known
            if key is None and identity not in (None, found):
                return {}
            known[key] = found
