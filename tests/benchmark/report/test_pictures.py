import re

import pytest
from matplotlib.figure import Figure

from sslrank.benchmark.report.figures import picture_name, save


@pytest.mark.parametrize("name", ["digits-k20", "tic-tac-toe-main", "mll", "leukemia_7129.x"])
def test_names_of_files_stay(name):
    assert picture_name(name) == name


def test_odd_names_become_names_of_files_and_stay_apart(tmp_path):
    odd = ["srbct svm_rfe", "srbct-svm_rfe", "a/b", "<b>", '"', "λ", "λλ", "x" * 300, "x" * 301, "..", ""]
    names = [picture_name(name) for name in odd]
    assert len(set(names)) == len(odd)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", name) for name in names)
    save(Figure(), tmp_path / "srbct svm_rfe")
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{names[0]}.svg"]
