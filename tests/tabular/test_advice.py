import pandas as pd
import pytest

from sslrank.cli import main
from sslrank.tabular import advice


@pytest.fixture
def table(monkeypatch):
    rows = [
        ("all", L, task, shape, ranking, "forest", 9 if L == "20" else 60, rank, rank - 1, rank + 1, gain, 0.02)
        for L, task, shape in (("20", "all", "all"), ("200", "all", "all"), ("all", "classification", "all"))
        for ranking, rank, gain in (("forest", 2.0, float("nan")), ("l1", 1.0 if L == "20" else 3.0, 0.5))
    ]
    columns = ["part", "L", "task", "shape", "ranking", "reference", "n_datasets", "average_rank", "lower", "upper"]
    found = pd.DataFrame(rows, columns=[*columns, "difference", "p_holm"])
    monkeypatch.setattr(advice, "leaderboard", lambda: found)


def test_the_nearest_number_of_labels_decides(table):
    few, many = (advice.advise("str", labels, 10) for labels in (30, 1000))
    assert few[1] == "with 20 labels, over 9 datasets, too few to rely on:"
    assert few[3].split() == ["l1", "1.0", "(0.0", "to", "2.0)", "+0.50", "(Holm's", "p", "0.02)"]
    assert many[1] == "with 200 labels, over 60 datasets:"
    assert many[3].split()[0] == "forest"
    assert "with a target of kind str: not in the arena yet" in few


def test_the_terminal_says_it_for_a_file(table, tmp_path, capsys):
    path = tmp_path / "d.csv"
    path.write_text("a,b,y\n" + "".join(f"{i},{-i * i},{'xy'[i % 2] if i < 20 else ''}\n" for i in range(40)))
    assert main(["methods", "--for", str(path), "--target", "y"]) == 0
    said = capsys.readouterr().out
    assert "with 20 labels, over 9 datasets, too few to rely on:" in said
    assert "with a target of kind classification, over 60 datasets:" in said


def test_the_package_has_the_arenas_table():
    found = advice.leaderboard()
    assert {"all", "choose", "held out"} >= set(found["part"])
    assert (found["lower"] <= found["average_rank"]).all()
