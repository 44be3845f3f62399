"""What the results page is made of, without a browser."""

import json
import re
from argparse import Namespace
from html import escape, unescape
from types import SimpleNamespace

import pandas as pd
import pytest

from sslrank.benchmark.cli import rerun
from sslrank.benchmark.report.answers import answers
from sslrank.benchmark.report.context import Context
from sslrank.benchmark.report.index import write_index
from sslrank.benchmark.report.other_views import _published
from sslrank.benchmark.report.overview import overview, wide
from sslrank.benchmark.report.page import _facts, _findings
from sslrank.benchmark.report.runs import failure_line


def page_of(folder):
    return (folder / "report.html").read_text(encoding="utf-8")


def rows_of(text, caption):
    """The cells of a table of a page as texts, its head first."""
    table = re.search(rf'aria-label="{re.escape(caption)}">(<table>.*?</table>)', text, re.DOTALL)[1]
    rows = re.split("<tr[^>]*>", table)[1:]
    plain = [re.sub("<small>.*?</small>", "", row) for row in rows]
    return [[unescape(re.sub("<[^>]+>", "", cell)) for cell in re.split("</t[dh]>", row)[:-1]] for row in plain]


def test_names_are_escaped(study_folder, odd_names):
    text = page_of(study_folder)
    assert text.count("<script") == text.count("</script>") == 1
    assert "<b>" not in text
    assert all(escape(name) in text for name in odd_names)
    assert not re.search(r"""src=["'](?:https?:)?//""", text)


def test_verdict_names_its_runs(study_folder):
    """A study that is like another has its verdicts, but other runs."""
    said = "Same in 1 of 2 cells. (From results/summaries/full, results/summaries/reduced.)"
    assert f"<strong>Verdict.</strong> {said}" in page_of(study_folder)


def names_of(folder):
    """Names of entries in files by what people call them."""
    names = pd.read_csv(folder / "tables/names.csv")
    names = names[names["kind"] == "entry"]
    return dict(zip(names["title"], names["name"], strict=True))


def part_of(text, value):
    """A page from the part that is chosen by a value on."""
    return text[text.index(f'<section class="part" data-value="{value}"') :]


def test_page_numbers_equal_the_tables(study_folder):
    text = part_of(page_of(study_folder), "sl-regression")
    board = pd.read_csv(study_folder / "tables/leaderboard.csv")
    board = board[(board["mode"] == "sl") & (board["task"] == "regression")]
    shown = rows_of(text, "Leaderboard")
    assert shown[0][:2] == ["ranking", "average rank"]
    assert [row[1] for row in shown[1:]] == ["" if pd.isna(rank) else f"{rank:.2f}" for rank in board["average_rank"]]
    scores = pd.read_csv(study_folder / "tables/contest_scores.csv")
    scores = scores[(scores["mode"] == "sl") & (scores["task"] == "regression")]
    wide, names = scores.pivot(index="dataset", columns="entry", values="score"), names_of(study_folder)
    marked = scores[scores["better_than_random"].eq(False)].set_index(["dataset", "entry"]).index
    assert len(marked)
    shown = rows_of(text, "Scores, dataset by dataset")
    for row in shown[1:]:
        for name, cell in list(zip(shown[0], row, strict=True))[1:]:
            mark = " °" if (row[0], names[name]) in marked else ""
            assert cell == f"{wide.loc[row[0], names[name]]:.3f}{mark}"


def test_published_values_are_shown_next_to_ours(study_folder):
    shown = rows_of(page_of(study_folder), "Published and reproduced, value by value")
    cells = pd.read_csv(study_folder / "compared/ssl_minus_sl.csv").sort_values(
        "reproduced", key=pd.Series.isna, kind="stable"
    )
    assert len(shown) == len(cells) + 1 > 2
    for row, cell in zip(shown[1:], cells.itertuples(), strict=True):
        said = dict(zip(shown[0], row, strict=True))
        values = {"published": cell.published, "reproduced": cell.reproduced, "difference": cell.difference}
        for name, value in values.items():
            assert float(said[name].replace("\u2212", "-") or "nan") == pytest.approx(value, abs=6e-4, nan_ok=True)


@pytest.mark.parametrize("is_filtered", [False, True])
def test_ranks_of_a_part_of_a_study_are_not_compared(tmp_path, is_filtered):
    (tmp_path / "compared").mkdir()
    for end in ("", ".agreement"):
        columns = {"quantity": ["average_rank"], "published": 2.31, "reproduced": 1.0}
        pd.DataFrame(columns).to_csv(tmp_path / f"compared/ranks{end}.csv", index=False)
    html = _published(Context(tmp_path, {"filtered": is_filtered}), "ranks", {"title": "Ranks", "note": ""}, "")
    assert ("Ranks and shares of a part of the study are not comparable" in html) == is_filtered
    assert ("average rank" in html) != is_filtered


