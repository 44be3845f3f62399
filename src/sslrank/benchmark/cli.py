"""``sslrank arena``, ``compare``, ``findings``, ``hours``, ``rerun``, ``root-hash``, ``summary``: they run no study."""

import csv
import glob
import json
from pathlib import Path

from sslrank.benchmark import paths
from sslrank.core.errors import DataError
from sslrank.core.extras import require
from sslrank.core.messages import counted, suggestion

KEYS = ("dataset", "method", "L")
#: Files that `rerun` deletes: rankings, and all that depends on them.
REMADE = (
    paths.RANKINGS,
    paths.STATUS,
    paths.EXTERNAL,
    paths.SCORES,
    paths.SCORES_STATUS,
    paths.COLLECTED,
    paths.PAGE,
)


def register(subparsers):
    """Add the subcommands."""
    beside = subparsers.add_parser(
        "compare",
        help="compare rankings or scores made anywhere with the methods of a study in the archive",
        description="Rank and test a result among the methods of a study, whose results are in results/archive, over "
        "the datasets that FILE names; write tables and a page. FILE is a CSV of rankings (dataset, L, mode, fold, "
        "ranking, feature, importance), which are judged like the others on the same splits, or of scores (dataset, L, "
        "fold, value, and where needed mode, ranking, evaluator, measure, k). Missing scores are only listed.",
    )
    beside.add_argument("file", type=Path, metavar="FILE")
    beside.add_argument("--study", help="may be omitted if the archive has only one study")
    beside.add_argument("--name", help="name of the result (default: the name of FILE)")
    beside.add_argument("--out", type=Path, metavar="FOLDER", help="default: results/compare/NAME")
    beside.set_defaults(run=compare)
    arena = subparsers.add_parser("arena", help="enter a ranker of your own into the comparison of all rankings")
    entering = arena.add_subparsers(metavar="COMMAND", required=True).add_parser(
        "enter",
        help="rank and judge the arena's datasets by a ranker, and say where it stands",
        description="Rank the arena's datasets by a ranker on the study's splits, judge the rankings as all others "
        "were, and compare them with the archived ones: average rank, points above a random ranking, and wins against "
        "the default of sslrank rank. Writes rankings, tables and a page. See also sslrank compare, for rankings from "
        "any program.",
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
    pages = subparsers.add_parser(
        "findings",
        help="render the pages of findings from the tables in results/summaries",
        description="Writes FINDINGS.md, REPORT.md and findings/*.md in results, from the templates next to them. "
        "A template whose table is missing, or whose words the tables no longer support, is an error.",
    )
    pages.add_argument("--results", type=Path, default=Path("results"), metavar="FOLDER", help="default: results")
    pages.set_defaults(run=findings)
    took = subparsers.add_parser(
        "hours",
        help="estimate a study's hours on 2, 32, 320 or 3200 cores from the seconds in the archive",
        description="Writes a CSV to standard output, with one line for each study and number of cores: hours until "
        "the last job ends and which it is, the critical path, the longest job, and what bounds the hours.",
    )
    took.add_argument("study", nargs="*", help="default: every study that the archive has")
    took.add_argument(
        "--cores", nargs="+", type=int, default=[2, 32, 320, 3200], metavar="N", help="default: 2 32 320 3200"
    )
    took.add_argument(
        "--picture", type=Path, metavar="FILE", help="draw the hours of all named studies into this SVG file"
    )
    took.add_argument(
        "--missing",
        metavar="OTHER",
        help="print the datasets of the study OTHER that the archive lacks for the one named study, and the hours that "
        "each would take on one core: those of OTHER, times the ratio of the two on the datasets of both",
    )
    took.set_defaults(run=hours)
    again = subparsers.add_parser(
        "rerun",
        help="delete some rankings of a study, so that they are computed again",
        description="Delete rankings of results/<study> and the files that depend on them. Nothing is run: the command "
        "prints the snakemake command that computes them again, with the filters of the study's last run.",
    )
    again.add_argument("study", type=Path, help="a study's folder, such as results/demo")
    again.add_argument("--failed", action="store_true", help="only rankings with a fit that failed or took too long")
    for name, text in (("dataset", "of this dataset"), ("method", "of this method"), ("L", "for this L")):
        again.add_argument(f"--{name}", default="*", help=f"only rankings {text}")
    again.set_defaults(run=rerun)
    root = subparsers.add_parser(
        "root-hash",
        help="check every file of the archive, and print the hash that a release is signed with",
        description="Compares every file of results/archive with its manifest, and prints the sha256 of the manifest.",
    )
    root.set_defaults(run=root_hash)
    parser = subparsers.add_parser(
        "summary",
        help="write summaries of finished studies: their tables, some figures and the manifest",
        description="Copy the part of results/<study> that git keeps to results/summaries/<study>. Nothing is run.",
    )
    parser.add_argument("study", nargs="+", type=Path, help="a study's folder, such as results/demo")
    parser.add_argument("--to", type=Path, help="target (default: summaries/ next to the study's folder)")
    parser.set_defaults(run=summary)


def compare(arguments):
    """Compare a file with a study, and print the outcome."""
    require("workflow", "sslrank compare")
    from sslrank.benchmark.submit.ranks import submit_file

    for line in submit_file(arguments.file, study=arguments.study, name=arguments.name, out=arguments.out):
        print(line)


def enter_arena(arguments):
    """Enter a ranker into the arena, and print how it goes and where it stands."""
    require("workflow", "sslrank arena")
    import yaml

    from sslrank.benchmark.submit.enter import enter

    params = {}
    for text in arguments.param:
        name, given, value = text.partition("=")
        if not given or not name:
            raise DataError(f"--param {text}: expected NAME=VALUE, as in --param power=0.5")
        params[name] = yaml.safe_load(value)
    options = {"quick": arguments.quick, "params": params, "name": arguments.name, "out": arguments.out}
    for line in enter(arguments.entry, **options):
        print(line, flush=True)


def findings(arguments):
    """Render the pages of findings and list those that changed."""
    require("workflow", "sslrank findings")
    from sslrank.benchmark.report.findings import write_findings

    if not (arguments.results / "FINDINGS.md.j2").is_file():
        raise DataError("no FINDINGS.md.j2 there; run this in a clone of the repository", file=arguments.results)
    changed = write_findings(arguments.results)
    print("\n".join(map(str, changed)) or "all pages of findings are up to date")


def hours(arguments):
    """Print the table of :func:`sslrank.benchmark.archive.hours.hours_table`."""
    require("workflow", "sslrank hours")
    import pandas as pd

    from sslrank.benchmark.archive.hours import draw_hours, hours_table, jobs_of, missing_hours
    from sslrank.benchmark.archive.store import Archive

    archive = Archive(paths.ARCHIVE)
    archive.check_listed()
    there = sorted({file.split("/")[0] for file in archive.rows})
    if arguments.missing and len(arguments.study) != 1:
        raise DataError("--missing needs the name of one study before it")
    wrong = sorted({*arguments.study, *filter(None, [arguments.missing])} - set(there))
    if wrong or not there:
        name = f" of the study {wrong[0]!r}" if wrong else ""
        raise DataError(f"{paths.ARCHIVE} has nothing{name}; {suggestion(wrong[0], there) if wrong else 'it is empty'}")
    if min(arguments.cores) < 1:
        raise DataError(f"--cores: {min(arguments.cores)} is not a number of cores")
    if arguments.missing:
        jobs = [jobs_of(archive.records(study)) for study in (*arguments.study, arguments.missing)]
        print(missing_hours(*jobs).to_csv(index=False, float_format="%.4g"), end="")
        return
    records = {study: archive.records(study) + archive.experiments(study) for study in arguments.study or there}
    tables = [hours_table(study, found, arguments.cores) for study, found in records.items()]
    every = [record for found in records.values() for record in found]
    if arguments.picture:
        draw_hours(every, arguments.picture)
    if len(records) > 1:
        tables.append(hours_table(" + ".join(records), every, arguments.cores))
    print(pd.concat(tables).to_csv(index=False, float_format="%.4g"), end="")


def rerun(arguments):
    """Delete rankings, and print how many and the command that computes them again."""
    study = arguments.study
    if not study.is_dir():
        raise DataError("there is no such folder", file=study)
    chosen = {key: glob.escape(value) if value != "*" else "*" for key, value in vars(arguments).items() if key in KEYS}
    rankings = _files(study, [paths.RANKINGS], chosen)
    if not rankings:
        wanted = ", ".join(f"{key} {value}" for key, value in chosen.items() if value != "*")
        lacks = f"{study} has no rankings" + (f" of {wanted}" if wanted else "")
        there = _there(study / "rankings")
        odd = next((key for key in KEYS if chosen[key] not in ("*", *map(glob.escape, there[key]))), "dataset")
        name = {"dataset": "datasets", "method": "methods"}.get(odd, odd)
        raise DataError(f"{lacks}; its {name} are: {', '.join(there[odd]) or 'none'}")
    if arguments.failed:
        rankings = [path for path in rankings if _has_failed(path.with_suffix(".status.csv"))]
        if not rankings:
            raise DataError("every fit of these rankings succeeded, or is not supported", file=study)
    # With all that depends on them: Snakemake does not make what only a finished file has needed.
    found = set()
    for path in rankings:
        dataset, method, file = path.relative_to(study / "rankings").parts
        names = {"dataset": dataset, "method": method, "L": file.removeprefix("L").removesuffix(".parquet")}
        found |= set(_files(study, REMADE, {key: glob.escape(name) for key, name in names.items()}))
    for path in found:
        path.unlink()
    place = study.resolve().parents[1]  # of a run with --directory
    there = "" if place == Path.cwd() else f" in {place}"
    print(f"deleted {counted(len(rankings), 'ranking')}; now run{there}: {_command(study)}")


def _files(study, patterns, names):
    """List the files of a study that have some names, or patterns of names."""
    patterns = [
        pattern.removeprefix(paths.STUDY + "/").format(evaluator="*", part="*", **names) for pattern in patterns
    ]
    return sorted({path for pattern in patterns for path in study.glob(pattern)})


def _has_failed(status):
    with status.open(encoding="utf-8", newline="") as stream:
        return any(row["status"] in ("failed", "timeout") for row in csv.DictReader(stream))


def _command(study):
    """Return the command that completes a study: with the filters and configuration files of its last run."""
    require("workflow", "sslrank rerun")
    from sslrank.benchmark.report.page import page_command

    path = study / "manifest.json"
    if not path.is_file():
        return f"snakemake --cores all {study.resolve().name}"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    # Deleted rankings are not taken from the archive again.
    return page_command(manifest, archive=False)


def _there(folder):
    """List the datasets, methods and L that a folder has rankings of."""
    found = [path.relative_to(folder).parts for path in folder.glob("*/*/L*.parquet")]
    found = [(dataset, method, file.removeprefix("L").removesuffix(".parquet")) for dataset, method, file in found]
    return {key: sorted({parts[i] for parts in found}) for i, key in enumerate(KEYS)}


def root_hash(arguments):
    """Check the archive, and print its root hash."""
    require("workflow", "sslrank root-hash")
    from sslrank.benchmark.archive.store import Archive

    print(Archive(paths.ARCHIVE).root_hash())


def summary(arguments):
    """Write summaries, and print where they are."""
    from sslrank.benchmark.report.summary import write_summary

    for study in arguments.study:
        target = (arguments.to or study.parent / "summaries") / study.resolve().name
        files = write_summary(study, target)
        size = sum((target / file).stat().st_size for file in files)
        print(f"{target}: {len(files)} files, {size / 1e3:.0f} kB")
