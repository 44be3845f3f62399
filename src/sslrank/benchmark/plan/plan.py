"""The plan: all jobs of a configuration."""

from functools import cache, cached_property
from pathlib import Path

import yaml

from sslrank.benchmark import paths
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.config.load import FILTERS, read_definitions
from sslrank.benchmark.plan.resources import Resources
from sslrank.benchmark.plan.sources import ResultSources
from sslrank.benchmark.plan.study import StudyPlan
from sslrank.core.errors import DataError
from sslrank.datasets.fingerprint import sha256_of


def whole_plan(config, root=None):
    """Plan all results of a configuration file, whatever its filters, with `archive=only`."""
    if not Path(config).is_file():
        raise DataError(f"there is no {config} here", advice="Run it in the folder of the repository, or of its clone")
    settings = yaml.safe_load(Path(config).read_text(encoding="utf-8")) or {}
    return Plan(settings | dict.fromkeys(FILTERS) | {"archive": "only"}, root or Path(config).parent)


class Plan:
    """All jobs of a configuration; raises a DataError if a part is unknown, missing or contradictory.

    Parameters
    ----------
    config : dict
        Configuration from YAML; `studies`, `datasets` and `methods` are filters, lists of names to keep.
    root : path-like
        Root of the repository, with definitions, schemas, method folders and the catalogue.
    is_checked : bool
        Whether the configuration is already checked, as in the jobs of a run.

    Attributes
    ----------
    data, limits : sslrank.benchmark.config.models.Data, sslrank.benchmark.config.models.Limits
    archive : str or None
        "use": archived results are not run again; "only": nothing is run.
    study, sources : callable
        Return the :class:`sslrank.benchmark.plan.study.StudyPlan` and the
        :class:`sslrank.benchmark.plan.sources.ResultSources` of a study.
    resources : sslrank.benchmark.plan.resources.Resources
        Walltime, memory and threads of jobs on a cluster.
    studies : dict of str to sslrank.benchmark.config.load.CompleteStudy
        All studies, without filtered datasets and methods.
    chosen : list of str
        Studies that run if no target is named.
    emptied : dict of str to str
        Studies whose datasets or methods are all filtered out, with the message.
    catalogue, methods, evaluators : dict
        Definitions by name.
    """

    def __init__(self, config, root=".", *, is_checked=False):
        self.root = Path(root)
        definitions = read_definitions(config, root, is_checked=is_checked)
        self.data, self.catalogue = definitions.config.data, definitions.catalogue
        self.limits, self._own = definitions.config.limits, definitions.config.own.datasets
        self.archive = definitions.config.archive
        self.methods, self.evaluators = definitions.methods, definitions.evaluators
        self.studies = {name: self._filter(study, definitions.config) for name, study in definitions.studies.items()}
        self.emptied = {}
        for name, study in definitions.studies.items():
            if kinds := [kind for kind in ("datasets", "methods") if not getattr(self.studies[name], kind)]:
                its = "; ".join(f"its {kind} are {', '.join(getattr(study, kind))}" for kind in kinds)
                self.emptied[name] = f"the filters exclude all {' and '.join(kinds)} of the study {name!r}: {its}"
        self.studies = {name: study for name, study in self.studies.items() if name not in self.emptied}
        self._whole, self._filters = definitions.studies, definitions.config
        self.named = definitions.config.studies or list(definitions.studies)
        self.chosen = [name for name in self.named if name in self.studies] or self.named
        if not self.studies:
            filters = {"datasets": self._filters.datasets, "methods": self._filters.methods}
            wanted = [f"{kind}={','.join(names)}" for kind, names in filters.items() if names]
            raise DataError(f"config: no study has {' with '.join(wanted)}")
        # The archive and the planned jobs do not change during a run.
        self.study = cache(lambda name: StudyPlan(self, name))
        self.sources = cache(lambda name: ResultSources(self, self.study(name)))
        self.resources = Resources(self)

    @cached_property
    def store(self):
        """The archive, after checking that every file in it is listed."""
        archive = Archive(paths.ARCHIVE)
        archive.check_listed()
        return archive

    @staticmethod
    def _filter(study, filters):
        """Return a study without filtered datasets and methods; with such a filter also without experiments."""
        allowed = {"datasets": filters.datasets, "methods": filters.methods, "controls": filters.methods}
        kept = {
            key: [name for name in getattr(study, key) if names is None or name in names]
            for key, names in allowed.items()
        }
        filtered = any(len(kept[key]) < len(getattr(study, key)) for key in kept)
        if not kept["methods"]:  # controls that are chosen alone are compared as methods
            kept |= {"methods": kept["controls"], "controls": []}
        return study.model_copy(update=kept | ({"filtered": True, "experiments": {}} if filtered else {}))

    def notes(self, studies):
        """Describe in lines what filters leave out of some studies, and which names in them the studies lack."""
        for name in studies:
            whole = self._whole[name]
            names = {"datasets": whole.datasets, "methods": whole.ranked}
            absent = [item for key in names for item in getattr(self._filters, key) or () if item not in names[key]]
            if name in self.emptied:
                yield f"{name} is left out: the filters exclude every dataset or every method of it"
            elif absent:
                yield f"{name} has no {', '.join(absent)}, which the filters name"
            if name in self.studies and whole.experiments and not self.studies[name].experiments:
                yield f"{name}: its experiments are left out, as the filters leave out datasets or methods"

    def with_results(self, studies):
        """Return some studies that have results; without any of these, all.

        Raises a DataError if filters exclude every dataset or method of such a study, or if `archive` is "only" and
        the archive has no complete result of it.
        """
        studies = [study for study in studies if study in self.studies] or studies
        for study in studies:
            if study in self.emptied:
                raise DataError(f"config: {self.emptied[study]}")
            if self.archive == "only" and not self.sources(study).heads:
                chosen = f"datasets={','.join(self.study(study).datasets())}"
                chosen += f" methods={','.join(self.studies[study].ranked)}" if self._filters.methods else ""
                raise DataError(
                    f"{paths.ARCHIVE} has no complete result of the study {study!r} with {chosen}; "
                    "run it with archive=use"
                )
        return studies

    def summarized(self):
        """Return the studies with committed summaries, on which the findings are based."""
        folders = {path.name for path in (self.root / paths.SUMMARIES).glob("*")}
        return [study for study in self.studies if study in folders]

    def is_available(self, dataset):
        """Check if the data is available as a download, in a package, or as the user's file."""
        return self.catalogue[dataset].available or dataset in self.data.files

    def content(self, dataset):
        """Hash of the user's file of a dataset, on which all its results depend; None if there is none."""
        path = self.data.files.get(dataset)
        return None if path is None else sha256_of(path)

    def own_dataset(self, dataset):
        """Block of a dataset that the configuration describes; None for a dataset of the catalogue."""
        return self._own[dataset].model_dump() if dataset in self._own else None

    def size(self, dataset):
        """Count the values in a dataset's table, for planning; a guess if unknown."""
        shape = self.catalogue[dataset].shape
        return (shape.rows or 100) * (shape.features or 10)

    def methods_of_rule(self, folder):
        """Return the names of the methods of a folder in workflow/rules/methods/; for None, of Python rankers."""
        return [name for name, method in self.methods.items() if method.rule == folder]

    def evaluators_of_rule(self, folder):
        """Return the names of the evaluators of a folder in workflow/rules/evaluators/."""
        return [name for name, evaluator in self.evaluators.items() if evaluator.rule == folder]
