"""What the charts for a table of one's own draw."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from sslrank.plotting import intervals

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
