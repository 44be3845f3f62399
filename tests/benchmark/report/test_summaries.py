"""Committed summaries are what the archive gives; published tables are those that were read from the papers."""

import hashlib
import subprocess
from pathlib import Path

import pandas as pd
import pytest
import yaml

from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.files import read_table
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.report.summary import MAX_BYTES
from sslrank.benchmark.steps.collect import collect_job
from sslrank.benchmark.steps.experiment import experiment_job
from sslrank.benchmark.steps.tables import tables_job

ROOT = Path(__file__).parents[3]
SUMMARIES = ROOT / "results/summaries"
#: Studies that are not archived, but computed anew in minutes (section 9 of results/REPORT.md).
COMPUTED = {"ssl-ranking-controls", "ssl-ranking-judge", "ssl-ranking-rows"}
STUDIES = sorted({path.name for path in SUMMARIES.iterdir()} - COMPUTED)
#: Those whose tables take at most 20 processor seconds; the commit draws one of them for the quick tests.
SMALL = ["eca-forests", "scls-variants", "ssfi", "ssfi-splits", "ssfi-treefit", "ssl-ranking-costs"]


def drawn():
    """One of the small studies, another for every commit."""
    words = ["git", "rev-parse", "HEAD"]
    commit = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return SMALL[int(hashlib.sha256(commit.encode()).hexdigest(), 16) % len(SMALL)]


def made_again(study, folder):
    """Collect a study from the archive alone, and make its tables."""
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8")) | {"archive": "only"}
    plan = Plan(config, ROOT, is_checked=True)
    results = plan.results(study)
    for part in ("collected", "tables", "experiments"):
        (folder / part).mkdir()
    taken = {"datasets": results.datasets(), "pairs": results.collected()}
    collect_job(folder / "collected", **taken, experiments=results.collected_experiments())
    for name in plan.joined_experiments(study):
        module = plan.studies[study].experiments[name].experiment
        experiment_job(results.experiment_parts(name), folder / "experiments" / name, name=module)
    config, tables = plan.table_config(study), plan.table_blocks(study)
    places = {path.name: path for path in (folder / "experiments").iterdir()}
    tables_job(folder / "collected", folder / "tables", study=study, config=config, tables=tables, experiments=places)


def check(study, folder, monkeypatch):
    monkeypatch.chdir(ROOT)
    made_again(study, folder)
    committed = sorted((SUMMARIES / study / "tables").glob("*.csv"))
    made = [path.name for path in (folder / "tables").glob("*.csv") if path.stat().st_size <= MAX_BYTES]
    assert [path.name for path in committed] == sorted(made)
    for path in committed:
        first, second = (_rows(read_table(place)) for place in (path, folder / "tables" / path.name))
        pd.testing.assert_frame_equal(
            first, second, check_exact=False, rtol=1e-9, atol=1e-12, obj=f"{study}/{path.name}"
        )


def _rows(table):
    """Rows by their texts and whole numbers: those of equal rank may stand in any order."""
    keys = [name for name in table if table[name].dtype.kind != "f"]
    return table.sort_values(keys, kind="stable", ignore_index=True) if keys else table


def test_sampled_summary_is_rebuilt_from_archive(tmp_path, monkeypatch):
    check(drawn(), tmp_path, monkeypatch)


@pytest.mark.exhaustive
@pytest.mark.parametrize("study", STUDIES)
def test_all_summaries_are_rebuilt_from_archive(study, tmp_path, monkeypatch):
    check(study, tmp_path, monkeypatch)


def test_archive_files_match_the_manifest():
    assert len(Archive(ROOT / "results/archive").root_hash()) == 64


def test_published_tables_match_their_sources():
    for folder in sorted((ROOT / "workflow/published").iterdir()):
        sources = yaml.safe_load((folder / "sources.yaml").read_text(encoding="utf-8"))
        assert sorted(sources) == sorted(path.name for path in folder.glob("*.csv"))
        for name, source in sources.items():
            assert source["place"], name
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == source["sha256"], name
