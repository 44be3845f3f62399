"""A page that the workflow made from the archive, in a browser without network.

Controls are tried on a page of made-up results (tests/benchmark/report/test_browser.py).
"""

import shutil
from pathlib import Path

import pandas as pd
import pytest

from browsing import Opened, serious_faults
from sslrank.benchmark.results.tables.leaders import first_contest

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
    links = page.locator("nav a")
    assert links.count() == 7
    for number in range(links.count()):
        links.nth(number).click()
        assert serious_faults(page) == []
    page = opened.go("view=overview")
    board = first_contest(pd.read_csv(folder / "tables/leaderboard.csv"))
    shown = page.locator("[aria-label=Leaderboard] tbody tr:visible").all()
    ranks = [row.locator("td").first.inner_text().split("\n")[0] for row in shown]
    assert ranks == ["" if pd.isna(rank) else f"{rank:.2f}" for rank in board["average_rank"]]
    opened.check()
    opened.window.close()
