"""The publication of a study: its folder, its tables, and its names of datasets and methods."""

import os
from pathlib import Path

from sslrank.benchmark.paths import PUBLISHED


class Publication:
    """The publication of a study; `folder` is relative, so that a moved checkout re-runs nothing.

    ``names.yaml`` in the folder maps the publication's names to those of the configuration.
    """

    def __init__(self, study, catalogue, root):
        self._study, self._catalogue = study, catalogue
        self.folder = os.path.relpath(Path(root) / PUBLISHED / str(study.published))

    def names(self):
        """Return the path of the publication's names."""
        return f"{self.folder}/names.yaml"

    def datasets(self):
        """Return our name by published name."""
        published = {name: each.studies.get(self._study.published) for name, each in self._catalogue.items()}
        return {size.name: name for name, size in published.items() if size}

    def tables(self):
        """Return the parameters of the rule `compare_published`: the study's tables with published counterparts."""
        return {
            name: {
                "function": table.function,
                "title": table.title,
                "published": [f"{self.folder}/{file}" for file in table.published],
            }
            for name, table in self._study.tables.items()
            if table.published
        }

    def files(self):
        """Return all published files that the study is compared with."""
        return [file for table in self.tables().values() for file in table["published"]]
