"""Models of the configuration: every key with its type and default.

The JSON schemas under ``workflow/schemas/`` are made from these models by
``python -m sslrank.benchmark.config.schemas``; an editor that reads the first line of a file
(``# yaml-language-server: $schema=...``) shows the same while you type. Unknown keys are errors with a suggestion.
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
from sslrank.core.tasks import KINDS
from sslrank.datasets import blocks
from sslrank.datasets.download import DEFAULT_CACHE
from sslrank.model_selection.splits import SCHEMES, LabelBudget


def _unique(values):
    for i, value in enumerate(values):
        if value in values[:i]:
            raise ValueError(f"{value!r} is duplicated")
    return values


def _names(value):
    """A list of names, which the command line gives as a text with commas."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _budget(value):
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"{value!r} is not a label budget")
    return LabelBudget(value)


#: A name that files and folders of results can have.
NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]*$"
Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN)]
#: Names in a list, each once.
Names = Annotated[list[str], AfterValidator(_unique), Field(min_length=1, json_schema_extra={"uniqueItems": True})]
#: Number of training rows that keep their labels; see :mod:`sslrank.model_selection.splits`.
Budget = Annotated[
    str, BeforeValidator(_budget, json_schema_input_type=int | str), Field(examples=[50, "all", "10pct", "3-per-class"])
]
Budgets = Annotated[list[Budget], AfterValidator(_unique), Field(min_length=1, json_schema_extra={"uniqueItems": True})]
#: Names to keep: a list, or a text with commas.
Filter = Annotated[list[str], BeforeValidator(_names, json_schema_input_type=list[str] | str)]
Task = Literal[KINDS]
Share = Annotated[float, Field(gt=0, lt=1)]
Positive = Annotated[float, Field(gt=0)]
#: 90s, 30m, 24h, 2d
Duration = Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]*[smhd]$")]


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
    """The file with every dataset that a study may name, from the root of the repository. Next to it are
    `studies/*.yaml`, `methods.yaml` and `evaluators.yaml`."""
    cache: str = DEFAULT_CACHE
    """Folder of downloaded files, which stay when results are deleted."""
    mirror: str | None = None
    """A folder or URL with `<dataset>/<file>`, asked before the origins; or set the variable `SSLRANK_MIRROR`."""
    files: dict[str, str] = {}
    """Your own file of a dataset, by dataset, used instead of a download, e.g. `{aapc: /data/aapc.arff}`."""


class MethodSpec(StrictBlock):
    """A ranker with parameters, or a program with a rule of its own: give `ranker`, `rule` or `like`."""

    like: str | None = None
    """Another method; its keys hold here unless they are given again."""
    ranker: str | None = None
    """A name that `sslrank.available_rankers()` lists, or `module:Class` for a ranker of your own."""
    title: str | None = None
    """Name in figures and on pages; default: the title of its ranker."""
    rule: str | None = None
    """A folder under `workflow/rules/methods/` with a rule of its own, for any other program."""
    params: dict[str, Any] = {}
    """Parameters of the ranker, or those of the folder's `schema.yaml`."""
    rankings: Names | None = None
    """Rankings to keep of those that one fit gives; default: all."""
    labels: Literal["all"] | None = None
    """`all`: a Python ranker sees the labels that L hides, too, as an oracle does; default: those that L leaves."""
    tasks: list[Task] | None = None
    """Kinds of target that jobs are planned for; default: all, and unsupported ones get a status row."""

    @model_validator(mode="after")
    def _check_one_key(self):
        given = (self.ranker is not None) + (self.rule is not None)
        if given == 2 or (given == 0 and self.like is None):
            raise ValueError("give either 'ranker' (a Python ranker) or 'rule' (a folder), and not both")
        if self.rule is not None and self.labels is not None:
            raise ValueError("'labels' is for Python rankers; a rule gets the labels that L leaves")
        return self


class Only(StrictBlock):
    """The rankings that an evaluator judges."""

    methods: Names | None = None
    """Those of these methods; default: of all methods of the study."""
    L: Budgets | None = None
    """Those for these L; default: for all of the study."""


