"""Models of the configuration: every key with its type and default.

Unknown keys are errors with a suggestion.
"""

from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_serializer,
    model_validator,
)

from sslrank.core.durations import parse_duration
from sslrank.core.tasks import DATASET_TASKS
from sslrank.datasets import blocks
from sslrank.datasets.download import DEFAULT_CACHE
from sslrank.model_selection.splits import SCHEMES, LabelBudget


def _unique(values):
    for i, value in enumerate(values):
        if value in values[:i]:
            raise ValueError(f"{value!r} is duplicated")
    return values


def _names(value):
    """Split a list of names, which on the command line is a text with commas."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _budget(value):
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"{value!r} is not a label budget")
    return LabelBudget(value)


#: A name that files and folders of results can have.
NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN)]
#: Names in a list, each once.
Names = Annotated[list[str], AfterValidator(_unique), Field(min_length=1)]
#: Number of training rows that keep their labels; see :mod:`sslrank.model_selection.splits`.
Budget = Annotated[str, BeforeValidator(_budget)]
Budgets = Annotated[list[Budget], AfterValidator(_unique), Field(min_length=1)]
#: Names to keep: a list, or a text with commas.
Filter = Annotated[list[str], BeforeValidator(_names), Field(min_length=1)]
Task = Literal[DATASET_TASKS]
Share = Annotated[float, Field(gt=0, lt=1)]
Positive = Annotated[float, Field(gt=0)]
#: Seconds, written as 90s, 30m, 24h or 2d
Duration = Annotated[int, BeforeValidator(lambda text: int(parse_duration(text)))]


class StrictBlock(blocks.CheckedBlock):
    """A block of keys; unknown keys and wrong types are errors."""

    model_config = ConfigDict(strict=True)


class OmitsUnset(StrictBlock):
    """A block that is written without unset keys."""

    @model_serializer(mode="wrap")
    def _given(self, handler):
        return {key: value for key, value in handler(self).items() if value is not None}


class Data(StrictBlock):
    """Locations of the data."""

    catalogue: str = "workflow/datasets.yaml"
    """Catalogue of the datasets that studies may use, relative to the root of the repository. Next to it are
    `studies/*.yaml`, `methods.yaml` and `evaluators.yaml`."""
    cache: str = DEFAULT_CACHE
    """Folder of downloaded files; they are kept when results are deleted."""
    mirror: str | None = None
    """Folder or URL with `<dataset>/<file>`, tried before the original address; or set `SSLRANK_MIRROR`."""
    files: dict[str, str] = {}
    """Your own files by dataset, used instead of downloads, such as `{aapc: /data/aapc.arff}`."""


class MethodSpec(StrictBlock):
    """A ranker with parameters, or a program with its own rule: give `ranker`, `rule` or `like`."""

    like: str | None = None
    """Another method; its keys hold here unless they are given again."""
    ranker: str | None = None
    """A name that `sslrank.available_rankers()` lists, or `module:Class` for a ranker of your own."""
    title: str | None = None
    """Name in figures and on pages; default: the title of its ranker."""
    rule: str | None = None
    """Folder in `workflow/rules/methods/` with its own rule, for any other program."""
    params: dict[str, Any] = {}
    """Parameters of the ranker, or those of the folder's `schema.yaml`."""
    rankings: Names | None = None
    """Rankings of a fit to keep; default: all."""
    labels: Literal["all"] | None = None
    """`all`: a Python ranker also gets the labels that L hides, like an oracle; default: only those that L keeps."""
    tasks: list[Task] | None = None
    """Kinds of target to plan jobs for; default: all, and unsupported ones get a status row."""

    @model_validator(mode="after")
    def _check_one_key(self):
        n_given = (self.ranker is not None) + (self.rule is not None)
        if n_given == 2 or (n_given == 0 and self.like is None):
            raise ValueError("give either 'ranker' (a Python ranker) or 'rule' (a folder), and not both")
        if self.rule is not None and self.labels is not None:
            raise ValueError("'labels' is for Python rankers; a rule gets the labels that L leaves")
        return self


class Only(StrictBlock):
    """The rankings that an evaluator scores."""

    methods: Names | None = None
    """Methods whose rankings are scored; default: all methods of the study."""
    L: Budgets | None = None
    """L whose rankings are scored; default: all L of the study."""


class Evaluator(StrictBlock):
    """Scores rankings on the test rows: give `evaluator`, `rule` or `like`."""

    like: str | None = None
    """Another evaluator; its keys hold here unless they are given again."""
    title: str | None = None
    """Name on pages; default: its name here. Not inherited by `like`."""
    evaluator: str | None = None
    """A module of `sslrank.evaluation.evaluators`: `knn`, `eca`, `multilabel`, `top_features` or `top_features_auc`; or
    `module:Class` for an evaluator of your own."""
    rule: str | None = None
    """Folder in `workflow/rules/evaluators/` with its own rule, for any other program."""
    params: dict[str, Any] = {}
    """Settings of the module, or those of the folder's `schema.yaml`."""
    only: Only = Only()
    """Rankings to score; default: all rankings of a study."""

    @property
    def computed(self):
        """The module or the rule's folder that computes the scores, and its settings, as a dict."""
        return self.model_dump(include={"evaluator" if self.rule is None else "rule", "params"})

    @model_validator(mode="after")
    def _check_one_key(self):
        n_given = (self.evaluator is not None) + (self.rule is not None)
        if n_given == 2 or (n_given == 0 and self.like is None):
            raise ValueError("give either 'evaluator' (a module) or 'rule' (a folder), and not both")
        return self


