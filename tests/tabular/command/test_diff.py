"""``sslrank diff``: an effect changed only beyond its error, and what else differs is named."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from measurements.bench_diff import KINDS, share_changed
from sslrank.tabular.output.difference import differences


def fields_of(rows, levels=("a", "b")):
    """A saved ranking with (feature, q, effect, low, high, measure, class) in its order."""
    names = ("feature", "q", "effect", "effect_low", "effect_high", "effect_measure", "effect_of")
    features = [dict(zip(names, row, strict=True), rank=j, kind="numeric") for j, row in enumerate(rows)]
    recipe = {"target": ["y"], "levels": {"y": list(levels)}}
    return {"features": features, "recipe": recipe, "table": {"target": {"names": ["y"]}, "n_labeled": 200}}


def row(name, q, effect, low, high, of="high in a", measure="AUC"):
    return name, q, effect, low, high, measure, of


@pytest.mark.parametrize(
    ("before", "after", "change", "difference"),
    [
        (row("x", 0.9, 0.52, 0.45, 0.59), row("x", 0.001, 0.8, 0.74, 0.86), "gained", 0.28),
        (row("x", 0.11, 0.62, 0.5, 0.74), row("x", 0.09, 0.64, 0.52, 0.76), "", 0.02),  # related now, by chance
        (row("x", 0.001, 0.8, 0.74, 0.86), row("x", 0.9, 0.52, 0.45, 0.59, "high in b"), "lost", -0.32),
        (row("x", 0.001, 0.8, 0.74, 0.86), row("x", 0.001, 0.8, 0.74, 0.86, "high in b"), "turned", -0.6),
        (row("x", 0.001, 0.9, 0.87, 0.93), row("x", 0.001, 0.7, 0.64, 0.76), "weaker", -0.2),
        (row("x", 0.001, -0.3, -0.4, -0.2, "", "Spearman"), row("x", 0.001, -0.7, -0.8, -0.6, "", "Spearman"),
         "stronger", -0.4),
        (row("x", 0.001, 0.9, None, None), row("x", 0.9, 0.5, 0.4, 0.6), "", -0.4),
        (row("x", 0.001, 0.9, 0.8, 0.95), row("x", 0.9, 0.1, 0.0, 0.2, "", "Spearman"), "", np.nan),
    ],
)  # fmt: skip
def test_changes_are_beyond_error(before, after, change, difference):
    found = differences(fields_of([before]), fields_of([after])).loc["x"]
    assert found["change"] == change
    np.testing.assert_allclose(found["difference"], difference)


def test_interval_of_a_difference():
    """Zou (2007): from the limits of both correlations; the same as for normal estimates with equal errors."""
    one, two = (row("x", 0.5, value, value - 0.1, value + 0.1, "", "Spearman") for value in (0.2, 0.5))
    found = differences(fields_of([one]), fields_of([two])).loc["x"]
    np.testing.assert_allclose(found[["low", "high"]].astype(float), 0.3 + np.array([-1, 1]) * np.sqrt(0.02))
    several = [fields_of([value, *(row(f"f{j}", 0.5, 0.5, 0.4, 0.6) for j in range(4))]) for value in (one, two)]
    np.testing.assert_allclose(differences(*several)["p"]["x"], 5 * found["p"])
    other_class = [fields_of([row("x", 0.001, 0.9, 0.8, 0.95, f"high in {of}")], "abc") for of in "ab"]
    assert differences(*other_class)["p"].isna().all()


@pytest.mark.parametrize("kind", [KINDS[0], *(pytest.param(kind, marks=pytest.mark.exhaustive) for kind in KINDS[1:])])
def test_two_samples_of_one_table_seldom_change(kind):
    """200 pairs are in tests/measurements/README.md."""
    assert share_changed(kind, 6, 60)[0] <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 6)


def test_diff_names_what_changed(run):
    rng = np.random.default_rng(0)
    words = ("--target", "y", "--effort", "order", "--methods", "f_score")
    for name, column in {"a": "f0", "b": "f1"}.items():
        X = pd.DataFrame(rng.normal(size=(200, 4))).add_prefix("f").assign(f3=lambda X: np.arange(len(X)) % 7)
        X["y"] = np.where(X[column] + rng.normal(size=200) > 0, "p", "n")
        X = X.assign(f3=X["f3"].map("level {}".format)).rename(columns={"f2": f"f2{name}"})
        X.to_csv(f"{name}.csv", index=False)
        assert run("rank", f"{name}.csv", *words, "--out", name)[0] == 0
    code, stdout, stderr = run("diff", "a", "b", "--out", "d.csv")
    assert (code, stderr) == (0, "")
    assert "Of 2 features compared, the effects of 2 changed (error rate 5% for all together)." in stdout
    for text in ("features of a only: f2a", "features of b only: f2b", "gained", "lost", "measure or class: f3"):
        assert text in stdout
    table = pd.read_csv("d.csv").set_index("feature")
    assert table["change"].to_dict() | {"f0": "lost", "f1": "gained"} == table["change"].to_dict()
    assert run("diff", "a", "b", "--out", "d.html")[0] == 0
    page = Path("d.html").read_text()
    assert "<li>features of a only: f2a</li>" in page
    assert page.index(">f0<") < page.index(">f2a<")  # what changed comes first
    assert "note: both are of the same file" in run("diff", "a", "a")[1]
    same = run("diff", "a", "a")[1]
    assert "no effect changed" in same
    assert " \n" not in same
    other = json.loads(Path("b/ranking.json").read_text())
    Path("b/ranking.json").write_text(json.dumps(other | {"features": [{**other["features"][0], "feature": "z"}]}))
    assert "no feature is in both a and b" in run("diff", "a", "b")[2]
    other["table"]["target"]["columns"] = ["z"]
    Path("b/ranking.json").write_text(json.dumps(other))
    assert "a and b have different targets: y (classification) and z (classification)" in run("diff", "a", "b")[2]
    assert "expected a name that ends in one of" in run("diff", "a", "b", "--out", "d.txt")[2]


def test_change_of_one_of_several_classes_is_found():
    """The class of the largest effect may be another one in the second table."""
    assert share_changed("three classes", 3, 200, weight=0.0)[1] > 0.5
    saved = [fields_of([row("x", 0.01, 0.9, 0.8, 0.95, of)], "abc") for of in ("low in a", "high in c")]
    for one, areas in zip(saved, ((0.1, 0.6, 0.85), (0.5, 0.2, 0.8)), strict=True):
        one["features"][0] |= {f"AUC:{name}": area for name, area in zip("abc", areas, strict=True)}
        one["table"]["target"]["class_sizes"] = dict.fromkeys("abc", 60)
    found = differences(*saved).loc["x"]
    np.testing.assert_allclose(found[["effect_before", "effect_after"]].astype(float), [0.85, 0.8])
    assert found["low"] < -0.05 < found["high"]
