"""``sslrank summary``: collect what is to be committed of finished studies."""

from pathlib import Path


def register(subparsers):
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "summary",
        help="collect the tables, some figures and the manifest of finished studies",
        description="Collects results/<study> as it is into results/summaries/<study>, and runs nothing.",
    )
    parser.add_argument("study", nargs="+", type=Path, help="a study's folder, such as results/demo")
    parser.add_argument("--to", type=Path, help="target (default: summaries/ beside the study's folder)")
    parser.set_defaults(run=run)


def run(arguments):
    """Collect, and say where the summaries are."""
    from sslrank.pipeline.report.summary import summarize

    for study in arguments.study:
        target = (arguments.to or study.parent / "summaries") / study.resolve().name
        files = summarize(study, target)
        size = sum((target / file).stat().st_size for file in files)
        print(f"{target}: {len(files)} files, {size / 1e3:.0f} kB")
