"""Download the files of one dataset."""

import json

from sslrank.benchmark.files import note_failure
from sslrank.benchmark.steps import unavailable_lines
from sslrank.core.errors import DataError
from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.download import fetch
from sslrank.datasets.readers.source import size_limit


def download_job(*, dataset, catalogue, cache, mirror, file, content, source, failures):
    """Download a dataset of the catalogue into the folder `cache`, first from `mirror`, or use the user's `file`.

    `source` gets JSON with the folder, or `file` and its hash `content`, or the problem. A problem is also added
    to `failures`. The environment variable SSLRANK_MIRROR overrides `mirror`. Returns lines to be shown.
    """
    problem = ""
    if file is not None:
        location = {"path": str(file), "sha256": content}
    else:
        dataset_spec = load_catalogue(catalogue)[dataset]
        try:
            with size_limit():
                location = {"folder": str(fetch(dataset_spec, cache, mirror))}
        except DataError as error:
            location = {"problem": (problem := str(error))}
    source.write_text(json.dumps(location) + "\n", encoding="utf-8")
    note_failure(failures, problem)
    return unavailable_lines(problem)
