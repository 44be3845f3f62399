"""Load the configuration files into complete studies, methods and evaluators, with every name checked.

For messages about mistakes see also :mod:`sslrank.datasets.blocks`.
"""

import copy
import inspect
import itertools
import re
import traceback
from dataclasses import dataclass
from pathlib import Path

from jsonschema import Draft202012Validator

from sslrank.benchmark import paths
from sslrank.benchmark.archive.record import EXPERIMENTS_FOLDER
from sslrank.benchmark.config.models import NAME_PATTERN, Config, Evaluator, MethodSpec, Study, TableSpec
from sslrank.benchmark.experiments import EXPERIMENTS
from sslrank.benchmark.paths import PUBLISHED
from sslrank.benchmark.results.tables import TABLES, table_words
from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion
from sslrank.core.tasks import TASKS
from sslrank.datasets.blocks import check, read_yaml
from sslrank.datasets.catalogue import load_catalogue, own_entry
from sslrank.evaluation.evaluators import EVALUATORS, computed, load_evaluator
from sslrank.rankers.registry import RANKERS, ranker_info

FILTERS = ("studies", "datasets", "methods")
DEFAULT_TABLES = ("areas", "ssl_minus_sl", "ranking_ranks", "friedman", "nemenyi", "time_ranks")
#: Tables of every study, from which the results page is made.
STANDARD_TABLES = ("contest_scores", "leaderboard", "pairs", "names")
RULE_FOLDERS = "workflow/rules"


class CompleteTable(TableSpec):
    """A table with its function's name, title and docstring."""

    about: str


class CompleteStudy(Study):
    """A study with its name, the keys inherited by `like`, and the effect of the filters.

    `filtered` is True if filters removed a part of it.
    """

    name: str
    tables: dict[str, CompleteTable]
    filtered: bool = False

    @property
    def ranked(self):
        """Methods and controls."""
        return [*self.methods, *self.controls]


@dataclass(frozen=True)
class Definitions:
    """A complete, checked configuration: config.yaml, and definitions by name."""

    config: Config
    catalogue: dict
    studies: dict
    methods: dict
    evaluators: dict


def read_definitions(config, root=".", *, is_checked=False):
    """Read and check all definitions that a configuration names.

    `config` is what Snakemake reads: ``config.yaml``, then other files, then the command line; `root` is the
    repository. Raises a DataError if something is unknown, missing, duplicated or contradictory. With `is_checked`,
    parameters of methods and comparisons are not checked again, so that no ranker or evaluator is imported.
    """
    root = Path(root)
    for key in FILTERS:
        if isinstance(config.get(key), dict):
            raise DataError(
                f"config: {key}: this is for names; definitions of your own are under 'own', here 'own: {key}: ...'"
            )
    settings = check(Config, config, "config")
    catalogue = load_catalogue(root / settings.data.catalogue)
    for dataset in catalogue:
        if not re.fullmatch(NAME_PATTERN, dataset):
            raise DataError(
                f"{settings.data.catalogue}: {dataset!r} cannot name files; give the dataset a name of letters, "
                "digits, dots, hyphens and underscores, and what people call it as its 'title'"
            )
    for dataset, file in settings.data.files.items():
        require_known(dataset, catalogue, "config: data.files")
        _check_file(file, f"config: data.files.{dataset}")
    settings = _with_own_datasets(settings, catalogue)
    if EXPERIMENTS_FOLDER in catalogue:
        raise DataError(f"no dataset can be called {EXPERIMENTS_FOLDER!r}, the name of a folder; rename it")
    blocks = {kind: _blocks(kind, settings, config, root) for kind in ("studies", "methods", "evaluators")}
    methods = _complete(blocks["methods"], MethodSpec)
    for name, method in methods.items():
        _check_method(method, blocks["methods"][name][0], root, is_checked)
    evaluators = _complete(blocks["evaluators"], Evaluator)
    for name, evaluator in evaluators.items():
        where = blocks["evaluators"][name][0]
        if evaluator.rule is not None:
            require_known(evaluator.rule, rule_folders(root, "evaluators"), f"{where}.rule")
            check_schema(
                evaluator.params, root / RULE_FOLDERS / f"evaluators/{evaluator.rule}/schema.yaml", f"{where}.params"
            )
        elif ":" not in evaluator.evaluator:
            require_known(evaluator.evaluator, EVALUATORS, f"{where}.evaluator")
        elif not is_checked:
            _check_own_evaluator(evaluator.evaluator, f"{where}.evaluator")
        for method in evaluator.only.methods or ():
            require_known(method, methods, f"{where}.only.methods")
    definitions = Definitions(settings, catalogue, {}, methods, evaluators)
    studies = _complete(blocks["studies"], Study)
    for name, study in studies.items():
        definitions.studies[name] = _finished(name, study, *blocks["studies"][name], definitions, root, is_checked)
    for key, known in zip(FILTERS, (definitions.studies, catalogue, methods), strict=True):
        for name in getattr(settings, key) or ():
            require_known(name, known, f"config: {key}")
    return definitions


