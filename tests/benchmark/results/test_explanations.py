"""Failures and times of jobs, on accounts with known sums."""

import pandas as pd

from sslrank.benchmark.results.explanations import failures_table


def test_failures_and_messages_are_grouped():
    rows = [
        ("d", "a", "50", 0, "ok", 1.0, None),
        ("d", "a", "100", 0, "ok", 2.0, "no ranking symbolic"),
        ("d", "b", "50", 0, "failed", 0.0, "broken"),
        ("d", "b", "50", 1, "failed", 0.5, "broken"),
        ("d", "b", "100", 0, "failed", 0.0, "broken"),
        ("d", "c", "50", 0, "failed", 8.0, None),
        ("e", "c", "50", 0, "no data", 8.0, "lost"),
    ]
    names = ["dataset", "method", "L", "fold", "status", "seconds", "message"]
    status = pd.DataFrame(rows, columns=names).assign(task="regression")
    rows = [("d", "a", "knn", "ok", 1.0, None), ("d", "c", "knn", "timeout", 9.0, "slow")]
    names = ["dataset", "method", "evaluator", "status", "seconds", "message"]
    scoring = pd.DataFrame(rows, columns=names).assign(task="regression")
    table = failures_table(status, scoring)
    assert list(table.columns) == ["dataset", "task", "method", "status", "message", "fits", "L", "evaluator"]
    assert table[["method", "status", "message", "fits", "L", "evaluator"]].to_numpy().tolist() == [
        ["a", "ok", "no ranking symbolic", 1, "100", ""],
        ["b", "failed", "broken", 3, "50, 100", ""],
        ["c", "failed", "", 1, "50", ""],
        ["c", "timeout", "slow", 0, "", "knn"],
    ]
    nothing = failures_table(status.iloc[:1], scoring.iloc[:1])
    assert list(nothing.columns) == list(table.columns)
    assert nothing.empty
