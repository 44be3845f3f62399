"""Cells are drawn evenly from studies, also as single folds, and what differs is bounded; some are computed again."""

import os
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from repository import ROOT, drawn_number, repository_plan
from sample_records import compute_record, save_dataset
from sslrank.benchmark.archive.ledger import (
    ARCHIVED,
    FORMER_TIES,
    append_rows,
    datasets_of_former_ties,
    ledger_counts,
    share_words,
)
from sslrank.benchmark.archive.ranking_summaries import best_first, digests
from sslrank.benchmark.archive.verified import (
    CLOSE,
    COLUMNS,
    DIFFERENT,
    FORMER,
    LATE,
    NEAR,
    SAME,
    digests_hash,
    is_allowed,
    problem_lines,
    read_verified,
    write_rows,
)
from sslrank.benchmark.audit import recomputing
from sslrank.benchmark.audit.cells import _compared_rankings, recompute_cell
from sslrank.benchmark.audit.recomputing import bounds, draw_cells, recompute, record_states
from sslrank.benchmark.plan.sources import cells_by_study

#: What a record made before there were digests has, whose hashes are of files.
BEFORE = "before digests"


def test_cells_are_drawn_evenly_from_studies():
    existing = {"large": [("large", number) for number in range(500)], "small": [("small", 1)], "other": [("other", 1)]}
    drawn = draw_cells(existing, 12, seed=1)
    assert Counter(cell[0] for cell in drawn) == {"large": 10, "small": 1, "other": 1}
    assert drawn == draw_cells(existing, 12, seed=1) != draw_cells(existing, 12, seed=2)


def test_all_records_but_of_rules_and_times_can_be_recomputed(monkeypatch):
    monkeypatch.chdir(ROOT)
    plan = repository_plan()
    left_out = {tuple(name.split("/")) for names in cells_by_study(plan)[1].values() for name in names}
    timed = {"growth", "induction"}
    assert {names[2] for names in left_out} == {*plan.methods_of_rule("survival_forest"), *timed}


def test_bound_is_that_of_clopper_and_pearson():
    rows = pd.DataFrame({"study": "s", "verdict": ["equal bits"] * 30, "other_machine": "", "other_code": ""})
    table = bounds(rows).set_index("study")
    assert table.loc["s", "at_most"] == pytest.approx(1 - 0.05 ** (1 / 30))
    rows.loc[:3, "verdict"] = "different", "not installed", "within 1e-9", "without timed-out fits"
    table = bounds(rows).set_index("study")
    assert table.loc["all", ["cells", "different", "equal_bits"]].tolist() == [28, 1, 26]
    assert bounds(rows[rows["verdict"] == "different"])["at_most"].tolist() == pytest.approx([1, 1])
    assert bounds(rows.head(0)).empty


@pytest.mark.parametrize(
    ("cell", "changed", "verdict"),
    [
        ("d", {}, "former rule"),
        ("d", {"difference": "ranking"}, "different"),
        ("d", {"other_code": "ranking 10"}, "different"),
        ("e", {}, "different"),
    ],
)
def test_scores_by_a_former_rule_may_differ_where_the_ledger_says_so(tmp_path, cell, changed, verdict):
    append_rows(tmp_path, {("s", "d", "m", "10"): (ARCHIVED, FORMER_TIES), ("s", "e", "m", "10"): (ARCHIVED, "")}, "c")
    row = {"study": "s", "dataset": cell, "method": "m", "L": "10", "verdict": "different", "difference": "scores"}
    row |= {"other_code": "ranking 10; scores knn"} | changed
    table = write_rows([row], tmp_path / "verified.csv")
    assert table["verdict"].tolist() == [verdict]
    assert is_allowed(table).all() == (verdict == "former rule")
    assert len(bounds(table)) == (verdict != "former rule") * 2
    assert share_words(ledger_counts(tmp_path)["s"]) == (
        "2 of 2 intended cells archived, 1 of them scored by the former rule of ties"
    )
    assert datasets_of_former_ties(tmp_path) == {"s": ["d"]}


def test_committed_verdicts_follow_from_their_counts():
    rows = pd.read_csv(ROOT / "results/archive/verified.csv", keep_default_na=False)
    same = (rows["equal_bits"] == rows["rankings"]) & (rows["equal_scores"] == rows["scores"])
    assert (rows["verdict"].eq(SAME) == (same & rows["difference"].eq(""))).all()
    assert rows.loc[rows["verdict"].isin([DIFFERENT, FORMER]), "difference"].ne("").all()
    close = rows[rows["verdict"] == CLOSE]
    assert (close["equal_order"] == close["rankings"]).all()
    assert (close["largest_difference"].astype(float) < 1e-6).all()


def test_one_fold_is_compared_without_what_needs_all(tmp_path):
    save_dataset(tmp_path)
    record = compute_record(tmp_path)
    row = recompute_cell(record, "10", tmp_path, folds=[1])
    assert (row["verdict"], row["folds"], row["rankings"]) == ("equal bits", 1, 6)
    wrong = deepcopy(record)
    wrong.parts["score"].loc[wrong.parts["score"]["fold"] == 1, "value"] += 0.01
    assert recompute_cell(wrong, "10", tmp_path, folds=[1])["difference"] == "scores"
    assert recompute_cell(wrong, "10", tmp_path, folds=[0])["verdict"] == "equal bits"