def test_curves_and_features_are_averaged_over_folds(study_folder):
    text = part_of(page_of(study_folder), "reg")
    scores = pd.read_csv(study_folder / "collected/scores.csv")
    part = scores[(scores["dataset"] == "reg") & (scores["k"] == 20)]
    means = part[part["mode"] == "ssl"].groupby(["method", "L"])["value"].mean()
    caption = "Root relative squared error on reg over labelled examples L: the values"
    shown = rows_of(text[text.index("k = 20") :], caption)
    at = shown[0].index("SSL-Relief, SSL")
    assert [(int(row[0]), row[at]) for row in shown[1:]] == [(L, f"{means['relief', L]:.3f}") for L in (50, 200)]
    names = names_of(study_folder)
    heads = [head.removesuffix(", SSL") for head in shown[0] if head.endswith(", SSL")]
    assert means.xs(200, level="L")[[names[head] for head in heads[:4]]].is_monotonic_decreasing  # controls follow
    table = pd.read_parquet(study_folder / "collected/features.parquet")
    table = table[(table["dataset"] == "reg") & (table["L"] == "200") & (table["mode"] == "ssl")]
    ranks = table.pivot(index="feature", columns="method", values="mean_rank")
    shown = rows_of(text, "Ranks of the best features")
    assert len(shown) == 16
    sums = ranks[[names[head] for head in heads[:4]]].fillna(31).sum(axis=1)
    assert [sums[row[0]] for row in shown[1:]] == sorted(sums)[:15]
    for row in shown[1:]:
        for name, cell in list(zip(shown[0], row, strict=True))[1:]:
            rank = ranks.loc[row[0], names[name]]
            assert cell == ("" if pd.isna(rank) else f"{rank:.1f}")


def test_lowest_error_is_bold(tmp_path):
    cells = pd.DataFrame({"dataset": "d", "entry": ["genie3", "relief"], "score": [0.1, 0.2], "measure": "rrmse"})
    context = Context(tmp_path, {"titles": {}})
    html = wide(context, cells, ["dataset"], "entry", "score", ["genie3", "relief"], "Scores")
    assert re.findall('number best"[^>]*>([^<]*)', html) == ["0.100"]


def test_page_of_one_ranking_says_only_what_it_has(tmp_path, new_study):
    config = new_study(tmp_path / "s", datasets={"d": "classification"}, methods=["relief"], controls=[], n_folds=3)
    assert '</div><p class="soft">Mean rank over the datasets; 1 is the best. Wins: ' in overview(
        Context(tmp_path / "s", config)
    )


def board(*rows):
    columns = ["entry", "average_rank", "lower", "upper", "win_rate", "relative"]
    return pd.DataFrame(rows, columns=columns).assign(mode="ssl", task="all", n_datasets=12)


def pair(first, second, p, significant):
    names = {"mode": "ssl", "task": "all", "first": first, "second": second}
    return names | {"p_holm": p, "significant": significant, "low": None}


NAMES = {"a": "Method A", "b": "Method B", "c": "Method C"}


def test_answers_name_the_leader_and_its_significance():
    table = board(("b", 2.0, 1.5, 2.5, 0.2, 0.4), ("a", 1.25, 1.0, 1.5, 0.8, 0.9), ("c", 2.75, 2.5, 3.0, 0.0, 0.1))
    pairs = pd.DataFrame([pair("a", "b", 0.2, False), pair("a", "c", 0.01, True), pair("b", "c", 0.01, True)])
    who, much, matters = answers(table, pairs, NAMES)
    assert who[1] == "Method A"
    assert "1.0 to 1.5" in who[2]
    assert much[1] == "0.75 ranks"
    assert "Method B follows with 2.00" in much[2]
    assert matters[1] == "In part"
    assert "better than Method C; no significant difference from Method B" in matters[2]
    for significant, word in ((True, "Significant"), (False, "Not significant")):
        assert answers(table, pairs.assign(significant=significant), NAMES)[2][1] == word


def test_answer_for_one_dataset_uses_its_scores():
    table = board(("a", 1.0, None, None, 1.0, None), ("b", 2.0, None, None, 0.0, None)).assign(n_datasets=1)
    scores = pd.DataFrame({"entry": ["b", "a"], "score": [0.7, 0.75], "counts": True, "dataset": "one"})
    scores = scores.assign(standard_error=0.01, better_than_random=[False, True])
    who, much, matters = answers(table, pd.DataFrame([pair("a", "b", 1.0, False)]), NAMES, scores)
    assert (who[1], much[1], matters[1]) == ("Method A", "0.050", "1 of 2 beat random")
    assert "Score 0.750 on one (standard error over the folds 0.010), among 2 rankings." in who[2]
    assert "Method B follows with 0.700" in much[2]
    assert "better than a random ranking: Method A (" in matters[2]
    repeated = pd.DataFrame([pair("a", "b", 0.01, True) | {"low": 0.02}])
    assert answers(table, repeated, NAMES, scores)[2][1] == "Significant"


def test_answers_for_a_tie_and_a_single_ranking():
    table = board(("a", 1.5, 1.0, 2.0, 0.5, None), ("b", 1.5, 1.0, 2.0, 0.5, None))
    who, much, matters = answers(table, pd.DataFrame(), NAMES)
    assert who[1] == "Method A and Method B tie"
    assert much[1] == "Not at all"
    assert matters[1] == "No test"
    assert answers(table.iloc[:1], pd.DataFrame(), NAMES) is None


