"""Committed summaries are what the archive gives; published tables are those that were read from the papers."""

import hashlib

import pandas as pd
import pytest
import yaml

from repository import ROOT, drawn_number, repository_plan
from sslrank.benchmark.archive.ledger import standing_words
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.audit import summaries
from sslrank.benchmark.audit.summaries import comparison_differences, dataset_difference, table_difference

SUMMARIES = ROOT / "results/summaries"
#: Not archived, but computed anew in minutes (section 8 of results/REPORT.md).
COMPUTED = "ssl-ranking-rows"
STUDIES = sorted(path.name for path in SUMMARIES.iterdir())
CONTESTS = sorted({path.parts[-3] for path in SUMMARIES.glob("*/compared/*.orders.csv")})


@pytest.fixture(scope="module")
def plan():
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        yield repository_plan()


def draw(items):
    """One of some items, another for every commit."""
    return items[drawn_number() % len(items)]


@pytest.mark.parametrize("study", STUDIES)
def test_comparisons_follow_from_committed_tables(plan, study, tmp_path):
    contests = study == draw(CONTESTS)  # they take most of the time; an audit makes all
    assert list(comparison_differences(plan, study, tmp_path, contests=contests)) == []


def test_drawn_scores_follow_from_archive(plan, tmp_path):
    study = draw([name for name in STUDIES if name != COMPUTED])
    dataset = draw(sorted({dataset for dataset, _ in plan.sources(study).heads}))
    assert dataset_difference(plan, study, dataset, tmp_path) == "", f"{study}, {dataset}"


@pytest.mark.parametrize("study", STUDIES)
def test_summary_names_the_archive_that_it_rests_on(study):
    words = standing_words(Archive(ROOT / "results/archive"))[study]
    advice = f"snakemake --cores 2 summary --forcerun study_summary --config archive=use studies={study}"
    assert words in (SUMMARIES / study / "README.md").read_text(encoding="utf-8"), advice


def test_other_order_of_rows_is_no_difference_but_a_value_is(tmp_path):
    table = pd.DataFrame({"dataset": ["a", "b"], "score": [0.5, 0.25]})
    for name, content in {"first": table, "second": table[::-1], "third": table.replace(0.25, 0.26)}.items():
        content.to_csv(tmp_path / name, index=False)
    assert table_difference(tmp_path / "first", tmp_path / "second") == ""
    assert "score" in table_difference(tmp_path / "first", tmp_path / "third")
    assert table_difference(tmp_path / "first", tmp_path / "none") == "is committed, but not made"


def test_a_changed_table_of_a_summary_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder, score in (("results/summaries/s", 0.5), ("made", 0.25)):
        (tmp_path / folder / "tables").mkdir(parents=True)
        pd.DataFrame({"score": [score]}).to_csv(tmp_path / folder / "tables/scores.csv")
    for name in ("make_tables", "make_comparisons"):
        monkeypatch.setattr(summaries, name, lambda *arguments: None)
    (line,) = summaries.summary_differences(None, "s", "made")
    assert line.startswith("s/tables/scores.csv: ")


def test_archive_files_match_the_manifest():
    assert len(Archive(ROOT / "results/archive").root_hash()) == 64


def test_published_tables_match_their_sources():
    for folder in sorted((ROOT / "workflow/published").iterdir()):
        sources = yaml.safe_load((folder / "sources.yaml").read_text(encoding="utf-8"))
        assert sorted(sources) == sorted(path.name for path in folder.glob("*.csv"))
        for name, source in sources.items():
            assert source["place"], name
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == source["sha256"], name
