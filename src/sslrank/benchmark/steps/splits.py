"""Create the splits of one dataset in one study."""

import tempfile
from pathlib import Path

from sslrank.benchmark.files import write_problem
from sslrank.benchmark.steps import SplitJob, unavailable_lines
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.datasets.fingerprint import fingerprint, sha256_of
from sslrank.model_selection.folds import Splits
from sslrank.model_selection.splits import make_splits


class SplitsJob(SplitJob):
    """Create folds and label sets of a prepared dataset by the study's block `splits`, the `protocol`."""

    protocol: dict
    seed: int


def splits_job(job: SplitsJob):
    """Write the splits, or the problem.

    Returns lines about a problem, unless an earlier job reported it.
    """
    try:
        dataset = Dataset.load(job.data)
    except NoDataError as error:
        write_problem(job.splits, str(error))
        return []
    try:
        write_splits(dataset, job.protocol, job.seed, job.splits)
    except ValueError as error:
        write_problem(job.splits, problem := f"cannot be split: {error}")
        return unavailable_lines(f"dataset {dataset.name!r} {problem}")
    return []


def write_splits(dataset, protocol, seed, path):
    """Create and write the splits of a dataset; raises a ValueError if it cannot be split."""
    options = {key: value for key, value in protocol.items() if key != "L"}
    kind = {"task": dataset.task, "dataset": dataset.name, "parts": dataset.parts}
    make_splits(dataset.y, **kind, seed=seed, budgets=protocol["L"], **options).save(path)


def archived_splits(data, spec):
    """Load a prepared dataset, and recreate the splits of an archived result.

    `spec` is that of :class:`sslrank.benchmark.archive.record.Record`. The dataset is None if its content differs from
    that of the archived result, the splits are None if they differ.
    """
    dataset = Dataset.load(data)
    if fingerprint(dataset) != spec["dataset"]["fingerprint"]:
        return None, None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "splits.json")
        write_splits(dataset, spec["splits"], spec["seed"], path)
        return dataset, Splits.load(path) if sha256_of(path) == spec["splits_sha256"] else None
