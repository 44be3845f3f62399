"""Download and preparation jobs: one dataset each."""

import json
from dataclasses import asdict
from pathlib import Path

from sslrank.data.catalogue import load_catalogue
from sslrank.data.dataset import Dataset
from sslrank.data.download import fetch
from sslrank.data.prepare import prepare
from sslrank.evaluation.clustering_hypothesis import clustering_hypothesis


def source_facts(entry):
    """What a download depends on: the files, their hashes and addresses."""
    return [asdict(source) for variant in entry.variants for source in variant.files]


def content_facts(entry):
    """What a prepared dataset depends on, besides the code: everything but titles and notes."""
    facts = asdict(entry)
    return {key: facts[key] for key in ("name", "task", "variants", "shape", "fingerprint")}


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


def prepare_job(catalogue, name, source, directory):
    """Parse and check a dataset; write it as Parquet and JSON.

    Parameters
    ----------
    catalogue : path-like
    name : str
    source : path-like
        What :func:`download_job` wrote.
    directory : path-like
    """
    entry = load_catalogue(catalogue)[name]
    found = json.loads(Path(source).read_text(encoding="utf-8"))
    source = {"path": found["path"]} if "path" in found else {"raw_dir": found["folder"]}
    prepare(entry, **source).save(directory)


def hypothesis_job(directory, output):
    """Estimate how far the clustering hypothesis holds in a prepared dataset.

    Parameters
    ----------
    directory : path-like
        Of the prepared dataset.
    output : path-like
        JSON with ``ch`` of variances and ``ch_deviation`` of standard deviations; see
        :func:`sslrank.evaluation.clustering_hypothesis.clustering_hypothesis`.
    """
    data = Dataset.load(directory)
    kind = {"task": data.task, "hierarchy": data.hierarchy}
    found = {
        name: round(clustering_hypothesis(data.X, data.y, of=of, random_state=0, **kind), 6)
        for name, of in (("ch", "variance"), ("ch_deviation", "deviation"))
    }
    Path(output).write_text(json.dumps(found) + "\n", encoding="utf-8")
