"""The results page in a browser, opened from disk without network: every view, every control."""

import csv
import io
import re

import pandas as pd
import pytest

from browsing import Opened, rows_of, serious_faults, try_controls
from sslrank.benchmark.config.load import STANDARD_TABLES
from sslrank.benchmark.report.page import page_job
from sslrank.benchmark.steps.tables import tables_job

#: Controls whose order of the features says nothing.
BLIND = {"equal_weights", "random_ranking"}
VIEWS = ["overview", "datasets", "methods", "pairs", "published", "tables", "runs"]


@pytest.fixture(scope="module")
def window(browser, made_up):
    found = Opened(browser, made_up / "report.html")
    yield found
    found.window.close()


@pytest.fixture
def opened(window):
    """The page in one window for all tests, each of which loads it anew."""
    yield window
    window.check()


def test_every_view_opens_from_the_menu(opened):
    page = opened.go("")
    assert page.locator("nav a").count() == len(VIEWS)
    for view in [*VIEWS[1:], VIEWS[0]]:
        page.click(f"#to-{view}")
        assert page.locator(f"#view-{view}").count() == 1
        assert page.evaluate("document.activeElement.id") == "heading"
        assert page.get_attribute(f"#to-{view}", "aria-current") == "page"
    page.go_back()
    assert page.locator("#view-runs").count() == 1


@pytest.mark.parametrize(
    "view",
    [VIEWS[0], *(pytest.param(view, marks=pytest.mark.exhaustive) for view in VIEWS[1:])],
)
def test_every_control_changes_what_is_shown_and_the_link_keeps_it(opened, view):
    assert try_controls(opened, view) or view == "runs"


def test_curves_are_switched_on_and_off(opened):
    page = opened.go("view=datasets&dataset=plain")
    lines = page.locator(".chart polyline").count()
    assert lines == page.locator(".legend input:checked").count() > 1
    page.locator(".legend input:checked").first.click()
    assert page.locator(".chart polyline").count() == lines - 1
    page.click("#show-none")
    assert page.locator(".chart polyline").count() == 0
    page.click("#show-all")
    assert page.locator(".chart polyline").count() == page.locator(".legend input").count() > lines
    bands = page.locator(".chart polygon").count()
    page.click("#control-band")
    assert page.locator(".chart polygon").count() == 0 < bands


def test_a_short_link_opens_a_dataset(opened):
    page = opened.go("dataset=plain&k=40")
    assert page.input_value("#control-dataset") == "plain"
    assert page.input_value("#control-k") == "40"


def test_a_study_of_one_dataset_opens_on_its_curves(browser, new_study, tmp_path):
    settings = {"methods": ["relief", "random_forest"], "controls": ["random_ranking"], "measures": ["f1_macro"]}
    config = new_study(
        tmp_path / "s",
        datasets={"one": "classification"},
        n_folds=2,
        n_features=40,
        tables=(*STANDARD_TABLES, "ssl_minus_sl"),
        **settings,
    )
    page_job(tmp_path / "s", tmp_path / "s/report.html", config=config)
    opened = Opened(browser, tmp_path / "s/report.html")
    assert opened.go("").locator("#view-datasets .chart").count()
    opened.check()
    opened.window.close()


def test_reproduced_values_signs_and_baselines_stand_apart(opened):
    card = opened.go("view=overview").locator(".answers table")
    assert card.locator("tbody th").all_inner_texts()[:2] == ["values", "signs"]
    page = opened.go("view=published")
    assert "published values have a counterpart here" in page.inner_text("#app")
    assert re.search(r"Signs: \d+ of \d+ \(\d+ %\) the same; always (positive|negative)", page.inner_text("#app"))


