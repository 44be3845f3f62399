"""The LaTeX files of a study's leaderboard and pairs."""

import pandas as pd

from sslrank.benchmark.steps import tables
from sslrank.benchmark.steps.tables import LATEX, write_tables


def test_leaderboard_and_pairs_are_written_as_latex(tmp_path, monkeypatch):
    rows = {"task": ["a_b", "c"], "mode": "ssl", "entry": ["50%", "x_y"], "average_rank": [-1.23456, None]}
    frame = pd.DataFrame(rows).reindex(columns=list(dict.fromkeys([*LATEX["leaderboard"], *LATEX["pairs"]])))
    monkeypatch.setattr(tables, "_computed_table", lambda data, block: frame)
    write_tables(None, tmp_path, {name: {} for name in ("leaderboard", "pairs", "names")})
    assert {path.name for path in tmp_path.glob("*.tex")} == {"leaderboard.tex", "pairs.tex"}
    text = (tmp_path / "leaderboard.tex").read_text()
    assert "50\\% & $-$1.23 \\\\" in text  # without columns that are empty
    assert "task & entry & average rank" in text  # all rows have the same mode
    assert "x\\_y" in text
    assert "nan" not in text.lower()
