"""Datasets: readers of file formats, the catalogue, download, preparation and export."""

from sslrank.core.extras import require

require("readers", "reading data files")
