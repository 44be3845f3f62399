"""The preparation job: one dataset, parsed and checked."""

import json
from pathlib import Path

from sslrank.data.catalogue import load_catalogue
from sslrank.data.prepare import prepare


def prepare_job(catalogue, name, source, directory):
    """Parse and check a dataset; write it as Parquet and JSON.

    Parameters
    ----------
    catalogue : path-like
    name : str
    source : path-like
        What the download job wrote.
    directory : path-like
    """
    entry = load_catalogue(catalogue)[name]
    found = json.loads(Path(source).read_text(encoding="utf-8"))
    source = {"path": found["path"]} if "path" in found else {"raw_dir": found["folder"]}
    prepare(entry, **source).save(directory)