def test_index_links_to_studies_and_summaries(study_folder, tmp_path):
    assert write_index(tmp_path) is None
    assert not (tmp_path / "index.html").exists()
    (tmp_path / "made-up").symlink_to(study_folder)
    (tmp_path / "compare").mkdir()
    (tmp_path / "compare/mine").symlink_to(study_folder)
    kept = tmp_path / "summaries/kept"
    kept.mkdir(parents=True)
    (kept / "README.md").touch()
    manifest = json.loads((study_folder / "manifest.json").read_text(encoding="utf-8"))
    sources = [{"source": name, "results": 2} for name in ("run here", "archive", "archive")]
    (kept / "manifest.json").write_text(
        json.dumps(manifest | {"sources": sources, "fits": {"ok": 8, "failed": 2}}), encoding="utf-8"
    )
    text = write_index(tmp_path).read_text(encoding="utf-8")
    for link in re.findall(r'href="([^"]+)"', text):
        assert (tmp_path / link).is_file()
    links = ["made-up/report.html", "compare/mine/report.html", "summaries/kept/README.md"]
    assert re.findall(r'href="([^"]+)"', text) == links
    assert ">mine</a>" in text
    head, row = rows_of(text, "Summaries")
    shown = dict(zip(head, row, strict=True))
    assert (shown["failed fits"], shown["results from"]) == ("2", "run here, archive")
    assert "<b>" not in text
    assert "FINDINGS.md" not in text
    (tmp_path / "FINDINGS.md").write_text("# Findings\n")
    assert '<a href="FINDINGS.md">' in write_index(tmp_path).read_text(encoding="utf-8")


def test_page_links_to_findings(study_folder, tmp_path):
    (tmp_path / "made-up").symlink_to(study_folder)
    context = Context(tmp_path / "made-up", {"published": "made-up"})
    assert _findings(context) == []
    (tmp_path / "FINDINGS.md").touch()
    assert _findings(context) == [("../FINDINGS.md", "What we found in all studies")]


def test_rerun_prints_command_of_the_last_run(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "results/s"
    (folder / "rankings/a").mkdir(parents=True)
    run = {"configfiles": ["my.yaml"], "snakefile": "../repo/Snakefile", "archive": "use"}
    config = {"name": "s", "datasets": ["a"], "methods": ["m"], "controls": ["c"], "filtered": True}
    (folder / "manifest.json").write_text(json.dumps(run | {"config": config}))
    line = "snakemake --snakefile ../repo/Snakefile --cores all s --configfile my.yaml --config datasets=a methods=m,c"
    for where in (f" in {tmp_path}", ""):
        status = "L,mode,fold,status,seconds,message,details\n10,ssl,0,failed,1.0,no,{}\n"
        (folder / "rankings/a/m.status.csv").write_text(status)
        pd.DataFrame({"L": [], "fold": [], "mode": []}).to_parquet(folder / "rankings/a/m.parquet")
        rerun(Namespace(study=folder, dataset=None, method=None, L=None, failed=True))
        assert capsys.readouterr().out == f"deleted 1 fit; now run{where}: {line}\n"
        monkeypatch.chdir(tmp_path)


def test_failures_are_described_on_page_and_terminal(study_folder):
    page = (study_folder / "report.html").read_text(encoding="utf-8")
    assert re.search(r'<p class="alarm"><strong>1 of \d+ fits failed</strong> \(random_forest\)', page)
    line = failure_line(study_folder)
    assert line.startswith("made-up: 1 of ")
    assert f"again: sslrank rerun {study_folder} --failed\n" in line
    assert failure_line(study_folder / "none") == ""


@pytest.mark.parametrize("manifest", ["", "{", "[]", '{"study": "old", "config": {"title": ""}}'])
def test_index_tolerates_damaged_or_old_studies(study_folder, tmp_path, manifest):
    (tmp_path / "made-up").symlink_to(study_folder)
    (tmp_path / "old").mkdir()
    (tmp_path / "old/report.html").write_text("")
    (tmp_path / "old/manifest.json").write_text(manifest)
    text = write_index(tmp_path).read_text(encoding="utf-8")
    assert re.findall(r'href="([^"]+)"', text) == ["made-up/report.html", "old/report.html"]
    assert text.count("its files cannot be read (") == 1


def test_page_marks_rankings_evaluated_on_their_own_rows():
    study = SimpleNamespace(datasets=pd.DataFrame({"available": [True], "task": ["regression"]}))
    manifest = {"fits": {"ok": 3}, "commit": None, "finished": "2024-01-01"}

    def facts(scheme):
        config = {"methods": ["a"], "controls": [], "splits": {"scheme": scheme, "folds": 5, "L": ["all"]}}
        return _facts(SimpleNamespace(config=config, study=study, manifest=manifest))

    assert "whole-dataset: ranked and evaluated on all rows" in facts("whole-dataset")
    assert "cross-validation, 5 folds" in facts("cross-validation")
