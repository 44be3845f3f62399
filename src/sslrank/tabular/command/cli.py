"""``sslrank rank``, ``sslrank reduce``, ``sslrank curve``, ``sslrank methods`` and ``sslrank study new``."""

import inspect
import re
import shlex
import sys
import warnings
from pathlib import Path

from sslrank.core.errors import DataError
from sslrank.core.garbage import no_garbage_collection
from sslrank.core.messages import counted, listed
from sslrank.core.tasks import EVERY_TASK, TASKS
from sslrank.rankers.papers import paper_address
from sslrank.rankers.registry import RANKERS, available_rankers, ranker_info
from sslrank.tabular.command.options import (
    add_columns,
    add_command,
    add_file,
    add_judging,
    add_ranking,
    add_reader,
    check_words,
    missing_values,
    positive,
    read_own_table,
    reading_options,
    say,
    split_names,
    take_options,
)
from sslrank.tabular.fits.methods import EFFORT

#: Points of a curve in the terminal.
SHOWN = 20
#: Valid names of a study, which also name its folder of results.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def register(subparsers):
    """Add the subcommands."""
    rank = add_command(subparsers, "rank", _rank, "Rank the features of a table of your own.")
    add_file(rank)
    add_columns(rank)
    thorough = rank.add_argument_group("methods and effort")
    add = thorough.add_argument
    add(
        "--methods",
        default="auto",
        metavar="NAMES",
        help="ranking methods, separated by commas; see sslrank methods (default: %(default)s)",
    )
    add(
        "--effort",
        choices=tuple(EFFORT),
        default="full",
        help="order: rank the features and test which are related to the target; quick: test which add information "
        "beyond the others and the stability of ranks, too; full: estimate how many features suffice, too "
        "(default: %(default)s)",
    )
    add("--budget", metavar="TIME", help="such as 5min: begin nothing new after that")
    add(
        "--blocks",
        metavar="FILE",
        help="features ranked and tested as one: CSV with the columns feature and block",
    )
    add_judging(thorough)
    add = rank.add_argument_group("output").add_argument
    add(
        "--beside",
        action="append",
        default=[],
        metavar="FILE",
        help="compare with importances from elsewhere, such as SHAP values: CSV or Parquet with features and numbers",
    )
    add("--out", metavar="PATH", help="a folder, or one file: .csv, .parquet, .json or .html (a page with charts)")

    reduce = add_command(subparsers, "reduce", _reduce, "Write a table with only the best features of a ranking.")
    add_file(reduce)
    add_ranking(reduce, "the folder that sslrank rank --out wrote, or ")
    add = reduce.add_argument
    add("--n-features", type=positive, metavar="N", help="number of features (default: the fewest that are enough)")
    only = reduce.add_mutually_exclusive_group().add_argument
    only(
        "--related",
        dest="only",
        action="store_const",
        const="related",
        help="only features related to the target, at a false discovery rate of 10 %%",
    )
    only(
        "--conditional",
        dest="only",
        action="store_const",
        const="conditional",
        help="only those of them that add information beyond the others",
    )
    add("--keep-duplicates", action="store_true", help="take near-duplicates of better features, too")
    add("--target", default="", metavar="NAMES", help="other columns to keep (default: the target of that ranking)")
    add_reader(reduce)
    add("--out", required=True, metavar="FILE", help="the new table: .csv, .tsv, both also .gz, or .parquet")

    curve = add_command(subparsers, "curve", _curve, "Judge a ranking from anywhere on a table of your own.")
    add_file(curve)
    add_columns(curve)
    add_ranking(curve, "the folder that sslrank rank --out wrote, or ")
    curve.add_argument("--out", metavar="FILE", help="write the points of the curve (.csv, .parquet)")
    curve.add_argument(
        "--predictor", choices=("knn", "tree", "svm"), default="knn", help="model of the curve (default: %(default)s)"
    )
    add_judging(curve)

    methods = add_command(subparsers, "methods", _methods, "List the ranking methods, or explain one.")
    methods.add_argument("name", nargs="?", metavar="NAME")
    methods.add_argument("--task", choices=TASKS, help="only those that support this kind of target")

    study = subparsers.add_parser("study", help="Start a study of the workflow with a table of your own.")
    new = add_command(
        study.add_subparsers(metavar="COMMAND", required=True),
        "new",
        _study_new,
        "Write the configuration of a study, to be edited.",
    )
    new.add_argument("name", metavar="NAME", help="name of the study and of its dataset")
    new.add_argument("--data", dest="file", required=True, metavar="FILE", help="table, as for sslrank rank")
    new.add_argument("--out", metavar="FILE", help="file to write (default: NAME.yaml)")
    add_columns(new)


def _rank_without_target(table, methods, arguments):
    from sslrank.tabular.command import no_target

    say(no_target.said_of_methods(methods))
    frame = no_target.rank_features(table, methods, arguments.seed, arguments.jobs)
    for line in ["", *no_target.ranking_lines(frame), ""]:
        say(line)
    if arguments.out:
        for path in no_target.write_ranking(frame, arguments.out):
            say(f"wrote {path}")