class SplitProtocol(OmitsUnset):
    """Training and test rows, and which training rows keep their labels."""

    scheme: Literal[tuple(SCHEMES)] = "ssl-cross-validation"
    """Scheme of training and test rows; `sslrank.model_selection.splits` describes each."""
    folds: Annotated[int, Field(ge=2)] = 10
    """Number of folds of the cross-validating schemes."""
    repetitions: Annotated[int, Field(ge=1)] = 1
    """Number of repetitions of the scheme, each with another seed."""
    test_share: Share | None = None
    """Share of test rows in the scheme `holdout`; default: a third."""
    max_rows: Annotated[int, Field(ge=2)] | None = None
    """Maximum number of rows, drawn at random from larger datasets without predefined parts; default: all rows."""
    stratify_labels: bool | None = None
    """Stratify the labelled rows by class, or by tenths of a number."""
    L: Budgets = [LabelBudget("all")]
    """Label budgets: how many training rows keep their labels. A number, `all`, `10pct` or `3-per-class`."""


class Comparison(StrictBlock):
    """Scores that tables compare, and the tests."""

    evaluator: str | None = None
    """One of the study's evaluators; default: the first."""
    measure: str | dict[Task, str] | None = None
    """Measure of the evaluator, or one for each kind of target; default: the first one."""
    k: int | Literal["mean"] | None = None
    """Number of neighbours or features; `mean` averages over all of them; default: the largest."""
    L: Budget | list[Budget] | dict[str, Budget] | None = None
    """Label budgets; a mapping has the budget of each method, with `default` for the others; default: all."""
    spacing: Literal["linear", "log", "index"] = "linear"
    """Axis of L for the area under the curve."""
    excluded_datasets: Annotated[list[Name], AfterValidator(_unique)] = []
    """Datasets that are ranked, scored and listed but excluded from ranks and tests, such as another form of an
    included dataset."""
    excluded_rankings: Annotated[list[Name], AfterValidator(_unique)] = []
    """Rankings excluded from the leaderboard, such as those tried while choosing a default."""
    least_share: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Minimum share of a contest's datasets that a ranking must have to take part; ranks are over the datasets that all
    such rankings have."""
    families: dict[Name, Annotated[Names, Field(min_length=2)]] = {}
    """Methods that compute the same rankings in different ways; the best one per task represents the family."""


class Experiment(StrictBlock):
    """A computation that needs no dataset and no ranking method."""

    experiment: str | None = None
    """A name in `sslrank.benchmark.experiments`."""
    params: dict[str, Any] = {}
    """Parameters of the experiment."""


class TableSpec(StrictBlock):
    """A table of the results page."""

    function: str | None = None
    """Function in `src/sslrank/benchmark/results/tables/`; default: the name of the table."""
    title: str | None = None
    """Heading; default: that of the function."""
    options: dict[str, Any] = {}
    """Options of the function."""
    variants: dict[str, dict[str, Any]] = {}
    """Further options by name; the table has the rows of each variant."""
    published: list[str] = []
    """CSV files of the publication to compare with."""
    note: str = ""
    """A note to readers of the table, such as on misprints."""
    verdict: str = ""
    """Outcome of the reproduction of the published table, `same`, `same in order` or `not reproduced`, and its reason.
    Jinja2 with numbers from `results/summaries`, as in `results/findings`; the page lists the summaries with it."""


class Figures(OmitsUnset):
    """Curves to draw."""

    kind: Literal["labels", "features", "errors"] = "labels"
    """Horizontal axis of the curves: L, the number of features, or error curves (FFA and RFA)."""
    curves: Names | None = None
    """Datasets whose curves are drawn as files; the results page shows those of all."""
    k: list[int] | None = None
    """Numbers of neighbours to draw side by side; default: the compared one."""
    evaluators: dict[Name, dict[Literal["ssl", "sl"], str]] | None = None
    """Further curves by name, with another evaluator for each mode, such as `own: {ssl: knn_all_rows, sl: knn}`."""


class Study(StrictBlock):
    """Datasets x methods x protocol. Results are in `results/<name>/`, the page is `report.html` there."""

    like: str | None = None
    """Another study of any file, whose keys are inherited unless set here (`tables` as a whole)."""
    title: str = ""
    """Heading of the page."""
    description: str = ""
    """Description on the page."""
    scale: str = "full"
    """Size of the study in a word, shown on the page: full, reduced or demo."""
    changes: str = ""
    """Differences from the full protocol (the publication's, or that of another study); shown on the page."""
    seed: Annotated[int, Field(ge=0)] = 0
    """Seed of everything random, together with names (dataset, fold, ...), but not with the order of work."""
    datasets: Names | None = None
    """Names in the catalogue; unavailable datasets are left out and listed on the page."""
    methods: Names | None = None
    """Names in `workflow/methods.yaml`."""
    controls: Annotated[list[str], AfterValidator(_unique)] = []
    """Further methods that are ranked, scored, listed and drawn but excluded from ranks and tests: see the tables
    `contest_scores` and `ssl_minus_sl`."""
    params: dict[str, dict[str, Any]] = {}
    """Parameters that this study changes: `{method: {parameter: value}}`; the name of a family sets those of its
    members."""
    rankers: dict[str, str] = {}
    """Rankers that replace those of methods in this study: `{method: ranker}`; also for families."""
    modes: Annotated[list[Literal["ssl", "sl"]], AfterValidator(_unique), Field(min_length=1)] = ["ssl"]
    """`ssl` fits on all training rows, `sl` only on the labelled ones."""
    splits: SplitProtocol = SplitProtocol()
    """Training and test rows, and labels."""
    evaluators: Names | None = None
    """Names in `workflow/evaluators.yaml`."""
    clustering_hypothesis: bool = False
    """Compute CH, how well the clustering hypothesis holds, for the table of datasets."""
    comparison: Comparison = Comparison()
    """Scores that tables compare, and the tests."""
    published: str | None = None
    """Folder in `workflow/published/` with the publication's tables."""
    experiments: dict[Name, Experiment] = {}
    """Experiments that need no dataset, by name."""
    tables: dict[Name, TableSpec] | None = None
    """Tables by name; default: areas, ssl_minus_sl (with both modes), ranking_ranks,
    friedman, nemenyi, time_ranks. Every study has contest_scores, leaderboard, pairs and names, too."""
    figures: Figures = Figures()
    """Curves of the page."""

    @model_validator(mode="after")
    def _is_complete(self):
        for key in ("datasets", "methods", "evaluators"):
            if self.like is None and getattr(self, key) is None:
                raise ValueError(f"the key {key!r} is missing")
        for name in self.controls:
            if name in (self.methods or ()):
                raise ValueError(f"{name!r} is both a method and a control; name it once")
        return self


class Limits(StrictBlock):
    """Time limits of a fit, and of a job on a cluster."""

    fit: Duration | None = None
    """Maximum time of one fit, such as `90s`, `30m`, `24h` or `2d`. A longer fit gets the status `timeout`, which is
    kept until the ranking is run again. A method with its own rule, which ranks all folds and modes in one command,
    gets this time for each of them (by the program `timeout`). Default: no limit."""

    job: Duration | None = None
    """Maximum walltime that a job requests from a cluster, such as the limit of its partition. Default: no limit."""


class OwnDataset(StrictBlock):
    """A table of your own; `sslrank study new` writes such a block."""

    file: str
    """Path of the file from the folder where `snakemake` runs, in a format that `sslrank rank` reads."""
    task: Task
    """Kind of target."""
    title: str = ""
    """Name on the page; default: its name here."""
    reader: dict[str, Any] = {}
    """`format` (default: by the file's suffix) and the options of that reader."""
    columns: dict[str, Any] = {}
    """Roles of columns, as in `workflow/datasets.yaml`: `target`, `drop`, `numeric`, `missing_targets` and others."""


class Own(StrictBlock):
    """Further definitions in your own configuration file. A name that exists in the repository's files is an error."""

    datasets: dict[Name, OwnDataset] = {}
    """Your own tables by name, in addition to those of the catalogue."""
    studies: dict[Name, Study] = {}
    """Studies by name, as in `workflow/studies/*.yaml`."""
    methods: dict[Name, MethodSpec] = {}
    """Methods by name, as in `workflow/methods.yaml`."""
    evaluators: dict[Name, Evaluator] = {}
    """Evaluators by name, as in `workflow/evaluators.yaml`."""


class Config(StrictBlock):
    """Studies to run, and locations of the data."""

    studies: Filter | None = None
    """Studies that `snakemake` and `summary` run if no target is named; null: all. Every study is a target."""
    datasets: Filter | None = None
    """Restrict studies to these datasets; null: all."""
    methods: Filter | None = None
    """Restrict studies to these methods; null: all."""
    archive: Literal["use", "only"] | None = None
    """`use`: results in `results/archive/` are used instead of being run; `only`: nothing is run, and the page lists
    missing results; null: everything is run."""
    limits: Limits = Limits()
    """Time limits."""
    data: Data = Data()
    """The catalogue of datasets, the cache, and files of your own."""
    own: Own = Own()
    """Datasets, studies, methods and evaluators of your own."""
