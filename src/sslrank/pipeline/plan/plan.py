"""From config.yaml to the list of jobs."""

import copy
import inspect
import os
from dataclasses import dataclass
from pathlib import Path

import yaml

from sslrank.evaluation.evaluators import EVALUATORS, is_shared
from sslrank.pipeline.analysis.tables import TABLES, table_info
from sslrank.pipeline.experiments import EXPERIMENTS, experiment_module
from sslrank.pipeline.plan.provenance import code_fingerprint, evaluator_code, ranker_code, reader_code, table_code
from sslrank.pipeline.plan.validation import (
    ConfigError,
    check_budgets,
    check_schema,
    load_schema,
    nearest,
    require,
)
from sslrank.registry import RANKERS, ranker_info

FILTERS = ("datasets", "studies", "methods")
DEFAULT_STUDY = {
    "title": "",
    "description": "",
    "scale": "full",
    "changes": "",
    "in_all": True,
    "seed": 0,
    "params": {},
    "calibration": {},
    "clustering_hypothesis": False,
    "joined_jobs": False,
    "modes": ["ssl"],
    "splits": {"scheme": "ssl-cross-validation", "folds": 10, "repetitions": 1, "n_labeled": ["all"]},
    "comparison": {
        "measure": None,
        "k": None,
        "L": None,
        "spacing": "linear",
        "normalize": True,
        "alpha": 0.05,
        "families": {},
    },
    "published": None,
    "experiments": {},
    "figures": {},
}
#: Name of the records of jobs that do all of a study's L, or evaluators.
JOINED = "joined"
HYPOTHESIS = "results/data/{}/clustering_hypothesis.json"
DEFAULT_CALIBRATION = {"params": {}, "times": 1.0, "linear_in": None, "at": [1, 2]}
DEFAULT_TABLES = ("areas", "ssl_minus_sl", "ranking_ranks", "friedman", "nemenyi", "time_ranks")


def apply_filters(config, config_files):
    """Take the filters of the command line out of the configuration.

    ``--config studies=demo methods=relief,laplace datasets=digits`` puts text where the blocks `studies` and
    `methods` were; the blocks are read again from the configuration files.

    Parameters
    ----------
    config : dict
        Changed in place.
    config_files : sequence of path-like
        Later files change earlier ones.

    Returns
    -------
    dict of str to list of str or None
        The names to keep, by filter.
    """
    wanted = {}
    for key in FILTERS:
        value = config.get(key)
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        wanted[key] = value if isinstance(value, list) else None
        if wanted[key] is None:
            continue
        config.pop(key)
        for path in config_files:
            block = (yaml.safe_load(Path(path).read_text(encoding="utf-8")) or {}).get(key)
            if isinstance(block, dict):
                config[key] = _merge(config.get(key, {}), block)
    return wanted


def _merge(base, changes):
    merged = copy.deepcopy(base)
    for key, value in (changes or {}).items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merge(merged[key], value) if both else copy.deepcopy(value)
    return merged


@dataclass(frozen=True)
class Method:
    """One entry of `methods`.

    Attributes
    ----------
    name : str
    ranker, rule : str or None
        Exactly one of the two is given.
    params : dict
    rankings : list of str or None
    tasks : list of str or None
    calibration : dict
        "params", "times", "linear_in" and "at" of the estimate; see :mod:`sslrank.pipeline.jobs.calibrating`.
    """

    name: str
    ranker: str | None
    rule: str | None
    params: dict
    rankings: list | None
    tasks: list | None
    calibration: dict

    def spec(self, study):
        """What a ranking job is told, with the study's changes of the parameters; the job's provenance."""
        params = {**self.params, **study["params"].get(self.name, {})}
        if self.rule is not None:
            return {"rule": self.rule, "params": params}
        return {"ranker": self.ranker, "params": params, "rankings": self.rankings}


def summary_of(function):
    """The first paragraph of a docstring, on one line."""
    return " ".join((function.__doc__ or "").partition("\n\n")[0].split())


