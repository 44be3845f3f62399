"""Files for a publication: complete, consistent with the ranking, and with every cited reference, for each target."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import sslrank
from sslrank.hypothesis_tests.related import FDR
from sslrank.tabular.output.files import as_json
from sslrank.tabular.output.paper import paper_files

RNG = np.random.default_rng(4)
N = 120
X = pd.DataFrame(RNG.normal(size=(N, 5)), columns=["dose_1", "b&c", "50%", "age", "e"])
X["shade"] = RNG.choice(["dark", "light", "grey"], N)
CLASSES = np.where(X["dose_1"] + RNG.normal(size=N) > 0, "sick", "healthy")
TIME = pd.DataFrame({"died": RNG.random(N) < 0.8, "days": RNG.exponential(np.exp(-X["dose_1"]))})
STRATA = np.arange(N) % 2
TARGETS = {
    "classes": (CLASSES, {"effort": "quick"}, "odds ratio (logistic regression) of sick"),
    "adjusted classes": (CLASSES, {"adjust": ["age"]}, "odds ratio (logistic regression) of sick, given age"),
    "three classes": (np.digitize(X["dose_1"], [-0.5, 0.5]), {}, "AUC: area under the ROC curve"),
    "number": (X["dose_1"] + RNG.normal(size=N), {"adjust": ["age"], "strata": STRATA}, "slope (least squares"),
    "plain number": (X["dose_1"].rank(), {}, "Spearman: Spearman's correlation"),
    "time": (TIME["days"], {"event": TIME["died"]}, "hazard ratio (Cox's model"),
    "positives": (np.where(CLASSES == "sick", "sick", None), {"positives_only": True}, "of sick"),
    "labels": (pd.DataFrame({"u": X["e"] > 0, "v": X["dose_1"] > 0}).astype(int), {}, "AUC"),
    "weights": (CLASSES, {"sample_weight": np.arange(N) % 3 + 1}, "no intervals"),
    "categories": (CLASSES, {"drop": list(X.columns[:5])}, "Cramér's V: of categories with classes"),
}  # fmt: skip


@pytest.mark.parametrize("case", TARGETS)
def test_files_of_each_kind_of_target(case):
    y, options, words = TARGETS[case]
    options = {"effort": "order", "methods": ["l1", "f_score"]} | options
    ranking = sslrank.rank(X, y, **options)
    files = paper_files(json.loads(as_json(ranking.to_dict())))
    assert set(files) == {"methods.md", "references.bib", "table.csv", "table.tex", "volcano.svg", "forest.svg"}
    methods = files["methods.md"]
    assert words in methods
    assert ("rows, all with a known target." in methods) == bool(ranking.table.labeled.all())
    assert f"that of {ranking.tests.n_permutations} random permutations" in methods
    assert f"These tests used {ranking.tests.n_rows} labelled rows" in methods
    cited = set(re.findall(r"@([a-z]+\d{4})", methods))
    assert cited == set(re.findall(r"@\w+\{(\w+),", files["references.bib"]))
    assert {"benjamini1995", "yuan2006", "pillai1955"} <= cited
    assert not re.search(r"None|nan|\{[{%]", methods)
    assert not re.search(r"(?<!\\)[&%_](?=[\dbc])|nan", re.sub(r" & ", " ", files["table.tex"]))
    for name in ("volcano.svg", "forest.svg"):
        assert ElementTree.fromstring(files[name]).tag.endswith("svg")
    assert ("interval" in methods.split("# Effects")[1].split("#")[0]) == (case != "categories"), "none, or why not"
    assert ("Wald" in methods) == (ranking.features["effect_low"].notna().any() and "standard deviation" in methods)
    if case == "time":
        assert f"{TIME['died'].sum()} rows have the event" in methods
    if case == "positives":
        assert "Rows that are not labelled positive were the other class" in methods
        assert ranking.features["odds_ratio"][0] > 1
    if case == "classes":
        best = ranking.features.iloc[0]
        assert (best["odds_ratio"] > 1) == (best["effect_of"] == "high in sick")
        assert f"{best['odds_ratio']:.2f} ({best['odds_low']:.2f} to {best['odds_high']:.2f})" in files["table.tex"]
        fields = json.loads(as_json(ranking.to_dict()))
        assert files == paper_files(fields)
        for feature in fields["features"]:
            feature["q"] = FDR
        assert b"q of at most 0.1 (5)" in paper_files(fields)["volcano.svg"]
    if case == "plain number":
        assert "−1.0".encode() not in files["volcano.svg"], "the axis ends at no effect, 0"


def test_command_writes_into_the_folder_of_the_ranking(run):
    X.assign(y=CLASSES).to_csv("a.csv", index=False)
    run("rank", "a.csv", "--target", "y", "--effort", "order", "--methods", "f_score", "--out", "r")
    code, stdout, _ = run("paper", "r")
    assert (code, stdout[:36]) == (0, "wrote r/paper/methods.md, r/paper/re")
    table = pd.read_csv("r/paper/table.csv")
    saved = pd.read_csv("r/ranking.csv")
    pd.testing.assert_frame_equal(table, saved[table.columns])
    assert "a.csv: not the ranking.json of a ranking. Name its folder" in run("paper", "a.csv")[2]
    assert "there is no such ranking" in run("paper", "gone")[2]
