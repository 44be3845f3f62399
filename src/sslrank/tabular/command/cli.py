"""``sslrank rank``, ``reduce``, ``curve``, ``diff``, ``paper``, ``methods`` and ``study new``."""

from functools import partial

from sslrank.core.tasks import TASKS
from sslrank.tabular.command.options import (
    COLUMN_OPTIONS,
    EVALUATION_OPTIONS,
    ROW_OPTIONS,
    TARGET_OPTIONS,
    add_command,
    add_file,
    add_options,
    add_ranking,
    repeated,
    whole,
)
from sslrank.tabular.fits.methods import EFFORT


def register(subparsers):
    """Add the subcommands."""
    for add in (_add_rank, _add_reduce, _add_curve, _add_diff, _add_paper, _add_methods, _add_study):
        add(subparsers)


def _add_rank(subparsers):
    rank = add_command(subparsers, "rank", "Rank the features of a table of your own.")
    add_file(rank)
    add_options(rank, *COLUMN_OPTIONS, "unlabeled", "keep", *ROW_OPTIONS, "weights", *TARGET_OPTIONS)
    effort = add_options(rank, *EVALUATION_OPTIONS, title="methods and effort")
    methods_help = "ranking methods, separated by commas; see sslrank methods (default: %(default)s)"
    effort.add_argument("--methods", default="auto", metavar="NAMES", help=methods_help)
    effort.add_argument(
        "--effort",
        choices=tuple(EFFORT),
        default="full",
        help="order: rank the features and test which are related to the target; quick: also test which add "
        "information beyond the others, and compute intervals of ranks; full: also estimate how many features suffice "
        "(default: %(default)s)",
    )
    blocks_help = "features ranked and tested as one: CSV with the columns feature and block"
    effort.add_argument("--blocks", metavar="FILE", help=blocks_help)
    out_help = "a folder, or one file: .csv, .parquet, .json or .html (a page with charts)"
    like_help = "rank by the options of this ranking; those given here replace them, or add to its columns"
    rank.add_argument("--like", metavar="RANKING", help=like_help)
    rank.add_argument_group("output").add_argument("--out", metavar="PATH", help=out_help)


def _add_reduce(subparsers):
    reduce = add_command(subparsers, "reduce", "Write a table with only the best features of a ranking.")
    add_file(reduce)
    add_ranking(reduce)
    number_help = "number of features (default: the fewest that are enough)"
    reduce.add_argument("--n-features", type=partial(whole, least=1), metavar="N", help=number_help)
    subset = reduce.add_mutually_exclusive_group()
    related_help = "only features related to the target, at a false discovery rate of 10 %%"
    conditional_help = "only related features that add information beyond the others"
    for only, text in (("related", related_help), ("conditional", conditional_help)):
        subset.add_argument(f"--{only}", dest="only", action="store_const", const=only, help=text)
    duplicates_help = "also take near-duplicates of better features"
    reduce.add_argument("--keep-duplicates", action="store_true", help=duplicates_help)
    columns_help = "further columns to keep, such as an identifier (the target is kept anyway)"
    reduce.add_argument("--keep-columns", **repeated(columns_help))
    add_options(reduce, "reader", title="FILE")
    out_help = "the new table: .csv, .tsv, both also .gz, or .parquet"
    reduce.add_argument("--out", required=True, metavar="FILE", help=out_help)
    reduce.refused = {"--target": "name columns to keep by --keep-columns; the target of the ranking is kept"}


def _add_curve(subparsers):
    curve = add_command(subparsers, "curve", "Evaluate a ranking from anywhere on a table of your own.")
    add_file(curve)
    add_options(curve, *COLUMN_OPTIONS, "unlabeled", *ROW_OPTIONS, *TARGET_OPTIONS)
    add_ranking(curve)
    curve.add_argument("--out", metavar="FILE", help="write the points of the curve (.csv, .parquet)")
    predictors = ("best", "knn", "linear", "forest", "tree", "svm")
    predictor_help = "model of the curve (default: the best one of knn, linear and forest)"
    curve.add_argument("--predictor", choices=predictors, default="best", help=predictor_help)
    add_options(curve, *EVALUATION_OPTIONS, title="evaluation")
    curve.refused = {
        "--weights": "scores do not use weights of rows; leave their column out with --drop",
        "--keep": "all features of the ranking are kept",
    }


def _add_diff(subparsers):
    diff = add_command(subparsers, "diff", "Compare two rankings: which effects changed by more than their error.")
    for name in ("before", "after"):
        diff.add_argument(name, metavar="RANKING", help=f"the ranking {name}: a folder that sslrank rank --out wrote")
    diff.add_argument("--out", metavar="FILE", help="write the differences of all features (.csv, .parquet, .html)")


def _add_paper(subparsers):
    description = "Write a methods section, a table (LaTeX, CSV) and figures of a ranking for a publication."
    paper = add_command(subparsers, "paper", description)
    paper.add_argument(
        "ranking", metavar="RANKING", help="a folder that sslrank rank --out wrote; the files go to its folder paper"
    )


def _add_methods(subparsers):
    methods = add_command(subparsers, "methods", "List the ranking methods, or explain one.")
    methods.add_argument("name", nargs="?", metavar="NAME", help="method to explain (default: list all)")
    methods.add_argument("--task", choices=TASKS, help="list only methods for this kind of target")


def _add_study(subparsers):
    study = subparsers.add_parser("study", help="Start a study of the workflow with a table of your own.")
    commands = study.add_subparsers(metavar="COMMAND", required=True)
    new = add_command(commands, "new", "Write the configuration of a study, to be edited.", module="study")
    new.add_argument("name", metavar="NAME", help="name of the study and of its dataset")
    new.add_argument("--data", dest="file", required=True, metavar="FILE", help="table, as for sslrank rank")
    new.add_argument("--out", metavar="FILE", help="file to write (default: NAME.yaml)")
    new.add_argument("--like", metavar="RANKING", help="read the table by the recipe of this ranking")
    add_options(new, *COLUMN_OPTIONS, "keep", "event")
    rows_advice = "a study splits rows as if they were independent and of equal weight; sslrank rank takes it"
    new.refused = dict.fromkeys(("--groups", "--time", "--strata", "--weights"), rows_advice)
    target_advice = "a study ranks for the target as it is; sslrank rank takes it"
    new.refused |= dict.fromkeys(("--adjust", "--positives-only"), target_advice)
    new.refused |= {"--unlabeled": "in a study, rows without a target have empty cells: empty them"}
