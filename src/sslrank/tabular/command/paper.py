"""``sslrank paper``: write a methods section, a table and figures of a ranking for a publication."""

from pathlib import Path

from sslrank.core.messages import listed
from sslrank.tabular.command.options import print_now
from sslrank.tabular.output.files import write
from sslrank.tabular.output.paper import paper_files
from sslrank.tabular.output.recipe import read_fields


def run(arguments):
    """Write the files of a saved ranking into its folder ``paper``."""
    path = Path(arguments.ranking)
    folder = (path if path.is_dir() else path.parent) / "paper"
    files = paper_files(read_fields(path))
    for name, content in files.items():
        write(folder / name, content)
    print_now(f"wrote {listed(str(folder / name) for name in files)}")
