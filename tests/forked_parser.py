"""The process that parses .mat and RData files, as a fork of this one: its own start and imports take a second."""

import faulthandler
import io
import os
import subprocess
import sys
import tempfile
from types import SimpleNamespace

from sslrank.datasets.readers import child


def install():
    """Fork parsers from now on; ``child.subprocess = subprocess`` starts them again."""
    child.subprocess = SimpleNamespace(run=_run, TimeoutExpired=subprocess.TimeoutExpired)


def _run(command, *, input, **options):
    """``subprocess.run`` for the command of :func:`sslrank.datasets.readers.child.parse`."""
    with tempfile.TemporaryFile() as said:
        process = os.fork()
        if process == 0:
            code = 1
            faulthandler.disable()  # a parser that crashes is no crash of the tests
            try:
                sys.stdin = SimpleNamespace(buffer=io.BytesIO(input))
                child._main(*command[command.index(child.__file__) + 1 :])
                code = 0
            except SystemExit as error:
                os.write(said.fileno(), str(error).encode())
            finally:
                os._exit(code)
        _, status = os.waitpid(process, 0)
        said.seek(0)
        return subprocess.CompletedProcess(command, os.waitstatus_to_exitcode(status), b"", said.read())
