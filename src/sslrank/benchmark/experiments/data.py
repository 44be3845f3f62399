"""Datasets of the experiments that use some of a catalogue."""

from sslrank.datasets.catalogue import load_catalogue
from sslrank.datasets.download import DEFAULT_CACHE, fetch
from sslrank.datasets.prepare import prepare


def load_dataset(name, catalogue):
    """Download and prepare a dataset of a catalogue."""
    dataset_spec = load_catalogue(catalogue)[name]
    return prepare(dataset_spec, fetch(dataset_spec, DEFAULT_CACHE))