def _rank(arguments):
    from sslrank.tabular.command.rankings import read_blocks, read_importances
    from sslrank.tabular.show.files import RESULTS, check_output, write_result

    if arguments.out:
        check_output(arguments.out, RESULTS, folder=True, inputs=[arguments.file, *arguments.beside])
    check_words(arguments)
    others = read_importances(arguments.beside)
    blocks = None if arguments.blocks is None else read_blocks(arguments.blocks)
    table = read_own_table(arguments)
    if table.task == "none":
        from sslrank.tabular.command.no_target import check_without_target

        _rank_without_target(table, check_without_target(arguments), arguments)
        return
    with no_garbage_collection():
        from sslrank.tabular.fits.settings import RankingSettings
        from sslrank.tabular.ranking import rank_own_table  # takes a second, so the first lines are printed before

    settings = RankingSettings(
        methods=split_names([arguments.methods]),
        measure=arguments.measure,
        effort=arguments.effort,
        budget=arguments.budget,
        blocks=blocks,
        seed=arguments.seed,
        n_jobs=arguments.jobs,
    )
    result = rank_own_table(table, settings, beside=others, say=say)
    _report(result, is_written=bool(arguments.out))
    if arguments.out:
        for path in write_result(result, arguments.out, arguments.typed):
            say(f"wrote {path}")
        curve = Path(arguments.out, "curve.csv")
        if not result.curve and curve.exists():
            say(f"note: {curve} belongs to an earlier ranking")


def _reduce(arguments):
    from sslrank.tabular.command.reduce import Best
    from sslrank.tabular.show.files import TABLES, check_output, whole_numbers, write_table
    from sslrank.tabular.understanding.reading import read_columns

    check_output(arguments.out, TABLES, inputs=[arguments.file, arguments.ranking])
    best = Best.of(arguments.ranking, arguments.column)
    if arguments.column is not None:
        say(f"ranking: {arguments.ranking}, by {best.order}")
    features, why, copies = best.take(
        arguments.ranking, arguments.n_features, arguments.only, arguments.keep_duplicates
    )
    target = split_names([arguments.target])
    wanted, others = dict.fromkeys([*features, *target]), [] if target else best.target_columns
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        frame = read_columns(arguments.file, list(wanted), best.texts, others, **reading_options(arguments))
    for note in notes:
        say(f"note: {note.message}")
    frame = whole_numbers(frame)
    write_table(arguments.out, frame)
    count, total = len(features), len(best.rows)
    shown = "best feature" if count == 1 else f"best {count} features"
    why = f" ({why})" if why else ""
    kept = listed(frame.columns[count:])
    say(f"wrote {arguments.out}: the {shown} of {total}{why}{f' and {kept}' if kept else ''}")
    say(f"features: {best.described(features)}")
    if copies:
        said = counted(len(copies), "near-duplicate")
        say(f"left out: {said} of these: {listed(copies)}; --keep-duplicates keeps them")
    if count == total and total > 1 and not arguments.n_features:
        say("note: no feature is left out; --n-features N or --conditional takes fewer")


def _report(result, is_written):
    from sslrank.tabular.show.report import SHOWN, advice_lines, headlines, ranking_lines, stability_line

    for line in ["", *headlines(result), "", *ranking_lines(result)]:
        say(line)
    if len(result.table.X.columns) > SHOWN:
        hint = "" if is_written else "; --out writes them"
        say(f"  ... {len(result.table.X.columns)} features in all{hint}")
    say("")
    for line in filter(None, [stability_line(result), *advice_lines(result.checks)]):
        say(line)
    for name, message in result.failures.items():
        print(f"sslrank: warning: {name} could not rank these rows: {message}", file=sys.stderr)


