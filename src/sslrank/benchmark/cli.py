"""``sslrank arena``, ``audit``, ``compare``, ``evaluate`` and ``rerun``: commands for archived and finished results."""

import json
import re
from pathlib import Path

from sslrank.core.errors import DataError
from sslrank.core.extras import require
from sslrank.core.messages import counted

KEYS = ("dataset", "method", "L")


def register(subparsers):
    """Add the subcommands."""
    comparison = subparsers.add_parser(
        "compare",
        help="Compare rankings made anywhere with the methods of a study in the archive.",
        description="Rank and test rankings among the methods of a study, whose results are in results/archive, over "
        "the datasets that FILE names; write tables and a page. FILE is a CSV (dataset, L, mode, fold, ranking, "
        "feature, importance); its rankings are evaluated like the others, on the same splits. Missing cells are "
        "listed.",
    )
    comparison.add_argument("file", type=Path, metavar="FILE", help="CSV file of rankings")
    comparison.add_argument("--study", help="name of the study; required if the archive has several")
    comparison.add_argument("--name", help="name of the result (default: the name of FILE)")
    comparison.add_argument("--out", type=Path, metavar="FOLDER", help="default: results/compare/NAME")
    comparison.set_defaults(run=compare)
    evaluation = subparsers.add_parser(
        "evaluate",
        help="Evaluate the archived rankings of a study by another evaluator, without new fits.",
        description="Evaluate the rankings in results/archive that are stored with their full order, by an evaluator "
        "of workflow/evaluators.yaml or of the configuration, and write a CSV.",
    )
    evaluation.add_argument("study", metavar="STUDY", help="name of the study")
    evaluation.add_argument("evaluator", metavar="EVALUATOR", help="name of the evaluator")
    evaluation.add_argument("--out", type=Path, metavar="FILE", help="default: results/evaluated/STUDY-EVALUATOR.csv")
    evaluation.set_defaults(run=evaluate)
    arena = subparsers.add_parser("arena", help="Enter a ranker of your own into the comparison of all rankings.")
    entering = arena.add_subparsers(metavar="COMMAND", required=True).add_parser(
        "enter",
        help="Rank and evaluate the arena's datasets by a ranker, and say where it stands.",
        description="Rank the arena's datasets by a ranker on the study's splits, evaluate the rankings by the study's "
        "protocol, and compare them with the archived ones: average rank, points above a random ranking, and wins "
        "against the default of sslrank rank. Write rankings, tables and a page. See also sslrank compare, for "
        "rankings from any program.",
    )
    entering.add_argument(
        "entry", metavar="FILE:CLASS", help="such as mine.py:Mine; or the name of a registered ranker"
    )
    entering.add_argument("--quick", action="store_true", help="twelve small datasets instead of all")
    entering.add_argument(
        "--param", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the ranker; may be repeated"
    )
    entering.add_argument("--name", help="name of the entry (default: the class)")
    entering.add_argument("--out", type=Path, metavar="FOLDER", help="default: results/compare/NAME")
    entering.set_defaults(run=enter_arena)
    deletion = subparsers.add_parser(
        "rerun",
        help="Delete some fits of a study, so that they are computed again.",
        description="Delete fits of results/<study> and the files that depend on them; the other fits stay. Nothing is "
        "run: the command prints the snakemake command that computes them again, with the filters of the study's last "
        "run.",
    )
    deletion.add_argument("study", type=Path, metavar="FOLDER", help="a study's folder, such as results/demo")
    deletion.add_argument("--failed", action="store_true", help="only fits that failed or took too long")
    for name, text in (("dataset", "of this dataset"), ("method", "of this method"), ("L", "for this L")):
        deletion.add_argument(f"--{name}", help=f"only fits {text}")
    deletion.set_defaults(run=rerun)
    auditing = subparsers.add_parser(
        "audit",
        help="Check the archive, its ledger, the summaries and the findings, and compute some results again.",
        description="Compare the ledger of intended results with archive, configuration and git; read every record; "
        "make the tables and comparisons of all summaries and the findings again; compute results drawn from every "
        "study again; write a page with the share of results that may not reproduce.",
    )
    auditing.add_argument("--cells", type=int, default=30, help="number of results to compute again (default: 30)")
    auditing.add_argument("--seed", help="a hexadecimal number, which draws them (default: the commit)")
    auditing.add_argument("--out", default="results/audit.md", metavar="FILE", help="default: results/audit.md")
    auditing.set_defaults(run=audit)


def audit(arguments):
    """Check the evidence of the repository, and print the progress."""
    require("workflow", "sslrank audit")
    if arguments.cells < 0:
        raise DataError(f"--cells {arguments.cells}: expected a whole number of at least 0")
    if not re.fullmatch("(0x)?[0-9a-f]+(-dirty)?", arguments.seed or "0", re.IGNORECASE):
        raise DataError(f"--seed {arguments.seed}: expected a hexadecimal number")
    from sslrank.benchmark.audit.page import audit as check

    for line in check(cells=arguments.cells, seed=arguments.seed, out=arguments.out):
        print(line, flush=True)


def compare(arguments):
    """Compare a file with a study, and print the outcome."""
    require("workflow", "sslrank compare")
    from sslrank.benchmark.submit.compare import compare_file

    for line in compare_file(arguments.file, study=arguments.study, name=arguments.name, out=arguments.out):
        print(line)


def evaluate(arguments):
    """Evaluate archived rankings, and print the progress."""
    require("workflow", "sslrank evaluate")
    from sslrank.benchmark.submit.evaluate_archived import evaluate_archived

    for line in evaluate_archived(arguments.study, arguments.evaluator, out=arguments.out):
        print(line, flush=True)


def enter_arena(arguments):
    """Enter a ranker into the arena, and print the progress and its place."""
    require("workflow", "sslrank arena")
    import yaml

    from sslrank.benchmark.submit.enter import enter

    params = {}
    for text in arguments.param:
        name, value_text, value = text.partition("=")
        if not value_text or not name:
            raise DataError(f"--param {text}: expected NAME=VALUE, as in --param power=0.5")
        params[name] = yaml.safe_load(value)
    options = {"quick": arguments.quick, "params": params, "name": arguments.name, "out": arguments.out}
    for line in enter(arguments.entry, **options):
        print(line, flush=True)


def rerun(arguments):
    """Delete fits, and print their number and the command that recomputes them."""
    require("workflow", "sslrank rerun")
    from sslrank.benchmark.rerun import delete_fits

    study = arguments.study
    if not study.is_dir():
        raise DataError("there is no such folder", file=study)
    selection = {key: getattr(arguments, key) for key in KEYS if getattr(arguments, key) is not None}
    if not selection and not arguments.failed:
        raise DataError("say which fits to delete by --failed, --dataset, --method or --L")
    n_fits = delete_fits(study, selection, only_failed=arguments.failed)
    folder = study.resolve().parents[1]  # of a run with --directory
    where = "" if folder == Path.cwd() else f" in {folder}"
    print(f"deleted {counted(n_fits, 'fit')}; now run{where}: {_command(study)}")


def _command(study):
    """Return the command that completes a study, with the filters and configuration files of its last run."""
    from sslrank.benchmark.report.page import page_command

    path = study / "manifest.json"
    if not path.is_file():
        return f"snakemake --cores all {study.resolve().name}"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    # Deleted rankings are not taken from the archive again.
    return page_command(manifest, archive=False)
