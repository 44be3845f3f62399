"""The results page in a browser, opened from disk without network: every view, every control."""

import csv
import io

import pandas as pd
import pytest

from browsing import OpenPage, serious_faults, visible_text
from sslrank.benchmark.report.page import write_page
from sslrank.benchmark.results.study import StudyData
from sslrank.benchmark.steps.tables import write_tables

VIEWS = ["overview", "datasets", "methods", "published", "tables", "runs"]


@pytest.fixture(scope="module")
def window(browser, study_folder):
    found = OpenPage(browser, study_folder / "report.html")
    yield found
    found.window.close()


@pytest.fixture
def opened(window):
    """The page in one window for all tests, each of which loads it anew."""
    yield window
    window.check()


def test_views_open_from_menu_and_link(opened):
    page = opened.go("")
    links = page.locator("nav a")
    assert links.count() == len(VIEWS)
    for number, view in enumerate(VIEWS):
        links.nth(number).click()
        assert page.locator("nav [aria-current]").count() == 1
        assert page.locator("main > .choice > .part:visible").get_attribute("data-value") == view
        assert page.evaluate("location.hash") == f"#view={view}"


def test_selections_change_the_view(opened):
    page = opened.go("")
    for view in VIEWS:
        page = opened.follow(f"view={view}")
        for number in range(page.locator("select:visible").count()):
            control = page.locator("select:visible").nth(number)
            before = visible_text(page)
            control.select_option(index=control.locator("option").count() - 1)
            assert visible_text(page) != before, view
    page = opened.go("view=datasets&dataset=reg")
    assert page.locator("h3:visible", has_text="reg").first.inner_text() == "reg"
    page = opened.go("view=nosuch&dataset=%25")
    assert page.is_visible("text=Who leads?")


def test_dataset_view_shows_answer_and_failures(open_page, new_study, tmp_path):
    folder, settings = tmp_path / "study", {"controls": ["random_ranking"], "n_folds": 2}
    methods = ["relief", "random_forest", "my_method"]
    config = new_study(folder, datasets={"one": "classification"}, methods=methods, **settings)
    status, scores = (pd.read_csv(folder / f"collected/{name}.csv", dtype={"L": str}) for name in ("status", "scores"))
    status.loc[status["method"] == "my_method", ["status", "message"]] = ["failed", "ValueError: no"]
    status.to_csv(folder / "collected/status.csv", index=False)
    scores[scores["method"] != "my_method"].to_csv(folder / "collected/scores.csv", index=False)
    log = folder / "logs/rankings/one/my_method.log"
    log.parent.mkdir(parents=True)
    log.touch()
    data = StudyData.load(config, folder / "collected")
    write_tables(data, folder / "tables", config["tables"])
    write_page(folder, folder / "report.html", config=config)
    opened = open_page(folder / "report.html")
    page = opened.go("")
    assert "fits failed" in page.locator("header .alarm").text_content()
    answer = page.locator(".cards").first.inner_text()
    assert "on one" in answer
    assert "of 2 beat random" in answer
    page = opened.follow("view=runs")
    table = page.locator("[aria-label='Failures'] table")
    assert "my_method" in table.text_content()
    assert table.locator("a").first.get_attribute("href") == "logs/rankings/one/my_method.log"


def test_tables_can_be_sorted_filtered_and_copied(opened, study_folder):
    page = opened.go("view=tables&of=areas")
    box = page.locator("div.table:visible").first
    column = box.locator("thead th").all_inner_texts().index("SSL-Relief")

    def values():
        texts = box.locator(f"tbody tr:visible > :nth-child({column + 1})").all_inner_texts()
        return [float(text) for text in texts if text]

    head = box.locator("th button").nth(column)
    head.click()
    assert values() == sorted(values())
    head.click()
    assert values() == sorted(values())[::-1]
    box.locator("input[type=search]").fill("plain")
    assert 0 < len(values()) < 8
    box.locator("text=copy CSV").click()
    (text,) = page.evaluate("window.copied")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(values())
    table = pd.read_csv(study_folder / "tables/areas.csv").query("dataset == 'plain' and method == 'relief'")
    found = sorted(float(row["SSL-Relief"]) for row in rows)
    assert found == pytest.approx(sorted(table["area"]), abs=6e-4)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="wide"),
        pytest.param({"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}, id="phone, dark"),
    ],
)
def test_page_has_no_serious_accessibility_fault(open_page, study_folder, options):
    opened = open_page(study_folder / "report.html", **options)
    opened.go("")
    for view in VIEWS:
        page = opened.follow(f"view={view}")
        width = page.evaluate("document.documentElement.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view
        if view == "overview" or (view == "datasets" and options == {}):  # both have the colours of the scheme
            assert serious_faults(page) == [], view


def test_page_is_complete_without_script_and_in_print(open_page, study_folder):
    page = open_page(study_folder / "report.html", java_script_enabled=False).go("")
    for text in ("Who leads?", "Value by value", "Where the results come from"):
        assert page.locator(f"text={text}").first.is_visible()
    page = open_page(study_folder / "report.html").go("view=overview")
    page.set_viewport_size({"width": 720, "height": 1000})
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.is_visible("nav")
    # Paper is bright, whatever the screen is.
    card = page.locator(".cards > div:visible").first
    assert card.evaluate("node => getComputedStyle(node).backgroundColor") == "rgb(255, 255, 255)"
