"""Configuration: mistakes are named, filters and inheritance work, the repository's own is sound."""

from copy import deepcopy
from pathlib import Path

import pandas as pd
import pytest
import yaml

from experiment_parts import NOISE
from repository import CONFIG, ROOT
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.results.tables import table_info
from sslrank.core.errors import DataError


@pytest.fixture(autouse=True)
def _own_rankers(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def plan(config, **filters):
    return Plan(deepcopy(config) | filters, ROOT)


def change(config, path, value):
    *parents, last = path.split("/")
    block = config if parents[:1] in ([], ["data"], ["own"]) else config["own"]
    for key in parents:
        block = block[key]
    block[last] = value


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("studies", [], "config: studies: at least 1 is needed, found none"),
        ("studies/tiny/datsets", [], "config: own.studies.tiny: unknown key 'datsets'; did you mean 'datasets'"),
        ("studies/tiny/splits/scheme", "holduot", "did you mean 'holdout'"),
        ("studies/tiny/splits/L", ["fifty"], "own.studies.tiny.splits.L[0]: label budget 'fifty'"),
        ("studies/tiny/splits/L", [10, 10], r"splits.L: '10' is duplicated"),
        ("studies/tiny/splits/folds", "three", "splits.folds: should be a valid integer, found 'three'"),
        ("studies/tiny", None, "own.studies.tiny: expected a block of keys, found None"),
        ("studies/tiny/datasets", [], "datasets: at least 1 is needed, found none"),
        ("studies/tiny/params", {"forst": {}}, "'forst' is not known; did you mean 'forest'"),
        ("studies/tiny/rankers", {"variance": "genie3"}, "'variance' is a method with the rule 'variance'"),
        ("studies/tiny/datasets", ["tinny"], "'tinny' is not known; did you mean 'tiny'"),
        ("studies/tiny/controls", ["forest"], "'forest' is both a method and a control; name it once"),
        ("methods/variance/labels", "all", "'labels' is for Python rankers"),
        ("studies/tiny/params", {"laplacian": {"n_neighbours": 3}}, "unknown parameter 'n_neighbours'"),
        ("studies/tiny/tables", {"method_scores": {"options": {"kk": 3}}}, "unknown option 'kk'; did you mean 'k'"),
        ("studies/tiny/published", "ssl-rankin", "did you mean 'ssl-ranking'"),
        ("studies/tiny/like", "tiny", "refer to each other"),
        ("studies/tiny/comparison", {"evaluator": "eca"}, "'eca' is not known"),
        ("studies/tiny/comparison", {"measure": {"classification": "f1"}}, "'f1' is not known; known are: f1_macro"),
        ("studies/tiny/comparison", {"k": 30}, "comparison.k: knn does not compute 30; known are: 3, 5"),
        ("studies/tiny/comparison", {"L": 100}, "comparison.L: '100' is not known; did you mean '10'"),
        ("studies/tiny/tables", {"areas": {"options": {"k": 4}}}, "tables.areas.options.k: knn does not compute 4"),
        ("studies/tiny/tables", {"areas": {"options": {"evaluator": "kn"}}}, "options.evaluator: 'kn' is not known"),
        ("evaluators/knn/params", {"n_neighbours": 3}, "'knn' cannot evaluate 'classification': unknown evaluator"),
        ("methods/forest/params", {"n_estimators": "ten"}, "forest.params: n_estimators must be an int >= 1, got 'ten"),
        ("studies/tiny/params", {"relief": {"w0": 0.9}}, "own.studies.tiny.params.relief: w0 must not exceed w1"),
        ("methods/variance/ranker", "ssl_laplacian", "either 'ranker'"),
        ("methods/variance/params", {"scale": "rnge", "scal": 1}, "variance.params: unknown key 'scal'; did you mean"),
        ("methods/relief/like", "forst", "methods.relief.like: 'forst' is not known; did you mean 'forest'"),
        ("studies/data", {"like": "tiny"}, "studies.data: results/data is taken; give the study another name"),
        ("studies/a b", {"like": "tiny"}, "'a b' cannot name files"),
        ("studies/tiny/comparison", {"k": "median"}, "comparison.k: 'median' .* did you mean 'mean'"),
        ("studies/tiny/experiments", {"a": {"experiment": "noisy"}}, "'noisy' is not known; did you mean 'noise'"),
        ("evaluators/knn/only", {"methods": ["forst"]}, "only.methods: 'forst' is not known; did you mean 'forest'"),
        ("methods/forest/ranker", "no_code:Mine", "no module 'no_code' for 'no_code:Mine'; its file must be next to"),
        ("methods/broken/ranker", "tiny_rankers:Brokn", "has no class 'Brokn'; did you mean 'Broken'"),
        ("own/studies", ["tiny"], "own.studies: should be a valid dictionary, found"),
    ],
)
def test_configuration_mistakes_are_named(config, path, value, message):
    change(config, path, value)
    with pytest.raises(DataError, match=message.replace("(", r"\(").replace("[0]", r"\[0\]")):
        plan(config)


