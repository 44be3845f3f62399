"""``sslrank rank``, ``sslrank curve``, ``sslrank methods`` and ``sslrank study new``."""

import argparse
import csv
import inspect
import os
import re
import shlex
import sys
import warnings
from pathlib import Path

from sslrank.core.errors import DataError
from sslrank.core.messages import listed, suggestion
from sslrank.core.tasks import EVERY_TASK, TASKS
from sslrank.datasets.readers import FORMATS
from sslrank.rankers.registry import RANKERS, available_rankers, ranker_info

#: Points of a curve on the terminal.
SHOWN = 20
#: Keys of --reader, as in the catalogue's `reader` block, with those that say how FILE is opened; and what they take.
READER = {
    "format": sorted(FORMATS),
    "delimiter": "the mark between the values of a CSV file",
    "decimal": [".", ","],
    "encoding": "of a text file, such as latin-1",
    "header": ["true", "false"],
    "row_names": ["true", "false"],
    "duplicates": ["refuse", "rename"],
    "missing": "a text that means a missing value; may be repeated",
    "member": "the file wanted out of an archive or workbook",
    "max_size": "bytes that FILE may take unpacked, such as 4G",
    "labels": "Mulan's XML file with the names of labels",
    "hierarchy": ["tree", "dag"],
}
#: What is done at each level of --effort.
EFFORT = {"order": {"repeats": 0, "shuffles": 0, "curve": False}, "quick": {"quick": True}, "full": {}}
#: Files above this many bytes take their time to be read.
LARGE = 50_000_000
#: What a study and its folder of results can be called.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def register(subparsers):
    """Add the subcommands."""
    rank = _add(subparsers, "rank", _rank, "Rank the features of a table of your own.")
    _add_table(rank)
    thorough = rank.add_argument_group("how thorough")
    add = thorough.add_argument
    add("--methods", default="auto", metavar="NAMES", help="separated by commas (default: %(default)s)")
    add(
        "--effort",
        choices=tuple(EFFORT),
        default="full",
        help="order: rank all rows once; quick: compare with chance as well, by smaller forests; full: judge how many "
        "features are enough, too (default: %(default)s)",
    )
    add("--budget", metavar="TIME", help="such as 5min: begin no more shuffled targets, half-samples and folds then")
    _add_judging(thorough)
    add = rank.add_argument_group("what is written").add_argument
    add(
        "--beside",
        action="append",
        default=[],
        metavar="FILE",
        help="show importances from elsewhere, such as SHAP values: CSV or Parquet with features and numbers",
    )
    add("--out", metavar="PLACE", help="a folder, or one file: .csv, .parquet, .json or .html (a page with charts)")
    add(
        "--reduced",
        metavar="FILE",
        help="write the table with the best features only (.csv, .tsv, both also .gz, or .parquet)",
    )
    add("--n-features", type=_positive, metavar="N", help="with --reduced: how many (default: as many as are enough)")
    add(
        "--apply",
        action="append",
        default=[],
        metavar="FILE",
        help="with --reduced: take the same columns of this file",
    )

    curve = _add(subparsers, "curve", _curve, "Judge a ranking from anywhere on a table of your own.")
    _add_table(curve)
    curve.add_argument("ranking", metavar="RANKING", help="CSV or Parquet with a column 'feature'")
    curve.add_argument(
        "--column", metavar="NAME", help="orders the features: ranks if its name has 'rank' in it, else importances"
    )
    curve.add_argument("--out", metavar="FILE", help="write the points of the curve (.csv, .parquet)")
    curve.add_argument(
        "--predictor", choices=("knn", "tree", "svm"), default="knn", help="judges features (default: %(default)s)"
    )
    _add_judging(curve)

    methods = _add(subparsers, "methods", _methods, "List the ranking methods, or explain one.")
    methods.add_argument("name", nargs="?", metavar="NAME")
    methods.add_argument(
        "--for", dest="file", metavar="FILE", help="which rankings serve tables like this one, as for sslrank rank"
    )
    methods.add_argument(
        "--seconds", type=float, metavar="S", help="with --for: only rankings that took at most so long"
    )
    _add_columns(methods)

    study = subparsers.add_parser("study", help="Begin a study of the workflow with a table of your own.")
    new = _add(study.add_subparsers(metavar="COMMAND", required=True), "new", _study_new, "Write a study to be edited.")
    new.add_argument("name", metavar="NAME", help="of the study, and of its data")
    new.add_argument("--data", dest="file", required=True, metavar="FILE", help="as for sslrank rank")
    new.add_argument("--out", metavar="FILE", help="what to write (default: NAME.yaml)")
    _add_columns(new)


def _add(subparsers, name, run, description):
    parser = subparsers.add_parser(name, help=description, description=description)
    parser.set_defaults(run=run)
    return parser


