"""The download job: the files of one dataset."""

import json
from pathlib import Path

from sslrank.data.catalogue import load_catalogue
from sslrank.data.download import fetch


def download_job(catalogue, name, output, *, cache, mirror=None, path=None):
    """Get the files of a dataset into the cache, and note where they are.

    Parameters
    ----------
    catalogue : path-like
    name : str
    output : path-like
        JSON with the folder, or the user's own file.
    cache : path-like
    mirror : str, optional
        The environment variable SSLRANK_MIRROR goes first.
    path : path-like, optional
        The user's own file.
    """
    if path is not None:
        if not Path(path).is_file():
            raise FileNotFoundError(f"config: data.files.{name}: there is no file {path}")
        found = {"path": str(path)}
    else:
        entry = load_catalogue(catalogue)[name]
        found = {"folder": str(fetch(entry, cache, mirror, progress=False))}
    Path(output).write_text(json.dumps(found) + "\n", encoding="utf-8")