def test_studies_inherit_and_have_defaults(config):
    config["own"]["studies"]["smaller"] = {"like": "tiny", "splits": {"folds": 3}, "methods": ["variance"]}
    studies = plan(config).studies
    assert studies["smaller"].splits == studies["tiny"].splits.model_copy(update={"folds": 3})
    assert studies["smaller"].methods == ["variance"]
    assert studies["smaller"].modes == ["ssl", "sl"]


def test_unavailable_datasets_are_left_out_unless_local(config, tmp_path):
    assert plan(config).study("tiny").datasets() == ["tiny"]
    config["data"]["files"] = {"gone": str(tmp_path / "somewhere.csv")}
    with pytest.raises(DataError, match=r"data\.files.gone: there is no file .*somewhere.csv"):
        plan(config)
    (tmp_path / "somewhere.csv").touch()
    assert plan(config).study("tiny").datasets() == ["tiny", "gone"]


def test_method_tasks_restrict_datasets(config):
    config["own"]["methods"]["variance"]["tasks"] = ["regression"]
    assert ("tiny", "variance") not in plan(config).study("tiny").pairs()
    assert ("tiny", "laplacian") in plan(config).study("tiny").pairs()


def test_filters_select_studies_methods_and_datasets(config):
    config["own"]["studies"]["other"] = {"like": "tiny", "datasets": ["tiny-str"]}
    filtered = plan(config, studies="tiny", methods="variance,laplacian", datasets=["tiny"])
    assert filtered.chosen == ["tiny"]
    assert filtered.studies["tiny"].methods == ["laplacian", "variance"]
    assert filtered.studies["tiny"].filtered
    assert "other" not in filtered.studies
    assert plan(config, studies="other").chosen == ["other"]
    assert set(plan(config, studies="other").studies) == {"tiny", "other"}
    with pytest.raises(DataError, match=r"config: datasets: 'tinny' is not known; did you mean 'tiny'"):
        plan(config, datasets=["tinny"])
    with pytest.raises(DataError, match=r"config: studies: 'othr' is not known; did you mean 'other'"):
        plan(config, studies="othr")
    with pytest.raises(DataError, match="no study has datasets=gone with methods=relief"):
        plan(config, datasets=["gone"], methods=["relief"])


def test_filtered_out_names_are_listed(config):
    config["own"]["studies"]["tiny"]["experiments"] = {"noise": NOISE}
    config["own"]["studies"]["other"] = {"like": "tiny", "datasets": ["tiny-str"]}
    filtered = plan(config, datasets="tiny", methods="laplacian,relief")
    assert filtered.sources("tiny").joined_experiments() == []
    assert list(filtered.notes(["tiny", "other"])) == [
        "tiny has no relief, which the filters name",
        "tiny: its experiments are left out, as the filters leave out datasets or methods",
        "other is left out: the filters exclude every dataset or every method of it",
    ]
    whole = plan(config, datasets="tiny,gone,tiny-str")
    assert whole.sources("tiny").joined_experiments() == ["noise"]  # nothing of the study is left out
    assert list(whole.notes(["tiny"])) == ["tiny has no tiny-str, which the filters name"]