def test_what_did_not_finish_is_a_row_with_its_log(browser, new_study, tmp_path):
    config = new_study(
        tmp_path / "study",
        datasets={"one": "classification", "two": "classification"},
        methods=["relief", "my_method"],
        controls=["random_ranking", "oracle"],
        measures=["f1_macro"],
        n_folds=2,
        n_features=12,
    )
    collected = tmp_path / "study/collected"
    status = pd.read_csv(collected / "status.csv", dtype={"L": str})
    status.loc[status["method"] == "my_method", ["status", "message"]] = ["failed", "ValueError: no"]
    status.to_csv(collected / "status.csv", index=False)
    scores = pd.read_csv(collected / "scores.csv", dtype={"L": str})
    scores[scores["method"] != "my_method"].to_csv(collected / "scores.csv", index=False)
    log = tmp_path / "study/logs/rankings/one/my_method/L50.log"
    log.parent.mkdir(parents=True)
    log.touch()
    tables_job(collected, tmp_path / "study/tables", study="made-up", config=config, tables=config["tables"])
    page_job(tmp_path / "study", tmp_path / "study/report.html", config=config)
    opened = Opened(browser, tmp_path / "study/report.html")
    page = opened.go("view=overview")
    assert "fits failed" in page.locator("header .alarm").text_content()
    row = page.locator("table.board tbody tr", has_text="my_method")
    assert row.locator("a.badge").text_content() == "did not finish"
    assert row.locator("a.badge").get_attribute("href") == "logs/rankings/one/my_method/L50.log"
    assert "beats random" in page.locator("table.board thead").text_content()
    assert "undefined" not in row.text_content()
    page = opened.go("view=methods&method=my_method")
    assert "represents it in the comparison" not in page.inner_text("#app")
    page = opened.go("view=runs")
    table = page.locator("[aria-label='Failures'] table")
    assert "my_method" in table.text_content()
    assert table.locator("a").first.get_attribute("href") == "logs/rankings/one/my_method/L50.log"
    opened.check()
    opened.window.close()


def test_a_phone_shows_average_rank_interval_and_wins(browser, made_up):
    narrow = Opened(browser, made_up / "report.html", viewport={"width": 390, "height": 844})
    page = narrow.go("view=overview")
    head = page.locator("table.board thead th")
    for column in ("average rank", "wins"):
        box = head.filter(has_text=column).bounding_box()
        assert box["x"] + box["width"] <= 390, column
    assert page.locator("table.board .narrow").first.is_visible()
    assert not page.locator("table.board td.drawn").first.is_visible()
    narrow.window.close()


def test_first_places_are_named_and_the_scale_is_explained(opened):
    text = opened.go("view=methods&method=relief").inner_text("#app")
    assert re.search(r"First on (\d+|none) of \d+ datasets", text)
    assert ("The oracle is a yardstick, not a limit" in text) == ("0 random, 1 oracle" in text)


@pytest.mark.parametrize("link", ["view=constructor", "view=toString", "view=datasets&show=%25", "view=nosuch"])
def test_an_odd_link_opens_a_view(opened, link):
    assert opened.go(link).locator("#app h2").count()


def names_of(folder):
    """Names of entries in files by what people call them."""
    names = pd.read_csv(folder / "tables/names.csv")
    names = names[names["kind"] == "entry"]
    return dict(zip(names["title"], names["name"], strict=True))


def test_numbers_are_those_of_the_tables(opened, made_up):
    page = opened.go("view=overview&task=regression&mode=sl")
    board = pd.read_csv(made_up / "tables/leaderboard.csv")
    board = board[(board["mode"] == "sl") & (board["task"] == "regression")]
    shown = rows_of(page, "Leaderboard")
    assert shown[0][:2] == ["ranking", "average rank"]
    # below the rank is the interval, where it is narrow
    assert [row[1][:4] for row in shown[1:]] == [
        "" if pd.isna(rank) else f"{rank:.2f}" for rank in board["average_rank"]
    ]
    scores = pd.read_csv(made_up / "tables/contest_scores.csv")
    scores = scores[(scores["mode"] == "sl") & (scores["task"] == "regression")]
    wide, names = scores.pivot(index="dataset", columns="entry", values="score"), names_of(made_up)
    marked = scores[scores["better_than_random"].eq(False)].set_index(["dataset", "entry"]).index
    assert len(marked)
    shown = rows_of(page, "Scores, dataset by dataset")
    for row in shown[1:]:
        for name, text in list(zip(shown[0], row, strict=True))[3:]:
            mark = " °" if (row[0], names[name]) in marked else ""
            assert text == f"{wide.loc[row[0], names[name]]:.3f}{mark}"
    page = opened.go("view=pairs&task=regression&mode=sl&first=relief&second=random_forest")
    pairs = pd.read_csv(made_up / "tables/pairs.csv")
    two = {"relief", "random_forest"}
    pair = pairs[
        (pairs["mode"] == "sl") & (pairs["task"] == "regression") & pairs["first"].isin(two) & pairs["second"].isin(two)
    ]
    pair = pair.iloc[0]
    better, worse = (pair["wins"], pair["losses"])[:: 1 if pair["first"] == "relief" else -1]
    said = f"better on {better}, equal on {pair['ties']}, worse on {worse} of {pair['n_datasets']}"
    assert said in page.inner_text("#app")


