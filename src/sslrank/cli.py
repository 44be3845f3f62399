"""The command ``sslrank``.

A subcommand is a module with ``register(subparsers)``, listed in :data:`COMMANDS`, which sets
``parser.set_defaults(run=function)``; the function takes the parsed arguments.
"""

import argparse
import importlib
import sys

from sslrank import __version__
from sslrank.errors import DataError

#: Modules with a function ``register(subparsers)``.
COMMANDS = ["sslrank.own.commands", "sslrank.data.commands", "sslrank.pipeline.commands"]


def main(arguments=None):
    """Run the command line.

    Returns
    -------
    int
        Exit code: 0, or 1 after a message about bad input.
    """
    parser = argparse.ArgumentParser(prog="sslrank", description="Feature ranking from partly labelled data.")
    parser.add_argument("--version", action="version", version=__version__)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in COMMANDS:
        importlib.import_module(module).register(subparsers)
    parsed = parser.parse_args(arguments)
    try:
        parsed.run(parsed)
    except DataError as error:
        print(f"sslrank: error: {error}", file=sys.stderr)
        return 1
    return 0
