"""What the charts for a table of one's own draw."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from sslrank.plotting import feature_curves, heat_map, intervals, target_panels

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


def texts(figure):
    return {text.get_text() for text in figure.findobj(Text)}


def test_missing_intervals_are_not_drawn(ranked):
    assert len(intervals(ranked).axes[0].get_lines()) == 16
    ranked.loc[0, ["low", "high"]] = np.nan
    figure = intervals(ranked)
    assert len(figure.axes[0].get_lines()) == 15
    assert ODD in texts(figure)


@pytest.mark.parametrize(
    ("enough", "text"), [(4, "4 are enough"), ((3, 8), "3 to 8: within a standard error of the best")]
)
def test_enough_features_are_marked(enough, text):
    curves = pd.DataFrame({"ranking": ["best first"] * 9 + ["random"] * 9, "size": [*range(1, 10)] * 2, "value": 0.5})
    figure = feature_curves(curves, enough=enough, reference=0.5, reference_label="largest class", dashed=("random",))
    assert {text, "largest class", "random"} <= texts(figure)


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
    assert "\u22120.80" in texts(figure)
    assert "nan" not in texts(figure)
    assert len([text for text in figure.axes[1].texts if text.get_text()]) == 14


def test_a_heat_map_writes_its_text():
    ranks = pd.DataFrame({"genie3": [1, 2], "relief": [2, 1]}, index=["x", "y"])
    assert {"x", "relief", "2"} <= texts(heat_map(1 / ranks, text=ranks.map(str)))


def test_panels_of_classes_count_rows(rows):
    y = pd.Series(np.where(rows["a"] > 0, "yes", "no"))
    y[5] = None
    numbers, _, plans = target_panels(rows, y).axes
    assert len(numbers.patches) == 2  # a box of each class
    total = rows.loc[y.notna(), "plan"].value_counts().iloc[5:].sum()
    assert plans.get_yticklabels()[-1].get_text() == f"(other) ({total})"
    shares = np.array([[bar.get_width() for bar in bars] for bars in plans.containers])
    assert np.allclose(shares.sum(axis=0), 1)


def test_panels_of_numbers(rows):
    figure = target_panels(rows, rows["a"].fillna(0) * 2, columns=2, title="numbers")
    points, smooth = figure.axes[0].get_lines()
    assert len(points.get_xdata()) == 300
    assert np.allclose(smooth.get_ydata(), smooth.get_xdata() * 2, atol=0.05)
    with pytest.raises(ValueError, match="3 features of 600 rows, and a target of 5 rows"):
        target_panels(rows, rows["a"].head())
