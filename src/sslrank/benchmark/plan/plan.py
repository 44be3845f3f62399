"""The plan: all jobs of a configuration."""

from functools import cache, cached_property
from pathlib import Path

from sslrank.benchmark import paths
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.config.load import method_folders, read_definitions
from sslrank.benchmark.config.validation import ConfigError
from sslrank.benchmark.experiments import load_experiment
from sslrank.benchmark.files import count_failures
from sslrank.benchmark.plan.fingerprints import evaluator_code, ranker_code
from sslrank.benchmark.plan.publication import Publication
from sslrank.benchmark.plan.resources import Resources
from sslrank.benchmark.plan.results import StudyResults
from sslrank.datasets.fingerprint import sha256_of
from sslrank.evaluation.evaluators import is_shared
from sslrank.rankers.papers import paper_address
from sslrank.rankers.registry import ranker_info


class Plan:
    """All jobs of a configuration; raises a ConfigError if a part is unknown, missing or contradictory.

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
    sample, seed : int
        Number of archived cells to verify, and the seed to draw them.
    results : callable
        Returns the :class:`sslrank.benchmark.plan.results.StudyResults` of a study.
    resources : sslrank.benchmark.plan.resources.Resources
        Walltime, memory and threads of jobs on a cluster.
    studies : dict of str to sslrank.benchmark.config.load.CompleteStudy
        All studies, without filtered datasets and methods.
    chosen : list of str
        Studies that run if no target is named.
    emptied : dict of str to str
        Studies of which filters exclude every dataset or every method, with the message.
    catalogue, methods, evaluators : dict
        Definitions by name.
    """

    def __init__(self, config, root=".", *, is_checked=False):
        self.root = Path(root)
        definitions = read_definitions(config, root, is_checked=is_checked)
        self.data, self.catalogue = definitions.config.data, definitions.catalogue
        self.limits, self._own = definitions.config.limits, definitions.config.own.datasets
        self.archive = definitions.config.archive
        self.sample, self.seed = definitions.config.sample, definitions.config.seed
        self.methods, self.evaluators = definitions.methods, definitions.evaluators
        self.studies = {name: self._filter(study, definitions.config) for name, study in definitions.studies.items()}
        self.emptied = {
            name: f"the filters exclude every dataset or every method of the study {name!r}. Its datasets are "
            f"{', '.join(study.datasets)}; its methods are {', '.join(study.methods)}"
            for name, study in definitions.studies.items()
            if not (self.studies[name].datasets and self.studies[name].methods)
        }
        self.studies = {name: study for name, study in self.studies.items() if name not in self.emptied}
        self._whole, self._filters = definitions.studies, definitions.config
        self.named = definitions.config.studies or list(definitions.studies)
        self.chosen = [name for name in self.named if name in self.studies] or self.named
        if not self.studies:
            raise ConfigError(
                "config: the filters exclude every dataset or every method of each study (controls do not count)"
            )
        # The archive and the planned jobs do not change during a run.
        self.results = cache(lambda study: StudyResults(self, study))
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
        return study.model_copy(update=kept | ({"filtered": True, "experiments": {}} if filtered else {}))

    def notes(self, studies):
        """Describe in lines what filters leave out of some studies, and which names in them the studies lack."""
        for name in studies:
            whole = self._whole[name]
            known = {"datasets": whole.datasets, "methods": whole.ranked}
            absent = [item for key in known for item in getattr(self._filters, key) or () if item not in known[key]]
            if name in self.emptied:
                yield f"{name} is left out: the filters exclude every dataset or every method of it"
            elif absent:
                yield f"{name} has no {', '.join(absent)}, which the filters name"
            if name in self.studies and whole.experiments and not self.studies[name].experiments:
                yield f"{name}: its experiments are left out, as the filters leave out datasets or methods"

    def pages(self, studies):
        """List the results pages of some studies.

        Raises a ConfigError if filters exclude every dataset or method of a study, or if `archive` is "only" and the
        archive has no complete result of it.
        """
        for study in studies:
            if study in self.emptied:
                raise ConfigError(f"config: {self.emptied[study]}")
            if self.archive == "only" and not self.results(study).heads:
                raise ConfigError(
                    f"{paths.ARCHIVE} has no complete result of the study {study!r} with "
                    f"datasets={','.join(self.datasets(study))}; run it with archive=use"
                )
        return [paths.PAGE.format(study=study) for study in studies]

    def join_chosen(self, listed):
        """Join what a method of :class:`~sslrank.benchmark.plan.results.StudyResults` lists for the chosen studies."""
        return [item for study in self.chosen for item in getattr(self.results(study), listed)()]

    def summarized(self):
        """Return the studies with committed summaries, on which the findings are based."""
        folders = {path.name for path in (self.root / paths.SUMMARIES).glob("*")}
        return [study for study in self.studies if study in folders]

    def method_folders(self):
        """Return the folders in workflow/rules/methods/ that have a rule."""
        return method_folders(self.root)

    def spec(self, study, method):
        """Return the specification of a method for a ranking job, with the study's parameters."""
        entry = self.methods[method]
        params = {**entry.params, **self.studies[study].params.get(method, {})}
        if entry.rule is not None:
            return {"rule": entry.rule, "params": params}
        spec = {"name": method, "ranker": self.ranker(study, method), "params": params, "rankings": entry.rankings}
        return spec if entry.labels is None else spec | {"labels": entry.labels}

    def ranking_job(self, study, method):
        """Return the parameters of a ranking job: its settings, and the digest of its ranker."""
        block = self.studies[study]
        params = {"spec": self.spec(study, method), "budgets": self.budgets(study)}
        params |= {"modes": block.modes, "seed": block.seed}
        return params | {"used": self.ranker_code(study, method)}

    def scoring_job(self, study, evaluator):
        """Return the parameters of an evaluator in a scoring job: its settings and its digest."""
        block = self.evaluator(evaluator)
        params = {"evaluator": block, "budgets": self.scored_budgets(study, evaluator)}
        return params | {"seed": self.studies[study].seed, "used": evaluator_code(block)}

    def scoring_jobs(self, study, method):
        """Return the parameters of a scoring job: those of each evaluator, by name."""
        return {name: self.scoring_job(study, name) for name in self.evaluators_of(study, method)}

    def ranker(self, study, method):
        """Name or path of a method's ranker in a study; None if a rule ranks."""
        return self.studies[study].rankers.get(method, self.methods[method].ranker)

    def ranker_code(self, study, method):
        """Digest of a method's ranker with its parameters; "" if a rule ranks."""
        ranker = self.ranker(study, method)
        return ranker_code(ranker, self.spec(study, method)["params"]) if ranker else ""

    # --- questions that the rules ask ---------------------------------------------------------------------

    def is_available(self, dataset):
        """Check if the data is available as a download, in a package, or as the user's file."""
        return self.catalogue[dataset].available or dataset in self.data.files

    def content(self, dataset):
        """Hash of the user's file of a dataset, on which all its results depend; None if there is none."""
        path = self.data.files.get(dataset)
        return None if path is None else sha256_of(path)

    def failures(self, dataset, step):
        """Count the failures of a step on a dataset; as a parameter of its rule, it makes the next run try again."""
        return count_failures(paths.FAILURES.format(dataset=dataset), step)

    def own_dataset(self, dataset):
        """Block of a dataset that the configuration describes; None for a dataset of the catalogue."""
        return self._own[dataset].model_dump() if dataset in self._own else None

    def datasets(self, study):
        """Return the available datasets of a study."""
        return [name for name in self.studies[study].datasets if self.is_available(name)]

    def budgets(self, study):
        """Label budgets of a study."""
        return self.studies[study].splits.L

    def pairs(self, study):
        """Return the planned (dataset, method) pairs of a study."""
        return [
            (dataset, method)
            for dataset in self.datasets(study)
            for method in self.studies[study].ranked
            if self.methods[method].tasks is None or self.catalogue[dataset].task in self.methods[method].tasks
        ]

    def python_methods(self):
        """Return the names of the methods that are Python rankers."""
        return [name for name, method in self.methods.items() if method.rule is None]

    def methods_of_rule(self, folder):
        """Return the names of the methods of a folder in workflow/rules/methods/."""
        return [name for name, method in self.methods.items() if method.rule == folder]

    def parameter(self, study, method, name, default):
        """Return one parameter of a method in a study."""
        return self.spec(study, method)["params"].get(name, default)

    def fold_limit(self, study):
        """Time limit in seconds for all modes of a fold, for a method with its own rule; 0 for no limit."""
        return (self.limits.fit or 0) * len(self.studies[study].modes)

    def evaluator(self, evaluator):
        """Return the specification of an evaluator for a scoring job."""
        return self.evaluators[evaluator].model_dump(include={"evaluator", "params"})

    def size(self, dataset):
        """Count the values in a dataset's table, for planning; a guess if unknown."""
        shape = self.catalogue[dataset].shape
        return (shape.rows or 100) * (shape.features or 10)

    def evaluators_of(self, study, method):
        """Return the names of the evaluators of a method's rankings."""
        only = {name: self.evaluators[name].only.methods for name in self.studies[study].evaluators}
        return [name for name, methods in only.items() if methods is None or method in methods]

    def scored_budgets(self, study, evaluator):
        """Label budgets whose rankings an evaluator scores."""
        only = self.evaluators[evaluator].only.L
        return [budget for budget in self.budgets(study) if only is None or budget in only]

    def sharing(self, study, method):
        """Return the names of a method's evaluators that compute something once for all rankings of a dataset."""
        blocks = {name: self.evaluators[name] for name in self.evaluators_of(study, method)}
        return [name for name, block in blocks.items() if is_shared(block.evaluator, block.params)]

    def experiments(self):
        """Return the names of the experiments of all studies."""
        return {name for study in self.studies.values() for name in study.experiments}

    def experiment_parts(self, study, experiment):
        """Return the parameters of the parts of an experiment, by name."""
        block = self.studies[study].experiments[experiment]
        return load_experiment(block.experiment).parts(**block.params)

    def joined_experiments(self, study):
        """Return the names of a study's experiments whose tables can be made."""
        return [name for name in self.studies[study].experiments if self.results(study).experiment_parts(name)]

    def entries(self, study):
        """Return the file with the places of the arena's entries, if it exists and the study has the table."""
        file = f"{paths.ENTRIES}/places.csv"
        return [file] if "entries" in self.studies[study].tables and Path(file).is_file() else []

    def publication(self, study):
        """Return the publication that a study is compared with."""
        return Publication(self.studies[study], self.catalogue, self.root)

    def table_blocks(self, study):
        """Return the function, options and variants of each table of a study."""
        tables = self.studies[study].tables
        keys = {"function", "options", "variants"}
        return {name: block.model_dump(include=keys) for name, block in tables.items()}

    def drawn_datasets(self, study):
        """Return the datasets whose curves are drawn as files."""
        available = [name for name in self.datasets(study) if not self.results(study).is_absent(name)]
        curves = self.studies[study].figures.curves or ()
        return [name for name in available if name in curves]

    def panels(self, study):
        """Return the names of the panels of a dataset's curves."""
        return paths.panels(self.studies[study].figures.model_dump())

    def table_config(self, study):
        """Return the keys of a study that tables and figures read."""
        read = self.studies[study].model_dump(
            include={"methods", "controls", "modes", "splits", "comparison", "figures"}
        )
        return read | {"titles": self.method_titles(study)}

    def method_titles(self, study):
        """Map the methods and controls of a study to their titles; those without a title are left out."""
        titles = {}
        for name in self.studies[study].ranked:
            ranker = self.ranker(study, name)
            title = self.methods[name].title or (ranker_info(ranker).title if ranker else "")
            titles |= {name: title} if title else {}
        return titles

    def study_config(self, study):
        """Return the complete configuration of a study, for the manifest and the page."""
        block = self.studies[study]
        methods = {
            name: self.spec(study, name) | {"url": paper_address(self.ranker(study, name))} for name in block.ranked
        }
        evaluators = {name: self.evaluator(name) | {"title": self.evaluators[name].title} for name in block.evaluators}
        used = {"methods_used": methods, "evaluators_used": evaluators, "titles": self.method_titles(study)}
        return block.model_dump(exclude={"like"}) | used
