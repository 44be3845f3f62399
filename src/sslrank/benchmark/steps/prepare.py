"""Parse and check one dataset."""

from pathlib import Path

from sslrank.benchmark.files import note_failure, read_json, write_problem
from sslrank.benchmark.steps import DatasetJob, unavailable_lines
from sslrank.benchmark.steps.child_process import attempt
from sslrank.datasets import prepare as preparing
from sslrank.datasets.catalogue import load_catalogue, own_entry


class PrepareJob(DatasetJob):
    """Prepare a `dataset` of the `catalogue` from `source`, the output of the download job.

    `own` is its block in ``own: datasets:`` of the configuration; `content` has all facts that the result depends on.
    """

    dataset: str
    catalogue: Path
    own: dict | None
    content: dict
    source: Path
    failures: Path


def prepare_job(job: PrepareJob):
    """Parse and check a dataset, or write the problem.

    A child process reads the file, so that a file that exhausts the memory fails alone. Its problem is added to
    `failures`. Returns lines about a problem, unless an earlier job reported it.
    """
    problem = earlier = read_json(job.source).get("problem", "")
    if not problem:
        options = {"catalogue": job.catalogue, "name": job.dataset, "source": str(job.source)}
        options |= {"directory": str(job.data), "own": job.own}
        problem = attempt(read_dataset, may_retry=job.may_retry, **options)
        if problem:
            problem = f"cannot be read: {problem}"
    note_failure(job.failures, "" if earlier else problem or "")
    if problem:
        job.table.write_bytes(b"")
        write_problem(job.header, problem)
    return [] if earlier else unavailable_lines(problem and f"dataset {job.dataset!r} {problem}")


def read_dataset(catalogue, name, source, directory, own):
    """Parse, check and save a downloaded dataset."""
    location = read_json(source)
    if own is not None:
        dataset_spec = own_entry(name, **own)
        source = {"path": own["file"]}
    else:
        dataset_spec = load_catalogue(catalogue)[name]
        source = {"path": location["path"]} if "path" in location else {"raw_dir": location["folder"]}
    preparing.prepare(dataset_spec, **source).save(directory)
