"""Jobs whose child processes are forked."""

import subprocess
from types import SimpleNamespace

import pytest

from forked_children import ServedChild
from sslrank.benchmark.steps import child_process


@pytest.fixture(scope="module", autouse=True)
def forked():
    """Spares the starts of Python: see tests/forked_children.py."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(child_process, "subprocess", SimpleNamespace(Popen=ServedChild, PIPE=subprocess.PIPE))
        yield
