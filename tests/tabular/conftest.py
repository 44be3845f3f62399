"""Files as people have them, and the command as they type it."""

import numpy as np
import pandas as pd
import pytest

from sslrank.cli import main

N = 120


@pytest.fixture
def frame():
    """Two relevant features of six, one nominal column, half of the rows labelled."""
    rng = np.random.default_rng(7)
    X = pd.DataFrame(rng.normal(size=(N, 6)).round(3), columns=[f"f{j}" for j in range(6)])
    X["shade"] = rng.choice(["dark", "light", "grey"], N)
    X["y"] = np.where(X["f1"] + X["f4"] > 0, "yes", "no").astype(object)
    X.loc[rng.permutation(N)[: N // 2], "y"] = None
    return X


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Types a command in an empty folder; gives the exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def type_in(*words):
        capsys.readouterr()
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return type_in
