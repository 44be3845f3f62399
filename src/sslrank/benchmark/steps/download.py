"""Download the files of one dataset."""

import json
from pathlib import Path

from sslrank.benchmark.files import note_failure, write_problem
from sslrank.benchmark.steps import unavailable_lines
from sslrank.core.errors import DataError
from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.download import fetch
from sslrank.datasets.readers.source import size_limit


def download_job(catalogue, dataset, output, *, cache, mirror=None, path=None, content=None):
    """Download the files of a dataset into the cache, and write their location; return lines to be shown.

    `output` gets JSON with the folder, or the user's file `path` and its hash `content`, or the problem. A problem is
    also added to ``failures.log`` next to it. The environment variable SSLRANK_MIRROR overrides `mirror`.
    """
    if path is not None:
        location = {"path": str(path), "sha256": content}
    else:
        entry = load_catalogue(catalogue)[dataset]
        try:
            with size_limit():
                location = {"folder": str(fetch(entry, cache, mirror))}
        except DataError as error:
            note_failure(Path(output).with_name("failures.log"), "download", str(error))
            write_problem(output, str(error))
            return unavailable_lines(error)
    Path(output).write_text(json.dumps(location) + "\n", encoding="utf-8")
    return []
