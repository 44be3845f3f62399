"""What is to be committed of a study: complete, small, with its provenance, and not ignored by git."""

import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


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


@pytest.mark.parametrize(
    ("path", "ignored"), [("results/summaries/s/tables/a.csv", False), ("results/s/tables/a.csv", True)]
)
def test_git_tracks_summaries_only(path, ignored):
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    done = subprocess.run(["git", "check-ignore", "-q", path], cwd=ROOT, check=False)
    assert done.returncode == (0 if ignored else 1)
