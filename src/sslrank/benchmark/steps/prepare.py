"""Parse and check one dataset."""

from pathlib import Path

from sslrank.benchmark import paths
from sslrank.benchmark.files import note_failure, read_json, write_problem
from sslrank.benchmark.steps import leave_out, may_retry
from sslrank.benchmark.steps.child_process import attempt
from sslrank.datasets import prepare as preparing
from sslrank.datasets.catalogue import load_catalogue, own_entry
from sslrank.datasets.dataset import HEADER, TABLE


def prepare(job, log):
    """Run a job of the rule `prepare`."""
    dataset = job.wildcards.dataset
    problem = prepare_job(
        job.params.catalogue,
        dataset,
        job.input[0],
        Path(job.output.table).parent,
        paths.FAILURES.format(dataset=dataset),
        own=job.params.own,
        may_retry=may_retry(job),
    )
    leave_out(log, problem and f"dataset {dataset!r} {problem}")


def prepare_job(catalogue, name, source, directory, failures, *, own=None, may_retry=False):
    """Parse and check a dataset, or write why that cannot be done.

    The reading is done in a process of its own, so that a file which takes all the memory is a problem of that file.
    `source` is what the download job wrote, `own` the block of a dataset that is under ``own: datasets:`` of the
    configuration. `failures` gets a line if there is a problem.
    Returns a problem that is not that of an earlier job, or "".
    """
    problem = earlier = read_json(source).get("problem", "")
    if not problem:
        options = {
            "catalogue": str(catalogue),
            "name": name,
            "source": str(source),
            "directory": str(directory),
            "own": own,
        }
        problem = attempt(read_dataset, may_retry=may_retry, **options)
        if problem:
            problem = f"cannot be read: {problem}"
            note_failure(failures, "prepare", problem)
    if problem:
        (Path(directory) / TABLE).write_bytes(b"")
        write_problem(Path(directory) / HEADER, problem)
    return "" if earlier else problem


def read_dataset(catalogue, name, source, directory, own):
    """Parse, check and save a dataset that has been downloaded."""
    found = read_json(source)
    if own is not None:
        entry = own_entry(name, **own)
        source = {"path": own["file"], "reader": own["reader"], "columns": own["columns"]}
    else:
        entry = load_catalogue(catalogue)[name]
        source = {"path": found["path"]} if "path" in found else {"raw_dir": found["folder"]}
    preparing.prepare(entry, **source).save(directory)
