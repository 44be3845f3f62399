"""Save the result of each unit of a job (a fit or an evaluator), so that an interrupted job can resume.

Results whose inputs have changed are not reused.
"""

import os
import pickle
from contextlib import contextmanager
from pathlib import Path

#: Folder of these files, which Snakemake does not know of. Only the workflow writes them, so they may be pickled.
FOLDER = Path(".snakemake/fits")


@contextmanager
def partial_results_file(output, made_from):
    """Yield the path of the file of a job's partial results, which is deleted when the job has finished.

    `output` is a file of the job; `made_from` has what results depend on, as one text or by unit. Only successful
    results are reused.
    """
    path = partial_results_path(output)
    finished = read_partial_results(path, made_from) if path.exists() else {}
    finished = {unit: result for unit, result in finished.items() if result[0]["status"] == "ok"}
    if finished:
        print(f"reusing {len(finished)} results of this job from before it was stopped", flush=True)
    write_partial_results(path, made_from, finished)
    yield str(path)
    path.unlink()


def partial_results_path(output, folder=FOLDER):
    """Return the path of the file of the job with this output."""
    return Path(folder, f"{output}.pickle")


def write_partial_results(path, made_from, results):
    """Replace the file; a kill in between loses nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_bytes(b"")
    for unit, result in results.items():
        save_result(new, unit, made_from, result)
    os.replace(new, path)


def save_result(path, unit, made_from, result):
    """Add the result of a unit, a pair of its status row and its rows."""
    with open(path, "ab") as stream:
        pickle.dump((unit, _source_of(made_from, unit), result), stream)


def read_partial_results(path, made_from):
    """Read the results by unit that are still valid."""
    return {unit: result for unit, before, result in saved_results(path) if before == _source_of(made_from, unit)}


def saved_results(path):
    """Yield each saved result: unit, source, result."""
    with open(path, "rb") as stream:
        while True:
            try:
                unit, before, result = pickle.load(stream)
            except Exception:  # the end, a result that was cut off, or one of other versions of what it is made of
                return
            yield unit, before, result


def _source_of(made_from, unit):
    return made_from if isinstance(made_from, str) else made_from.get(unit)
