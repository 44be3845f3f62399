"""Rankings from outside: what is accepted, and what becomes a status row."""

import numpy as np
import pandas as pd
import pytest

from sslrank.benchmark.steps.export import ExportJob, export_job
from sslrank.benchmark.steps.import_rankings import ImportJob, import_rankings_job, import_scores
from sslrank.core.errors import DataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.folds import Splits
from sslrank.model_selection.splits import make_splits

HEADER = "mode,fold,ranking,feature,importance\n"


@pytest.fixture
def prepared(tmp_path):
    X = pd.DataFrame({"a": np.arange(12.0), "b": np.arange(12.0) ** 2})
    dataset = Dataset("d", "regression", X, np.arange(12.0), ["y"])
    dataset.save(tmp_path / "data")
    splits = make_splits(dataset.y, task="regression", dataset="d", scheme="cross-validation", folds=2, budgets=["4"])
    splits.save(tmp_path / "splits.json")
    (tmp_path / "benchmark.tsv").write_text("s\th:m:s\n8.0\t0:00:08\n")
    return tmp_path


def run(folder, text, modes=("ssl",)):
    (folder / "found.csv").write_text(text, encoding="utf-8")
    files = (folder / "m.parquet", folder / "m.status.csv")
    common = {"header": folder / "data/header.json", "splits": folder / "splits.json", "modes": modes}
    sources = {"sources": [folder / "found.csv"], "benchmarks": [folder / "benchmark.tsv"], "budgets": ["4"]}
    import_rankings_job(ImportJob(**common, **sources, rankings=files[0], status=files[1]))
    return pd.read_parquet(files[0]), pd.read_csv(files[1])


def test_valid_rankings_are_imported(prepared):
    rows = "".join(f"{m},{f},r,{x},{i}\n" for m in ("ssl", "sl") for f in (0, 1) for x, i in (("a", 1), ("b", 2)))
    table, status = run(prepared, HEADER + rows, ("ssl", "sl"))
    assert len(table) == 8
    assert set(status["status"]) == {"ok"}
    assert set(status["seconds"]) == {2.0}  # 8 s over two folds and modes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("failed:\nawk: no such thing\n", "it starts with: failed:"),
        (HEADER, "has no line below the header"),
        (HEADER + "ssl,0,r,a,1\nssl,1,r,a,x\n", "line 3, column 'importance': found 'x', expected a finite number"),
        (HEADER + "ssl,0,r,a,inf\n", "line 2, column 'importance': found 'inf', expected a finite number"),
        (HEADER + "both,0,r,a,1\n", "mode 'both'"),
        (HEADER + "ssl,0,r,a,1\nssl,1,r,a,1\n", "lacks the feature 'b'"),
        (HEADER + "ssl,0,r,a,1\nssl,0,r,a,1\nssl,0,r,b,1\n", "a feature twice"),
        (HEADER + "ssl,0,r,a,1\nssl,0,r,b,1\nssl,0,r,c,1\n", "unknown feature 'c'"),
    ],
)
def test_bad_rankings_become_status_rows(prepared, text, message):
    table, status = run(prepared, text)
    assert len(table) == 0
    assert list(table.columns) == ["L", "mode", "fold", "ranking", "feature", "importance"]
    assert set(status["status"]) == {"failed"}
    assert message in status["message"].iloc[0]


def test_ended_command_is_a_timeout(prepared):
    table, status = run(prepared, "failed with exit code 124:\n")
    assert len(table) == 0
    assert set(status["status"]) == {"timeout"}
    assert "limits: fit" in status["message"].iloc[0]
    assert set(status["seconds"]) == {4.0}


def test_invalid_fold_keeps_the_others(prepared):
    table, status = run(prepared, HEADER + "ssl,0,r,a,1\nssl,0,r,b,2\nssl,1,r,a,1\n")
    assert len(table) == 2
    assert status.set_index("fold")["status"].to_dict() == {0: "ok", 1: "failed"}


def test_export_writes_rows_and_labels(prepared):
    files = {"header": prepared / "data/header.json", "splits": prepared / "splits.json"}
    export_job(ExportJob(**files, L="4", exported=prepared / "out"))
    assert sorted(path.name for path in (prepared / "out").iterdir()) == ["about.json", "fold0.csv", "fold1.csv"]
    dataset, splits = Dataset.load(prepared / "data"), Splits.load(prepared / "splits.json")
    for fold in splits.folds:
        table = pd.read_csv(prepared / f"out/fold{fold.fold}.csv")
        assert list(table.columns) == [*dataset.X.columns, *dataset.target_columns]
        np.testing.assert_array_equal(table[list(dataset.X.columns)], dataset.X.iloc[fold.train])
        shown = table[dataset.target_columns[0]]
        is_labeled = np.isin(fold.train, fold.labeled["4"])
        assert (shown.notna() == is_labeled).all()
        assert shown[is_labeled].astype(str).tolist() == [str(dataset.y[row]) for row in fold.train[is_labeled]]


RANKED = HEADER + "ssl,0,r,a,1\nssl,0,r,b,2\nssl,1,r,a,1\nssl,1,r,b,1\n"
SCORES = "L,fold,mode,ranking,measure,k,value\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("failed with exit code 1:\n", "has no column 'L'; it starts with: failed with exit code 1:"),
        (SCORES + "4,0,ssl,r,m,x,1\n", "line 2, column 'k': found 'x', expected a whole number"),
        (SCORES + "4,0,ssl,r,m,,1\n4,1,ssl,r,m,,inf\n", "line 3, column 'value': found 'inf', expected a number"),
        (SCORES + "4,0,ssl,q,m,,1\n", "there is no such ranking: L 4, fold 0, mode ssl, ranking q"),
        (SCORES + "4,0,ssl,r,m,,1\n4,0,ssl,r,m,,2\n", "line 3, column 'ranking': the measure is here twice for this k"),
        (SCORES + "4,0,ssl,r,m,,1\n", "has no score of the ranking L 4, fold 1, mode ssl, ranking r"),
    ],
)
def test_wrong_scores_are_named(prepared, text, message):
    (prepared / "scores.csv").write_text(text, encoding="utf-8")
    rankings = {"4": run(prepared, RANKED)[0]}
    with pytest.raises(DataError) as error:
        import_scores(prepared / "scores.csv", Splits.load(prepared / "splits.json"), rankings, ["4"])
    assert message in str(error.value)


def test_scores_of_other_budgets_are_left_out(prepared):
    (prepared / "scores.csv").write_text(SCORES + "4,0,ssl,r,m,,NaN\n4,1,ssl,r,m,3,2\n", encoding="utf-8")
    splits, rankings = Splits.load(prepared / "splits.json"), {"4": run(prepared, RANKED)[0]}
    first, second = import_scores(prepared / "scores.csv", splits, rankings, ["4"])
    assert np.isnan(first["value"])
    assert second["n_test"] == 6
    assert second["n_labeled"] == 4
    assert import_scores(prepared / "scores.csv", splits, rankings, []) == []
