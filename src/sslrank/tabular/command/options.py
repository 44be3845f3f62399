"""Options of the subcommands for tables, declared once, and the reading of a table by these options."""

import argparse
import csv
import fnmatch
import os
import re
import warnings
from dataclasses import replace
from functools import cache
from importlib import import_module

from sslrank.core.errors import DataError
from sslrank.core.garbage import no_garbage_collection
from sslrank.core.messages import listed, suggestion
from sslrank.core.tasks import TASKS
from sslrank.datasets.readers import FORMATS

#: Keys of --reader and their values: those of the catalogue's `reader` block, and those that say how FILE is opened.
READER = {
    "format": sorted(FORMATS),
    "delimiter": "the character between the values of a CSV file",
    "decimal": [".", ","],
    "encoding": "of a text file, such as latin-1",
    "header": ["true", "false"],
    "row_names": ["true", "false"],
    "duplicates": ["refuse", "rename"],
    "missing": "texts that mean a missing value, separated by commas",
    "not_missing": "texts to keep as values although they usually mean missing, such as NA; empty: blank cells",
    "below": ["limit", "half"],
    "skip_lines": "lines to skip: a title, units, totals, a footer, such as 1-2,45; -1: the last one",
    "sheet": "the sheet of a workbook",
    "max_size": "largest unpacked size of FILE, such as 4G",
    "hierarchy": ["tree", "dag"],
}


def add_command(subparsers, name, description, module=None):
    """Add a subcommand, run by the module of its name; returns its parser."""

    def run(arguments):
        with no_garbage_collection():  # the import takes up to a second
            command = import_module(f"sslrank.tabular.command.{module or name}")
        command.run(arguments)

    parser = subparsers.add_parser(name, help=description, description=description)
    parser.set_defaults(run=run)
    return parser


def _reader_option(text):
    key, equals, value = text.partition("=")
    key = key.strip().replace("-", "_")
    if key not in READER or not equals:
        problem = f"unknown key {key!r}; {suggestion(key, READER)}" if equals else f"expected KEY=VALUE, got {text!r}"
        raise argparse.ArgumentTypeError(problem)
    choices = READER[key]
    if isinstance(choices, list) and value not in choices:
        raise argparse.ArgumentTypeError(f"{key} must be one of {', '.join(choices)}, got {value!r}")
    return key, {"true": True, "false": False}.get(value, value) if choices == ["true", "false"] else value


def whole(text, least=0):
    """Read an integer of at least `least`."""
    if not text.isascii() or not text.isdigit() or int(text) < least:
        raise argparse.ArgumentTypeError(f"expected a whole number of at least {least}, got {text!r}")
    return int(text)


def _jobs(text):
    if not re.fullmatch(r"-?[0-9]+", text) or not int(text):
        raise argparse.ArgumentTypeError(f"expected a number of threads, or -1 for all cores, got {text!r}")
    return min(int(text), os.cpu_count() or 1)


def repeated(text, metavar="NAMES"):
    """Declare an option that may be repeated."""
    return {"action": "append", "default": [], "metavar": metavar, "help": text}


def _column(text):
    return {"metavar": "COLUMN", "help": text}