def _with_own_datasets(settings, catalogue):
    """Add the user's own datasets to the catalogue, and their files to the settings."""
    files = dict(settings.data.files)
    for name, block in settings.own.datasets.items():
        where = f"config: own.datasets.{name}"
        if name in catalogue:
            raise DataError(f"{where}: the name is taken in {settings.data.catalogue}; give it another one")
        _check_file(block.file, f"{where}.file")
        try:
            catalogue[name] = own_entry(name, **block.model_dump())
        except DataError as error:
            raise DataError(f"config: own.datasets.{error}") from None
        files[name] = block.file
    return settings.model_copy(update={"data": settings.data.model_copy(update={"files": files})})


def _check_file(file, where):
    if not Path(file).is_file():
        raise DataError(f"{where}: there is no file {file} (seen from {Path.cwd()})")


def _blocks(kind, settings, config, root):
    """Return origin and content of each block of a kind by name: those of the files, then the user's own."""
    blocks = {}
    folder = (root / settings.data.catalogue).parent
    for path in sorted([*folder.glob(f"{kind}.yaml"), *folder.glob(f"{kind}/*.y*ml")]):
        relative_path = path.relative_to(root) if path.is_relative_to(root) else path
        _add(blocks, f"{relative_path}: ", read_yaml(path))
    _add(blocks, f"config: own.{kind}.", (config.get("own") or {}).get(kind) or {})
    # Every registered ranker is a method by its name, with its default parameters.
    for name, info in RANKERS.items() if kind == "methods" else ():
        tasks = {} if info.tasks >= set(TASKS) else {"tasks": [task for task in TASKS if task in info.tasks]}
        blocks.setdefault(name, (f"ranker {name}", {"ranker": name, **tasks}))
    for name in paths.RESERVED if kind == "studies" else ():
        if name in blocks:
            raise DataError(f"{blocks[name][0]}: results/{name} is taken; give the study another name")
    return blocks


def _add(names, prefix, blocks):
    for name, block in blocks.items():
        if name in names:
            raise DataError(f"{prefix}{name}: the name is taken: {names[name][0]}; give it another one")
        names[name] = (f"{prefix}{name}", block)


def _complete(blocks, model):
    """Return models by name, with the keys inherited by `like`."""

    def whole(name, seen=()):
        where, block = blocks[name]
        parent = check(model, block, where).like
        if parent is None:
            return block
        require_known(parent, blocks, f"{where}.like")
        if parent in (*seen, name):
            raise DataError(f"{where}.like: {parent!r} and {name!r} refer to each other")
        merged = _merge(whole(parent, (*seen, name)), block)
        if model is Evaluator:
            merged["title"] = block.get("title")
        # A list of tables replaces the parent's as a whole.
        if "tables" in block:
            merged["tables"] = block["tables"]
        return {key: value for key, value in merged.items() if key != "like"}

    return {name: check(model, whole(name), where) for name, (where, _) in blocks.items()}


def _merge(base, changes):
    merged = copy.deepcopy(base)
    for key, value in changes.items():
        are_blocks = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _merge(merged[key], value) if are_blocks else copy.deepcopy(value)
    return merged


def require_known(name, known, where):
    """Raise a DataError with the new or nearest name if `name` is not in `known`."""
    if name not in known:
        raise DataError(f"{where}: {name!r} is not known; {suggestion(name, known)}")


def check_schema(value, path, where):
    """Check a value against the JSON schema in `path`, the ``schema.yaml`` that a method's folder brings."""
    validator = Draft202012Validator(read_yaml(path))
    errors = sorted(validator.iter_errors(value), key=lambda e: (e.validator != "additionalProperties", e.json_path))
    if not errors:
        return
    error = errors[0]
    key = ".".join([where, *map(str, error.absolute_path)])
    if error.validator == "additionalProperties" and isinstance(error.schema.get("properties"), dict):
        properties = error.schema["properties"]
        unknown = next(key for key in error.instance if key not in properties)
        raise DataError(f"{key}: unknown key {unknown!r}; {suggestion(unknown, properties)}")
    if error.validator == "enum":
        hint = suggestion(error.instance, error.validator_value)
        raise DataError(f"{key}: {error.instance!r} is not one of its values; {hint}")
    raise DataError(f"{key}: {error.message}")


