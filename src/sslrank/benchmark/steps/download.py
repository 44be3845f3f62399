"""Download the files of one dataset."""

import json
from pathlib import Path

from sslrank.benchmark import paths
from sslrank.benchmark.files import note_failure, write_problem
from sslrank.benchmark.steps import leave_out
from sslrank.core.errors import DataError
from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.download import fetch
from sslrank.datasets.readers.source import size_limit


def download(job, log):
    """Run a job of the rule `download`."""
    dataset, given = job.wildcards.dataset, job.params
    problem = download_job(
        given.catalogue,
        dataset,
        job.output[0],
        paths.FAILURES.format(dataset=dataset),
        cache=given.cache,
        mirror=given.mirror,
        path=given.path,
        content=given.content,
    )
    leave_out(log, problem)


def download_job(catalogue, name, output, failures, *, cache, mirror=None, path=None, content=None):
    """Get the files of a dataset into the cache, and note where they are; return the problem, or "".

    `output` gets JSON with the folder, or the user's own file `path` and its hash `content`, or the problem, of which
    `failures` gets a line. The environment variable SSLRANK_MIRROR goes before `mirror`.
    """
    if path is not None:
        found = {"path": str(path), "sha256": content}
    else:
        entry = load_catalogue(catalogue)[name]
        try:
            with size_limit():
                found = {"folder": str(fetch(entry, cache, mirror))}
        except DataError as error:
            note_failure(failures, "download", str(error))
            write_problem(output, str(error))
            return str(error)
    Path(output).write_text(json.dumps(found) + "\n", encoding="utf-8")
    return ""
