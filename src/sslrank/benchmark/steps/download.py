"""Download the files of one dataset."""

import json
from pathlib import Path

from sslrank.benchmark.files import note_failure, write_problem
from sslrank.benchmark.steps import Job, unavailable_lines
from sslrank.core.errors import DataError
from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.download import fetch
from sslrank.datasets.readers.source import size_limit


class DownloadJob(Job):
    """Download a `dataset` of the `catalogue` into the folder `cache`, first from `mirror`, or use the user's `file`.

    `source` gets JSON with the folder, or `file` and its hash `content`, or the problem. A problem is also added to
    ``failures.log`` next to it. The environment variable SSLRANK_MIRROR overrides `mirror`.
    """

    dataset: str
    catalogue: str
    cache: str
    mirror: str | None
    file: str | None
    content: str | None
    source: Path


def download_job(job: DownloadJob):
    """Locate the files of a dataset; return lines to be shown."""
    if job.file is not None:
        location = {"path": str(job.file), "sha256": job.content}
    else:
        entry = load_catalogue(job.catalogue)[job.dataset]
        try:
            with size_limit():
                location = {"folder": str(fetch(entry, job.cache, job.mirror))}
        except DataError as error:
            note_failure(job.source.with_name("failures.log"), "download", str(error))
            write_problem(job.source, str(error))
            return unavailable_lines(error)
    job.source.write_text(json.dumps(location) + "\n", encoding="utf-8")
    return []
