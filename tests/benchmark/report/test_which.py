"""The view "Which ranking?" in a browser says what `sslrank methods --for` says."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from browsing import Opened, rows_of, serious_faults, try_controls
from sslrank.benchmark.report.advice_data import advice_data
from sslrank.benchmark.report.json_tables import columns_and_rows
from sslrank.benchmark.report.page import embedded
from sslrank.benchmark.results.titles import RANKINGS as RANKINGS_TITLES
from sslrank.stats.arena import FACTS
from sslrank.stats.similar_datasets import arena_board
from sslrank.tabular.show import advice

RANKINGS = {"forest": 0.0, "l1": -0.5, "f_score": -1.5, "semi_supervised": 1.0}
SECONDS = {"forest": 2.0, "l1": 0.2, "f_score": 0.005, "semi_supervised": 300.0}


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(3)
    rows = []
    for number in range(40):
        task, features = ("regression" if number % 4 == 0 else "classification"), (400 if number % 3 == 0 else 20)
        for L in ("20", "200"):
            facts = (f"d{number}", "choose", task, 100 + 60 * number, features, L)
            rows.append((*facts, *(np.round(9 + lead + 1.5 * rng.normal(), 2) for lead in RANKINGS.values())))
    return pd.DataFrame(rows, columns=[*FACTS, *RANKINGS])


@pytest.fixture(scope="module")
def arena_page(made_up, points, tmp_path_factory):
    text = (made_up / "report.html").read_text(encoding="utf-8")
    block = re.search(r'(<script[^>]*id="data"[^>]*>)(.*?)(</script>)', text, re.DOTALL)
    data = json.loads(block[2])
    took = pd.DataFrame([(name, L, value) for name, value in SECONDS.items() for L in ("20", "200")])
    took.columns = ["ranking", "L", "seconds"]
    for name, made in (("arena_points", points), ("arena_seconds", took)):
        block_of = {"title": name, "about": "", "note": "", "file": f"tables/{name}.csv", "keys": [], "values": []}
        data["tables"][name] = block_of | {"kind": "quantity", "made": columns_and_rows(made)}
    data["advice"] = advice_data(points, took)
    of_l1 = {"title": "The path of a lasso", "ranker": "l1", "params": {"alpha": 2}, "by": "Yuan, Lin 2006"}
    of_l1 |= {"paper": "https://doi.org/1", "code": "l1.py", "codeLink": "../l1.py", "summary": "How.", "sections": []}
    data["rankings"] = [of_l1 | {"name": "l1"}, {"name": "f_score", "members": ["l1", "forest"]}]
    path = tmp_path_factory.mktemp("arena") / "report.html"
    path.write_text(text[: block.start(2)] + str(embedded(data)) + text[block.end(2) :], encoding="utf-8")
    return path


@pytest.fixture
def opened(browser, arena_page):
    found = Opened(browser, arena_page)
    yield found
    found.check()
    found.window.close()


@pytest.mark.parametrize(
    ("link", "asked"),
    [
        ("labels=20&kind=classification&columns=tall&rows=few", ("classification", 20, 500, 20, None)),
        ("labels=200&kind=regression&columns=wide&rows=long", ("regression", 200, 5000, 400, None)),
        ("labels=200&kind=classification&columns=tall&rows=long&time=1", ("classification", 200, 5000, 20, 1.0)),
    ],
)
def test_the_page_says_what_the_terminal_says(opened, points, monkeypatch, link, asked):
    monkeypatch.setattr(advice, "arena_table", lambda name=None: points)
    alike = advice.find_similar(*asked[:4])
    expected = arena_board(alike.points, SECONDS, asked[4])
    page = opened.go(f"view=which&{link}")
    rows = rows_of(page, "Leaderboard of tables like mine")[1:]
    names = page.eval_on_selector_all(
        '#app [aria-label="Leaderboard of tables like mine"] tbody tr .named', "nodes => nodes.map(n => n.title)"
    )
    assert names == [RANKINGS_TITLES.get(name, name) for name in expected.index]
    assert page.inner_text("#view-which").count(f"{expected.attrs['n_datasets']} datasets") >= 1
    for row, wanted in zip(rows, expected.itertuples(), strict=True):
        rank, reach = map(float, row[1].split(" ± "))
        assert (rank, reach) == pytest.approx((wanted.average_rank, wanted.rank_reach), abs=0.051)
        assert float(row[2].replace("−", "-")) == pytest.approx(wanted.points, abs=0.051)
        if wanted.Index != expected.index[0]:
            gap, reach = row[3].replace("−", "-").removesuffix(" *").split(" ± ")
            assert float(gap) == pytest.approx(wanted.behind, abs=0.051)
            assert float(reach) == pytest.approx(wanted.reach, abs=0.06)
            assert row[3].endswith("*") != wanted.first
    words = advice.unlabeled_sentence(alike)
    verdict = page.locator("h3", has_text="Will my unlabelled rows help?").locator("+ p").inner_text()
    said = {
        "are likely to help": "They are likely to help",
        "hardly help": "Hardly",
        "are likely to harm": "They are likely to harm",
        "may help or not": "Not known: the interval is too wide",
    }
    assert verdict == next(text for key, text in said.items() if key in words)


def test_every_control_changes_what_is_shown(opened):
    page = opened.go("")
    assert page.locator("#view-which").count() == 1  # the first view where there is an arena
    assert len(try_controls(opened, "which")) == 5
    assert serious_faults(opened.go("view=which")) == []


def test_a_row_opens_what_the_ranking_is_and_a_dataset_its_curves(opened, points):
    page = opened.go("view=which&labels=20")
    button = page.locator("button.opens", has_text="L1").first
    button.focus()
    page.keyboard.press("Enter")
    shown = page.locator("tr.below").inner_text()
    for text in ("The path of a lasso", "By Yuan, Lin 2006", "alpha = 2", "paper", "l1.py"):
        assert text in shown
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "true"
    assert serious_faults(page) == []
    page = opened.go(page.evaluate("location.hash.slice(1)"))
    assert page.locator("tr.below").count() == 1  # the link keeps it
    page.locator("button.opens[aria-expanded=true]").press("Enter")
    assert page.locator("tr.below").count() == 0
    rows = rows_of(page, "Datasets of the leaderboard")[1:]
    wanted = points[points["L"] == "20"].set_index("dataset")
    assert len(rows) == len(wanted) == 40
    best = {RANKINGS_TITLES.get(name, name): name for name in RANKINGS}
    for name, *_, ranking, most in rows:
        highest = wanted.loc[name, list(RANKINGS)].max()
        assert wanted.loc[name, best[ranking.strip()]] == highest
        assert float(most.replace("−", "-")) == pytest.approx(highest, abs=0.051)
    assert page.locator("[aria-label='Datasets of the leaderboard'] a").first.get_attribute("href") == (
        f"#view=datasets&dataset={rows[0][0]}"
    )
