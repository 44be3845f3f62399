"""Parse and check one dataset."""

from pathlib import Path

from sslrank.benchmark.files import note_failure, read_json, write_problem
from sslrank.benchmark.steps import DatasetJob, unavailable_lines
from sslrank.benchmark.steps.child_process import attempt
from sslrank.datasets import prepare as preparing
from sslrank.datasets.catalogue import load_catalogue, own_entry
from sslrank.datasets.dataset import TABLE


class PrepareJob(DatasetJob):
    """Prepare a `dataset` of the `catalogue` from `source`, the output of the download job.

    `own` is its block in ``own: datasets:`` of the configuration. A problem is added to `failures`.
    """

    dataset: str
    catalogue: Path
    own: dict | None
    source: Path
    failures: Path


def prepare_job(job: PrepareJob):
    """Parse and check a dataset, or write the problem.

    A child process reads the file, so that a file that exhausts the memory fails alone. Returns lines about a problem,
    unless an earlier job reported it.
    """
    problem = earlier = read_json(job.source).get("problem", "")
    if not problem:
        problem = attempt(read_dataset, may_retry=job.may_retry, job=job)
        if problem:
            problem = f"cannot be read: {problem}"
    note_failure(job.failures, "" if earlier else problem or "")
    if problem:
        (job.data / TABLE).write_bytes(b"")
        write_problem(job.header, problem)
    return [] if earlier else unavailable_lines(problem and f"dataset {job.dataset!r} {problem}")


def read_dataset(job):
    """Parse, check and save a downloaded dataset."""
    location = read_json(job.source)
    if job.own is not None:
        dataset_spec = own_entry(job.dataset, **job.own)
        source = {"path": job.own["file"]}
    else:
        dataset_spec = load_catalogue(job.catalogue)[job.dataset]
        source = {"path": location["path"]} if "path" in location else {"raw_dir": location["folder"]}
    preparing.prepare(dataset_spec, **source).save(job.data)
