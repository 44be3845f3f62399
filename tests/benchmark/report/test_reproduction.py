"""Counts of reproduced values, signs and winners."""

import pandas as pd
import pytest

from sslrank.benchmark.report.reproduction import main_tables, reproduction


def differences(reproduced, **columns):
    table = pd.DataFrame({"dataset": list("abcd"), "published": [0.3, 0.2, -0.1, 0.0], "reproduced": reproduced})
    return table.assign(source="table8", quantity="delta", spread=0.01, **columns)


TABLES = {
    "readings": {"function": "ssl_minus_sl"},
    "main": {"function": "ssl_minus_sl"},
    "ranks": {"function": "ranking_ranks"},
    "control_differences": {"function": "control_differences"},
}


@pytest.fixture
def cells():
    main = differences([0.29, -0.2, -0.05, 0.0])
    readings = pd.concat([main.assign(variant=name) for name in ("one", "other")])
    ranks = pd.DataFrame({"published": [1.0, 2.0], "reproduced": [2.0, 1.0], "source": "table5"})
    ranks = ranks.assign(quantity="average_rank", spread=None)
    return {"readings": readings, "main": main, "ranks": ranks, "control_differences": main}


AGREEMENTS = {"ranks": pd.DataFrame([{"published": 12, "reproduced": 8, "same_winner": 0.5, "n_groups": 2}])}


def test_a_published_value_is_counted_in_the_table_with_the_fewest_variants(cells):
    assert main_tables(TABLES, cells) == ["main", "ranks"]
    assert main_tables(TABLES, {"control_differences": cells["main"]}) == []


def test_values_signs_and_first_places_are_counted_apart(cells):
    found = {row.pop("what"): row for row in reproduction(TABLES, cells, AGREEMENTS)}
    numbers = {what: (row["published"], row["compared"], row["low"], row["high"]) for what, row in found.items()}
    assert numbers == {"values": (4, 4, 2, 2), "signs": (3, 3, 2, 2), "winners": (3, 2, 1, 1)}
    assert found["values"]["baseline"] is None
    assert found["signs"]["baseline"] == pytest.approx(2 / 3)  # always positive
    assert found["winners"]["baseline"] == pytest.approx(1 / 4)  # four entries in a group


def test_readings_give_a_range():
    close, far = differences([0.3, 0.2, -0.1, 0.0], variant="close"), differences([1.0] * 4, variant="far")
    values, signs = reproduction(TABLES, {"readings": pd.concat([close, far])}, {})
    assert (values["low"], values["high"]) == (0, 4)
    assert (signs["low"], signs["high"]) == (2, 3)


def test_a_fraction_has_a_word():
    found = [
        reproduction(TABLES, {"main": differences(values)}, {})
        for values in ([0.3, 0.2, -0.1, 0.0], [0.3, 0.9, 0.9, 0.9], [0.9, 0.9, 0.9, 0.9])
    ]
    assert [values["word"] for values, *_ in found] == ["yes", "in part", "no"]
    assert found[2][1]["word"] == "no"  # two of three signs, as many as always giving the same one


def test_without_a_counterpart_nothing_is_compared():
    (values, signs) = reproduction(TABLES, {"main": differences([None] * 4)}, {})
    assert (values["published"], values["compared"], values["low"]) == (4, 0, 0)
    assert signs["baseline"] is None
    assert values["word"] is None
    assert reproduction(TABLES, {}, {}) == []
