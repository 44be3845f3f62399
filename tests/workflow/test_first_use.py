"""The first use: one dataset, one method and one L of any study end with a page."""

import itertools
import re
import shlex

import numpy as np
import pandas as pd
import pytest

from repository import CONFIG, ROOT
from sslrank.benchmark.config.load import read_definitions
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.report.figures import write_figures
from sslrank.benchmark.report.manifest import write_manifest
from sslrank.benchmark.report.page import write_page
from sslrank.benchmark.results.study import StudyData
from sslrank.benchmark.steps.collect import SOURCE_COLUMNS, TABLES, write_stability
from sslrank.benchmark.steps.compare_published import CompareJob, compare_published_job
from sslrank.benchmark.steps.tables import write_tables
from sslrank.evaluation.evaluators import computed

STUDIES = read_definitions(CONFIG, ROOT, is_checked=True).studies
DRAWN = np.random.default_rng(11).choice(sorted(STUDIES), 2, replace=False)


def drawn(name, rng, dataset=None):
    """A plan of one dataset (drawn if none is given), one method or control, sometimes a control too, and one L."""
    whole = STUDIES[name]
    methods = [str(rng.choice(whole.ranked)), *map(str, whole.controls[: rng.integers(2)])]
    budget = str(rng.choice(whole.splits.L))
    mine = {"like": name, "splits": {"L": [budget]}}
    if whole.comparison.L is not None:
        mine["comparison"] = {"L": budget}
    filters = {"datasets": [dataset or str(rng.choice(whole.datasets))], "methods": methods, "studies": ["mine"]}
    return Plan(CONFIG | {"own": {"studies": {"mine": mine}}} | filters, ROOT, is_checked=True)


def write_collected(plan, folder, rng):
    """Write the collected tables as the jobs do, with made-up scores."""
    study, scores, fits = plan.study("mine"), [], []
    folds = study.protocol().get("folds") or study.protocol().get("repetitions", 1)
    for (dataset, method), L, mode, fold in itertools.product(
        study.pairs(), study.budgets(), study.modes(), range(folds)
    ):
        task = plan.catalogue[dataset].task
        fit = {"study": "mine", "dataset": dataset, "task": task, "method": method, "L": L, "mode": mode, "fold": fold}
        fits.append(fit | {"status": "ok", "seconds": 1.0, "message": "", "details": "{}"})
        for name in study.evaluators(method):
            evaluator = plan.evaluators[name]
            measures, sizes = computed(evaluator.evaluator, evaluator.params, task)
            for measure in measures if L in study.scored_budgets(name) else ():
                for k in [None] if measure.startswith("eca[") else sizes or [1, 2, 4]:
                    score = {"evaluator": name, "measure": measure, "k": k, "value": rng.random()}
                    scores.append(fit | score | {"ranking": method, "n_test": 20, "n_labeled": 10})
    tables = {"scores": scores, "status": fits, "scoring": [], "durations": []}
    for name, rows in tables.items():
        frame = pd.DataFrame(rows, columns=TABLES[name][1])
        (frame.astype({"k": "Int64"}) if "k" in frame else frame).to_csv(folder / f"{name}.csv", index=False)
    facts = {"available": True, "reason": "", "examples": 90, "features": 9, "ch": 0.1}
    datasets = [{"dataset": name, "task": plan.catalogue[name].task} | facts for name in study.datasets()]
    columns = ["dataset", "task", "available", "title", "published", *facts]
    pd.DataFrame(datasets, columns=dict.fromkeys(columns)).to_csv(folder / "datasets.csv", index=False)
    pairs = [{"dataset": dataset, "method": method, "source": "run here"} for dataset, method in study.pairs()]
    pd.DataFrame(pairs, columns=SOURCE_COLUMNS).to_csv(folder / "sources.csv", index=False)
    write_stability([], folder / "stability.csv", folder / "features.parquet")


def check_page(name, folder, seed, dataset=None):
    """Make tables, comparison, figures and page of a drawn part of a study."""
    rng = np.random.default_rng(seed)
    plan = drawn(name, rng, dataset)
    study, collected = plan.study("mine"), folder / "results/mine/collected"
    collected.mkdir(parents=True)
    write_collected(plan, collected, rng)
    data, here = StudyData.load(study.table_config(), collected), collected.parent
    write_tables(data, here / "tables", study.table_blocks())
    if published := study.published_tables():
        files = {"made": here / "tables", "spelling": ROOT / study.published_names()}
        files |= {"compared": here / "compared", "figures": here / "published_figures"}
        blocks = {
            key: table | {"published": [ROOT / file for file in table["published"]]} for key, table in published.items()
        }
        compare_published_job(CompareJob(**files, blocks=blocks, datasets=study.published_datasets()))
    write_figures(data, here / "figures", study.block.figures.curves or [])
    write_manifest(collected, here / "manifest.json", config=study.config(), root=ROOT)
    write_page(here, here / "report.html", config=study.config())
    assert "</html>" in (here / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "dataset"), [*((name, None) for name in DRAWN), ("eca", "aapc")])
def test_one_dataset_and_method_of_a_study_end_with_a_page(name, dataset, tmp_path, monkeypatch):
    """Also if the data is not available, as of the last one."""
    monkeypatch.chdir(ROOT)
    check_page(name, tmp_path, sorted(STUDIES).index(name), dataset)


def test_every_study_can_have_one_of_its_budgets():
    mine = {f"{name}-one": {"like": name, "splits": {"L": study.splits.L[:1]}} for name, study in STUDIES.items()}
    for name, study in STUDIES.items():
        if study.comparison.L is not None:
            mine[f"{name}-one"]["comparison"] = {"L": study.splits.L[0]}
    Plan(CONFIG | {"own": {"studies": mine}}, ROOT)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", sorted(STUDIES))
def test_any_part_of_any_study_ends_with_a_page(name, seed, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    check_page(name, tmp_path, 100 + seed)


def test_command_of_the_configuration_guide(new_runner, tmp_path):
    """The example of config/README.md, in an empty folder with the repository's configuration."""
    text = (ROOT / "config/README.md").read_text(encoding="utf-8")
    _, *words = shlex.split(re.search(r"run a part of it \| `(.*)`", text)[1])
    new_runner(tmp_path)(*words)
    page = (tmp_path / "results/demo/report.html").read_text(encoding="utf-8")
    assert "a part of the study: datasets or methods were chosen on the command line" in page
    assert len(pd.read_csv(tmp_path / "results/demo/tables/leaderboard.csv")) == 1


def test_study_without_a_readable_dataset_ends_with_an_error(fresh, config, tmp_path):
    (tmp_path / "mirror/tiny/tiny.csv").unlink()
    config["own"]["studies"]["tiny"]["methods"] = ["laplacian"]
    fresh.write(config)
    assert "no ranking of tiny was evaluated" in fresh("--cores", 2, ok=False)
    assert "failed" in (tmp_path / "results/tiny/report.html").read_text(encoding="utf-8")
