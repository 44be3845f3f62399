"""What the results page is made of, without a browser."""

import base64
import gzip
import json
import re
import shutil
from argparse import Namespace
from importlib import resources

import pandas as pd
import pytest

from sslrank.benchmark.cli import rerun
from sslrank.benchmark.report.answers import answers
from sslrank.benchmark.report.index import write_index
from sslrank.benchmark.report.page import SCRIPTS, _facts, _findings, page_job
from sslrank.benchmark.report.runs import _sources, failure_line
from sslrank.core.theme import theme_css
from sslrank.plotting import PALETTE

ASSETS = resources.files("sslrank.benchmark.report") / "assets"


def data_of(folder):
    text = (folder / "report.html").read_text(encoding="utf-8")
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])
    packed = re.search(r'<script type="text/plain" id="packed">(.*?)</script>', text, re.DOTALL)[1]
    return text, data | json.loads(gzip.decompress(base64.b64decode(packed)))


def test_page_holds_its_data_and_no_name_ends_it(made_up, odd):
    text, data = data_of(made_up)
    assert text.count("<script") == text.count("</script>") == 4
    assert "<b>bold" not in text
    assert set(odd) < set(data["curves"])
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", text)


def test_a_verdict_names_the_runs_that_it_is_about(made_up):
    """A study that is like another has its verdicts, but other runs."""
    _, data = data_of(made_up)
    (block,) = data["published"]
    assert block["verdict"] == "Same in 1 of 2 cells. (From results/summaries/full, results/summaries/reduced.)"


def test_values_of_curves_are_fold_averages(made_up):
    _, data = data_of(made_up)
    found = data["curves"]["reg"]
    block = next(item for item in found["blocks"] if item["m"] == "rrmse")
    scores = pd.read_csv(made_up / "collected/scores.csv")
    scores = scores[(scores["dataset"] == "reg") & (scores["measure"] == "rrmse")]
    means = scores.groupby(["method", "mode", "L", "k"])["value"].agg(["mean", "sem"])
    for series, values, spreads in zip(found["series"], block["v"], block["s"], strict=True):
        places = [(int(L), k) for L in block["L"] for k in block["k"]]
        expected = [means.loc[(series[0], series[2], *place)] for place in places]
        assert values == pytest.approx([item["mean"] for item in expected], rel=1e-4)
        assert spreads == pytest.approx([item["sem"] for item in expected], rel=0.06)


def board(*rows):
    columns = ["entry", "average_rank", "lower", "upper", "win_rate", "relative"]
    return pd.DataFrame(rows, columns=columns).assign(mode="ssl", task="all", n_datasets=12)


def pair(first, second, p, significant):
    return {"mode": "ssl", "task": "all", "first": first, "second": second, "p_holm": p, "significant": significant}


NAMES = {"a": "Method A", "b": "Method B", "c": "Method C"}


def test_answers_say_who_leads_and_whether_it_matters():
    table = board(("b", 2.0, 1.5, 2.5, 0.2, 0.4), ("a", 1.25, 1.0, 1.5, 0.8, 0.9), ("c", 2.75, 2.5, 3.0, 0.0, 0.1))
    pairs = pd.DataFrame([pair("a", "b", 0.2, False), pair("a", "c", 0.01, True), pair("b", "c", 0.01, True)])
    who, much, matters = answers(table, pairs, NAMES)
    assert who[1] == "Method A"
    assert "1.0 to 1.5" in who[2]
    assert much[1] == "0.75 ranks"
    assert "Method B follows with 2.00" in much[2]
    assert matters[1] == "In part"
    assert "better than Method C; no significant difference to Method B" in matters[2]


def test_one_dataset_is_no_test():
    table = board(("a", 1.0, None, None, 1.0, None), ("b", 2.0, None, None, 0.0, None)).assign(n_datasets=1)
    assert answers(table, pd.DataFrame([pair("a", "b", 1.0, False)]), NAMES)[2][1] == "No test"


@pytest.mark.parametrize(("significant", "word"), [(True, "Significant"), (False, "Not significant")])
def test_answers_of_two(significant, word):
    table = board(("a", 1.0, 1.0, 1.0, 1.0, None), ("b", 2.0, 2.0, 2.0, 0.0, None))
    pairs = pd.DataFrame([pair("a", "b", 0.03, significant)])
    assert answers(table, pairs, NAMES)[2][1] == word


def test_answers_of_a_tie_and_of_one():
    table = board(("a", 1.5, 1.0, 2.0, 0.5, None), ("b", 1.5, 1.0, 2.0, 0.5, None))
    who, much, matters = answers(table, pd.DataFrame(), NAMES)
    assert who[1] == "Method A and Method B tie"
    assert much[1] == "Not at all"
    assert matters[1] == "No test"
    assert answers(table.iloc[:1], pd.DataFrame(), NAMES) is None


