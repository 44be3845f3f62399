"""``sslrank datasets``, ``sslrank download`` and ``sslrank prepare``."""

from pathlib import Path

from sslrank.core.errors import DataError
from sslrank.datasets.download import DEFAULT_CACHE, fetch


def register(subparsers):
    """Add the subcommands."""
    for name, run, description in (
        ("datasets", _list, "List the datasets of the catalogue."),
        ("download", _download, "Download datasets."),
        ("prepare", _prepare, "Download datasets where needed, read and check them, write Parquet and JSON."),
    ):
        parser = subparsers.add_parser(name, help=description, description=description)
        parser.set_defaults(run=run)
        about = "list of datasets (default: %(default)s)"
        parser.add_argument("--catalogue", default="workflow/datasets.yaml", metavar="FILE", help=about)
        if name == "datasets":
            continue
        parser.add_argument("names", nargs="+", metavar="NAME", help="dataset of the list")
        parser.add_argument(
            "--cache", default=DEFAULT_CACHE, metavar="FOLDER", help="for downloaded files (default: %(default)s)"
        )
        parser.add_argument("--mirror", metavar="FOLDER_OR_URL", help="default: $SSLRANK_MIRROR")
        if name == "prepare":
            parser.add_argument(
                "--max-size",
                metavar="SIZE",
                help="memory limit of an unpacked file and of a table, e.g. 500M or 4G (default: half of the memory)",
            )
            parser.add_argument("--out", default="results/data/prepared", metavar="FOLDER", help="default: %(default)s")
            parser.add_argument("--path", metavar="FILE", help="your own file of a dataset that cannot be downloaded")


def _list(arguments):
    from sslrank.datasets.catalogue import load_catalogue

    for name, entry in load_catalogue(arguments.catalogue).items():
        shape = entry.shape
        size = f"{shape.rows} x {shape.features}, {shape.targets}" if entry.available else "not available"
        print(f"{name:24} {entry.task:15} {size:22} {', '.join(entry.studies)}")


def _entries(arguments):
    from sslrank.datasets.catalogue import get_entry, load_catalogue

    catalogue = load_catalogue(arguments.catalogue)
    return [get_entry(catalogue, name) for name in arguments.names]  # an unknown name stops before any work


def _download(arguments):
    for entry in _entries(arguments):
        print(fetch(entry, arguments.cache, arguments.mirror))


def _prepare(arguments):
    from sslrank.datasets.prepare import describe, prepare
    from sslrank.datasets.readers.source import size_limit

    if arguments.path and len(arguments.names) > 1:
        raise DataError("--path is the file of one dataset", advice="Name only that dataset")
    for entry in _entries(arguments):
        with size_limit(arguments.max_size):
            folder = None if arguments.path else fetch(entry, arguments.cache, arguments.mirror)
            dataset = prepare(entry, folder, path=arguments.path)
        target = Path(arguments.out) / entry.name
        dataset.save(target)
        shape = describe(dataset)
        print(f"{target}: {shape['rows']} rows, {shape['features']} features, {dataset.task}")