#: Options for FILE and its columns, evaluation, random numbers and processes. A command adds only those that it
#: honours, by name.
OPTIONS = {
    "target": repeated(
        "target columns, separated by commas; patterns such as 'label_*'; a comma in a name as '\"a, b\"'"
    ),
    "task": {"choices": TASKS, "help": "kind of target (default: by its values)"},
    "unlabeled": repeated("value of the target that means unlabelled, such as -1", "VALUE"),
    "reader": repeated(
        f"how FILE is read; may be repeated; keys: {', '.join(READER)} (tree: paths, dag: nodes)", "KEY=VALUE"
    )
    | {"type": _reader_option},
    "nominal": repeated("columns that are categories, or patterns such as 'code_*'"),
    "numeric": repeated("columns that are numbers, or patterns"),
    "ordinal": repeated("levels, the lowest first, such as 'low,medium,high'; columns of these are numbers", "LEVELS"),
    "drop": repeated("columns to leave out, or patterns"),
    "dates": {
        "choices": ("day-first", "month-first"),
        "help": "order in dates such as 03/04/2020, where other dates of the column do not show it",
    },
    "keep": repeated("columns to rank, each as its own variable, although like identifiers, constants or duplicates"),
    "groups": _column("group of each row, such as its patient: groups are never split; or none"),
    "time": _column("time of each row, as dates or numbers: earlier rows are trained on, later ones tested; or none"),
    "strata": _column("stratum of each row, such as its centre: tests compare rows of the same stratum"),
    "weights": _column("weight of each row"),
    "event": _column(
        "the target is a follow-up time, censored where this column is 0, false or a word such as alive; COLUMN=VALUE: "
        "other values are censored, too"
    ),
    "entry": _column("with --event: time from which each row is at risk (left truncation)"),
    "adjust": repeated("columns to adjust for, such as age and sex; they are not ranked"),
    "positives-only": {
        "action": "store_true",
        "default": None,
        "help": "only positive rows are labelled: compare them with all others",
    },
    "measure": {"metavar": "NAME", "help": "measure of the models (default: balanced accuracy, or by the target)"},
    "seed": {"type": whole, "default": 0, "metavar": "N", "help": "random seed (default: %(default)s)"},
    "jobs": {"type": _jobs, "default": -1, "metavar": "N", "help": "processes and threads (default: -1, all cores)"},
}
#: Groups of options that each command honours, by what it does with a table.
COLUMN_OPTIONS = ("target", "task", "reader", "nominal", "numeric", "ordinal", "drop", "dates")
ROW_OPTIONS = ("groups", "time", "strata")
TARGET_OPTIONS = ("event", "entry", "adjust", "positives-only")
EVALUATION_OPTIONS = ("measure", "seed", "jobs")


def add_options(parser, *names, title="FILE and its columns"):
    """Add options of :data:`OPTIONS` to a command, as a group."""
    group = parser.add_argument_group(title)
    for name in names:
        group.add_argument(f"--{name}", **OPTIONS[name])
    return group


def add_file(parser):
    """Add the argument FILE."""
    parser.add_argument(
        "file", metavar="FILE", help="CSV, TSV, Parquet, Excel, SPSS, Stata, SAS, ARFF, .mat, KEEL, R; or compressed"
    )


def add_ranking(parser):
    """Add the argument RANKING and the option for its column."""
    source = "the folder that sslrank rank --out wrote, or CSV or Parquet with a column 'feature'"
    parser.add_argument("ranking", metavar="RANKING", help=source)
    order = "column to order by: the lowest first of ranks, p, q, low and high, else the highest"
    parser.add_argument("--column", metavar="NAME", help=order)


def split_names(values):
    """List the names of an option that may be repeated, each time with several names separated by commas."""
    try:
        names = [name for value in values for name in next(csv.reader([value], skipinitialspace=True), [])]
    except csv.Error as error:
        raise DataError(f"expected names separated by commas, got {values}: {error}") from None
    return [name.strip() for name in names if name.strip()]