@pytest.mark.exhaustive
def test_a_full_study_stays_below_five_megabytes(new_study, tmp_path):
    """33 datasets, 14 rankings in two modes, five L, as ssl-ranking has them; the page has means over the folds."""
    folder = tmp_path / "made-up"
    config = new_study(
        folder,
        datasets={f"dataset number {i}": ("regression", "multitarget")[i % 2] for i in range(33)},
        methods=[f"ranking number {i}" for i in range(11)],
        controls=["random_ranking", "equal_weights", "oracle"],
        budgets=("50", "100", "200", "350", "500"),
        measures=["rrmse"],
        n_folds=3,
        n_features=500,
        tables=("contest_scores", "names", "ssl_minus_sl"),  # the others are small, and take their time
    )
    page_job(folder, folder / "report.html", config=config)
    assert (folder / "report.html").stat().st_size < 5_000_000


def test_the_look_has_a_colour_for_each_of_the_palette():
    for number in range(len(PALETTE)):
        assert len(re.findall(rf"--s{number}: #", theme_css())) == 2


def test_index_leads_to_studies_and_summaries(made_up, tmp_path):
    assert write_index(tmp_path) is None
    assert not (tmp_path / "index.html").exists()
    (tmp_path / "made-up").symlink_to(made_up)
    (tmp_path / "compare").mkdir()
    (tmp_path / "compare/mine").symlink_to(made_up)
    kept = tmp_path / "summaries" / "kept"
    kept.mkdir(parents=True)
    (kept / "README.md").write_text("# Kept\n", encoding="utf-8")
    manifest = json.loads((made_up / "manifest.json").read_text(encoding="utf-8")) | {"study": "kept"}
    manifest["sources"] = [
        {"source": name, "results": n} for name, n in (("run here", 2), ("archive", 3), ("archive", 4))
    ]
    manifest["fits"] = {"ok": 30, "failed": 1, "not run": 12}
    (kept / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    pd.read_csv(made_up / "collected/datasets.csv").to_csv(kept / "datasets.csv", index=False)
    text = write_index(tmp_path).read_text(encoding="utf-8")
    for link in re.findall(r'href="([^"]+)"', text):
        assert (tmp_path / link).is_file()
    links = ["made-up/report.html", "compare/mine/report.html", "summaries/kept/README.md"]
    assert re.findall(r'href="([^"]+)"', text) == links
    assert "<td>mine</td>" in text
    assert "<td>archive: 7, run here: 2</td>" in text
    assert ">31, 1 failed</td>" in text
    assert "7 of 8" in text
    assert "<b>" not in text
    cells = pd.read_csv(made_up / "compared/ssl_minus_sl.agreement.csv").iloc[0]
    assert f"{cells['reproduced']} of {cells['published']}" in text
    assert "FINDINGS.md" not in text
    (tmp_path / "FINDINGS.md").write_text("# Findings\n")
    assert '<a href="FINDINGS.md">' in write_index(tmp_path).read_text(encoding="utf-8")


def test_two_studies_of_one_title_are_told_apart(made_up, tmp_path):
    for name in ("one", "other"):
        (tmp_path / name).symlink_to(made_up)
    text = write_index(tmp_path).read_text(encoding="utf-8")
    assert " (one)</a>" in text
    assert " (other)</a>" in text


def test_scripts_are_short_and_joined_once():
    names = [path.relative_to(ASSETS).as_posix() for path in ASSETS.rglob("*.js")]
    assert sorted(SCRIPTS) == sorted(names)
    assert max(len((ASSETS / name).read_text(encoding="utf-8").splitlines()) for name in names) <= 250


def test_the_page_leads_to_the_findings_beside_it(made_up, tmp_path):
    (tmp_path / "made-up").symlink_to(made_up)
    assert _findings(tmp_path / "made-up", {"published": "made-up"}) == []
    (tmp_path / "findings").mkdir()
    for place in ("FINDINGS.md", "findings/made-up.md"):
        (tmp_path / place).write_text("# Findings\n")
    links = [link for link, _ in _findings(tmp_path / "made-up", {"published": "made-up"})]
    assert links == ["../findings/made-up.md", "../FINDINGS.md"]


def test_sources_count_the_cells_that_were_recomputed(made_up, tmp_path):
    folder = tmp_path / "made-up"
    (folder / "collected").mkdir(parents=True)
    pairs = pd.DataFrame({"dataset": ["reg", "reg2"], "method": "relief", "commit": ["1" * 40, "2" * 40]})
    pairs.to_csv(folder / "collected/sources.csv", index=False)
    source = {"source": "archive", "code": "other", "processor": "any", "instructions": "any"}
    sources = [source | {"commit": "1" * 40, "results": 1}, source | {"commit": "2" * 40, "results": 1}]
    sources.append({"source": "run here", "commit": None, "results": 3})
    manifest = {"study": "made-up", "sources": sources, "experiments": []}
    assert _sources(folder, manifest)["recomputed"].isna().all()
    (tmp_path / "archive").mkdir()
    cells = pd.DataFrame({"study": ["made-up", "made-up", "another"], "dataset": "reg", "method": "relief"})
    cells = cells.assign(experiment=None, verdict=["equal bits", "other ranking", "equal bits"])
    cells.to_csv(tmp_path / "archive/verified.csv", index=False)
    table = _sources(folder, manifest)
    assert table["recomputed"].fillna("").to_list() == ["2 cells: 1 equal bits, 1 other ranking", "", ""]
    assert table["code"].fillna("").to_list() == ["earlier", "earlier", ""]


@pytest.mark.parametrize(
    ("run", "filtered", "line"),
    [
        ({}, False, "snakemake --cores all s"),
        ({"configfiles": ["my.yaml"]}, False, "snakemake --cores all s --configfile my.yaml"),
        ({"snakefile": "../repo/Snakefile"}, False, "snakemake --snakefile ../repo/Snakefile --cores all s"),
        ({"archive": "use"}, True, "snakemake --cores all s --config datasets=a methods=m,c"),
    ],
)
def test_rerun_prints_the_command_of_the_last_run(tmp_path, monkeypatch, capsys, run, filtered, line):
    folder = tmp_path / "results/s"
    (folder / "rankings/a/m").mkdir(parents=True)
    (folder / "rankings/a/m/L10.parquet").touch()
    config = {"name": "s", "datasets": ["a"], "methods": ["m"], "controls": ["c"], "filtered": filtered}
    (folder / "manifest.json").write_text(json.dumps(run | {"config": config}))
    rerun(Namespace(study=folder, dataset="*", method="*", L="*", failed=False))
    assert capsys.readouterr().out == f"deleted 1 ranking; now run in {tmp_path}: {line}\n"
    monkeypatch.chdir(tmp_path)
    (folder / "rankings/a/m/L10.parquet").touch()
    rerun(Namespace(study=folder, dataset="*", method="*", L="*", failed=False))
    assert capsys.readouterr().out == f"deleted 1 ranking; now run: {line}\n"


def test_index_has_pages_that_were_only_read_from_the_archive_apart(made_up, tmp_path):
    for name, source in (("archived", "archive"), ("ran", "run here")):
        shutil.copytree(made_up, tmp_path / name)
        manifest = json.loads((tmp_path / name / "manifest.json").read_text(encoding="utf-8"))
        manifest["sources"][0]["source"] = source
        (tmp_path / name / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    text = write_index(tmp_path).read_text(encoding="utf-8")
    ran, archived = text.split("<h2>From the archive</h2>")
    assert 'href="ran/report.html"' in ran.partition("<h2>Run here</h2>")[2]
    assert 'href="archived/report.html"' in archived
    assert "archived/report.html" not in ran


def test_failures_are_words_on_the_page_and_on_the_terminal(made_up):
    page = (made_up / "report.html").read_text(encoding="utf-8")
    assert re.search(r'<p class="alarm"><strong>1 of \d+ fits failed</strong> \(random_forest\)', page)
    line = failure_line(made_up)
    assert line.startswith("made-up: 1 of ")
    assert f"again: sslrank rerun {made_up} --failed\n" in line
    assert failure_line(made_up / "none") == ""


@pytest.mark.parametrize("manifest", ["", "{", "[]", '{"study": "old", "config": {"title": ""}}'])
def test_index_bears_a_study_whose_files_are_damaged_or_old(made_up, tmp_path, manifest):
    (tmp_path / "made-up").symlink_to(made_up)
    (tmp_path / "old").mkdir()
    (tmp_path / "old/report.html").write_text("")
    (tmp_path / "old/manifest.json").write_text(manifest)
    text = write_index(tmp_path).read_text(encoding="utf-8")
    assert re.findall(r'href="([^"]+)"', text) == ["old/report.html", "made-up/report.html"]
    assert text.count("its files cannot be read (") == 1


def test_the_page_says_where_rankings_saw_the_rows_that_judge_them():
    datasets = pd.DataFrame({"available": [True], "task": ["regression"]})
    manifest = {"fits": {"ok": 3}, "commit": None, "finished": "2024-01-01"}

    def facts(scheme):
        config = {"methods": ["a"], "controls": [], "splits": {"scheme": scheme, "folds": 5, "L": ["all"]}}
        return _facts(config, datasets, manifest)

    assert "whole-dataset: ranked and judged on the same rows" in facts("whole-dataset")
    assert "cross-validation, 5 folds" in facts("cross-validation")