def test_directory_option_falls_back_to_repository_config(fresh):
    """`snakemake --directory`, of a folder without a config.yaml."""
    fresh.config_file.unlink()
    assert fresh.planned("demo")["page"] == 1


def test_filters_that_empty_a_study_are_named(config):
    config["own"]["studies"]["other"] = {"like": "tiny", "datasets": ["tiny-str"]}
    message = "the filters exclude all datasets of the study 'tiny': its datasets are tiny, gone$"
    made = plan(config, datasets="tiny-str")
    with pytest.raises(DataError, match=message):
        made.with_results(["tiny"])
    assert made.with_results(["other"]) == ["other"]


def test_catalogue_snakefile_plans_the_same_jobs(fresh):
    jobs = fresh.planned("--snakefile", ROOT / "workflow/Snakefile")
    assert (jobs["default"], jobs["rank"], jobs["page"]) == (1, 4, 1)


def test_dataset_names_must_be_file_names(config):
    catalogue = Path(config["data"]["catalogue"])
    catalogue.write_text(catalogue.read_text().replace("tiny-str:", "tiny <b>:"))
    with pytest.raises(DataError, match=r"'tiny <b>' cannot name files; .* its 'title'"):
        plan(config)


def test_studies_are_read_from_files(config):
    studies = Path(config["data"]["catalogue"]).with_name("studies")
    studies.mkdir()
    for kind in ("methods", "evaluators"):
        (studies.parent / f"{kind}.yaml").write_text(yaml.safe_dump(config["own"].pop(kind)), encoding="utf-8")
    (studies / "mine.yaml").write_text("mine: {like: tiny, seed: 5}\n", encoding="utf-8")
    assert plan(config).studies["mine"].seed == 5
    (studies / "third.yml").write_text("other: {like: mine}\n", encoding="utf-8")
    assert plan(config).studies["other"].seed == 5
    for text, message in (
        ("tiny: {like: mine}", r"own.studies.tiny: the name is taken: .*second.yaml: tiny"),
        ("a: {like: mine}\nb: {like: a}\na: {like: b}", "second.yaml, line 3, column 1: the key 'a' is duplicated"),
        ("a: {like: mine, sed: 3}", "second.yaml: a: unknown key 'sed'; did you mean 'seed'"),
        ("a: {like: mine", "second.yaml, line 2, column 1: "),
    ):
        (studies / "second.yaml").write_text(text + "\n", encoding="utf-8")
        with pytest.raises(DataError, match=message):
            plan(config)


def test_own_config_file_is_merged(fresh):
    """The repository's own studies stay; a study, a method and a dataset's file come in."""
    mine = {
        "own": {
            "studies": {"mystudy": {"like": "demo", "datasets": ["digits"], "methods": ["fast"]}},
            "methods": {"fast": {"ranker": "laplacian_score"}},
        }
    }
    for name in ("config", "mine"):
        content = yaml.safe_dump(mine) if name == "mine" else (ROOT / "config.yaml").read_text(encoding="utf-8")
        (fresh.folder / f"{name}.yaml").write_text(content, encoding="utf-8")
    jobs = fresh.planned("mystudy", "--configfile", fresh.folder / "mine.yaml")
    assert jobs["download"] == jobs["page"] == 1
    studies = {"rank": mine["own"]["studies"].pop("mystudy")}
    (fresh.folder / "mine.yaml").write_text(yaml.safe_dump({"own": mine["own"] | {"studies": studies}}))
    output = fresh("-n", "--configfile", fresh.folder / "mine.yaml", ok=False)
    assert "own.studies.rank: a rule has this name; give the study another one" in output


def test_families_share_parameters(config):
    tiny = config["own"]["studies"]["tiny"]
    tiny["comparison"] = {"families": {"both": ["forest", "relief"]}}
    tiny["params"] = {"both": {"random_state": 1}, "relief": {"w0": 0.25}}
    made = plan(config).studies["tiny"]
    assert made.params == {"forest": {"random_state": 1}, "relief": {"random_state": 1, "w0": 0.25}}