def read_own_table(arguments, fields=None, path=None, ranked=()):
    """Read FILE by the options and the recipe of a saved ranking, and print how it was read.

    Parameters
    ----------
    arguments : argparse.Namespace
    fields : dict, optional
        Those of the saved ranking, see :func:`sslrank.tabular.output.recipe.read_fields`.
    path : path-like, optional
        Where it is from.
    ranked : sequence of str
        See :func:`sslrank.tabular.schema.reading.read_own`.

    Returns
    -------
    sslrank.tabular.schema.table.OwnTable
    """
    from sslrank.tabular.output.recipe import apply_recipe, check_columns, columns_named
    from sslrank.tabular.schema.reading import column_names, read_own
    from sslrank.tabular.schema.roles import ARGUMENTS, COLUMN_LISTS, ColumnRoles

    options, target, file = vars(arguments), split_names(arguments.target), arguments.file
    roles = {name: split_names(options.get(name, ())) for name in COLUMN_LISTS}
    roles |= {parameter: options.get(role) for role, parameter in ARGUMENTS.items()}
    roles |= {"task": arguments.task, "dates": arguments.dates, "positives_only": bool(options.get("positives_only"))}
    roles["ordinal"] = [split_names([text]) for text in options.get("ordinal", ())]
    roles["hierarchy"] = dict(arguments.reader).get("hierarchy")
    reading, unlabeled = reading_options(arguments, fields), options.get("unlabeled", ())
    if fields:
        roles = apply_recipe(roles, fields, path, target)
        if not target or target == fields["recipe"]["target"]:
            target, unlabeled = fields["recipe"]["target"], unlabeled or fields["recipe"]["unlabeled"]
        ranked = [*ranked, *(row["feature"] for row in fields["features"])]
    listed_columns = cache(lambda: column_names(file, target, **reading))
    taken_names = {name.rpartition("=")[0] or name for role in ARGUMENTS.values() if (name := roles.get(role))}
    taken_names |= {name for key in COLUMN_LISTS for name in roles[key]} | {*with_patterns(target, listed_columns)}
    roles |= {key: with_patterns(roles[key], listed_columns, taken_names) for key in COLUMN_LISTS}
    if "weights" not in options and (weights := roles.pop("sample_weight")):  # scores do not use them
        roles["drop"] += [weights]
    roles["weights"] = roles.pop("sample_weight", None)

    def read_by(roles):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of openpyxl
            return read_own(file, target, ColumnRoles(**roles), ranked=ranked, unlabeled=unlabeled, **reading)

    try:
        table = read_by(roles)
    except DataError:
        needed, named = columns_named(fields) if fields else ((), ())
        there = {*listed_columns()} if named or needed else ()
        used = {*target, *roles["adjust"], *(name for name in roles.values() if isinstance(name, str))}
        if lacking := [name for name in needed if name not in there and name in used]:
            raise DataError(f"columns that {path} needs are missing: {listed(lacking)}", file=file) from None
        if not (lacking := [name for name in named if name not in there]):
            raise
        table = read_by(roles | {key: [name for name in roles[key] if name not in lacking] for key in COLUMN_LISTS})
    if fields:
        table = replace(table, notes=(*table.notes, *check_columns(table, fields, path)))
    print_now(*table.describe())
    return table


def with_patterns(names, columns, taken_names=()):
    """Replace patterns among names by the columns that fit, without those in `taken_names`.

    `columns` is a function that lists the columns; it is called if there is a pattern.
    """
    if not any(re.search(r"[*?[]", name) for name in names):
        return names
    columns = columns()
    free = [name for name in columns if name not in taken_names]
    return [
        column for name in names for column in ([name] if name in columns else fnmatch.filter(free, name) or [name])
    ]


def reading_options(arguments, fields=None):
    """Return the options of --reader, and those of a saved ranking that fit FILE, as a dict for ``read_own``."""
    from sslrank.tabular.schema.reading import options_of_format

    options = {key: value for key, value in arguments.reader if key != "hierarchy"}
    for key in ("missing", "not_missing"):
        if values := [value for name, value in arguments.reader if name == key]:
            options[key] = [text for value in values for text in split_names([value]) or [value]]
    if lines := [value for name, value in arguments.reader if name == "skip_lines"]:
        options["skip_lines"] = ",".join(lines)
    return (options_of_format(arguments.file, fields["recipe"]["reader"] | options) if fields else {}) | options


def print_now(*lines):
    """Print each line at once."""
    for line in lines:
        print(line, flush=True)
