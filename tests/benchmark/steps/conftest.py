"""Jobs whose child processes are forked, which spares the starts of Python."""

import pytest

from sslrank.benchmark.steps import fork_server


@pytest.fixture(autouse=True)
def forked(monkeypatch):
    monkeypatch.setattr(fork_server, "is_fork", True)
