"""Parse and check one dataset."""

from sslrank.benchmark.files import note_failure, read_json, write_problem
from sslrank.benchmark.steps import unavailable_lines
from sslrank.benchmark.steps.child_process import attempt
from sslrank.datasets import prepare as preparing
from sslrank.datasets.catalogue import load_catalogue, own_entry
from sslrank.datasets.dataset import HEADER, TABLE


def prepare_job(*, data, dataset, catalogue, own, source, failures, may_retry=False):
    """Parse and check a dataset of the catalogue, or write the problem.

    `source` is the output of the download job, `own` the dataset's block in ``own: datasets:`` of the configuration. A
    child process reads the file, so that a file that exhausts the memory fails alone. Its problem is added to
    `failures`. Returns lines about a problem, unless an earlier job reported it.
    """
    problem = earlier = read_json(source).get("problem", "")
    if not problem:
        options = {"catalogue": catalogue, "name": dataset, "source": source, "directory": data, "own": own}
        problem = attempt(read_dataset, may_retry=may_retry, **options)
        if problem:
            problem = f"cannot be read: {problem}"
    note_failure(failures, "" if earlier else problem or "")
    if problem:
        (data / TABLE).write_bytes(b"")
        write_problem(data / HEADER, problem)
    return [] if earlier else unavailable_lines(problem and f"dataset {dataset!r} {problem}")


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
