"""The estimate: a small calibration of every method and evaluator, and the page that compares it."""

import re

import pandas as pd

from sslrank.benchmark.files import CALIBRATION_COLUMNS as COLUMNS


def test_estimate_covers_methods_and_evaluators_and_reaches_the_page(tiny):
    config = tiny.config
    output = tiny("--cores", 1, "results/tiny/estimate.csv")
    assert "core-hours" in output
    table = pd.read_csv(tiny.folder / "results/tiny/estimate.csv").fillna({"note": ""})
    assert list(table.columns) == COLUMNS
    python = [name for name in config["own"]["studies"]["tiny"]["methods"] if name != "variance"]
    found = set(zip(table["method"], table["step"], strict=True))
    assert found == {(name, step) for name in python for step in ("ranking", "scores")}
    by_method = table.set_index(["method", "step"])
    forest = by_method.loc[("forest", "ranking")]
    assert forest["seconds"] > 0
    assert forest["basis"].startswith("1 of 4 fits per mode, ")
    assert "of 4 estimators" in forest["basis"]
    assert by_method.loc[("broken", "ranking"), "seconds"] == 0
    assert "broken on purpose" in by_method.loc[("broken", "ranking"), "note"]
    # 2 folds, 2 L, 2 modes and 2 rankings
    assert by_method.loc[("forest", "scores"), "basis"] == "1 of 16 rankings"
    # The page reads it where it is, which Snakemake knows.
    assert tiny.planned("tiny") == {"page": 1, "tiny": 1, "total": 2}
    tiny("--cores", 1, "results/tiny/report.html")
    page = (tiny.folder / "results/tiny/report.html").read_text(encoding="utf-8")
    assert "core-hours were expected" in page
    assert re.search(r"minutes of measured work; it took [0-9.e-]+ hours", page)
