"""The HTML page of a ranking in a browser without network."""

import hashlib
import html
import json
import re
import shlex

import numpy as np
import pandas as pd
import pytest

import sslrank
from browsing import faults
from sslrank.tabular.output.html import PICTURE, TABLE, document

FAST = ("--methods", "information_gain,f_score")
SCREENS = {"desktop": (1400, 900), "phone": (390, 844)}


@pytest.fixture(scope="module")
def pages():
    """Pages that were made, by their tables: most tests look at the same one."""
    return {}


@pytest.fixture
def page_of(run, frame, open_page, pages, tmp_path):
    """Opens the page of the table, with other names of columns, in a window."""

    def page(names=None, *, screen="desktop", **options):
        frame.rename(columns=names or {}).to_csv("d.csv", index=False)
        content = (tmp_path / "d.csv").read_bytes()
        if content not in pages:
            assert run("rank", "d.csv", "--target", "y", *FAST, "--out", "p.html")[0] == 0
            pages[content] = tmp_path / "p.html"
        width, height = SCREENS[screen]
        return open_page(pages[content], viewport={"width": width, "height": height}, **options).go("")

    return page


ODD = {"f0": "<b>bold</b>", "f1": "Größe α " + 60 * "long", "f2": "a\"b'c", "f3": "</script>"}


@pytest.mark.parametrize(("screen", "scheme"), [("desktop", "dark"), ("phone", "light")])
def test_page_passes_accessibility_checks(page_of, frame, screen, scheme):
    page, width = page_of(ODD, screen=screen, color_scheme=scheme), SCREENS[screen][0]
    page.locator(".open").first.click()
    page.locator("summary").first.click()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    shown = page.eval_on_selector_all(".ranking .open", "all => all.map(button => button.textContent)")
    assert set(shown) == {ODD.get(name, name) for name in frame.columns.drop("y")}
    small = page.eval_on_selector_all(
        "main *",
        "all => all.filter(node => node.checkVisibility() && parseFloat(getComputedStyle(node).fontSize) < 12"
        " && [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim())).map(n => n.outerHTML)",
    )
    assert small == []
    page.emulate_media(media="print")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("screen", SCREENS)
def test_first_screen_has_answer_and_chart(page_of, screen):
    page = page_of({"f1": "temperature of the outer wall"}, screen=screen)
    answer = page.evaluate(
        "() => { const node = document.querySelector('.answer').cloneNode(true);"
        " node.querySelectorAll('.tip').forEach(tip => tip.remove()); return node.textContent; }"
    )
    assert 15 < len(answer.split()) <= 70
    box = page.locator(".picture").bounding_box()
    assert box["y"] + box["height"] < SCREENS[screen][1]
    assert page.locator(".picture li").count() == 7
    ends = page.eval_on_selector_all(
        ".answer, .picture .name, .picture .value", "all => all.map(n => n.scrollWidth - n.clientWidth)"
    )
    assert max(ends) <= 1


def test_terms_have_accessible_tooltips(page_of):
    page = page_of(has_touch=True, screen="phone")
    words = page.locator(".answer .term", has_text="related").first
    tip = words.locator(".tip")
    assert not tip.is_visible()
    words.hover()
    assert tip.is_visible()
    page.mouse.move(1, 1)
    assert not tip.is_visible()
    words.locator("button").focus()
    assert tip.is_visible()
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    words.locator("button").tap()
    assert tip.is_visible()
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_table_works_by_keyboard(page_of, frame):
    page = page_of()

    def names():
        return page.eval_on_selector_all(
            ".ranking .open", "all => all.filter(b => b.checkVisibility()).map(b => b.textContent)"
        )

    assert set(names()[:2]) == {"f1", "f4"}
    head = page.locator(".ranking thead button", has_text="feature")
    head.focus()
    page.keyboard.press("Enter")
    assert names() == sorted(frame.columns.drop("y"))
    page.keyboard.press("Enter")
    assert names() == sorted(frame.columns.drop("y"), reverse=True)
    assert page.locator(".ranking [aria-sort=descending]").inner_text().startswith("feature")
    page.locator(".ranking thead button", has_text="effect").click()
    assert set(names()[-2:]) == {"f1", "f4"}
    page.get_by_label("Search").fill("F4")
    assert names() == ["f4"]
    assert page.locator("#count").inner_text() == "1 of 7 features"
    page.locator(".open:visible").focus()
    page.keyboard.press("Enter")
    picture = page.locator(".detail:visible svg[role=img]")
    assert picture.get_attribute("aria-label") == "distribution of f4 in each class of y"
    assert page.locator(".open:visible").get_attribute("aria-expanded") == "true"
    page.locator(".scroll:has(.ranking)").focus()


def test_page_is_complete_without_scripts(page_of):
    page = page_of(java_script_enabled=False)
    assert page.locator(".detail:visible").count() == 7
    assert not page.locator("#find").is_visible()


