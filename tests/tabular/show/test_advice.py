import numpy as np
import pandas as pd
import pytest

import sslrank
from sslrank.cli import main
from sslrank.stats.arena import FACTS
from sslrank.tabular.show import advice
from sslrank.tabular.show.html import document
from sslrank.tabular.show.report import arena_lines, headlines


@pytest.fixture
def tables(monkeypatch):
    """Half of the datasets are wide; forest is 2 points ahead of l1, and 3 behind semi-supervised on wide ones."""
    rows, rng = [], np.random.default_rng(0)
    for number in range(24):
        task, features = ("regression" if number % 3 == 0 else "classification"), (1000 if number % 2 else 30)
        for L in ("20", "200"):
            forest = 10 + rng.normal()
            row = (f"d{number}", "choose", task, 600, features, L, forest, forest - 2 + rng.normal())
            rows.append((*row, forest + (3 if features > 250 else -3) + 0.1 * rng.normal()))
    points = pd.DataFrame(rows, columns=[*FACTS, "forest", "l1", "semi_supervised"])
    seconds = pd.DataFrame({"ranking": ["forest", "l1"], "L": "20", "seconds": [0.5, 0.01]})
    monkeypatch.setattr(advice, "arena_table", lambda name=advice.POINTS: points if name == advice.POINTS else seconds)
    return points


def test_similar_datasets_are_compared_if_there_are_enough(tables):
    found = advice.find_similar("classification", 30, 600, 1000)
    assert found.L == "20"
    assert found.words == "a target of kind classification, more than 250 columns and fewer than 1000 rows"
    assert (found.points["features"] > 250).all()
    assert len(found.points) == 8
    few = advice.find_similar("regression", 30, 5000, 1000)
    assert few.words == "a target of kind regression"
    assert advice.find_similar("multilabel", 5000, 600, 10).words == ""
    assert advice.find_similar("multilabel", 5000, 600, 10).L == "200"


def test_unlabelled_rows_help_where_they_did(tables):
    wide, tall = (advice.unlabeled_sentence(advice.find_similar("classification", 20, 600, size)) for size in (1000, 9))
    assert wide.startswith(
        "arena: unlabelled rows are likely to help in datasets with a target of kind classification, "
    )
    assert "more than 250 columns" in wide
    assert "(better on 8 of 8)" in wide
    assert tall.startswith("arena: unlabelled rows are likely to harm")
    assert advice.unlabeled_sentence(None) == ""


def test_the_terminal_says_it_for_a_file(tables, tmp_path, capsys):
    path = tmp_path / "d.csv"
    path.write_text("a,b,y\n" + "".join(f"{i},{-i * i},{'xy'[i % 2] if i < 20 else ''}\n" for i in range(40)))
    assert main(["methods", "--for", str(path), "--target", "y", "--seconds", "0.6"]) == 0
    said = capsys.readouterr().out
    assert "8 datasets of the arena with a target of kind classification, at most 250 columns" in said
    assert "about 20 labels" in said
    assert "forest" in said
    assert "unlabelled rows are likely to harm" in said
    main(["methods", "--for", str(path), "--target", "y", "--seconds", "0.001"])
    assert "no ranking took at most 0.001 s" in capsys.readouterr().out


def test_a_ranking_says_it_on_the_terminal_and_in_the_browser(tables):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc"))
    y = np.where(np.arange(60) < 25, np.where(frame["b"] > 0, "x", "z"), None)
    options = {"methods": ["f_score"], "repeats": 0, "curve": False}
    found = sslrank.rank(frame, y, **options)
    assert headlines(found)[-1].startswith("arena: unlabelled rows are likely to harm")
    assert "nlabelled rows are likely to harm" in document(found)
    assert arena_lines(sslrank.rank(frame[:25], y[:25], **options)) == []


def test_the_package_has_the_arenas_table():
    found = advice.arena_table()
    assert set(FACTS) < set(found.columns)
    assert {"choose", "held out"} >= set(found["part"])