def _curve(arguments):
    import numpy as np

    from sslrank.tabular.command.rankings import read_ranking, saved_options
    from sslrank.tabular.fits.folds import repeated_folds
    from sslrank.tabular.fits.problem import RankingProblem
    from sslrank.tabular.fits.row_blocks import Blocks
    from sslrank.tabular.fits.settings import RankingSettings
    from sslrank.tabular.show.files import TABLES, check_output, write_table
    from sslrank.tabular.trust.stability.feature_curve import feature_curve, judged_note, why_not

    if arguments.out:
        check_output(arguments.out, TABLES, inputs=(arguments.file, arguments.ranking))
    check_words(arguments)
    settings = RankingSettings(
        predictor=arguments.predictor, measure=arguments.measure, seed=arguments.seed, n_jobs=arguments.jobs
    )
    given = read_ranking(arguments.ranking, arguments.column)
    take_options(arguments, saved_options(arguments.ranking))
    table, path = read_own_table(arguments, ranked=list(given.index)), arguments.ranking
    known = {*table.X.columns, *table.dropped, *table.target_columns}
    if unknown := [name for name in given.index if name not in known]:
        raise DataError(f"features that are not columns of {table.path}: {listed(unknown)}", file=path)
    say(f"ranking: {path}, by {given.name}")
    if reason := why_not(table):
        raise DataError(reason, file=table.path)
    names = list(table.X.columns)
    if given.index.name in names and given.index.name not in given.index:
        raise DataError(
            f"the first line must have names of columns, but {given.index.name!r} is a feature",
            file=path,
            advice="Start the file with a line such as: feature",
        )
    absent = [name for name in names if name not in given.index]
    lowest = float(given.min()) - 1.0
    importances = np.array([given.get(name, lowest) for name in names])
    if absent:
        say(f"note: features that are not in the ranking come last: {listed(absent)}")
    problem = RankingProblem.of(table)
    for note in judged_note(problem):
        say(f"note: {note}")
    folds = repeated_folds(problem, arguments.seed, Blocks("groups", table.groups))
    try:
        curve = feature_curve(problem, importances, folds, settings)
    except ValueError as error:
        raise DataError(f"the ranking cannot be judged: {error}", file=table.path) from None
    say("note: if these rows made the ranking, it looks better here than it is; 'sslrank rank' judges each ranking on")
    say("      rows that it has not seen")
    say(f"\n{'features':>8}  {'best':>7}  {'worst':>7}  {'random':>7}  {curve.measure}")
    rows = curve.table
    step = max(1, len(rows) // SHOWN)
    for row in rows.iloc[sorted({*range(0, len(rows), step), len(rows) - 1})].itertuples():
        say(f"{row.size:>8}  {row.best:>7.3f}  {row.worst:>7.3f}  {row.random:>7.3f}")
    say(f"\n{curve.describe()}")
    say(f"{curve.predictor}, {curve.n_repeats} x {curve.n_folds} folds; ECA {curve.eca:+.3f} (0: random ranking)")
    if arguments.out:
        write_table(arguments.out, rows)
        say(f"wrote {arguments.out}")


def _methods(arguments):
    if arguments.name:
        try:
            info = ranker_info(arguments.name)
            ranker = info.load()
        except (ImportError, ValueError) as error:
            raise DataError(str(error)) from None
        if arguments.name in RANKERS:
            say(f"{arguments.name}: {info.use} ({info.paper})")
        params = "".join(f", {key}={value!r}" for key, value in info.params.items())
        say(f"class {ranker.__name__}, created by get_ranker({arguments.name!r}{params})")
        say(f"kinds of target: {', '.join(sorted(info.tasks))}")
        if address := paper_address(arguments.name):
            say(f"paper: {address}")
        say(f"code: {inspect.getsourcefile(ranker)}\n")
        say(inspect.getdoc(ranker) or "")
        return
    for name in available_rankers(arguments.task):
        info = RANKERS[name]
        tasks = "any" if info.tasks == EVERY_TASK else ", ".join(sorted(info.tasks))
        say(f"{name:22} {tasks:42} {info.use}")


def _study_new(arguments):
    from sslrank.tabular.command.study import study_text
    from sslrank.tabular.show.files import write

    if not NAME.fullmatch(arguments.name):
        raise DataError(
            f"{arguments.name!r} is not a valid name of a study", advice="Use letters, digits, '.', '-' and '_'"
        )
    path = Path(arguments.out or f"{arguments.name}.yaml")
    if path.exists():
        raise DataError("the file exists already", file=path, advice="Remove it, or name another one with --out")
    if arguments.unlabeled:
        raise DataError(
            f"in a study, rows without a target have empty cells, not {arguments.unlabeled[0]}",
            file=arguments.file,
            advice="Empty those cells; --reader missing=TEXT does so for a text in all columns of a CSV file",
        )
    table = read_own_table(arguments)
    if (table.targets.notna().any(axis=1).to_numpy() & ~table.labeled).any():
        raise DataError(
            "in a study, rows without a target have empty cells, and some targets are -1",
            file=arguments.file,
            advice=f"Empty those cells, or add --nominal {table.target_columns[0]} if -1 is a class",
        )
    text = study_text(
        arguments.name,
        table,
        path,
        nominal=split_names(arguments.nominal),
        numeric=split_names(arguments.numeric),
        missing=missing_values(arguments),
        **{key: value for key, value in reading_options(arguments).items() if key != "max_size"},
    )
    write(path, text)
    if Path("Snakefile").is_file():
        say(f"wrote {path}; edit it, then run:")
        say(f"  snakemake --cores 2 --configfile {path} -- {arguments.name}")
        return
    say(f"wrote {path}; edit it. There is no Snakefile here: the workflow runs in a clone of the repository.")
    say("In the clone's folder, with the extra installed (pip install '.[workflow]'), run:")
    say(f"  snakemake --cores 2 --configfile {shlex.quote(str(path.resolve()))} -- {arguments.name}")
