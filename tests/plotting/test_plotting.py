import re

import numpy as np
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from sslrank import plotting
from sslrank.plotting import charts, pages
from sslrank.plotting.style import figure_style

RANKINGS = ["genie3", "random_forest", "symbolic", "relief", "ssl_laplacian"]


def lines_table(budgets=(50, 100, 200, 350, 500)):
    rng = np.random.default_rng(0)
    rows = [
        ("digits", ranking + mode, budget, 0.5 + 0.05 * i + 0.02 * j + rng.normal(scale=0.004))
        for j, ranking in enumerate(RANKINGS)
        for mode in ("", ", SL")
        for i, budget in enumerate(budgets)
    ]
    return pd.DataFrame(rows, columns=["panel", "line", "x", "y"]).assign(xlabel="L", ylabel="F1")


def published_table():
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"published": rng.normal(0.1, 0.1, 24), "method": np.repeat(list("abcd"), 6)})
    return table.assign(reproduced=table["published"] + rng.normal(0, 0.02, 24))


def pictures():
    ranks = {"ReliefF": 1.9, "IG": 2.0, "SVM-RFE": 2.3, "RF": 3.8}
    return {
        "lines": plotting.line_panels(lines_table(), title="digits"),
        "cd": plotting.critical_distance_diagram(ranks, 0.8864, title="ECA, 28 datasets"),
        "published": plotting.published_vs_reproduced(published_table(), group="method", title="all"),
    }


def test_saved_figures_are_reproducible(tmp_path):
    first, second = pictures(), pictures()
    for name in first:
        one = plotting.save_figure(first[name], tmp_path / "one" / f"{name}.svg")
        with figure_style():  # in between, somebody else's settings
            two = plotting.save_figure(second[name], tmp_path / "two" / name)
        assert [path.name for path in one] == [path.name for path in two] == [f"{name}.svg", f"{name}.png"]
        for a, b in zip(one, two, strict=True):
            assert a.read_bytes() == b.read_bytes(), name
        assert b"<dc:date>" not in one[0].read_bytes()


def test_ranking_has_one_colour_in_both_modes():
    table = lines_table()
    forward, backward = (plotting.line_panels(part).axes[0] for part in (table, table.iloc[::-1]))
    lines = forward.get_lines()
    for solid, dashed in zip(lines[::2], lines[1::2], strict=True):
        assert solid.get_color() == dashed.get_color()
        assert (solid.get_linestyle(), dashed.get_linestyle()) == ("-", "--")
    colours = [{line.get_color() for line in ax.get_lines()} for ax in (forward, backward)]
    assert colours[0] == colours[1]
    assert len(colours[0]) == 5


def test_styles_are_distinct_and_fixed_for_known_rankings():
    styles = plotting.styles_for(["other", "relief", "genie3", *(f"m{i}" for i in range(9))])
    assert styles["genie3"][0] == plotting.PALETTE[0]
    assert styles["relief"][0] == plotting.PALETTE[3]
    assert len(set(styles.values())) == 12


def test_long_title_is_above_the_panels():
    table = published_table()
    table = table[table["method"].isin(table["method"].unique()[:3])]
    figure = plotting.published_vs_reproduced(table, panel="method", title="which reading is nearest? " * 4)
    FigureCanvasAgg(figure).draw()
    assert figure.get_suptitle().count("\n") >= 1
    lowest = figure._suptitle.get_window_extent().y0
    assert all(ax.get_tightbbox().y1 < lowest for ax in figure.axes)
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["a", "b", "c"]
    assert [len(ax.lines) for ax in figure.axes] == [2] * 3  # equality, and the points


def test_outliers_are_clipped_and_missing_values_skipped():
    table = pd.DataFrame({"published": np.linspace(-0.1, 0.2, 20), "reproduced": np.linspace(-0.1, 0.2, 20)})
    table.loc[3, "published"], table.loc[4, "reproduced"] = -2.3, np.nan
    plotting.published_vs_reproduced(table.iloc[:0])
    ax = plotting.published_vs_reproduced(table).axes[0]
    low = ax.get_xlim()[0]
    assert low > -0.2
    assert min(line.get_xdata().min() for line in ax.lines[1:]) == low
    assert sum(len(line.get_xdata()) for line in ax.lines if line.get_marker() == "o") == 19


def test_line_panels_have_titles_and_scales():
    table = pd.DataFrame({"panel": list("aabb"), "line": "forest", "x": [1, 2, 1, 2], "y": [1.0, 2.0, 3.0, 5.0]})
    figure = plotting.line_panels(table.assign(xlabel="rows", ylabel="seconds", logx=True), title="growth")
    first, second = figure.axes
    assert [ax.get_title(loc="left") for ax in (first, second)] == ["a", "b"]
    assert (first.get_xscale(), first.get_yscale()) == ("log", "linear")
    figure.draw_without_rendering()
    labels = [text.get_text() for text in first.xaxis.get_ticklabels(which="both")]
    assert "1" in labels
    assert not any("$" in label for label in labels)


def test_missing_intervals_are_not_drawn():
    names = ['<b>"a" & b</b>', "temperature_of_the_first_sensor_in_the_hall", *"cdefgh"]
    table = pd.DataFrame({"feature": names, "value": np.linspace(0.9, 0.2, 8)})
    table = table.assign(low=table["value"] - 0.1, high=table["value"] + 0.1, related=table["value"] > 0.65)
    table.loc[0, ["low", "high"]] = np.nan
    figure = plotting.intervals(table, highlight="related", reference=0.3, reference_label="by chance")
    assert sum(len(lines.get_segments()) for lines in figure.axes[0].collections) == 7
    assert [len(line.get_xdata()) for line in figure.axes[0].get_lines()] == [3, 5, 2]
    assert {"by chance", names[0]} <= {text.get_text() for text in figure.findobj(Text)}


def test_cells_without_a_panel_are_empty():
    table = pd.DataFrame({"panel": list("abcde"), "line": "forest", "x": 1, "y": 1.0})
    axes = plotting.line_panels(table, title="five").axes
    assert len(axes) > 5
    assert [ax.get_visible() for ax in axes] == [True] * 5 + [False] * (len(axes) - 5)


def test_chance_is_drawn_next_to_one_number_of_features():
    for reference, count in ((0.5, 1), (np.nan, 0)):
        lines = [("best first", "best", np.array([3]), np.array([0.9]))]
        text = charts.line_chart(lines, "AUC", "features", "AUC", reference=reference)
        assert text.count('<path class="reference"') == text.count("no features") == count
        assert "nan" not in text


def test_first_column_of_a_table_names_its_rows():
    text = pages.table(pd.DataFrame({"name": ["x"], "kind": ["y"]}), "caption")
    assert re.findall("<(t[hd])[^>]*>([xy])<", text) == [("th", "x"), ("td", "y")]
