"""A page that the workflow made from the archive, in a browser without network.

Controls are tried on a page of made-up results (tests/benchmark/report/test_browser.py).
"""

import shutil
from pathlib import Path

import pandas as pd
import pytest

from browsing import Opened, rows_of, serious_faults

ROOT = Path(__file__).parents[2]


@pytest.mark.exhaustive
def test_the_page_of_the_archive(browser, new_runner, tmp_path):
    """Two datasets of two kinds of target, whose results are in the repository: every view opens, numbers are right."""
    shutil.copytree(ROOT / "results/archive", tmp_path / "results/archive")
    runner = new_runner(tmp_path)
    runner.write({"archive": "only", "datasets": "edm,tic-tac-toe"})
    runner("--cores", 2, "ssl-ranking")
    folder = tmp_path / "results/ssl-ranking"
    opened = Opened(browser, folder / "report.html")
    page = opened.go("")
    views = page.eval_on_selector_all("nav a", "links => links.map(link => link.id.slice(3))")
    assert {"overview", "datasets", "methods", "pairs", "published", "tables", "runs"} <= set(views)
    for view in views:
        page.click(f"#to-{view}")
        assert page.locator(f"#view-{view}").count() == 1
        assert serious_faults(page) == []
    page = opened.go("view=overview")
    board = pd.read_csv(folder / "tables/leaderboard.csv")
    mode, task = (page.locator(f"#control-{key}") for key in ("mode", "task"))
    board = board[board["mode"] == (mode.input_value() if mode.count() else board["mode"].iloc[0])]
    board = board[board["task"] == (task.input_value() if task.count() else board["task"].iloc[0])]
    shown = rows_of(page, "Leaderboard")
    column = shown[0].index("average rank")
    assert [row[column] for row in shown[1:]] == [
        "" if pd.isna(rank) else f"{rank:.2f}" for rank in board["average_rank"]
    ]
    opened.check()
    opened.window.close()