@pytest.mark.parametrize(
    ("made", "rows", "state"),
    [
        ({}, [], "today"),
        ({"scores knn": "knn 000000000000"}, [], "older"),
        ({"ranking 10": BEFORE}, [], "not drawn"),
        ({"ranking 10": BEFORE}, ["equal bits"], "equal"),
        ({"ranking 10": BEFORE}, ["equal bits", "different"], "different"),
        ({"ranking 10": BEFORE}, ["equal bits", "former rule"], "different"),
        ({"ranking 20": "genie3 aaaaaaaaaaaa"}, [], "not planned"),
    ],
)
def test_records_have_a_state_by_their_digests(made, rows, state):
    code = {"ranking 10": "genie3 aaaaaaaaaaaa", "scores knn": "knn bbbbbbbbbbbb"}
    before = dict.fromkeys(made, "6ee34e7128e973c5 0bb9c31bce02b640")
    made = (
        before | dict.fromkeys(("scores knn", "splits"), "knn: 0bb9c31bce02b640") if BEFORE in made.values() else made
    )
    head = SimpleNamespace(provenance=[{"code": code | {"splits": "splits cccccccccccc"} | made}])
    store = SimpleNamespace(record_keys=[("s", "d", "m")], head=lambda *names: head)
    sources = SimpleNamespace(job_code=lambda method: code)
    plan = SimpleNamespace(store=store, sources=lambda study: sources, studies={"s": SimpleNamespace(ranked=["m"])})
    row = {"study": "s", "method": "m", "digests": digests_hash(code, code)}
    verified = pd.DataFrame([row | {"verdict": verdict} for verdict in rows], columns=COLUMNS).astype(object).fillna("")
    assert record_states(plan, verified).loc["s", state] == 1


@pytest.mark.skipif("SSLRANK_MIRROR" not in os.environ, reason="needs the datasets: set SSLRANK_MIRROR")
def test_cell_drawn_by_the_commit_is_recomputed(monkeypatch):
    """Of records of today's digests; an audit draws the others, too, and shows which do not reproduce."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(recomputing, "TOO_LONG", 3)
    plan, verified = repository_plan(), read_verified("results/archive/verified.csv")
    seed = drawn_number()
    for cell in draw_cells(cells_by_study(plan)[0], 200, seed):
        if recomputing.record_state(plan, verified, *cell[:3]) == "today":
            row = recompute(plan, cell, seed)
            if isinstance(row, dict):
                assert is_allowed(pd.DataFrame([row], columns=COLUMNS)).all(), row
                return
    pytest.skip("no record of today's behaviour was drawn")


@pytest.mark.skipif("SSLRANK_MIRROR" not in os.environ, reason="needs the datasets: set SSLRANK_MIRROR")
def test_other_data_than_the_record_s_is_a_difference(monkeypatch):
    monkeypatch.chdir(ROOT)
    plan, names = repository_plan(), ("arena", "zoo", "oracle")
    record, forged = plan.store.read(*names), "0" * 64
    spec = record.spec | {"dataset": record.spec["dataset"] | {"fingerprint": forged}}
    monkeypatch.setattr(plan.store, "read", lambda *names: replace(record, spec=spec))
    entry = plan.catalogue["zoo"].model_copy(update={"fingerprint": forged})
    monkeypatch.setitem(plan.catalogue, "zoo", entry)
    row = recompute(plan, (*names, "20"), seed=1)
    assert (row["verdict"], row["difference"]) == ("different", "data")


def cell(**values):
    row = dict.fromkeys(COLUMNS, "") | {"study": "s", "L": "50", "folds": 2, "swapped": None}
    return row | {"verdict": DIFFERENT, "difference": "scores"} | values


OTHER = {"other_machine": "numpy 1, here 2"}


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({}, "different, difference scores"),
        ({"largest_difference": 0.25}, "different, difference scores, largest_difference 0.25"),
        (OTHER, "different, difference scores, other_machine numpy 1, here 2"),
        ({"other_code": "ranking 50"}, "different, difference scores, other_code ranking 50"),
        ({"verdict": NEAR, "difference": "", "swapped": 2}, "within 1e-6"),
        ({"verdict": NEAR, "swapped": 2, "other_code": "ranking 50"}, None),
        ({"verdict": NEAR, "swapped": 2, **OTHER}, None),
        *(({"verdict": verdict}, None) for verdict in (SAME, CLOSE, LATE)),
        ({"verdict": "fine", "difference": ""}, "fine"),
    ],
)
def test_larger_differences_than_allowed_are_problems(tmp_path, values, problem):
    lines = list(problem_lines(write_rows([cell(**values)], tmp_path / "verified.csv")))
    assert lines == ([f"study s, L 50, verdict {problem}"] if problem else [])


def test_verified_table_keeps_other_cells(tmp_path):
    table = tmp_path / "verified.csv"
    for row in (cell(method="b", verdict=CLOSE), cell(method="a", verdict=SAME), cell(method="b", verdict=SAME)):
        write_rows([row], table)
    assert pd.read_csv(table)[["method", "verdict"]].values.tolist() == [["a", SAME], ["b", SAME]]


def test_near_ties_follow_archived_order():
    rng = np.random.default_rng(0)
    values = rng.random(40)
    values[7], values[11] = values[5] + 1e-14, values[5] - 1e-14
    swapped, other = values.copy(), values.copy()
    swapped[[7, 11]] = values[[11, 7]]
    other[[0, 1]] = values[[1, 0]]
    for there, count in ((swapped, 2), (values, 0), (other, None)):
        archived = pd.DataFrame(
            [{"fold": 0, "mode": "ssl", "ranking": "r", **digests(there), "best": best_first(there)}]
        )
        table = pd.DataFrame({"fold": 0, "mode": "ssl", "ranking": "r", "importance": values})
        found, counts = _compared_rankings(table, archived, 1e-9)
        assert counts["swapped"] == count
        if count:
            assert digests(found["importance"])["order"] == digests(swapped)["order"]
