"""The plan of one study: what its jobs compute, what its page shows, and what it is compared with."""

import os
from pathlib import Path

from sslrank.benchmark import paths
from sslrank.benchmark.experiments import load_experiment
from sslrank.benchmark.plan.fingerprints import evaluator_code, experiment_code, ranker_code
from sslrank.evaluation.evaluators import is_shared
from sslrank.rankers.registry import ranker_info


class StudyPlan:
    """Settings of the jobs of one study of a :class:`sslrank.benchmark.plan.plan.Plan`.

    Attributes
    ----------
    name : str
    block : sslrank.benchmark.config.load.CompleteStudy
        The study without filtered datasets and methods.
    """

    def __init__(self, plan, name):
        self.name, self.block, self._plan = name, plan.studies[name], plan
        # Relative, so that a moved checkout re-runs nothing.
        self._published = os.path.relpath(plan.root / paths.PUBLISHED / str(self.block.published))

    def datasets(self):
        """Return the available datasets."""
        return [name for name in self.block.datasets if self._plan.is_available(name)]

    def pairs(self):
        """Return the planned (dataset, method) pairs."""
        tasks = {name: self._plan.methods[name].tasks for name in self.block.ranked}
        return [
            (dataset, method)
            for dataset in self.datasets()
            for method in self.block.ranked
            if tasks[method] is None or self._plan.catalogue[dataset].task in tasks[method]
        ]

    def protocol(self):
        """Return the study's block `splits`."""
        return self.block.splits.model_dump()

    def budgets(self):
        """Label budgets."""
        return self.block.splits.L

    def modes(self):
        """Modes in which rankers are fitted."""
        return self.block.modes

    def seed(self):
        """Seed of everything random."""
        return self.block.seed

    def has_hypothesis(self):
        """Check if the study shows how far the clustering hypothesis holds."""
        return self.block.clustering_hypothesis

    # --- rankings -------------------------------------------------------------------------------------------

    def ranker(self, method):
        """Name or path of a method's ranker; None if a rule ranks."""
        return self.block.rankers.get(method, self._plan.methods[method].ranker)

    def spec(self, method):
        """Return the specification of a method for a ranking job, with the study's parameters."""
        declared = self._plan.methods[method]
        params = {**declared.params, **self.block.params.get(method, {})}
        if declared.rule is not None:
            return {"rule": declared.rule, "params": params}
        spec = {"name": method, "ranker": self.ranker(method), "params": params, "rankings": declared.rankings}
        return spec if declared.labels is None else spec | {"labels": declared.labels}

    def ranker_code(self, method):
        """Return the digest of a method's ranker with its parameters; "" if a rule ranks."""
        ranker = self.ranker(method)
        return ranker_code(ranker, self.spec(method)["params"]) if ranker else ""

    def fold_limit(self):
        """Time limit in seconds for all modes of a fold, for a method with its own rule; 0 for no limit."""
        return (self._plan.limits.fit or 0) * len(self.block.modes)

    # --- scores ---------------------------------------------------------------------------------------------

    def evaluators(self, method):
        """Return the names of the evaluators of a method's rankings."""
        only = {name: self._plan.evaluators[name].only.methods for name in self.block.evaluators}
        return [name for name, methods in only.items() if methods is None or method in methods]

    def sharing(self, method):
        """Return the names of a method's evaluators that compute something once for all rankings of a dataset."""
        blocks = {name: self._plan.evaluators[name] for name in self.evaluators(method)}
        return [name for name, block in blocks.items() if not block.rule and is_shared(block.evaluator, block.params)]

    def scored_by_rules(self, method):
        """Return the names of a method's evaluators with a rule of their own."""
        return [name for name in self.evaluators(method) if self._plan.evaluators[name].rule]

    def scored_budgets(self, evaluator):
        """Label budgets whose rankings an evaluator scores."""
        only = self._plan.evaluators[evaluator].only.L
        return [budget for budget in self.block.splits.L if only is None or budget in only]

    def scoring(self, evaluator):
        """Return the settings of an evaluator in a scoring job, and its digest."""
        block = self._plan.evaluators[evaluator].computed
        settings = {"evaluator": block, "budgets": self.scored_budgets(evaluator), "seed": self.block.seed}
        return settings | {"used": evaluator_code(block, self._plan.root)}

    def scorings(self, method):
        """Return the settings of a method's evaluators, by name."""
        return {name: self.scoring(name) for name in self.evaluators(method)}

    # --- experiments, tables and page -----------------------------------------------------------------------

    def experiment_parts(self, experiment):
        """Return the parameters of the parts of an experiment, by name."""
        block = self.block.experiments[experiment]
        return load_experiment(block.experiment).parts(**block.params)

    def experiment(self, name):
        """Return the module of an experiment."""
        return self.block.experiments[name].experiment

    def experiment_part(self, name, part):
        """Return the parameters of a part of an experiment."""
        return self.experiment_parts(name)[part]

    def experiment_code(self, name):
        """Return the hash of an experiment and the digests of what it uses."""
        return experiment_code(self.experiment(name))

    def entries(self):
        """Return the file with the places of the arena's entries, if it exists and the study has the table."""
        file = f"{paths.ENTRIES}/places.csv"
        return [file] if "entries" in self.block.tables and Path(file).is_file() else []

    def table_blocks(self):
        """Return the function, options and variants of each table."""
        keys = {"function", "options", "variants"}
        return {name: block.model_dump(include=keys) for name, block in self.block.tables.items()}

    def table_config(self):
        """Return the keys of the study that tables and figures read."""
        read = self.block.model_dump(include={"methods", "controls", "modes", "splits", "comparison", "figures"})
        return read | {"titles": self.titles()}

    def titles(self):
        """Map methods and controls to their titles; those without a title are left out."""
        titles = {}
        for name in self.block.ranked:
            ranker = self.ranker(name)
            title = self._plan.methods[name].title or (ranker_info(ranker).title if ranker else "")
            titles |= {name: title} if title else {}
        return titles

    def config(self):
        """Return the complete configuration, for the manifest and the page."""
        methods = {
            name: self.spec(name) | {"url": ranker_info(self.ranker(name)).url if self.ranker(name) else ""}
            for name in self.block.ranked
        }
        blocks = {name: self._plan.evaluators[name] for name in self.block.evaluators}
        evaluators = {name: evaluator.computed | {"title": evaluator.title} for name, evaluator in blocks.items()}
        used = {"methods_used": methods, "evaluators_used": evaluators, "titles": self.titles()}
        return self.block.model_dump(exclude={"like"}) | used

    # --- the publication ------------------------------------------------------------------------------------

    def published_names(self):
        """Return the path of the publication's names, which maps them to those of the configuration."""
        return f"{self._published}/names.yaml"

    def published_datasets(self):
        """Return our name by the publication's name of each dataset."""
        published = {name: each.studies.get(self.block.published) for name, each in self._plan.catalogue.items()}
        return {size.name: name for name, size in published.items() if size}

    def published_tables(self):
        """Return the study's tables with published counterparts: function, title and published files."""
        tables = {name: table for name, table in self.block.tables.items() if table.published}
        files = {name: [f"{self._published}/{file}" for file in table.published] for name, table in tables.items()}
        return {
            name: {"function": table.function, "title": table.title, "published": files[name]}
            for name, table in tables.items()
        }

    def published_files(self):
        """Return all published files that the study is compared with."""
        return [file for table in self.published_tables().values() for file in table["published"]]