def test_checks_list_findings_before_passed(page_of, frame):
    frame["f5"] = frame["f4"] * 2 + 1
    page = page_of()
    assert (
        page.locator("section:has(> #checks) > ul li").first.inner_text().startswith("C04 near-duplicate features: f")
    )
    assert not page.locator("details .checks").first.is_visible()
    assert page.locator("nav").inner_text().count("1 finding") == 1


def test_page_states_provenance(run, frame, tmp_path, monkeypatch):
    frame.to_csv("d 1.csv", index=False)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    pages = []
    for _ in range(2):
        assert run("rank", "d 1.csv", "--target", "y", *FAST, "--effort", "order", "--out", "p.html")[0] == 0
        pages.append((tmp_path / "p.html").read_bytes())
    assert pages[0] == pages[1]
    page = pages[0].decode()
    for words in (
        "sslrank rank &#39;d 1.csv&#39; --target y --methods",
        hashlib.sha256((tmp_path / "d 1.csv").read_bytes()).hexdigest(),
        "<dd>1970-01-02</dd>",
        f"<dd>sslrank {sslrank.__version__}</dd>",
        "<dd>120 rows; 7 features ranked</dd>",
    ):
        assert words in page


def ranking_of(n_features):
    """A ranking of many columns; with so few rows it takes little time."""
    X = np.random.default_rng(0).normal(size=(16, n_features))
    X[8:, :2] += 9
    names = [f"gene_{j:05d}" for j in range(n_features)]
    return sslrank.rank(pd.DataFrame(X, columns=names), np.arange(16) // 8, methods="f_score", effort="order")


def test_long_table_is_compact_and_searchable(open_page, tmp_path):
    found = ranking_of(3_000)
    found.save_html(tmp_path / "p.html")
    assert (tmp_path / "p.html").stat().st_size < 1_000_000
    page = open_page(tmp_path / "p.html").go("")
    assert page.locator(".ranking tbody").count() == TABLE
    last = found.to_frame()["feature"].iloc[-1]
    page.get_by_label("Search").fill(last)
    assert page.locator(".ranking tbody:visible").count() == 1
    assert last in page.locator(".ranking tbody:visible").inner_text()
    page.get_by_label("Search").fill("gene")
    assert page.locator("#count").inner_text() == f"3000 of 3000 features, {TABLE + 100} shown"
    assert page.locator(".picture li").count() == PICTURE


@pytest.mark.parametrize("task", ["regression", "multilabel", "multitarget"])
def test_charts_are_drawn_for_other_targets(task, open_page, tmp_path):
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(240, 3)), columns=["age", "dose", "noise"])
    X["place"] = rng.choice(["north", "south"], 240)
    y = X["age"] + (X["place"] == "north") + 0.3 * rng.normal(size=240)
    y = {"regression": y, "multilabel": np.column_stack([y > 0, X["dose"] > 0]).astype(int)}.get(
        task, np.column_stack([y, X["dose"]])
    )
    found = sslrank.rank(X, y, task=task, methods=["genie3"], effort="order")
    found.save_html(tmp_path / "p.html")
    page = open_page(tmp_path / "p.html").go("")
    for button in page.locator(".open").all():
        button.click()
    assert page.locator(".detail svg[role=img]").count() == 4
    points = page.eval_on_selector_all(".points", "all => all.map(a => a.getAttribute('d').split('M').length - 1)")
    assert points == ([] if task == "multilabel" else [200] * 3)
    assert ("values of up to 200 rows" in document(found)) == (task != "multilabel")
    if task == "regression":
        assert faults(page) == []


def test_notebook_shows_first_screen(tmp_path, open_page):
    found = ranking_of(30)
    shown = found._repr_html_()
    assert '<p class="answer">' in shown
    assert "<script" not in shown
    assert 'class="ranking"' not in shown
    (tmp_path / "p.html").write_text(
        f'<html lang="en"><title>two</title><main>{shown}{ranking_of(20)._repr_html_()}</main></html>'
    )
    page = open_page(tmp_path / "p.html").go("")
    names = page.eval_on_selector_all("[id]", "all => all.map(node => node.id)")
    assert len(names) == len(set(names))
    page.locator(".answer .term").first.hover()
    assert page.locator(".answer .tip").first.is_visible()


def test_suggested_command_works_with_near_duplicates(run, tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 6)), columns=list("abcdef"))
    frame["y"] = np.where(frame["a"] + frame["b"] > 0, "yes", "no")
    frame["a2"], frame["b2"] = 2 * frame["a"], 1 - frame["b"]
    frame.to_csv("d.csv", index=False)
    assert run("rank", "d.csv", "--target", "y", *FAST, "--effort", "quick", "--out", "r")[0] == 0
    found = json.loads((tmp_path / "r/ranking.json").read_text())
    assert (found["n_enough"], len(found["short_list"])) == (4, 2)  # near-duplicates are related, too, but not listed
    words = html.unescape(re.search("Next: .*?<code>(.*?)</code>", (tmp_path / "r/ranking.html").read_text())[1])
    assert run(*shlex.split(words)[1:])[0] == 0
    assert sorted(pd.read_csv("small.csv")) == sorted([*found["short_list"], "y"])
