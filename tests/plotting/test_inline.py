"""Charts as parts of a page: what an SVG element holds, and what the charts for a table of one's own draw."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from sslrank.plotting import feature_curves, heat_map, inline_svg, intervals, target_panels, theme_css

ODD = '<b>"a" & b</b>'


@pytest.fixture
def ranked():
    names = [ODD, "temperature_of_the_first_sensor_in_the_hall", *(f"f{i}" for i in range(6))]
    table = pd.DataFrame({"feature": names, "value": np.linspace(0.9, 0.2, 8)})
    return table.assign(low=table["value"] - 0.1, high=table["value"] + 0.1, related=table["value"] > 0.5)


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    features = pd.DataFrame({"a": rng.normal(size=600), "b": rng.integers(0, 3, 600)})
    features["plan"] = rng.choice(list("abcdefgh"), 600)
    features.loc[3, "a"] = np.nan
    return features


def drawn(figure):
    return ElementTree.fromstring(inline_svg(figure, "a chart"))


def titles(root):
    return [node.text for node in root.iter("title")]


def test_the_same_figure_gives_the_same_text(ranked):
    assert inline_svg(intervals(ranked), "x") == inline_svg(intervals(ranked), "x")


def test_text_is_text_and_names_break_nothing(ranked):
    root = drawn(intervals(ranked))
    assert ODD in {node.text for node in root.iter("text")}
    assert f"{ODD}: 0.9 (0.8 to 1)" in titles(root)
    assert root.attrib["aria-label"] == "a chart"
    assert not list(root.iter("b"))


def test_colours_are_variables_of_the_theme(ranked):
    text = inline_svg(intervals(ranked, bars=True, highlight="related", reference=0.3, reference_label="chance"), "x")
    used = set(re.findall(r"var\((--\w+),", text))
    assert {"--s0", "--soft", "--text"} <= used
    assert used <= set(re.findall(r"(--\w+):", theme_css()))
    assert not re.search(r'(?<!,)#[0-9a-f]{6}(?=[;"])', text)  # a colour stands as the second choice only


def test_theme_of_a_part_of_a_page():
    assert ":root" not in theme_css(".mine")
    assert theme_css(".mine").count(".mine {") == 2


def test_two_charts_of_one_page_share_no_name(ranked):
    curves = pd.DataFrame({"ranking": "best first", "size": range(1, 9), "value": ranked["value"], "error": 0.1})
    parts = [inline_svg(figure, "x") for figure in (feature_curves(curves), feature_curves(curves.assign(value=0.5)))]
    names = [set(re.findall(r' id="([^"]+)"', part)) for part in parts]
    assert names[0]
    assert not names[0] & names[1]
    for part, found in zip(parts, names, strict=True):
        assert {name for pair in re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', part) for name in pair if name} <= found


def test_points_of_a_scatter_share_their_style(rows):
    text = inline_svg(target_panels(rows[["a"]], rows["a"] * 2), "x")
    assert text.count("<use") > 250
    assert len(text) < 40_000


def test_missing_intervals_are_not_drawn(ranked):
    ranked.loc[0, ["low", "high"]] = np.nan
    assert f"{ODD}: 0.9" in titles(drawn(intervals(ranked)))


@pytest.mark.parametrize(
    ("enough", "text"), [(4, "4 are enough"), ((3, 8), "3 to 8: within a standard error of the best")]
)
def test_enough_features_are_marked(enough, text):
    curves = pd.DataFrame({"ranking": ["best first"] * 9 + ["random"] * 9, "size": [*range(1, 10)] * 2, "value": 0.5})
    root = drawn(
        feature_curves(curves, enough=enough, reference=0.5, reference_label="largest class", dashed=("random",))
    )
    assert {text, "largest class", "random"} <= {node.text for node in root.iter("text")}


def test_many_features_are_drawn_on_a_logarithmic_axis():
    curves = pd.DataFrame({"ranking": "r", "size": [1, 10, 1000], "value": 0.5})
    assert feature_curves(curves, enough=3).axes[0].get_xscale() == "log"
    assert feature_curves(curves).axes[0].get_xscale() == "linear"


def test_rows_of_a_heat_map_stand_in_the_order_of_the_tree():
    names = list("abcd")
    similar = pd.DataFrame(np.eye(4), index=names, columns=names)
    for one, other, value in (("a", "c", 0.9), ("b", "d", -0.8), ("a", "b", np.nan)):
        similar.loc[one, other] = similar.loc[other, one] = value
    tree = linkage(squareform(1 - similar.fillna(0).abs().to_numpy(), checks=False), "complete")
    figure = heat_map(similar, linkage=tree, cut=0.3)
    ticks = [tick.get_text() for tick in figure.axes[1].get_yticklabels()]
    assert abs(ticks.index("a") - ticks.index("c")) == abs(ticks.index("b") - ticks.index("d")) == 1
    assert [tick.get_text() for tick in figure.axes[1].get_xticklabels()] == ticks
    found = titles(drawn(figure))
    assert "b, d: \u22120.80" in found
    assert "a, b: nan" not in found
    assert len([text for text in found if ", " in text]) == 14


def test_a_heat_map_writes_its_text():
    ranks = pd.DataFrame({"genie3": [1, 2], "relief": [2, 1]}, index=["x", "y"])
    assert "x, relief: 2" in titles(drawn(heat_map(1 / ranks, text=ranks.map(str))))


def test_panels_of_classes_count_rows(rows):
    y = pd.Series(np.where(rows["a"] > 0, "yes", "no"))
    y[5] = None
    found = titles(drawn(target_panels(rows, y)))
    assert sum(text.startswith("yes: median") for text in found) == 4  # box and line of two numeric features
    shares = [text for text in found if text.startswith("(other): ")]
    assert len(shares) == 2
    total = rows.loc[y.notna(), "plan"].value_counts().iloc[5:].sum()
    assert all(text.endswith(f"of {total} rows)") for text in shares)


def test_panels_of_numbers(rows):
    figure = target_panels(rows, rows["a"].fillna(0) * 2, columns=2, title="numbers")
    points, smooth = figure.axes[0].get_lines()
    assert len(points.get_xdata()) == 300
    assert np.allclose(smooth.get_ydata(), smooth.get_xdata() * 2, atol=0.05)
    with pytest.raises(ValueError, match="3 features of 600 rows, and a target of 5 rows"):
        target_panels(rows, rows["a"].head())
