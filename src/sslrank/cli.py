"""The command ``sslrank``.

A subcommand is a module with ``register(subparsers)``, listed in :data:`COMMANDS`, which sets
``parser.set_defaults(run=function)``; the function takes the parsed arguments.
"""

import argparse
import atexit
import gc
import importlib
import io
import os
import re
import shlex
import sys
from importlib.metadata import version
from itertools import takewhile
from pathlib import Path
from typing import ClassVar

from sslrank.core.errors import DataError
from sslrank.core.extras import MissingExtraError
from sslrank.core.garbage import no_garbage_collection
from sslrank.core.messages import REMOVED, RENAMED, nearest

#: Modules with a function ``register(subparsers)``.
COMMANDS = ["sslrank.tabular.command.cli", "sslrank.datasets.cli", "sslrank.benchmark.cli"]

#: Placeholders of files and folders in the help, and the function that completes them in a script of shtab.
PLACES = {"FILE", "FOLDER", "FOLDER_OR_URL", "PATH", "RANKING", "XML"}
FILES = {"bash": "_shtab_compgen_files", "zsh": "_files"}


class Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest option or choice for a misspelt one.

    Attributes
    ----------
    refused : dict of str to str
        Options that the command does not accept, although others do, and what to do instead.
    """

    refused: ClassVar[dict] = {}

    def parse_known_args(self, args=None, namespace=None):
        """Parse; raises SystemExit for an option that the command does not have."""
        if self._subparsers is None:
            words = [word.partition("=")[0] for word in takewhile("--".__ne__, args or ()) if word.startswith("--")]
            known = list(self._option_string_actions)
            for word in words:
                if not any(option.startswith(word) for option in known):
                    if advice := self.refused.get(word) or REMOVED.get(word.lstrip("-")):
                        self.error(f"{word}: {advice}")
                    self.error(f"unknown option {word}{nearest(word, known, RENAMED)}; see {self.prog} --help")
        return super().parse_known_args(args, namespace)

    def error(self, message):
        """Print the usage and the error; raises SystemExit."""
        choice = re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message)
        if choice:
            instead, choices = REMOVED.get(choice[1]), choice[2].replace("'", "").split(", ")
            message += f"; {instead}" if instead else nearest(choice[1], choices, RENAMED)
        super().error(message)


def _mark_files(parser):
    """Mark the arguments of a parser and its subcommands that are file names, for shtab."""
    for action in parser._actions:
        if action.metavar in PLACES or action.type is Path:
            action.complete = FILES
        for subparser in getattr(action, "choices", None) or ():
            if isinstance(action, argparse._SubParsersAction):
                _mark_files(action.choices[subparser])


def make_parser(missing=None):
    """Make the parser of all commands, from which shtab generates shell completion.

    Parameters
    ----------
    missing : list, optional
        Receives a message for each module of commands that needs missing packages.

    Returns
    -------
    argparse.ArgumentParser
    """
    missing = [] if missing is None else missing
    parser = Parser(prog="sslrank", description="Feature ranking from partly labelled data.")
    parser.add_argument("--version", action="version", version=version("sslrank"))
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for module in COMMANDS:
        try:
            importlib.import_module(module).register(subparsers)
        except MissingExtraError as error:
            missing.append(str(error))
    _mark_files(parser)
    return parser


def main(arguments=None):
    """Run the command line.

    Returns
    -------
    int
        Exit code: 0, 1 after a message about bad input or lack of memory, 2 where the packages of the commands are not
        installed, or 130 when interrupted.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may lack the letters of a feature's name
    atexit.register(gc.freeze)  # or Python would look through all objects once more before it ends, .3 s
    missing = []
    with no_garbage_collection():
        parser = make_parser(missing)
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(missing) == len(COMMANDS) and "--version" not in arguments:
        print(f"sslrank: error: {missing[0]}", file=sys.stderr)
        return 2
    try:
        parsed = parser.parse_args(arguments)
    except SystemExit:
        for message in missing:
            print(f"sslrank: some commands are not available: {message}", file=sys.stderr)
        raise
    parsed.typed = shlex.join(["sslrank", *map(str, arguments)])
    try:
        parsed.run(parsed)
        sys.stdout.flush()
    except BrokenPipeError:  # as of `sslrank datasets | head`; nothing may be written when Python ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (DataError, OSError) as error:
        print(f"sslrank: error: {error}", file=sys.stderr)
        return 1
    except MemoryError:
        print("sslrank: error: out of memory. Use fewer rows or columns", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("sslrank: interrupted", file=sys.stderr)
        return 130
    return 0
