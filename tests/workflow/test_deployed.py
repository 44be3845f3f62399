"""The workflow as a module of another one, in the layout of snakedeploy, and what a user brings: one file each."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
import yaml
from sklearn.neighbors import KNeighborsClassifier

from repository import ROOT
from sslrank.benchmark.config.schema import SCHEMA, schema_text
from sslrank.benchmark.plan.plan import Plan
from sslrank.core.errors import DataError

#: What `snakedeploy deploy-workflow` writes, without the prefix.
SNAKEFILE = f"""
from snakemake.utils import min_version

min_version("6.10.0")


configfile: "config/config.yaml"


rule mine: # the study of this name is sslrank_mine
    output:
        "mine.txt",


module sslrank:
    snakefile:
        "{ROOT}/workflow/Snakefile"
    config:
        config


use rule * from sslrank as sslrank_*
"""
EVALUATOR = """
class Largest:
    def computes(self, params, task):
        return ["largest"], [1]

    def evaluate(self, features, targets, train, test, labeled, importances, params=None, seed=0):
        return [("largest", 1, float(max(importances)))]
"""
STUDY = {
    "datasets": ["tiny"],
    "methods": ["spread", "laplacian"],
    "evaluators": ["mine"],
    "splits": {"scheme": "holdout", "repetitions": 2, "L": [10]},
}


def test_deployed_module_runs_with_a_prefix(new_runner, config, tmp_path):
    """With a method in awk, and an evaluator in a file of the working directory."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    deployed = tmp_path / "config/config.yaml"
    assert deployed.read_bytes() == (ROOT / "config.yaml").read_bytes()
    (tmp_path / "my_evaluators.py").write_text(EVALUATOR, encoding="utf-8")
    config["own"] |= {"studies": {"mine": STUDY}, "evaluators": {"mine": {"evaluator": "my_evaluators:Largest"}}}
    config["own"]["methods"]["spread"] = config["own"]["methods"].pop("variance")
    deployed.write_text(yaml.safe_dump(config), encoding="utf-8")
    (tmp_path / "workflow").mkdir()
    (tmp_path / "workflow/Snakefile").write_text(SNAKEFILE, encoding="utf-8")
    new_runner(tmp_path)("--cores", 2, "--snakefile", tmp_path / "workflow/Snakefile", "--", "sslrank_mine")
    scores = pd.read_csv(tmp_path / "results/mine/collected/scores.csv")
    assert set(scores["method"]) == {"spread", "laplacian"}
    assert set(scores["measure"]) == {"largest"}
    assert (tmp_path / "results/mine/report.html").is_file()


def test_template_of_evaluators_runs_and_fails(new_runner, copy_checkout, config, tmp_path):
    """Copied and renamed as its README says; a program that fails, and lines that are wrong, become status rows."""
    root = copy_checkout(tmp_path / "checkout")
    folder = root / "workflow/rules/evaluators"
    shutil.copytree(folder / "_template", folder / "myevaluator")
    partial = 'print("L,fold,ranking,measure,k,value\\n10,0,none,m,,1")'
    for name, program in (("broken", "1 / 0"), ("partial", partial)):
        shutil.copytree(folder / "_template", folder / name)
        rule = (folder / name / "rule.smk").read_text(encoding="utf-8").replace("myevaluator", name)
        (folder / name / "rule.smk").write_text(rule, encoding="utf-8")
        (folder / name / f"{name}.py").write_text(program, encoding="utf-8")
    mine = {"mine": {"rule": "myevaluator", "params": {"n_top": 3}}}
    mine |= {name: {"rule": name} for name in ("broken", "partial")}
    config["own"] |= {"studies": {"mine": STUDY | {"evaluators": [*mine, "knn"]}}}
    config["own"]["evaluators"] |= mine
    config["own"]["methods"]["spread"] = config["own"]["methods"].pop("variance")
    runner = new_runner(tmp_path, root)
    runner.write(config)
    runner("--cores", 2, "mine")
    folder = tmp_path / "results/mine"
    scores, status = (pd.read_csv(folder / f"collected/{name}.csv") for name in ("scores", "scoring"))
    assert (folder / "report.html").is_file()
    assert set(scores["evaluator"]) == {"mine", "knn"}
    messages = status[status["method"] == "spread"].set_index("evaluator")["message"]
    assert "it starts with: failed with exit code 1: ZeroDivisionError" in messages["broken"]
    assert "partial.csv, line 2, column 'ranking': there is no such ranking: L 10, fold 0" in messages["partial"]
    table = pd.read_parquet(tmp_path / "results/data/tiny/table.parquet")
    rankings = pd.read_parquet(folder / "rankings/tiny/laplacian.parquet")
    for fold in json.loads((folder / "splits/tiny.json").read_text())["folds"]:
        best = rankings[rankings["fold"] == fold["fold"]].nlargest(3, "importance")["feature"]
        X = pd.get_dummies(table[best].assign(**table[best].select_dtypes("number") * 2), dtype=float) / 2
        labeled, test = fold["labeled"]["10"], fold["test"]
        model = KNeighborsClassifier(1, metric="manhattan").fit(X.iloc[labeled], table["target"].iloc[labeled])
        of_fold = scores[(scores["evaluator"] == "mine") & (scores["fold"] == fold["fold"])].set_index("method")
        assert of_fold.loc["laplacian", "value"] == model.score(X.iloc[test], table["target"].iloc[test])
        assert list(of_fold[["n_test", "n_labeled", "k"]].iloc[0]) == [len(test), 10, 3]


def test_mistakes_in_own_evaluators_are_named(config, tmp_path, monkeypatch):
    """Those of their modules as those of own rankers, in test_config.py."""
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "half_evaluator.py").write_text("class Largest:\n    def evaluate(self): ...\n", encoding="utf-8")
    config["own"]["evaluators"]["mine"] = {"evaluator": "half_evaluator:Largest"}
    with pytest.raises(DataError, match=r"config: own\.evaluators\.mine\.evaluator: .* has no function 'computes'"):
        Plan(config, ROOT)


def test_schema_is_that_of_the_models():
    """If not: python -m sslrank.benchmark.config.schema."""
    assert (ROOT / SCHEMA).read_text(encoding="utf-8") == schema_text()
    named = (ROOT / ".test/config.yaml").read_text(encoding="utf-8").partition("\n")[0].rpartition("=")[2]
    assert (ROOT / ".test" / named).resolve() == (ROOT / SCHEMA).resolve()
