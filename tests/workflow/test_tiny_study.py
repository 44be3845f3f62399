"""One study from download to page, what of it can be committed, and what is re-run after a change."""

import json
import re
import shutil
import subprocess
from copy import deepcopy

import pandas as pd
import pytest

from repository import ROOT
from sslrank.benchmark.files import SCORE_COLUMNS as COLUMNS
from sslrank.benchmark.report.page import page_command
from sslrank.cli import main

RESULTS = "results/tiny"


def read(runner, path):
    return pd.read_csv(runner.folder / RESULTS / path, dtype={"L": str})


def test_awk_ranking_equals_variance(tiny):
    table = pd.read_parquet(tiny.folder / RESULTS / "rankings/tiny/variance.parquet").query("L == '10'")
    data = pd.read_csv(tiny.folder / RESULTS / "exchange/tiny/L10-csv/fold1.csv")
    for mode, rows in (("ssl", data), ("sl", data.dropna(subset="target"))):
        part = table[(table["fold"] == 1) & (table["mode"] == mode)].set_index("feature")["importance"]
        column = rows["b, with comma"]
        expected = column.var(ddof=0) / (column.max() - column.min()) ** 2
        assert part["b, with comma"] == pytest.approx(expected, rel=1e-12)
        gini = 1 - (rows["colour"].value_counts(normalize=True) ** 2).sum()
        assert part["colour"] == pytest.approx(gini, rel=1e-12)


def test_files_of_a_run_are_listed(tiny):
    """Every file matches a line of results/README.md, and the lines that no small study shows are few."""
    listed = re.findall(r"^    (\S.*?)  ", (ROOT / "results/README.md").read_text(encoding="utf-8"), re.MULTILINE)
    listed = {part: re.sub(r"<\w+>", "[^/]+", part) for line in listed for part in line.split(", ")}
    patterns = {part: pattern + ".*" if part.endswith("/") else pattern for part, pattern in listed.items()}
    folder = tiny.folder / "results"
    written = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name[0] != "."]
    matched = {file: {part for part, pattern in patterns.items() if re.fullmatch(pattern, file)} for file in written}
    assert not [file for file, parts in matched.items() if not parts]
    tables = [file for file in written if file.endswith(".csv")]
    assert not [file for file in tables if (folder / file).read_text(encoding="utf-8").startswith(",")]  # row numbers
    absent = set(patterns) - set().union(*matched.values())
    elsewhere = {"shared", "experiments", "compared", "published_figures", "summaries"}
    elsewhere |= {"archive", "archived.csv", "audit.md", "compare", "evaluated", "experiment_parts"}
    elsewhere |= {"verified.csv"}
    assert {part.removeprefix("<study>/").partition("/")[0] for part in absent} <= elsewhere


def test_failures_are_status_rows_and_valid_tables(tiny):
    status = pd.read_csv(tiny.folder / RESULTS / "rankings/tiny/broken.status.csv")
    status = status.set_index("mode")
    assert set(status.loc["ssl", "status"]) == {"failed"}
    assert status.loc["ssl", "message"].str.contains("broken on purpose").all()
    assert set(status.loc["sl", "status"]) == {"unsupported"}  # it has no parameter `supervised`
    empty = pd.read_parquet(tiny.folder / RESULTS / "rankings/tiny/broken.parquet")
    assert len(empty) == 0
    assert list(empty.columns) == ["L", "mode", "fold", "ranking", "feature", "importance"]


def test_scores_are_tidy_and_complete(tiny):
    scores = read(tiny, "collected/scores.csv")
    assert list(scores.columns) == COLUMNS
    assert set(scores["method"]) == {"laplacian", "variance", "forest"}
    variance = scores[scores["method"] == "variance"]
    assert len(variance) == 2 * 2 * 2 * 2  # modes, folds, L, k
    assert set(variance["k"]) == {3, 5}
    assert variance["value"].between(0, 1).all()
    # 40 labels were asked for, and each training set has 30 rows.
    assert set(scores.loc[scores["L"] == "40", "n_labeled"]) == {30}