# --- the repository's own studies ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own():
    return plan(CONFIG)


@pytest.mark.parametrize(("study", "asked", "available"), [("ssfi", 11, 10), ("eca", 28, 21), ("scls", 8, 7)])
def test_studies_have_published_datasets(own, study, asked, available):
    assert len(own.studies[study].datasets) == asked
    assert len(own.study(study).datasets()) == available
    published = {name for name, entry in own.catalogue.items() if study in entry.studies}
    assert published <= set(own.studies[study].datasets)


def test_publications_are_compared_completely(own):
    """Every published file is in a table of its study, but for the one that repeats a printed number."""
    for study in ("ssl-ranking", "ssfi", "eca", "scls"):
        files = {Path(file).name for file in own.study(study).published_files()}
        folder = ROOT / "workflow/published" / own.studies[study].published
        assert {path.name for path in folder.glob("*.csv")} - files <= {"cd_diagram.csv"}, study


def test_every_published_table_has_a_verdict(own):
    """Their words are tested in tests/docs/test_findings.py."""
    missing = [
        (name, key)
        for name, study in own.studies.items()
        for key, table in study.tables.items()
        if table.published and not (table.verdict or table.note) and not name.endswith("-seed2")
    ]
    assert missing == []


def test_publications_and_demo_have_controls(own):
    """Where the scale from random to oracle can be shown: equal weights say nothing where only the order counts."""
    for study in ("demo", "ssl-ranking", "ssfi", "eca", "scls"):
        assert {"random_ranking", "oracle"} <= set(own.studies[study].controls), study
        used = {own.evaluators[name].evaluator for name in own.studies[study].evaluators}
        assert ("equal_weights" in own.studies[study].controls) == ("knn" in used), study


def test_evaluators_score_only_their_methods(own):
    planned, study = {}, own.study("scls")
    for method in own.studies["scls"].ranked:
        for evaluator in study.evaluators(method):
            planned.setdefault(evaluator, set()).add(method)
    assert planned["ml_knn"] == set(own.studies["scls"].ranked)
    for evaluator in ("ml_knn_all", "sdr_mc", "rakel", "iblr", "homer", "ecc"):
        assert planned[evaluator] == {"s_cls"}
        assert study.scored_budgets(evaluator) == ["10pct"]
    assert study.scored_budgets("ml_knn") == ["10pct", "all"]


def test_published_names_map_to_study_methods(own):
    """A published method's name must translate into one that the study has."""
    for study in ("ssfi", "eca", "scls"):
        names = yaml.safe_load(Path(own.study(study).published_names()).read_text(encoding="utf-8"))
        rankers = {own.methods[name].ranker for name in own.studies[study].methods}
        tables = own.studies[study].tables
        others = tables["measures"].options["others"] if "measures" in tables else ()
        known = rankers | set(own.studies[study].methods) | set(others)
        for column in ("ranking", "method"):
            assert set(names.get(column, {}).values()) <= known, (study, column)


def test_evaluator_titles_are_unique(own):
    found = [evaluator.title for evaluator in own.evaluators.values()]
    assert None not in found
    assert len(set(found)) == len(found)
    mine = {"evaluators": {"mine": {"like": "knn"}}}
    assert Plan({**CONFIG, "own": mine}, ROOT).evaluators["mine"].title is None


def test_demo_plans_no_download(own):
    for name in own.study("demo").datasets():
        variants = own.catalogue[name].variants
        assert any(all(source.package for source in variant.files) for variant in variants), name


def test_published_tables_have_expected_columns(own):
    """Key columns of the published files are those of our tables, or nothing would match."""
    for study in own.studies:
        for name, block in own.study(study).published_tables().items():
            info = table_info(block["function"])
            for file in block["published"]:
                columns = pd.read_csv(Path.cwd() / file).columns
                assert set(columns) & set(info.keys), (name, file)
                assert set(columns) & set(info.values), (name, file)
