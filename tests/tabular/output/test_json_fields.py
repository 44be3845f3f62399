"""``ranking.json``: its fields are the attributes of the result, by the same names."""

import json

import numpy as np
import pandas as pd
import pytest

import sslrank
from sslrank.tabular.output.files import as_json
from sslrank.tabular.output.json_fields import FIELDS


@pytest.fixture(scope="module")
def ranking():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(80, 6))).add_prefix("f").assign(twin=lambda X: X["f1"] * 2)
    return sslrank.rank(X, np.where(X["f1"] > 0, "yes", "no"), methods="f_score", repeats=5)


def same(value, saved):
    """Compare an attribute with the saved value of the same name, except names of features and tables."""
    if isinstance(saved, dict) and type(value).__name__ in FIELDS:
        assert list(saved) == list(FIELDS[type(value).__name__])
        return all(same(getattr(value, name), part) for name, part in saved.items())
    if isinstance(value, pd.DataFrame):
        return list(value) == list(saved[0]) and len(value) == len(saved)
    if isinstance(value, np.ndarray | list | tuple):
        return len(value) == len(saved)
    return str(value) == str(saved)


def test_fields_are_attributes_by_the_same_names(ranking):
    saved = json.loads(as_json(ranking.to_dict()))
    assert saved.pop("short_list") == ranking.short_list()
    assert list(saved) == list(FIELDS["Ranking"])
    different = [name for name, value in saved.items() if not same(getattr(ranking, name), value)]
    assert different == []


def test_indices_of_features_are_names(ranking):
    found = ranking.to_dict()
    assert found["tests"]["related"] == [str(ranking.table.X.columns[j]) for j in ranking.tests.related]
    assert set(found["redundancy"]["near_duplicate_groups"][0]) == {"f1", "twin"}
    assert [row["feature"] for row in found["features"]] == ranking.to_frame()["feature"].tolist()