def test_published_cells_stand_beside_ours_and_the_control(opened, made_up):
    page = opened.go("view=published&only-task=regression")
    shown = rows_of(page, "Published and reproduced, value by value")
    cells = pd.read_csv(made_up / "compared/ssl_minus_sl.csv")
    cells = cells[cells["task"] == "regression"]
    control = pd.read_csv(made_up / "tables/ssl_minus_sl.csv").drop_duplicates("dataset").set_index("dataset")
    assert len(shown) == len(cells) + 1 > 2
    for row, cell in zip(shown[1:], cells.itertuples(), strict=True):
        said = dict(zip(shown[0], row, strict=True))
        values = {"published": cell.published, "reproduced": cell.reproduced, "difference": cell.difference}
        values["control"] = control.loc[cell.dataset, "control_delta"]
        for name, value in values.items():
            text = "" if pd.isna(value) else f"{value:.3f}".replace("-", "−")
            assert said[name] == text, name
        differs = said["verdict"] in ("other sign", "differs")
        assert said.get("cause", "") == ("Another release of the data." if differs and cell.dataset == "reg" else "")
    points = page.locator(".chart svg path").count()
    assert points == cells["reproduced"].notna().sum()
    page.hover(".chart svg path >> nth=0")
    assert "published" in page.inner_text(".tip")