def test_tables_and_figures_are_complete(tiny):
    folder = tiny.folder / RESULTS
    delta = read(tiny, "tables/ssl_minus_sl.csv")
    # The Laplacian score has no supervised counterpart.
    assert set(delta["ranking"]) == {"variance", "genie3", "random_forest"}
    assert (folder / "figures/curves/tiny-k3.svg").stat().st_size > 1000
    assert "two datasets" in read(tiny, "tables/friedman.csv")["note"].iloc[0]


def test_page_is_self_contained_and_described(tiny):
    text = (tiny.folder / RESULTS / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"""src=["'](?:https?:)?//""", text)
    assert "@import" not in text
    for expected in ("ranker is broken on purpose", "does not support targets", "its files are lost", "A tiny study"):
        assert expected in text, expected


def test_manifest_records_provenance(tiny):
    manifest = json.loads((tiny.folder / RESULTS / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["study"] == "tiny"
    assert manifest["versions"]["numpy"]
    assert manifest["config"]["splits"]["L"] == ["10", "40"]
    assert manifest["fits"] == {"ok": 20, "failed": 4, "unsupported": 16}
    assert manifest["job_hours"]["ranking"] > 0


def test_finished_run_has_nothing_to_do(tiny):
    assert "Nothing to be done" in tiny("-n")


def test_changed_method_reruns_itself_and_comparisons(tiny):
    config = deepcopy(tiny.config)
    config["own"]["studies"]["tiny"]["methods"].append("relief")
    config["own"]["studies"]["tiny"]["params"] = {"variance": {"scale": "none"}}
    tiny.write(config)
    try:
        jobs = tiny.planned()
    finally:
        tiny.write(tiny.config)
    assert (jobs["rank"], jobs["variance"], jobs["score"]) == (1, 2, 2)
    assert not {"download", "prepare", "splits", "export"} & set(jobs)
    assert {"collect", "tables", "figures", "page"} <= set(jobs)


def test_summary_has_tables_and_their_provenance(tiny):
    tiny("--cores", 1, "summary", "--config", "studies=tiny", "--configfile", tiny.config_file)
    folder = tiny.folder / "results/summaries/tiny"
    for name in ("tables/ssl_minus_sl.csv", "datasets.csv", "seconds.csv", "jobs.csv"):
        assert (folder / name).is_file(), name
    assert not (folder / "figures").exists()  # no page links to a picture
    assert "this ranker is broken on purpose" in (folder / "failures.csv").read_text(encoding="utf-8")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["command"].startswith("snakemake --directory")
    assert (tiny.folder / manifest["snakefile"]).resolve() == ROOT / "Snakefile"
    assert f"`{manifest['command']}`" in (folder / "README.md").read_text(encoding="utf-8")
    assert not list(folder.rglob("*.parquet"))
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 300_000


def test_git_tracks_summaries_only():
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    paths = ["results/summaries/s/tables/a.csv", "results/s/tables/a.csv"]
    done = subprocess.run(["git", "check-ignore", *paths], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == paths[1:]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--dataset", "tiny"], {"rank": 4, "import_rankings": 1, "variance": 2, "score": 5}),
        (["--dataset", "tiny", "--method", "forest", "--L", "10"], {"rank": 1, "score": 1}),
    ],
)
def test_rerun_selects_dataset_method_or_budget(tiny_copy, tmp_path, options, expected):
    assert main(["rerun", str(tmp_path / RESULTS), *options]) == 0
    jobs = tiny_copy.planned("tiny", "--rerun-triggers", "mtime")
    assert {name: jobs.get(name) for name in expected} == expected
    assert {"collect", "tables", "page"} <= set(jobs)
    assert not {"download", "prepare", "splits"} & set(jobs)


def test_rerun_lists_existing_rankings(tmp_path, capsys):
    status = tmp_path / "rankings/digits/forest.status.csv"
    status.parent.mkdir(parents=True)
    status.write_text("L,mode,fold,status,seconds,message,details\n10,ssl,0,ok,1.0,,{}\n")
    assert main(["rerun", str(tmp_path / "demmo")]) == 1
    assert "demmo: there is no such folder" in capsys.readouterr().err
    assert main(["rerun", str(tmp_path), "--method", "forrest"]) == 1
    assert "has no rankings of method forrest; it has: forest" in capsys.readouterr().err
    assert main(["rerun", str(tmp_path), "--L", "1"]) == 1
    assert "has no rankings of L 1; it has: 10" in capsys.readouterr().err
    assert main(["rerun", str(tmp_path)]) == 1
    assert "by --failed, --dataset, --method or --L" in capsys.readouterr().err


def test_rerun_keeps_other_fits_bit_for_bit(tiny_copy, tmp_path):
    ranking = tmp_path / RESULTS / "rankings/tiny/forest.parquet"
    before = ranking.read_bytes()
    assert main(["rerun", str(tmp_path / RESULTS), "--method", "forest", "--L", "10"]) == 0
    tiny_copy("--cores", 1, f"{RESULTS}/rankings/tiny/forest.parquet", "--rerun-triggers", "mtime")
    assert ranking.read_bytes() == before
    log = (tmp_path / RESULTS / "logs/rankings/tiny/forest.log").read_text(encoding="utf-8")
    assert "reusing 4 results of this job" in log


def test_page_command_of_a_whole_study():
    whole = {"name": "tiny", "filtered": False, "datasets": ["a", "b"], "methods": ["m"], "controls": ["c"]}
    assert page_command({"config": whole}) == "snakemake --cores all tiny"
    assert page_command({"config": whole, "archive": "use"}).endswith("tiny --config archive=use")
    assert page_command({"config": whole, "command": "sslrank compare a.csv"}) == "sslrank compare a.csv"


def test_command_methods_run_fail_and_time_out(new_runner, copy_checkout, config, tmp_path):
    """The template, copied and renamed as its README says, gives a ranking; other commands fail or time out.

    A copy that is not renamed stops the run, also where results are there, which Snakemake would take then.
    """
    root = copy_checkout(tmp_path / "checkout")
    methods = root / "workflow/rules/methods"
    shutil.copytree(methods / "_template", methods / "mymethod")  # the README's first step
    shutil.copytree(methods / "variance", methods / "endless")
    rule = methods / "endless/rule.smk"
    rule.write_text(rule.read_text(encoding="utf-8").replace("variance", "endless"), encoding="utf-8")
    (methods / "endless/variance.awk").rename(methods / "endless/endless.awk")
    (methods / "endless/endless.awk").write_text("BEGIN { while (1) {} }\n")
    (methods / "variance/variance.awk").write_text("BEGIN { print (1 \n")
    config["own"]["methods"] |= {"mine": {"rule": "mymethod", "params": {"value": 2.5}}, "endless": {"rule": "endless"}}
    config["own"]["studies"]["tiny"] |= {"methods": ["mine", "variance", "endless"], "modes": ["ssl"]}
    config["limits"] = {"fit": "1s"}
    runner = new_runner(tmp_path, root)
    runner.write(config)
    folder = f"{RESULTS}/rankings/tiny"
    runner("--cores", 2, *(f"{folder}/{name}.parquet" for name in ("mine", "variance", "endless")))
    table = pd.read_parquet(tmp_path / folder / "mine.parquet")
    assert set(table["importance"]) == {2.5}
    assert len(table) == 2 * 2 * 4
    failed, ended = (pd.read_csv(tmp_path / folder / f"{name}.status.csv") for name in ("variance", "endless"))
    assert set(failed["status"]) == {"failed"}
    assert failed["message"].str.contains("failed with exit code [1-9]").all()
    assert set(ended["status"]) == {"timeout"}
    assert ended["message"].str.contains("limits: fit").all()
    shutil.copytree(methods / "_template", methods / "copied")
    message = "methods/copied/rule.smk: its wildcard_constraints must name 'copied'"
    assert message in runner("-n", ok=False)


def test_own_file_edit_rebuilds_its_dataset(fresh, config, tmp_path):
    own = tmp_path / "own.csv"
    shutil.copy(tmp_path / "mirror/tiny/tiny.csv", own)
    config["data"]["files"] = {"tiny": str(own)}
    fresh.write(config)
    table = "results/data/tiny/table.parquet"
    fresh("--cores", 1, table)
    own.touch()
    assert fresh.planned(table) == {}
    text = own.read_text(encoding="utf-8")
    own.write_text(text.replace(",yes\n", ",no\n", 1), encoding="utf-8")
    assert fresh.planned(table) == {"download": 1, "prepare": 1, "total": 2}
