"""What the charts for a table of one's own draw."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from sslrank.plotting import feature_curves, intervals

ODD = '<b>"a" & b</b>'


@pytest.fixture
def ranked():
    names = [ODD, "temperature_of_the_first_sensor_in_the_hall", *(f"f{i}" for i in range(6))]
    table = pd.DataFrame({"feature": names, "value": np.linspace(0.9, 0.2, 8)})
    return table.assign(low=table["value"] - 0.1, high=table["value"] + 0.1, related=table["value"] > 0.5)


def texts(figure):
    return {text.get_text() for text in figure.findobj(Text)}


def test_missing_intervals_are_not_drawn(ranked):
    def drawn():
        figure = intervals(ranked, highlight="related", reference=0.3, reference_label="by chance")
        return figure, sum(len(lines.get_segments()) for lines in figure.axes[0].collections)

    assert drawn()[1] == 8
    ranked.loc[0, ["low", "high"]] = np.nan
    figure, count = drawn()
    assert count == 7
    assert [len(line.get_xdata()) for line in figure.axes[0].get_lines()] == [4, 4, 2]
    assert "by chance" in texts(figure)
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