def _add_table(parser):
    parser.add_argument("file", metavar="FILE", help="CSV, TSV, Parquet, ARFF, .mat, KEEL or R, may be compressed")
    _add_columns(parser)


def _add_columns(parser):
    """Add options about FILE."""
    names = {"action": "append", "default": [], "metavar": "NAMES"}
    add = parser.add_argument_group("what is the target").add_argument
    add(
        "--target",
        help="target columns, separated by commas; patterns such as 'label_*'; a name with a comma as '\"a, b\"'",
        **names,
    )
    add("--task", choices=TASKS, help="kind of target (default: by its values)")
    add("--unlabeled", action="append", default=[], metavar="VALUE", help="a target that means none, such as -1")
    add = parser.add_argument_group("what the other columns are, and which are left out").add_argument
    add("--nominal", help="columns that are categories", **names)
    add("--numeric", help="columns that are numbers", **names)
    add("--drop", help="columns that are no features", **names)
    add("--keep", help="columns that are features though they look like none", **names)
    add("--groups", metavar="COLUMN", help="rows that belong together, such as those of a patient, are never split")
    add("--time", metavar="COLUMN", help="when each row was recorded: dates or numbers")
    add("--weights", metavar="COLUMN", help="how much each row counts")
    add = parser.add_argument_group("how FILE is read").add_argument
    add(
        "--reader",
        type=_reader_option,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help=f"may be repeated; keys are {', '.join(READER)}",
    )


def _reader_option(text):
    key, equals, value = text.partition("=")
    key = key.strip().replace("-", "_")
    if key not in READER or not equals:
        problem = f"unknown key {key!r}; {suggestion(key, READER)}" if equals else f"expected KEY=VALUE, got {text!r}"
        raise argparse.ArgumentTypeError(problem)
    known = READER[key]
    if isinstance(known, list) and value not in known:
        raise argparse.ArgumentTypeError(f"{key} is one of {', '.join(known)}, got {value!r}")
    return key, {"true": True, "false": False}.get(value, value) if known == ["true", "false"] else value


def _add_judging(parser):
    add = parser.add_argument
    add("--measure", metavar="NAME", help="judges, such as accuracy (default: balanced accuracy, or by the target)")
    add("--seed", type=int, default=0, metavar="N", help="of all that is random (default: %(default)s)")
    add("--jobs", type=_jobs, default=-1, metavar="N", help="processes and threads (default: -1, all cores)")


def _positive(text):
    if not text.isascii() or not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"expected a positive whole number, got {text!r}")
    return int(text)


def _jobs(text):
    if not re.fullmatch(r"-?[0-9]+", text) or not int(text):
        raise argparse.ArgumentTypeError(f"expected a number of threads, or -1 for all, got {text!r}")
    return min(int(text), os.cpu_count() or 1)


def _names(values):
    """Names of options that may be repeated and may list several."""
    try:
        found = [name for value in values for name in next(csv.reader([value], skipinitialspace=True), [])]
    except csv.Error as error:
        raise DataError(f"{values} are no names separated by commas: {error}") from None
    return [name.strip() for name in found if name.strip()]


def _read(arguments, ranked=()):
    from sslrank.tabular.table import read_own

    path = Path(arguments.file)
    if path.is_file() and path.stat().st_size > LARGE:
        _say(f"{path}: {path.stat().st_size / 1e6:.0f} MB are being read")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the table's notes say the same
        table = read_own(
            arguments.file,
            _names(arguments.target),
            task=arguments.task,
            nominal=_names(arguments.nominal),
            numeric=_names(arguments.numeric),
            drop=_names(arguments.drop),
            keep=_names(arguments.keep),
            ranked=ranked,
            hierarchy=dict(arguments.reader).get("hierarchy"),
            unlabeled=arguments.unlabeled,
            missing=_missing(arguments),
            labels=dict(arguments.reader).get("labels"),
            groups=arguments.groups,
            time=arguments.time,
            weights=arguments.weights,
            **_reading(arguments),
        )
    if "predictor" in arguments:
        from sslrank.tabular.feature_curve import check_predictor

        check_predictor(arguments.predictor, table.task)
    for line in table.describe():
        _say(line)
    return table


def _reading(arguments):
    """Options of --reader for :func:`sslrank.tabular.table.read_columns`."""
    return {key: value for key, value in arguments.reader if key not in ("missing", "labels", "hierarchy")}


def _missing(arguments):
    return [value for key, value in arguments.reader if key == "missing"]


def _say(line):
    print(line, flush=True)


