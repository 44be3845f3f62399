"""``sslrank rank``, ``sslrank reduce``, ``sslrank curve``, ``sslrank methods`` and ``sslrank study new``."""

from functools import partial

from sslrank.tabular.command.options import (
    JUDGING,
    OF_TARGET,
    ROWS,
    TYPES,
    add_command,
    add_file,
    add_options,
    add_ranking,
    whole,
)
from sslrank.tabular.fits.methods import EFFORT


def register(subparsers):
    """Add the subcommands."""
    rank = add_command(subparsers, "rank", "Rank the features of a table of your own.")
    add_file(rank)
    add_options(rank, *TYPES, "unlabeled", "keep", *ROWS, "weights", *OF_TARGET)
    add = add_options(rank, *JUDGING, title="methods and effort").add_argument
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
        help="order: rank the features and test which are related to the target; quick: also test which add "
        "information beyond the others, and compute intervals of ranks; full: also estimate how many features suffice "
        "(default: %(default)s)",
    )
    add(
        "--blocks",
        metavar="FILE",
        help="features ranked and tested as one: CSV with the columns feature and block",
    )
    add = rank.add_argument_group("output").add_argument
    add("--out", metavar="PATH", help="a folder, or one file: .csv, .parquet, .json or .html (a page with charts)")

    elsewhere = "join the importances to the ranking by feature; sslrank curve evaluates them"
    rank.refused = {
        "--beside": elsewhere,
        "--external": elsewhere,
        "--budget": "use --effort, whose result does not depend on the speed of the machine",
    }

    reduce = add_command(subparsers, "reduce", "Write a table with only the best features of a ranking.")
    add_file(reduce)
    add_ranking(reduce)
    add = reduce.add_argument
    help_text = "number of features (default: the fewest that are enough)"
    add("--n-features", type=partial(whole, least=1), metavar="N", help=help_text)
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
        help="only related features that add information beyond the others",
    )
    add("--keep-duplicates", action="store_true", help="also take near-duplicates of better features")
    add(
        "--keep-columns",
        action="append",
        default=[],
        metavar="NAMES",
        help="further columns to keep, such as an identifier (the target is kept anyway)",
    )
    add_options(reduce, "reader", title="FILE")
    add("--out", required=True, metavar="FILE", help="the new table: .csv, .tsv, both also .gz, or .parquet")

    reduce.refused = {"--target": "name columns to keep by --keep-columns; the target of the ranking is kept"}

    curve = add_command(subparsers, "curve", "Evaluate a ranking from anywhere on a table of your own.")
    add_file(curve)
    add_options(curve, *TYPES, "unlabeled", *ROWS, *OF_TARGET)
    add_ranking(curve)
    curve.add_argument("--out", metavar="FILE", help="write the points of the curve (.csv, .parquet)")
    curve.add_argument(
        "--predictor", choices=("knn", "tree", "svm"), default="knn", help="model of the curve (default: %(default)s)"
    )
    add_options(curve, *JUDGING, title="evaluation")
    curve.refused = {
        "--weights": "scores do not use weights of rows; leave their column out with --drop",
        "--keep": "all features of the ranking are kept",
    }

    methods = add_command(subparsers, "methods", "List the ranking methods, or explain one.")
    methods.add_argument("name", nargs="?", metavar="NAME")
    add_options(methods, "task", title="selection")

    study = subparsers.add_parser("study", help="Start a study of the workflow with a table of your own.")
    new = add_command(
        study.add_subparsers(metavar="COMMAND", required=True),
        "new",
        "Write the configuration of a study, to be edited.",
        module="study",
    )
    new.add_argument("name", metavar="NAME", help="name of the study and of its dataset")
    new.add_argument("--data", dest="file", required=True, metavar="FILE", help="table, as for sslrank rank")
    new.add_argument("--out", metavar="FILE", help="file to write (default: NAME.yaml)")
    add_options(new, *TYPES, "keep", "event")
    independent = "a study splits rows as if they were independent and of equal weight; sslrank rank takes it"
    new.refused = dict.fromkeys(("--groups", "--time", "--weights"), independent)
    ranked = "a study ranks for the target as it is; sslrank rank takes it"
    new.refused |= dict.fromkeys(("--adjust", "--positives-only"), ranked)
    new.refused |= {"--unlabeled": "in a study, rows without a target have empty cells: empty them"}