def test_curves_show_the_fold_averages(opened, made_up):
    page = opened.go("view=datasets&dataset=reg&k=40&measure=rrmse&show=relief%2520relief%2520ssl")
    page.click("text=The values")
    scores = pd.read_csv(made_up / "collected/scores.csv")
    wanted = (scores["dataset"] == "reg") & (scores["method"] == "relief") & (scores["mode"] == "ssl")
    part = scores[wanted & (scores["measure"] == "rrmse") & (scores["k"] == 40)]
    expected = part.groupby("L")["value"].mean()
    shown = page.eval_on_selector_all(
        "details[open] tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    assert [(int(L), float(value)) for L, value in shown] == [(L, round(v, 3)) for L, v in expected.items()]
    page.locator(".chart").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.getElementById('said').textContent.includes('labelled examples L: 50')")
    assert f"{expected[50]:.3f}" in page.inner_text(".tip")


def test_features_are_the_best_of_all_rankings(opened, made_up, odd):
    page = opened.go("view=datasets&dataset=plain")
    shown = rows_of(page, "Ranks of the best features by ranking")
    table = pd.read_parquet(made_up / "collected/features.parquet")
    table = table[(table["dataset"] == "plain") & (table["L"] == "200") & (table["mode"] == "ssl")]
    ranks = table.pivot(index="feature", columns="method", values="mean_rank")
    names = names_of(made_up)
    assert len(shown) == 31
    assert {names[name] for name in shown[0][1:]} == set(table["method"]) - BLIND
    for row in shown[1:]:
        for name, text in list(zip(shown[0], row, strict=True))[1:]:
            rank = ranks.loc[row[0], names[name]]
            assert text == ("> 30" if pd.isna(rank) else f"{rank:.1f}")
    first = [names[name] for name in shown[0][1:] if names[name] not in {"oracle", *BLIND}]
    sums = ranks.reindex(columns=first).fillna(31).sum(axis=1)
    assert [row[0] for row in shown[1:4]] == list(sums.sort_values(kind="stable").index[:3])


def test_tables_are_sorted_filtered_and_copied(opened, made_up):
    page = opened.go("view=tables&table=areas&form=tidy")
    box = page.locator(".table").first
    area = page.locator("th button", has_text="area")
    area.click()
    shown = rows_of(page, "Table areas")
    values = [float(row[shown[0].index("area")]) for row in shown[1:]]
    assert values == sorted(values)
    area.click()
    shown = rows_of(page, "Table areas")
    assert [float(row[shown[0].index("area")]) for row in shown[1:3]] == sorted(values)[::-1][:2] or len(values) >= 100
    box.locator("input[type=search]").fill("plain relief")
    assert all("plain" in row and "relief" in row for row in rows_of(page, "Table areas")[1:])
    assert len(rows_of(page, "Table areas")) == 3
    box.locator("text=copy CSV").click()
    box.locator("text=copy LaTeX").click()
    text, latex = page.evaluate("window.copied")
    rows = list(csv.DictReader(io.StringIO(text)))
    table = pd.read_csv(made_up / "tables/areas.csv")
    table = table[(table["dataset"] == "plain") & (table["method"] == "relief")]
    assert sorted(float(row["area"]) for row in rows) == sorted(table["area"])
    assert latex.startswith("\\begin{tabular}")
    assert "classification & plain & relief & " in latex


def test_odd_names_are_text(opened, odd):
    for view, link in {"methods": "&method=", "datasets": "&dataset=", "pairs": "&first="}.items():
        opened.go(f"view={view}")
        for name in odd if view == "datasets" else [odd[0], odd[2]]:
            page = opened.turn(f"view={view}{link}{page_quoted(name)}")
            assert page.locator("#app b, #app script").count() == 0
            assert name in page.locator("#app select").evaluate_all(
                "nodes => nodes.map(node => node.selectedOptions[0].text + node.value).join()"
            )
    page = opened.go("view=datasets&dataset=plain")
    assert set(odd) & {row[0] for row in rows_of(page, "Ranks of the best features by ranking")}


@pytest.mark.parametrize(
    "link",
    ["view=overview", "view=pairs", "view=published", "view=tables&table=areas&form=tidy", "view=runs"],
)
def test_odd_names_are_shown_whole(opened, odd, link):
    page = opened.go(link)
    assert page.locator("#app b, #app script").count() == 0
    text = page.locator("#app").evaluate("node => node.textContent")
    assert all(name in text for name in [odd[0], odd[2]]), link


def page_quoted(name):
    from urllib.parse import quote

    return quote(name, safe="")


#: The views that show most kinds of things.
FULLEST = ("overview", "datasets")


@pytest.mark.parametrize("audited", [FULLEST, pytest.param(VIEWS, marks=pytest.mark.exhaustive)], ids=["two", "all"])
def test_no_serious_fault_of_access(opened, audited):
    opened.go("")
    for view in VIEWS:
        page = opened.turn(f"view={view}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1400
        assert view not in audited or serious_faults(page) == [], view


NARROW_AND_DARK = {"viewport": {"width": 400, "height": 900}, "color_scheme": "dark"}


@pytest.mark.parametrize(
    "rules", [{"runOnly": ["color-contrast"]}, pytest.param({}, marks=pytest.mark.exhaustive)], ids=["contrast", "all"]
)
def test_no_serious_fault_of_access_where_it_is_narrow_and_dark(browser, made_up, rules):
    """By default only the contrast, of two views."""
    opened = Opened(browser, made_up / "report.html", **NARROW_AND_DARK)
    opened.go("")
    for view in VIEWS:
        page = opened.turn(f"view={view}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
        if not rules or view in FULLEST:
            assert serious_faults(page, **rules) == [], view
    opened.check()
    opened.window.close()


def test_without_script_and_in_print_the_static_part_is_shown(browser, made_up):
    opened = Opened(browser, made_up / "report.html", java_script_enabled=False)
    page = opened.go("")
    assert page.is_visible("text=Who leads?")
    assert page.is_visible("text=Leaderboard")
    assert not page.is_visible("nav")
    opened.window.close()
    opened = Opened(browser, made_up / "report.html")
    page = opened.go("view=pairs")
    assert not page.is_visible(".static")
    opened.check()  # pictures are asked for where they are shown only
    page.set_viewport_size({"width": 720, "height": 1000})
    page.emulate_media(media="print", color_scheme="dark")
    assert page.is_visible(".static")
    # Paper is bright, whatever the screen is.
    card = page.locator(".answers > div").first
    assert card.evaluate("node => getComputedStyle(node).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator(".static table").evaluate("n => n.getBoundingClientRect().right") <= 720
    assert not page.is_visible("#app")
    page.locator(".static img").scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('.static img').complete")
    assert opened.requests == {opened.address, opened.address.replace("report.html", "figures/curves/one.svg")}
    assert opened.complaints == []
    opened.window.close()