def _rank(arguments):
    from sslrank.tabular.files import (
        RESULTS,
        TABLES,
        check_distinct,
        check_place,
        places_of_result,
        read_beside,
        whole_numbers,
        write_result,
        write_table,
    )
    from sslrank.tabular.ranking import rank_table
    from sslrank.tabular.table import read_columns

    inputs = [arguments.file, *arguments.apply, *arguments.beside]
    if arguments.out:
        check_place(arguments.out, RESULTS, folder=True, inputs=inputs)
    if arguments.reduced:
        check_place(arguments.reduced, TABLES, inputs=inputs)
    places = _places_of_other_tables(arguments)
    for place in places:
        check_place(place, TABLES, inputs=inputs)
    rankings, curve = places_of_result(arguments.out) if arguments.out else ([], None)
    check_distinct([*rankings, *filter(None, [curve, arguments.reduced]), *places])
    beside = read_beside(arguments.beside)
    table = _read(arguments)
    count = arguments.n_features
    if count is not None and count > table.X.shape[1]:
        raise DataError(f"--n-features must be in 1..{table.X.shape[1]}, got {count}")
    result = rank_table(
        table,
        methods=_names([arguments.methods]),
        measure=arguments.measure,
        beside=beside,
        budget=arguments.budget,
        seed=arguments.seed,
        n_jobs=arguments.jobs,
        say=_say,
        **EFFORT[arguments.effort],
    )
    _report(result, is_written=bool(arguments.out))
    if arguments.out:
        for path in write_result(result, arguments.out):
            _say(f"wrote {path}")
        if curve and not result.curve and curve.exists():
            _say(f"note: {curve} is there from before, and not of this ranking")
    if arguments.reduced:
        best, target = result.best(count), Path(arguments.reduced)
        numbers = [name for name in best if name not in table.nominal]
        numbers += [name for name, kind in table.targets.dtypes.items() if kind.kind == "f"]

        def write_columns(place, file, names, **reading):
            """As they are in the file, so that texts such as 007 are the same in all tables."""
            write_table(place, whole_numbers(read_columns(file, names, numbers, **_reading(arguments) | reading)))

        write_columns(target, arguments.file, [*best, *table.target_columns])
        shown = f"best {len(best)} features" if len(best) > 1 else "best feature"
        _say(f"wrote {target}: the {shown} and the target")
        for place, other in places.items():
            is_alike = Path(other).suffix == Path(arguments.file).suffix
            write_columns(
                place, other, best, format=_reading(arguments).get("format") if is_alike else None, member=None
            )
            _say(f"wrote {place}: the same features of {other}")


def _places_of_other_tables(arguments):
    """The files of --apply by where their columns are written: refused before anything is ranked."""
    for option, value in (("--apply", arguments.apply), ("--n-features", arguments.n_features)):
        if value and not arguments.reduced:
            raise DataError(f"{option} needs --reduced, which says where to write")
    from sslrank.tabular.files import split_name

    places = {}
    for other in arguments.apply:
        if not Path(other).is_file():
            raise DataError("there is no such file", file=other)
        stem, suffix = split_name(arguments.reduced)
        place = Path(arguments.reduced).with_name(f"{stem}-{Path(other).name.split('.')[0] or 'table'}{suffix}")
        if place in places:
            raise DataError(
                f"its columns and those of {places[place]} would both be written to {place}",
                file=other,
                advice="Give one of them another name",
            )
        places[place] = other
    return places


def _report(result, is_written):
    from sslrank.tabular.report import SHOWN, advice_lines, headlines, ranking_lines, stability_line

    for line in ["", *headlines(result), "", *ranking_lines(result)]:
        _say(line)
    if len(result.table.X.columns) > SHOWN:
        hint = "" if is_written else "; --out writes them"
        _say(f"  ... {len(result.table.X.columns)} features in all{hint}")
    _say("")
    for line in filter(None, [stability_line(result), *advice_lines(result.checks)]):
        _say(line)
    for name, message in result.failures.items():
        print(f"sslrank: warning: {name} could not rank these rows: {message}", file=sys.stderr)