class Evaluator(StrictBlock):
    """Judges rankings on the test rows: give `evaluator` or `like`."""

    like: str | None = None
    """Another evaluator; its keys hold here unless they are given again."""
    title: str | None = None
    """Name on pages; default: its name here. Not taken over by `like`."""
    evaluator: str | None = None
    """A module of `sslrank.evaluation.evaluators`: `knn`, `eca`, `multilabel`, `top_features` or `top_features_auc`."""
    params: dict[str, Any] = {}
    """Its settings."""
    only: Only = Only()
    """The rankings that it judges; default: all of a study."""

    @model_validator(mode="after")
    def _check_not_empty(self):
        if self.evaluator is None and self.like is None:
            raise ValueError("the key 'evaluator' is missing")
        return self


class SplitProtocol(OmitsUnset):
    """Training and test rows, and which training rows keep their labels."""

    scheme: Literal[tuple(SCHEMES)] = "ssl-cross-validation"
    """Scheme of training and test rows; `sslrank.model_selection.splits` describes each."""
    folds: Annotated[int, Field(ge=2)] = 10
    """Number of folds of the cross-validating schemes."""
    repetitions: Annotated[int, Field(ge=1)] = 1
    """Number of repetitions of the scheme, each with other random numbers."""
    test_share: Share | None = None
    """Share of the test rows of the scheme `holdout`; default: a third."""
    max_rows: Annotated[int, Field(ge=2)] | None = None
    """Use this many rows of a dataset that has more, drawn at random, and no predefined parts; default: all rows."""
    stratify_labels: bool | None = None
    """Keep the shares of the classes, or of the tenths of a number, among the labelled rows."""
    L: Budgets = [LabelBudget("all")]
    """Label budgets: how many training rows keep their labels. A number, `all`, `10pct` or `3-per-class`."""


class Comparison(StrictBlock):
    """Scores that tables compare, and the tests."""

    evaluator: str | None = None
    """One of the study's evaluators; default: the first."""
    measure: str | dict[Task, str] | None = None
    """Its measure, or one for each kind of target; default: the first one of the task."""
    k: int | Literal["mean"] | None = None
    """Number of neighbours or features; `mean` averages over all of them; default: the largest."""
    L: Budget | list[Budget] | dict[str, Budget] | None = None
    """Label budgets; a mapping says it by method, with `default` for the others; default: all."""
    spacing: Literal["linear", "log", "index"] = "linear"
    """Spacing of L under the curve whose area is taken."""
    beside: Annotated[list[Name], AfterValidator(_unique)] = []
    """Datasets that are ranked, judged and listed but take no part in ranks and tests, such as another form of a
    dataset that does."""
    without: Annotated[list[Name], AfterValidator(_unique)] = []
    """Rankings that take no part in the leaderboard, such as those that were tried for a choice."""
    least_share: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Least share of a contest's datasets that a ranking has to take part in it; ranks are over the datasets that all
    of these have."""
    families: dict[Name, Annotated[Names, Field(min_length=2)]] = {}
    """Methods that make the same rankings in different ways; the best one per task stands for them."""


class Experiment(StrictBlock):
    """A computation that needs no dataset and no ranking method."""

    experiment: str | None = None
    """A name in `sslrank.benchmark.experiments`."""
    params: dict[str, Any] = {}
    """Its parameters."""


class TableSpec(StrictBlock):
    """A table of the results page."""

    function: str | None = None
    """A function of `src/sslrank/benchmark/results/tables/`; default: the table's own name."""
    title: str | None = None
    """Heading; default: the function's."""
    options: dict[str, Any] = {}
    """Options of the function."""
    variants: dict[str, dict[str, Any]] = {}
    """Further options by name: the table is made, and compared, once with each."""
    published: list[str] = []
    """The publication's CSV files that it is compared with."""
    note: str = ""
    """A note to readers of the table, such as on misprints."""
    verdict: str = ""
    """Outcome of the reproduction of the published table, `same`, `same in order` or `not reproduced`, and its reason.
    Jinja2 with numbers from `results/summaries`, as in `results/findings`; the page lists the summaries with it."""


class Figures(OmitsUnset):
    """Curves that are drawn."""

    kind: Literal["labels", "features", "errors"] = "labels"
    """Horizontal axis of the curves: L, the number of features, or error curves (FFA and RFA)."""
    curves: Names | None = None
    """Datasets whose curves are drawn as files; the results page draws those of all."""
    k: list[int] | None = None
    """Numbers of neighbours drawn side by side; default: the compared one."""
    judges: dict[Name, dict[Literal["ssl", "sl"], str]] | None = None
    """Further curves by name, with another evaluator for each mode, such as `own: {ssl: knn_all_rows, sl: knn}`."""


