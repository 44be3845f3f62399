"""Ranking in child processes: a fit that ends its process, or takes too long, is a status row.

The child keeps each fit's result in a file as soon as it is there; after a fit that it did not come out of, a new child
goes on with the next one. A job that was stopped goes on with the fits in that file, if it would do the same ones.
"""

import hashlib
import os
import pickle
import tempfile
from contextlib import contextmanager
from pathlib import Path

from sslrank.benchmark.steps.child_process import supervise

#: Fits of jobs that are not finished, beside what Snakemake knows of their files; the workflow's own, so they may be
#: pickled.
FITS = Path(".snakemake/fits")


def supervised_ranking(data, splits, spec, outputs, *, limit=0, may_retry=False, identity="", **options):
    """Do a ranking job in child processes; see :func:`sslrank.benchmark.steps.rank.ranking_job`.

    Parameters
    ----------
    data, splits, spec
        As for that function.
    outputs : list of (str, path-like, path-like)
        Label budget, rankings and status; written.
    limit : float, default=0
        Seconds that one fit may take; 0 is no limit. A longer one gets the status "timeout".
    may_retry : bool, default=False
        Whether a kill from outside fails the job, which is then repeated with more memory, instead of the fit.
    identity : str, optional
        What the fits depend on beside the data, the splits and these arguments, such as the code of the ranker.
    **options
        Further arguments of that function.

    Raises
    ------
    JobError
        If a child ends outside of a fit, or is killed and `may_retry`.
    """
    outputs = [(budget, *map(str, files)) for budget, *files in outputs]
    job = {"data": str(data), "splits": str(splits), "spec": spec, "outputs": outputs, "options": options}
    depends = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (Path(splits), Path(data, "header.json"))]
    choices = sorted((key, repr(value)) for key, value in options.items() if key != "n_jobs")
    with _known_file(outputs[0][1], repr((identity, depends, spec, choices))) as known:
        job["known"] = known
        while (ended := supervise(rank_budgets, limit=limit, may_retry=may_retry, **job)) is not None:
            budget, fold, mode = ended.unit
            print(f"L {budget}, fold {fold}, {mode}: {ended.status}: {ended.message}", flush=True)
            row = {"mode": mode, "fold": fold, "details": {}, "seconds": ended.seconds}
            row |= {"status": ended.status, "message": f"in this fit, {ended.message}"}
            with open(job["known"], "ab") as stream:
                pickle.dump(((budget, fold, mode), (row, [])), stream)


@contextmanager
def _known_file(output, identity):
    """The file of the fits that are done, which begins with what they depend on; it goes when the job is finished."""
    path = Path(output)
    if path.is_absolute() or ".." in path.parts:
        with tempfile.TemporaryDirectory() as folder:
            yield _begin(Path(folder) / "fits.pickle", identity)
        return
    path = FITS / f"{path}.pickle"
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


def rank_budgets(tell, data, splits, spec, outputs, options, known):
    """In the child: do the fits that are not known yet, and write the tables."""
    from sslrank.benchmark.steps.rank import ranking_job  # here, so that the supervising process starts fast

    done = _read_known(known)
    with open(known, "ab") as stream:

        def keep(key, found):
            pickle.dump((key, found), stream)
            stream.flush()
            tell("between")

        options = options | {"known": done, "before": lambda key: tell("unit", key), "after": keep}
        for budget, rankings, status in outputs:
            ranking_job(data, splits, budget, spec, rankings, status, **options)


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
