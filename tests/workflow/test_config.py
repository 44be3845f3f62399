"""Configuration: mistakes are named, filters and inheritance work, the repository's own is sound."""

import time
from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from sslrank.pipeline.analysis.tables import table_info
from sslrank.pipeline.plan.plan import Plan, apply_filters
from sslrank.pipeline.plan.validation import ConfigError

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def _own_rankers(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def plan(config, **filters):
    return Plan(deepcopy(config), ROOT, filters)


def change(config, path, value):
    *parents, last = path.split("/")
    block = config
    for key in parents:
        block = block[key]
    block[last] = value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("stuides", {}, "unknown key 'stuides'; did you mean 'studies'"),
        ("data/mirorr", "x", "config: data: unknown key 'mirorr'; did you mean 'mirror'"),
        ("studies/tiny/datsets", [], "config: studies.tiny: unknown key 'datsets'; did you mean 'datasets'"),
        ("studies/tiny/splits/fold", 3, "did you mean 'folds'"),
        ("studies/tiny/splits/scheme", "holduot", "did you mean 'holdout'"),
        ("studies/tiny/splits/n_labeled", ["fifty"], "label budget 'fifty'"),
        ("studies/tiny/datasets", ["tinny"], "'tinny' is not known; did you mean 'tiny'"),
        ("studies/tiny/methods", ["varance"], "did you mean 'variance'"),
        ("studies/tiny/evaluators", ["kn"], "did you mean 'knn'"),
        ("studies/tiny/params", {"laplacian": {"n_neighbours": 3}}, "unknown parameter 'n_neighbours'"),
        ("studies/tiny/params", {"variance": {"scael": "none"}}, "did you mean 'scale'"),
        ("studies/tiny/tables", {"fridman": {}}, "did you mean 'friedman'"),
        ("studies/tiny/tables", {"areas": {"options": {"kk": 3}}}, "unknown option 'kk'; did you mean 'k'"),
        ("studies/tiny/published", "ssl-rankin", "did you mean 'ssl-ranking'"),
        ("studies/tiny/like", "tiny", "refer to each other"),
        ("studies/tiny/comparison", {"evaluator": "eca"}, "'eca' is not known"),
        ("methods/laplacian/ranker", "laplacian_scor", "did you mean 'laplacian_score'"),
        ("methods/variance/rule", "varianc", "did you mean 'variance'"),
        ("methods/variance/ranker", "laplace", "either 'ranker'"),
        ("evaluators/knn/evaluator", "nkn", "did you mean 'knn'"),
    ],
)
def test_mistakes_are_named(config, path, value, message):
    change(config, path, value)
    with pytest.raises(ConfigError, match=message.replace("(", r"\(")):
        plan(config)


def test_misspelt_key_stops_the_workflow(fresh, config):
    config["studies"]["tiny"]["evalutors"] = ["knn"]
    fresh.write(config)
    output = fresh("-n", ok=False)
    assert "unknown key 'evalutors'; did you mean 'evaluators'?" in output


def test_inheritance_and_defaults(config):
    config["studies"]["smaller"] = {"like": "tiny", "splits": {"folds": 3}, "methods": ["variance"]}
    studies = plan(config).studies
    assert studies["smaller"]["splits"] == {**studies["tiny"]["splits"], "folds": 3}
    assert studies["smaller"]["methods"] == ["variance"]
    assert studies["smaller"]["modes"] == ["ssl", "sl"]
    assert studies["smaller"]["comparison"]["alpha"] == 0.05


def test_unavailable_datasets_are_left_out_unless_the_user_has_them(config):
    assert plan(config).datasets("tiny") == ["tiny"]
    config["data"]["files"] = {"gone": "somewhere.csv"}
    assert plan(config).datasets("tiny") == ["tiny", "gone"]


def test_joined_jobs_need_evaluators_of_all_methods(config):
    config["studies"]["tiny"]["joined_jobs"] = True
    config["evaluators"]["knn"]["only"] = {"methods": ["variance"]}
    with pytest.raises(ConfigError, match="joined_jobs: the evaluator 'knn' is for some methods only"):
        plan(config)


def test_tasks_restrict_a_method(config):
    config["methods"]["variance"]["tasks"] = ["str"]
    assert ("tiny", "variance") not in plan(config).pairs("tiny")
    assert ("tiny", "laplacian") in plan(config).pairs("tiny")


def test_filters(config, tmp_path):
    path = tmp_path / "c.yaml"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    given = {**config, "studies": "tiny", "methods": "variance,laplacian", "datasets": "tiny"}
    filters = apply_filters(given, [path])
    assert filters == {"studies": ["tiny"], "methods": ["variance", "laplacian"], "datasets": ["tiny"]}
    filtered = Plan(given, ROOT, filters)
    assert filtered.studies["tiny"]["methods"] == ["laplacian", "variance"]
    assert filtered.studies["tiny"]["filtered"]
    with pytest.raises(ConfigError, match=r"datasets \(filter\): 'tinny' is not known; did you mean 'tiny'"):
        plan(config, datasets=["tinny"])
    with pytest.raises(ConfigError, match="leave no study"):
        plan(config, datasets=["tiny-str"])


def test_filter_on_the_command_line(fresh, config):
    config["studies"]["tiny"]["datasets"] = ["tiny", "tiny-str"]
    fresh.write(config)
    file = fresh.config_file
    jobs = fresh.planned("--configfile", file, "--config", "datasets=tiny-str", "methods=laplacian")
    assert jobs["prepare"] == 1
    assert jobs["rank"] == 2


def test_own_configuration_plans_every_dataset_that_can_be_had():
    started = time.perf_counter()
    own = plan(CONFIG)
    assert time.perf_counter() - started < 20
    study = own.studies["ssl-ranking"]
    assert len(study["datasets"]) == 38
    assert len(own.datasets("ssl-ranking")) == 33
    assert own.budgets("ssl-ranking") == ["50", "100", "200", "350", "500"]
    assert {own.catalogue[name].task for name in own.datasets("demo")} == {
        "classification",
        "mlc",
        "hmlc",
        "str",
        "mtr",
    }
    assert not own.studies["demo"]["in_all"]


def test_demo_needs_no_download():
    own = plan(CONFIG)
    for name in own.datasets("demo"):
        variants = own.catalogue[name].variants
        assert any(all(source.package for source in variant.files) for variant in variants), name


def test_every_key_of_the_schema_is_explained_in_the_configuration():
    text = (ROOT / "config.yaml").read_text(encoding="utf-8")
    schema = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text(encoding="utf-8"))
    blocks = [schema, schema["properties"]["data"], *(schema["$defs"][key] for key in ("study", "method"))]
    for block in blocks:
        for key in block["properties"]:
            assert key in text, key


def test_published_tables_have_our_columns():
    """Key columns of the published files are those of our tables, or nothing would match."""
    import pandas as pd

    own = plan(CONFIG)
    for study in own.studies:
        for name, block in own.compared_blocks(study).items():
            info = table_info(block["function"])
            for file in block["published"]:
                columns = pd.read_csv(Path.cwd() / file).columns
                assert set(columns) & set(info.keys), (name, file)
                assert set(columns) & set(info.values), (name, file)
