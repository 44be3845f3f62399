"""The download job: the files of one dataset."""

import json
from pathlib import Path

from sslrank.data.catalogue import load_catalogue
from sslrank.data.download import fetch


def download_job(catalogue, name, output, *, cache, mirror=None, path=None, content=None):
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
    content : str, optional
        Its hash, which is noted too.
    """
    if path is not None:
        found = {"path": str(path), "sha256": content}
    else:
        entry = load_catalogue(catalogue)[name]
        found = {"folder": str(fetch(entry, cache, mirror, progress=False))}
    Path(output).write_text(json.dumps(found) + "\n", encoding="utf-8")