def _curve(arguments):
    import numpy as np

    from sslrank.tabular.feature_curve import judge, judged_note, repeated_folds, why_not
    from sslrank.tabular.files import TABLES, check_place, read_ranking, write_table
    from sslrank.tabular.problem import Problem

    if arguments.out:
        check_place(arguments.out, TABLES, inputs=(arguments.file, arguments.ranking))
    given = read_ranking(arguments.ranking, arguments.column)
    table, place = _read(arguments, ranked=list(given.index)), arguments.ranking
    known = {*table.X.columns, *table.dropped, *table.target_columns}
    if unknown := [name for name in given.index if name not in known]:
        raise DataError(f"{len(unknown)} of its features are no columns of {table.path}: {listed(unknown)}", file=place)
    _say(f"ranking: {place}, by {given.name}")
    if reason := why_not(table):
        raise DataError(reason, file=table.path)
    names = list(table.X.columns)
    if given.index.name in names and given.index.name not in given.index:
        raise DataError(
            f"the first line has no names of columns, as {given.index.name!r} is a feature",
            file=place,
            advice="Begin the file with a line such as: feature",
        )
    absent = [name for name in names if name not in given.index]
    lowest = float(given.min()) - 1.0
    importances = np.array([given.get(name, lowest) for name in names])
    if absent:
        _say(f"note: {len(absent)} features are not in the ranking and come last: {listed(absent)}")
    problem = Problem.of(table)
    for note in judged_note(problem):
        _say(f"note: {note}")
    folds = repeated_folds(table, arguments.seed)
    try:
        curve = judge(
            problem, importances, folds, arguments.predictor, arguments.measure, arguments.seed, arguments.jobs
        )
    except ValueError as error:
        raise DataError(f"the ranking cannot be judged: {error}", file=table.path) from None
    _say("note: if the ranking was made from these rows, it looks better here than it is; 'sslrank rank' ranks anew")
    _say("      without the rows that it judges on")
    _say(f"\n{'features':>8}  {'best':>7}  {'worst':>7}  {'random':>7}  {curve.measure}")
    rows = curve.table
    step = max(1, len(rows) // SHOWN)
    for row in rows.iloc[sorted({*range(0, len(rows), step), len(rows) - 1})].itertuples():
        _say(f"{row.size:>8}  {row.best:>7.3f}  {row.worst:>7.3f}  {row.random:>7.3f}")
    _say(f"\n{curve.describe()}")
    _say(f"{curve.predictor}, {curve.n_repeats} x {curve.n_folds} folds; ECA {curve.eca:+.3f} (0: drawn at random)")
    if arguments.out:
        write_table(arguments.out, rows)
        _say(f"wrote {arguments.out}")


def _methods(arguments):
    if arguments.file:
        from sslrank.tabular.advice import advise

        table = _read(arguments)
        for line in advise(table.task, int(table.labeled.sum()), *table.X.shape, at_most=arguments.seconds):
            _say(line)
        return
    if arguments.name:
        try:
            info = ranker_info(arguments.name)
            ranker = info.load()
        except (ImportError, ValueError) as error:
            raise DataError(str(error)) from None
        if arguments.name in RANKERS:
            _say(f"{arguments.name}: {info.use} ({info.paper})")
        params = "".join(f", {key}={value!r}" for key, value in info.params.items())
        _say(f"class {ranker.__name__}, made by get_ranker({arguments.name!r}{params})")
        _say(f"kinds of target: {', '.join(sorted(info.tasks))}\n")
        _say(inspect.getdoc(ranker) or "")
        return
    for name in available_rankers(arguments.task):
        info = RANKERS[name]
        tasks = "any" if info.tasks == EVERY_TASK else ", ".join(sorted(info.tasks))
        _say(f"{name:17} {tasks:42} {info.use}")


def _study_new(arguments):
    from sslrank.tabular.files import write
    from sslrank.tabular.study import study_text

    if not NAME.fullmatch(arguments.name):
        raise DataError(f"{arguments.name!r} is no name of a study", advice="Use letters, digits, '.', '-' and '_'")
    place = Path(arguments.out or f"{arguments.name}.yaml")
    if place.exists():
        raise DataError("there is a file already", file=place, advice="Remove it, or name another one with --out")
    if arguments.unlabeled:
        raise DataError(
            f"a study takes empty cells for rows without a target, not {arguments.unlabeled[0]}",
            file=arguments.file,
            advice="Empty those cells; --reader missing=TEXT does so for a text in all columns of a CSV file",
        )
    table = _read(arguments)
    if (table.targets.notna().any(axis=1).to_numpy() & ~table.labeled).any():
        raise DataError(
            "a study takes empty cells for rows without a target, and some targets are -1",
            file=arguments.file,
            advice=f"Empty those cells, or add --nominal {table.target_columns[0]} if -1 is a class",
        )
    text = study_text(
        arguments.name,
        table,
        place,
        nominal=_names(arguments.nominal),
        numeric=_names(arguments.numeric),
        missing=_missing(arguments),
        **{key: value for key, value in _reading(arguments).items() if key != "max_size"},
    )
    write(place, text)
    if Path("Snakefile").is_file():
        _say(f"wrote {place}; edit it, then run:")
        _say(f"  snakemake --cores 2 --configfile {place} -- {arguments.name}")
        return
    _say(f"wrote {place}; edit it. There is no Snakefile here: the workflow runs in a clone of the repository.")
    _say("In the clone's folder, with the extra installed (pip install '.[workflow]'), run:")
    _say(f"  snakemake --cores 2 --configfile {shlex.quote(str(place.resolve()))} -- {arguments.name}")