# --- methods -------------------------------------------------------------------------------------------------


def rule_folders(root, kind):
    """Return the folders with a rule for "methods" or "evaluators", except for templates (``_...``)."""
    rules = (Path(root) / RULE_FOLDERS / kind).glob("*/rule.smk")
    return sorted(path.parent.name for path in rules if not path.parent.name.startswith("_"))


def _check_method(method, where, root, is_checked):
    if method.rule is not None:
        require_known(method.rule, rule_folders(root, "methods"), f"{where}.rule")
    elif ":" not in method.ranker:
        require_known(method.ranker, RANKERS, f"{where}.ranker")
    if not is_checked:
        check_params(method, method.params, f"{where}.params", root)


def check_params(method, params, where, root):
    """Check names and values of a method's parameters without data; messages locate them by `where`."""
    if method.rule is not None:
        check_schema(params, Path(root) / RULE_FOLDERS / "methods" / method.rule / "schema.yaml", where)
        return
    from sslrank.core.base import BaseRanker  # with scikit-learn, which takes seconds

    try:
        ranker = ranker_info(method.ranker).load()
    except Exception as error:  # of an own module's import, which may do anything
        raise DataError(f"{_ranker_key(where)}: {import_problem(method.ranker, error)}") from None
    if missing := sorted(getattr(ranker, "__abstractmethods__", ())):
        raise DataError(f"{_ranker_key(where)}: {method.ranker} cannot be used, as it lacks {', '.join(missing)}")
    parameters = inspect.signature(ranker).parameters
    for key in params:
        if key not in parameters:
            raise DataError(f"{where}: unknown parameter {key!r}; {suggestion(key, parameters)}")
    if issubclass(ranker, BaseRanker):
        try:
            ranker(**{**method.params, **params}).check_params()
        except (TypeError, ValueError) as error:  # a TypeError of a misspelt parameter of a ranker in it
            raise DataError(f"{where}: {error}") from None


def _check_own_evaluator(name, where):
    try:
        load_evaluator(name)
    except Exception as error:  # of an own module's import, which may do anything
        raise DataError(f"{where}: {import_problem(name, error)}") from None


def _ranker_key(where):
    """Return the key of the ranker whose parameters are at `where`: next to them, except in a study's `params`."""
    return f"{where.removesuffix('params')}ranker" if where.endswith(".params") else where


def import_problem(ranker, error):
    """Explain in one line why a ranker, or an evaluator of the user's own, cannot be imported."""
    module = ranker_info(ranker).path.partition(":")[0]
    if ranker in RANKERS:
        return f"the ranker {ranker!r} cannot be imported ({error}); is sslrank installed and compiled (make install)?"
    if isinstance(error, ModuleNotFoundError) and module.startswith(error.name or module):
        return (
            f"there is no module {module!r} for {ranker!r}; its file must be next to the Snakefile, in a folder of the "
            "variable PYTHONPATH, or installed"
        )
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    if isinstance(error, SyntaxError) or Path(frames[-1].filename).name in ("registry.py", "__init__.py"):
        return str(error)
    where = f"{frames[-1].filename}, line {frames[-1].lineno}: "
    return f"{where}{type(error).__name__}: {error}"


# --- studies -------------------------------------------------------------------------------------------------


def _finished(name, study, where, block, definitions, root, is_checked):
    """Check a study, and complete it by its name, parameters by method, and tables; `block` is what it sets itself."""
    _check_names(study, where, definitions, root)
    families = study.comparison.families
    params = _by_method(study.params, families, definitions.methods, f"{where}.params")
    rankers = _by_method(study.rankers, families, definitions.methods, f"{where}.rankers")
    for changed in dict.fromkeys([*params, *rankers]):
        method = definitions.methods[changed]
        if changed in rankers and method.rule is not None:
            raise DataError(f"{where}.rankers: {changed!r} is a method with the rule {method.rule!r}, not a ranker")
        if changed in rankers:
            method = method.model_copy(update={"ranker": rankers[changed]})
            _check_method(method, f"{where}.rankers.{changed}", root, is_checked)
        if not is_checked:
            check_params(method, params.get(changed, {}), f"{where}.params.{changed}", root)
    evaluator = study.comparison.evaluator or study.evaluators[0]
    choice = study.comparison.model_dump(include={"measure", "k", "L"}) | {"evaluator": evaluator}
    if not is_checked:
        _check_choice(choice, study, f"{where}.comparison", definitions)
    for label, table in {} if is_checked else (study.tables or {}).items():
        for options in (table.options, *({**table.options, **more} for more in table.variants.values())):
            if "tables" not in block:  # inherited ones may be about L that this study leaves out
                options = options | {"L": None}
            _check_choice({"evaluator": evaluator} | options, study, f"{where}.tables.{label}.options", definitions)
    changes = {
        "name": name,
        "params": params,
        "rankers": rankers,
        "comparison": study.comparison.model_copy(update={"evaluator": evaluator}),
        "tables": _tables(study, where, root),
    }
    return CompleteStudy.model_construct(**(dict(study) | changes))