class Study(StrictBlock):
    """Datasets x methods x protocol. Results are in `results/<name>/`, the page is `report.html` there."""

    like: str | None = None
    """Another study, of any file; its keys hold here unless they are given again (`tables` as a whole)."""
    title: str = ""
    """Heading of the page."""
    description: str = ""
    """Description on the page."""
    scale: str = "full"
    """A word for the size, shown on the page, such as full, reduced or demo."""
    changes: str = ""
    """Differences from the publication, such as fewer folds; shown on the page."""
    seed: Annotated[int, Field(ge=0)] = 0
    """Everything random derives from it and from names (dataset, fold, ...), never from the order of work."""
    datasets: Names | None = None
    """Names in the catalogue; those that are not available are left out and listed on the page."""
    methods: Names | None = None
    """Names in `workflow/methods.yaml`."""
    controls: Annotated[list[str], AfterValidator(_unique)] = []
    """Further methods that are ranked, judged, listed and drawn, but take no part in ranks and tests: see the tables
    `contest_scores` and `ssl_minus_sl`."""
    params: dict[str, dict[str, Any]] = {}
    """Parameters that this study changes: `{method: {parameter: value}}`; a family of `comparison` is its members."""
    rankers: dict[str, str] = {}
    """Rankers that this study uses for methods instead of their own: `{method: ranker}`; also for families."""
    modes: Annotated[
        list[Literal["ssl", "sl"]],
        AfterValidator(_unique),
        Field(min_length=1, json_schema_extra={"uniqueItems": True}),
    ] = ["ssl"]
    """`ssl` fits on all training rows, `sl` on the labelled ones only."""
    splits: SplitProtocol = SplitProtocol()
    """Training and test rows, and labels."""
    evaluators: Names | None = None
    """Names in `workflow/evaluators.yaml`."""
    clustering_hypothesis: bool = False
    """Compute CH for the table of datasets: how far the clustering hypothesis holds."""
    comparison: Comparison = Comparison()
    """Scores that tables compare, and the tests."""
    published: str | None = None
    """Folder under `workflow/published/` with the publication's tables."""
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
    """Limits of the time that one fit, or a job on a cluster, may take."""

    fit: Duration | None = Field(None, examples=["24h"])
    """Longest time of one fit of a ranker, e.g. `90s`, `30m`, `24h` or `2d`; a longer one gets the status `timeout`,
    which stays until the ranking is run again. A method with a rule of its own, which ranks all folds and modes in one
    command, may take it for each of them (by the program `timeout`). Default: no limit."""

    job: Duration | None = Field(None, examples=["24h"])
    """Longest walltime that a job asks a cluster for, such as the limit of its partition. Default: no limit."""

    @property
    def job_seconds(self):
        """The limit of a job's walltime in seconds, 0 for none."""
        return int(parse_duration(self.job)) if self.job else 0

    @property
    def fit_seconds(self):
        """The limit of a fit in seconds, 0 for none."""
        return int(parse_duration(self.fit)) if self.fit else 0


class OwnDataset(StrictBlock):
    """A table of your own; `sslrank study new` writes such a block."""

    file: str
    """The file, seen from where `snakemake` is run, in a format that `sslrank rank` reads."""
    task: Task
    """Kind of target."""
    title: str = ""
    """Name on the page; default: its name here."""
    reader: dict[str, Any] = {}
    """`format` (default: by the file's suffix) and the options of that reader."""
    columns: dict[str, Any] = {}
    """Roles of columns, as in `workflow/datasets.yaml`: `target`, `drop`, `numeric`, `missing_targets` and others."""


class Own(StrictBlock):
    """Further definitions, for your own configuration file. A name that is taken in the files is an error."""

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
    """Studies that `snakemake` and `summary` run without a target; null: all. Every study is a target."""
    datasets: Filter | None = None
    """Only these datasets of the studies; null: all."""
    methods: Filter | None = None
    """Only these methods of the studies; null: all."""
    archive: Literal["use", "only"] | None = None
    """`use`: results that `results/archive/` has are taken from there and not run; `only`: nothing is run, and the page
    lists missing results; null: everything is run."""
    sample: Annotated[int, Field(ge=1)] = 20
    """Number of random cells of the archive that `snakemake verify` recomputes."""
    seed: Annotated[int, Field(ge=0)] = 0
    """Seed of their choice."""
    limits: Limits = Limits()
    """Limits of time."""
    data: Data = Data()
    """The catalogue of datasets, the cache, and files of your own."""
    own: Own = Own()
    """Studies, methods and evaluators of your own."""