class Plan:
    """All jobs of a configuration.

    Parameters
    ----------
    config : dict
        As read from YAML.
    root : path-like
        The root of the repository: schemas, method folders and the catalogue are found from here.
    filters : dict of str to list of str or None, optional
        From :func:`apply_filters`.

    Attributes
    ----------
    data : dict
        The block `data`, complete.
    catalogue : dict of str to sslrank.data.Entry
    studies : dict of str to dict
        Complete blocks, `like` resolved, the filters applied.
    methods : dict of str to Method
    evaluators : dict of str to dict

    Raises
    ------
    ConfigError
        If anything in the configuration is unknown, missing or contradictory.
    """

    def __init__(self, config, root=".", filters=None):
        from sslrank.data.catalogue import load_catalogue

        self.root = Path(root)
        self.filters = dict.fromkeys(FILTERS) | (filters or {})
        check_schema(config, load_schema(self.root / "workflow/schemas/config.schema.yaml"))
        self.data = {
            "catalogue": "workflow/datasets.yaml",
            "cache": None,
            "mirror": None,
            "files": {},
            **config.get("data", {}),
        }
        self.catalogue = load_catalogue(self.root / self.data["catalogue"])
        for dataset in self.data["files"]:
            require(dataset, self.catalogue, "data.files")
        self.methods = {name: self._method(name, block) for name, block in config["methods"].items()}
        self.only = {}
        self.evaluators = {name: self._evaluator(name, block) for name, block in config["evaluators"].items()}
        self.studies = {name: self._study(name, config["studies"]) for name in config["studies"]}
        self._apply_filters()

    # --- reading the blocks -------------------------------------------------------------------------------

    def _method(self, name, block):
        method = Method(
            name,
            block.get("ranker"),
            block.get("rule"),
            block.get("params", {}),
            block.get("rankings"),
            block.get("tasks"),
            {**DEFAULT_CALIBRATION, **block.get("calibration", {})},
        )
        if method.rule is not None:
            require(method.rule, self.method_folders(), f"methods.{name}.rule")
        elif ":" not in method.ranker:
            require(method.ranker, RANKERS, f"methods.{name}.ranker")
        self._check_params(method, method.params, f"methods.{name}.params")
        linear = {method.calibration["linear_in"]: None} if method.calibration["linear_in"] else {}
        self._check_params(method, {**method.calibration["params"], **linear}, f"methods.{name}.calibration")
        return method

    def method_folders(self):
        """Folders under workflow/rules/methods/ that bring a rule, but for templates (``_...``)."""
        found = (self.root / "workflow/rules/methods").glob("*/rule.smk")
        return sorted(path.parent.name for path in found if not path.parent.name.startswith("_"))

    def _check_params(self, method, params, where):
        if method.rule is not None:
            folder = self.root / "workflow/rules/methods" / method.rule
            check_schema(params, load_schema(folder / "schema.yaml"), where)
            return
        try:
            known = inspect.signature(ranker_info(method.ranker).load()).parameters
        except ImportError as error:
            raise ConfigError(
                f"config: methods.{method.name}: the ranker {method.ranker!r} cannot be imported ({error}); "
                "is sslrank installed and compiled (make install)?"
            ) from error
        for key in params:
            if key not in known:
                raise ConfigError(f"config: {where}: unknown parameter {key!r}; {nearest(key, known)}")

    def _evaluator(self, name, block):
        require(block["evaluator"], EVALUATORS, f"evaluators.{name}.evaluator")
        only = block.get("only", {})
        for method in only.get("methods", []):
            require(method, self.methods, f"evaluators.{name}.only.methods")
        budgets = check_budgets(only.get("n_labeled", []), f"evaluators.{name}.only.n_labeled")
        self.only[name] = {"methods": only.get("methods"), "n_labeled": budgets or None}
        return {"evaluator": block["evaluator"], "params": block.get("params", {})}

    def _study(self, name, blocks, seen=()):
        where = f"studies.{name}"
        block = copy.deepcopy(blocks[name])
        parent = block.pop("like", None)
        if parent is not None:
            require(parent, blocks, f"{where}.like")
            if parent in (*seen, name):
                raise ConfigError(f"config: {where}.like: the studies {parent!r} and {name!r} refer to each other")
            base = self._study(parent, blocks, (*seen, name))
        else:
            base = copy.deepcopy(DEFAULT_STUDY)
        study = _merge(base, block)
        if "tables" in block:
            study["tables"] = block["tables"]
        for key in ("datasets", "methods", "evaluators"):
            if key not in study:
                raise ConfigError(f"config: {where}: the key {key!r} is missing")
        for dataset in study["datasets"]:
            require(dataset, self.catalogue, f"{where}.datasets")
        for method in [
            *study["methods"],
            *study["params"],
            *study["calibration"],
            *(name for members in study["comparison"]["families"].values() for name in members),
        ]:
            require(method, self.methods, where)
        for method, params in study["params"].items():
            self._check_params(self.methods[method], params, f"{where}.params.{method}")
        for evaluator in study["evaluators"]:
            require(evaluator, self.evaluators, f"{where}.evaluators")
            if study["joined_jobs"] and self.only[evaluator]["methods"] is not None:
                raise ConfigError(
                    f"config: {where}.joined_jobs: the evaluator {evaluator!r} is for some methods only and "
                    "cannot be joined with others; leave joined_jobs out"
                )
        for key in ("curves", "summary"):
            for dataset in study["figures"].get(key, []):
                require(dataset, self.catalogue, f"{where}.figures.{key}")
        for label, block in study["experiments"].items():
            require(block.get("experiment"), EXPERIMENTS, f"{where}.experiments.{label}.experiment")
            block.setdefault("params", {})
        study["splits"]["n_labeled"] = check_budgets(study["splits"]["n_labeled"], f"{where}.splits.n_labeled")
        comparison = study["comparison"]
        comparison.setdefault("evaluator", study["evaluators"][0])
        require(comparison["evaluator"], study["evaluators"], f"{where}.comparison.evaluator")
        if study["published"] is not None:
            folder = self.root / "workflow/published" / study["published"]
            if not folder.is_dir():
                known = [path.name for path in folder.parent.iterdir()]
                raise ConfigError(
                    f"config: {where}.published: no folder {study['published']!r}; {nearest(study['published'], known)}"
                )
        study["tables"] = self._tables(study, where)
        study["name"] = name
        return study

    def _tables(self, study, where):
        tables = study.get("tables")
        if tables is None:
            tables = {name: {} for name in DEFAULT_TABLES if name != "ssl_minus_sl" or len(study["modes"]) == 2}
        complete = {}
        for name, block in tables.items():
            function = block.get("function", name)
            require(function, TABLES, f"{where}.tables.{name}")
            known = inspect.signature(table_info(function).make).parameters
            given = [block.get("options", {}), *block.get("variants", {}).values()]
            for option in (name for options in given for name in options):
                if option not in list(known)[1:]:
                    raise ConfigError(
                        f"config: {where}.tables.{name}.options: unknown option {option!r}; "
                        f"{nearest(option, list(known)[1:])}"
                    )
            for file in block.get("published", []):
                path = self.root / "workflow/published" / str(study["published"]) / file
                if not path.is_file():
                    known = [path.name for path in path.parent.glob("*.csv")]
                    raise ConfigError(
                        f"config: {where}.tables.{name}.published: no file {file!r}; {nearest(file, known)}"
                    )
            complete[name] = {
                "function": function,
                "title": block.get("title", table_info(function).title),
                "about": summary_of(table_info(function).make),
                "options": block.get("options", {}),
                "variants": block.get("variants", {}),
                "published": block.get("published", []),
                "relative_to": block.get("relative_to", {}),
                "note": block.get("note", ""),
            }
        return complete

    def _apply_filters(self):
        datasets, studies, methods = (self.filters[key] for key in FILTERS)
        for name in studies or []:
            require(name, self.studies, "studies (filter)")
        for name in datasets or []:
            require(name, self.catalogue, "datasets (filter)")
        for name in methods or []:
            require(name, self.methods, "methods (filter)")
        if studies is not None:
            self.studies = {name: self.studies[name] for name in studies}
        for study in self.studies.values():
            study["filtered"] = False
            for key, keep in (("datasets", datasets), ("methods", methods)):
                if keep is not None:
                    kept = [name for name in study[key] if name in keep]
                    study["filtered"] |= len(kept) < len(study[key])
                    study[key] = kept
        self.studies = {name: study for name, study in self.studies.items() if study["datasets"] and study["methods"]}
        if not self.studies:
            raise ConfigError("config: the filters leave no study with a dataset and a method")

    # --- questions that the rules ask ---------------------------------------------------------------------

    def is_available(self, dataset):
        """Whether the data can be had: downloaded, in a package, or as a file of the user's."""
        return self.catalogue[dataset].available or dataset in self.data["files"]

    def datasets(self, study):
        """Datasets of a study that can be had."""
        return [name for name in self.studies[study]["datasets"] if self.is_available(name)]

    def every_dataset(self):
        """Datasets that any study uses and that can be had, sorted."""
        return sorted({name for study in self.studies for name in self.datasets(study)})

    def budgets(self, study):
        """Label budgets of a study."""
        return self.studies[study]["splits"]["n_labeled"]

    def pairs(self, study):
        """(dataset, method) pairs of a study that are planned."""
        return [
            (dataset, method)
            for dataset in self.datasets(study)
            for method in self.studies[study]["methods"]
            if self.methods[method].tasks is None or self.catalogue[dataset].task in self.methods[method].tasks
        ]

    def python_methods(self):
        """Names of the methods that are Python rankers."""
        return [name for name, method in self.methods.items() if method.rule is None]

    def methods_of_rule(self, folder):
        """Names of the methods that a folder under workflow/rules/methods/ serves."""
        return [name for name, method in self.methods.items() if method.rule == folder]

    def parameter(self, study, method, name, default):
        """One parameter of a method in a study."""
        return self.methods[method].spec(self.studies[study])["params"].get(name, default)

    def preparing_code(self, dataset):
        """Fingerprint of what reads a dataset."""
        return reader_code(self.catalogue[dataset], self.data["files"].get(dataset))

    def ranking_code(self, method):
        """Fingerprint of a Python ranker; None for other methods."""
        ranker = self.methods[method].ranker
        return None if ranker is None else ranker_code(ranker)

    def scoring_code(self, evaluator):
        """Fingerprint of an evaluator."""
        return evaluator_code(self.evaluators[evaluator])

    def experiment_code(self, study, experiment):
        """Fingerprint of an experiment of a study."""
        return code_fingerprint(experiment_module(self.studies[study]["experiments"][experiment]["experiment"]))

    def size(self, dataset):
        """Number of values in a dataset's table, for planning; a guess where it is not known."""
        shape = self.catalogue[dataset].shape
        return (shape.rows or 100) * (shape.features or 10)

    def calibrations(self, study, dataset):
        """What a calibration job is told about the methods of a dataset: those of Python rankers."""
        found = {}
        python = self.python_methods()
        for name, method in self.pairs(study):
            if name != dataset or method not in python:
                continue
            spec = self.methods[method].spec(self.studies[study])
            calibration = dict(self.methods[method].calibration)
            calibration["times"] = self.studies[study]["calibration"].get(method, calibration["times"])
            if calibration["linear_in"] is not None:
                calibration["value"] = self._parameter(spec, calibration["linear_in"])
            judges = [judge for d, m, judge in self.scored(study) if (d, m) == (dataset, method)]
            code = self.ranking_code(method)
            found[method] = {"spec": spec, "calibration": calibration, "evaluators": judges, "code": code}
        return found

    @staticmethod
    def _parameter(spec, name):
        """Value of a ranker's parameter, its default included."""
        if name in spec["params"]:
            return spec["params"][name]
        return inspect.signature(ranker_info(spec["ranker"]).load()).parameters[name].default

    def calibrated_evaluators(self, study):
        """What a calibration job is told about the evaluators."""
        return {
            name: self.evaluators[name]
            | {"n_labeled": self.scored_budgets(study, name), "code": self.scoring_code(name)}
            for name in self.studies[study]["evaluators"]
        }

    def score_files(self, study):
        """Scores of a study."""
        return [
            f"results/{study}/scores/{dataset}/{method}/{evaluator}.csv"
            for dataset, method, evaluator in self.scored(study)
        ]

    def scored(self, study):
        """(dataset, method, evaluator) triples of a study that are planned."""
        return [
            (dataset, method, evaluator)
            for dataset, method in self.pairs(study)
            for evaluator in self.studies[study]["evaluators"]
            if self.only[evaluator]["methods"] is None or method in self.only[evaluator]["methods"]
        ]

    def scored_budgets(self, study, evaluator):
        """Label budgets whose rankings an evaluator judges."""
        wanted = self.only[evaluator]["n_labeled"]
        return [budget for budget in self.budgets(study) if wanted is None or budget in wanted]

    def _job_rules(self, stage, wildcard, record, together):
        """(rule's name, studies, what one job does, name of its records) of a stage."""
        apart = [name for name, study in self.studies.items() if not study["joined_jobs"]]
        rules = [(stage, apart, [wildcard], record)] if apart else []
        joined = {}
        for name, study in self.studies.items():
            if study["joined_jobs"]:
                joined.setdefault(tuple(together(name)), []).append(name)
        for number, (members, studies) in enumerate(sorted(joined.items()), start=1):
            rules.append((f"{stage}_{JOINED}_{number}", studies, list(members), JOINED))
        return rules

    def ranking_rules(self):
        """(name, studies, label budgets of one job, name of its records) of each ranking rule."""
        return self._job_rules("rank", "{L}", "L{L}", self.budgets)

    def scoring_rules(self):
        """(name, studies, evaluators of one job, name of its records) of each scoring rule."""
        evaluators = {name: study["evaluators"] for name, study in self.studies.items()}
        return self._job_rules("score", "{evaluator}", "{evaluator}", evaluators.get)

    def job_budgets(self, job):
        """Label budgets of a ranking job, by its wildcards."""
        return [job.L] if hasattr(job, "L") else self.budgets(job.study)

    def job_evaluators(self, job):
        """What a scoring job is told about each evaluator, by its wildcards."""
        names = [job.evaluator] if hasattr(job, "evaluator") else self.studies[job.study]["evaluators"]
        folder = f"results/{job.study}/rankings/{job.dataset}/{job.method}"
        return [
            {
                "name": name,
                "evaluator": self.evaluators[name],
                "rankings": {L: f"{folder}/L{L}.parquet" for L in self.scored_budgets(job.study, name)},
                "shared": next(iter(self.shared_files(job.study, job.dataset, name)), None),
                "code": self.scoring_code(name),
            }
            for name in names
        ]

    def job_inputs(self, job):
        """Rankings and shared files that a scoring job reads, by its wildcards."""
        evaluators = self.job_evaluators(job)
        files = [path for item in evaluators for path in item["rankings"].values()]
        files += [item["shared"] for item in evaluators if item["shared"]]
        return list(dict.fromkeys(files))

    def shared_files(self, study, dataset, evaluator):
        """The file of what an evaluator computes once for all rankings of a dataset; none if nothing."""
        block = self.evaluators[evaluator]
        if not is_shared(block["evaluator"], block["params"]):
            return []
        return [f"results/{study}/shared/{dataset}/{evaluator}.csv"]

    def experiments(self):
        """Names of the experiments of all studies."""
        return {name for study in self.studies.values() for name in study["experiments"]}

    def experiment_folders(self, study):
        """Folders of the tables of a study's experiments."""
        return [f"results/{study}/experiments/{name}" for name in self.studies[study]["experiments"]]

    def _ranking_jobs(self, study):
        for dataset, method in self.pairs(study):
            task = self.catalogue[dataset].task
            for budget in self.budgets(study):
                yield {"dataset": dataset, "task": task, "method": method, "L": budget}

    def status_files(self, study):
        """(job, status table) pairs of a study."""
        place = f"results/{study}/rankings/{{dataset}}/{{method}}/L{{L}}.status.csv"
        return [(job, place.format(**job)) for job in self._ranking_jobs(study)]

    def benchmark_files(self, study):
        """(job, benchmark record) pairs of a study's rankings and scores."""
        base, joined = f"results/{study}/benchmarks", self.studies[study]["joined_jobs"]
        python, found = self.python_methods(), {}
        for job in self._ranking_jobs(study):
            together = joined and job["method"] in python
            name = JOINED if together else f"L{job['L']}"
            row = {"step": "ranking"} | job | ({"L": ""} if together else {})
            found.setdefault(f"{base}/rankings/{job['dataset']}/{job['method']}/{name}.tsv", row)
        for dataset, method, evaluator in self.scored(study):
            row = {"step": "scores", "dataset": dataset, "method": method}
            row["evaluator"] = "" if joined else evaluator
            found.setdefault(f"{base}/scores/{dataset}/{method}/{row['evaluator'] or JOINED}.tsv", row)
        return [(row, path) for path, row in found.items()]

    def dataset_facts(self, study):
        """What the collecting job is told about the datasets of a study."""
        facts, tested = [], self.studies[study]["clustering_hypothesis"]
        for name in self.studies[study]["datasets"]:
            entry = self.catalogue[name]
            available = self.is_available(name)
            published = entry.studies.get(self.studies[study]["published"])
            facts.append(
                {
                    "dataset": name,
                    "task": entry.task,
                    "available": available,
                    "reason": "" if available else entry.reason,
                    "title": entry.title,
                    "published": published.name if published else "",
                    "header": f"results/data/{name}/header.json" if available else "",
                    "hypothesis": HYPOTHESIS.format(name) if available and tested else "",
                }
            )
        return facts

    def hypothesis_files(self, study):
        """The files with CH that a study's table of datasets shows."""
        return [fact["hypothesis"] for fact in self.dataset_facts(study) if fact["hypothesis"]]

    def published_names(self, study):
        """Our name by published name, for the datasets of a study's publication."""
        publication = self.studies[study]["published"]
        return {
            entry.studies[publication].name: name
            for name, entry in self.catalogue.items()
            if publication in entry.studies
        }

    def published_folder(self, study):
        """Folder of a study's publication, relative to the working directory."""
        return os.path.relpath(self.root / "workflow/published" / str(self.studies[study]["published"]))

    def table_blocks(self, study):
        """Function, options and variants of each table of a study."""
        tables = self.studies[study]["tables"]
        keys = ("function", "options", "variants")
        return {name: {key: block[key] for key in keys} for name, block in tables.items()}

    def compared_blocks(self, study):
        """Function and published files of those tables that the publication has as well."""
        folder = self.published_folder(study)
        return {
            name: {
                "function": block["function"],
                "published": [f"{folder}/{file}" for file in block["published"]],
                "relative_to": block["relative_to"],
                "alpha": self.studies[study]["comparison"]["alpha"],
            }
            for name, block in self.studies[study]["tables"].items()
            if block["published"]
        }

    def compared_titles(self, study):
        """Titles of the tables that are compared."""
        tables = self.studies[study]["tables"]
        return {name: tables[name]["title"] for name in self.compared_blocks(study)}

    def published_files(self, study):
        """Every published file that a study is compared with."""
        return [file for block in self.compared_blocks(study).values() for file in block["published"]]

    def drawn_datasets(self, study):
        """Datasets whose curves are drawn."""
        available = self.datasets(study)
        wanted = self.studies[study]["figures"].get("curves", available)
        return [name for name in available if name in wanted]

    def panels(self, study):
        """Names of the panels of a dataset's curves."""
        return [f"k{k}" for k in self.studies[study]["figures"].get("k", [])] or ["main"]

    def names_file(self, study):
        """``names.yaml`` of a study's publication."""
        return f"{self.published_folder(study)}/names.yaml"

    def comparison_config(self, study):
        """The keys of a study that tables and figures read."""
        block = self.studies[study]
        read = {key: block[key] for key in ("methods", "modes", "splits", "comparison")}
        return read | {"figures": {key: value for key, value in block["figures"].items() if key != "summary"}}

    def tables_code(self, study):
        """Fingerprint of a study's tables."""
        return table_code(block["function"] for block in self.table_blocks(study).values())

    def compared_code(self, study):
        """Fingerprint of those of a study's tables that are compared with published ones."""
        return table_code(block["function"] for block in self.compared_blocks(study).values())

    def study_config(self, study):
        """Everything about a study, for the manifest and the page."""
        block = self.studies[study]
        methods = {name: self.methods[name].spec(block) for name in block["methods"]}
        evaluators = {name: self.evaluators[name] for name in block["evaluators"]}
        return {**block, "methods_used": methods, "evaluators_used": evaluators}

    def page_parts(self, study):
        """Folders that the results page shows, besides the collected tables."""
        parts = ["tables", "figures"]
        if self.compared_blocks(study):
            parts += ["compared", "published_figures"]
        return [f"results/{study}/{part}" for part in parts]
