"""Download the files of one dataset."""

import json
from pathlib import Path

from sslrank.benchmark.files import note_failure
from sslrank.benchmark.steps import Job, unavailable_lines
from sslrank.core.errors import DataError
from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.download import fetch
from sslrank.datasets.readers.source import size_limit


class DownloadJob(Job):
    """Download a `dataset` of the catalogue into the folder `cache`, first from `mirror`, or use the user's `file`.

    `source` gets JSON with the folder, or `file` and its hash `content`, or the problem. A problem is also added
    to `failures`. The environment variable SSLRANK_MIRROR overrides `mirror`.
    """

    dataset: str
    catalogue: Path
    cache: str
    mirror: str | None
    file: str | None
    content: str | None
    source: Path
    failures: Path


def download_job(job: DownloadJob):
    """Locate the files of a dataset; return lines to be shown."""
    problem = ""
    if job.file is not None:
        location = {"path": str(job.file), "sha256": job.content}
    else:
        dataset_spec = load_catalogue(job.catalogue)[job.dataset]
        try:
            with size_limit():
                location = {"folder": str(fetch(dataset_spec, job.cache, job.mirror))}
        except DataError as error:
            location = {"problem": (problem := str(error))}
    job.source.write_text(json.dumps(location) + "\n", encoding="utf-8")
    note_failure(job.failures, problem)
    return unavailable_lines(problem)
