"""``sslrank rank --target none`` ranks as the rankers do in Python."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from sslrank import get_ranker


def test_a_table_without_a_target_is_ranked(run, frame):
    frame = frame.drop(columns="y")
    frame.to_csv("d.csv", index=False)
    for kind in ("csv", "json", "parquet"):
        code, said, complained = run("rank", "d.csv", "--target", "none", "--seed", 3, "--out", f"r.{kind}")
        assert (code, complained) == (0, "")
    assert "without a target there are no tests" in said
    found = pd.read_csv("r.csv")
    as_category = frame.assign(shade=pd.Categorical(frame["shade"]))
    for name in ("genie3", "laplacian_score"):
        ranker = get_ranker(name)
        if "random_state" in ranker.get_params():
            ranker.set_params(random_state=3)
        expected = ranker.fit(as_category).feature_importances_
        by_name = found.set_index("feature")[f"importance:{name}"][list(frame)]
        np.testing.assert_allclose(by_name, expected, rtol=1e-9)
    assert [row["feature"] for row in json.loads(Path("r.json").read_text())["ranking"]] == list(found["feature"])
    assert run("rank", "d.csv", "--target", "none", "--methods", "genie3", "--out", "r")[0] == 0
    assert sorted(path.suffix for path in Path("r").iterdir()) == [".csv", ".json", ".parquet"]
    assert run("reduce", "d.csv", "r.json", "--n-features", 2, "--out", "s.csv")[0] == 0
    assert list(pd.read_csv("s.csv")) == list(found["feature"][:2])


def test_what_needs_a_target_is_refused(run, frame):
    frame.to_csv("d.csv", index=False)
    assert "'l1' needs a target" in run("rank", "d.csv", "--target", "none", "--methods", "l1")[2]
    assert "a ranking without a target has no page" in run("rank", "d.csv", "--target", "none", "--out", "r.html")[2]
    for target in ("None", "none,f1"):
        assert "without a target, give only --target none" in run("rank", "d.csv", "--target", target)[2]
    assert "--budget needs a target" in run("rank", "d.csv", "--target", "none", "--budget", "1s")[2]


def test_a_column_of_that_name_is_a_target(run, frame):
    frame.rename(columns={"y": "none"}).to_csv("d.csv", index=False)
    said = run("rank", "d.csv", "--target", "none", "--methods", "f_score", "--effort", "order")[1]
    assert said.count("target none: classification") == 1
    assert said.count("note: the column none is the target; to rank without a target, --drop none or rename") == 1
    said = run("rank", "d.csv", "--target", "none", "--drop", "none")[1]
    assert "target none: no target" in said
    assert "without a target there are no tests" in said
    assert "the column none" not in said
    assert "a column has that name" in run("rank", "d.csv", "--target", "f1", "--groups", "none")[2]
