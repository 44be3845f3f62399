"""Data sets by name: the catalogue, download, preparation and export."""

from sslrank.datasets.catalogue import Entry, load_catalogue
from sslrank.datasets.download import fetch
from sslrank.datasets.fingerprint import fingerprint
from sslrank.datasets.prepare import prepare

__all__ = ["Entry", "fetch", "fingerprint", "load_catalogue", "prepare"]