def _check_names(study, where, definitions, root):
    """Check that every name in a study is known."""
    comparison, figures = study.comparison, study.figures
    catalogue, methods = definitions.catalogue, definitions.methods
    names_at = {
        "datasets": (study.datasets, catalogue),
        "methods": (study.methods, methods),
        "controls": (study.controls, methods),
        "evaluators": (study.evaluators, definitions.evaluators),
        "comparison.excluded_datasets": (comparison.excluded_datasets, catalogue),
        "figures.curves": (figures.curves or (), catalogue),
    }
    for family, members in comparison.families.items():
        names_at[f"comparison.families.{family}"] = members, methods
    for label, evaluators in (figures.evaluators or {}).items():
        names_at[f"figures.evaluators.{label}"] = evaluators.values(), study.evaluators
    for label, experiment in study.experiments.items():
        names_at[f"experiments.{label}.experiment"] = [str(experiment.experiment)], EXPERIMENTS
    if study.published is not None:
        names_at["published"] = [study.published], [path.name for path in (root / PUBLISHED).iterdir()]
    for key, (names, known) in names_at.items():
        for name in names:
            require_known(name, known, f"{where}.{key}")


def _check_choice(choice, study, where, definitions):
    """Check that the compared scores are computed: evaluator, measure, k and L."""
    names = choice["evaluator"]
    names = list(names.values()) if isinstance(names, dict) else [names]
    for name in names:
        require_known(name, study.evaluators, f"{where}.evaluator")
    tasks = sorted({definitions.catalogue[name].task for name in study.datasets})
    measure, k = choice.get("measure"), choice.get("k")
    for name, task in itertools.product(names, tasks):
        evaluator = definitions.evaluators[name]
        if evaluator.rule is not None:
            continue  # only its program knows the measures
        try:
            measures, sizes = computed(evaluator.evaluator, evaluator.params, task)
        except (TypeError, ValueError) as error:
            raise DataError(f"{where}.evaluator: {name!r} cannot evaluate {task!r}: {error}") from None
        measure_of_task = measure.get(task) if isinstance(measure, dict) else measure
        if measure_of_task is not None:
            require_known(measure_of_task, measures, f"{where}.measure: {name} on {task!r}")
        for key, size in [("k", k), *(("sizes", size) for size in choice.get("sizes", ()))]:
            if isinstance(size, int) and sizes is not None and size not in sizes:
                sizes_listed = ", ".join(map(str, sizes))
                raise DataError(f"{where}.{key}: {name} does not compute {size}; known are: {sizes_listed}")
    budgets = choice.get("L") or []
    if isinstance(budgets, dict):
        for method in budgets:
            require_known(method, [*study.methods, *study.controls, "default"], f"{where}.L")
        budgets = list(budgets.values())
    for budget in [budgets] if isinstance(budgets, str | int) else budgets:
        require_known(str(budget), study.splits.L, f"{where}.L")


def _by_method(values, families, methods, where):
    """Return values by method; members of a family inherit its value."""
    by_method = {}
    for name, value in values.items():
        require_known(name, [*methods, *families], where)
        by_method |= dict.fromkeys(families.get(name, ()), value)
    for name, value in values.items():
        if name not in families:
            by_method[name] = {**by_method.get(name, {}), **value} if isinstance(value, dict) else value
    return by_method


def _tables(study, where, root):
    tables = study.tables
    if tables is None:
        names = [name for name in DEFAULT_TABLES if name != "ssl_minus_sl" or len(study.modes) > 1]
        tables = dict.fromkeys(names, TableSpec())
    complete = {}
    for name, table in (dict.fromkeys(STANDARD_TABLES, TableSpec()) | tables).items():
        function = table.function or name
        key = f"{where}.tables.{name}"
        require_known(function, TABLES, key)
        title, option_names, about = table_words(function)
        for options in (table.options, *table.variants.values()):
            for option in options:
                if option not in option_names:
                    raise DataError(f"{key}.options: unknown option {option!r}; {suggestion(option, option_names)}")
        for file in table.published:
            folder = root / PUBLISHED / str(study.published)
            require_known(file, [path.name for path in folder.glob("*.csv")], f"{key}.published")
        changes = {"function": function, "title": table.title or title, "about": about}
        complete[name] = CompleteTable.model_construct(**(dict(table) | changes))
    return complete
