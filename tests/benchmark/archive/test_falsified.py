"""Falsified records with valid hashes and the check that finds each, as listed on the page about the archive."""

import re
from copy import deepcopy
from types import SimpleNamespace

import pandas as pd
import pytest

from repository import ROOT
from sample_records import FOREST, compute_record, save_dataset
from sslrank.benchmark.archive.completeness import check_complete
from sslrank.benchmark.archive.ranking_summaries import digests
from sslrank.benchmark.archive.record import ArchiveError, deviation
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.archive.verified import DIFFERENT, LACKING, LATE, stale_rows
from sslrank.benchmark.audit.cells import recompute_cell
from sslrank.core.extras import MissingExtraError
from sslrank.rankers.trees.forest import PCTForestRanker

PAGE = ROOT / "src/docs/benchmark/archive.md"
WHOLE, PLAN, STALE, NONE = "check of the record", "plan", "stale row", "nothing"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    save_dataset(folder)
    return folder


@pytest.fixture(scope="module")
def records(data):
    other = FOREST | {"name": "other", "ranker": "relief", "params": {"n_neighbors": 3, "w0": 1.0, "w1": 1.0}}
    return compute_record(data), SimpleNamespace(
        method=compute_record(data, other), late=compute_record(data, late=("10", 0, "ssl"))
    )


def drop(record, **keys):
    """Remove rows of every part."""
    for part, frame in record.parts.items():
        if set(keys) <= set(frame):
            wrong = pd.Series(True, index=frame.index)
            for key, value in keys.items():
                wrong &= frame[key].eq(value)
            record.parts[part] = frame[~wrong].reset_index(drop=True)


def everywhere(record, column, names):
    """Exchange values of a column in every part."""
    for frame in record.parts.values():
        if column in frame:
            frame[column] = frame[column].replace(names)


def end_fit(record, status, fold=0, mode="ssl", L="10"):
    """Mark a fit as ended otherwise, without its ranking and scores."""
    fit = record.parts["fit"].copy()
    drop(record, fold=fold, mode=mode, L=L)
    fit.loc[(fit["fold"] == fold) & (fit["mode"] == mode) & (fit["L"] == L), ["status", "message"]] = status, "late"
    record.parts["fit"] = fit
    of_it = record.parts["stability"]
    of_it.loc[(of_it["mode"] == mode) & (of_it["L"] == L), "n_folds"] = 1


def late_with_scores(record, other):
    record.parts["score"]["value"] /= 2
    record.parts["fit"][["status", "message"]] = "timeout", "late"


def best_fold_again(record, other):
    score = record.parts["score"]
    record.parts["score"] = pd.concat([score, *[score[score["fold"] == 0]] * 19], ignore_index=True)


def more_budgets(record, other):
    rows = record.parts["score"].query("L == '10'").assign(L="20", value=1.0)
    record.parts["score"] = pd.concat([record.parts["score"], rows], ignore_index=True)


def dropped_fold(record, other):
    end_fit(record, "timeout")
    record.parts["feature"]["mean_importance"] *= 3
    record.parts["stability"]["stability"] = 1.0


def made_up_timeout(record, other):
    """The most that can be done: means, deviations and stability are those of the other folds."""
    end_fit(record, "timeout")
    record.parts.update({part: other.late.parts[part] for part in ("feature", "stability")})


def failed_with_scores(record, other):
    record.parts["fit"].loc[0, ["status", "message"]] = "failed", "no"


def halve(record, other):
    record.parts["score"]["value"] /= 2


def change_fifth_digit(record, other):
    record.parts["score"].loc[record.parts["score"].query("L == '10'").index[0], "value"] -= 1e-5


def exchange_digests(record, other):
    ranking = record.parts["ranking"]
    ranking.loc[[0, 1], ["bits", "order"]] = ranking.loc[[1, 0], ["bits", "order"]].to_numpy()


def reorder_best(record, first, second):
    best = record.parts["ranking"].at[0, "best"]
    record.parts["ranking"].at[0, "best"] = best[[first, second, *range(2, len(best))]]


def remove_first(record, part):
    record.parts[part] = record.parts[part].drop(index=0)


def improve_means(record, other):
    record.parts["feature"]["mean_importance"] *= 1 + 1e-5


def exchange_features(record, other):
    feature = record.parts["feature"]
    feature.loc[[0, 1], "feature"] = feature.loc[[1, 0], "feature"].to_numpy()


def leave_one_mode(record, other):
    fit = record.parts["fit"].copy()
    drop(record, mode="sl")
    fit.loc[fit["mode"] == "sl", ["status", "message"]] = "unsupported", "none"
    record.parts["fit"] = fit


def put(record, part, column, value, row=0):
    """Set a value of a row, or of all rows."""
    record.parts[part].loc[slice(None) if row is None else row, column] = value


def state(record, path, value):
    """Set a value of the spec, the dataset or the provenance."""
    inner, *keys = (
        {"spec": record.spec, "dataset": record.dataset, "provenance": record.provenance[0]},
        *path.split("/"),
    )
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value


def rename_evaluator(record, other):
    everywhere(record, "evaluator", {"knn": "best"})
    record.spec["evaluators"]["best"] = record.spec["evaluators"].pop("knn")
    record.provenance[0]["code"]["scores best"] = record.provenance[0]["code"].pop("scores knn")


def take_results(record, other):
    record.parts.update(other.method.parts)


def do(change, *arguments, **options):
    return lambda record, other: change(record, *arguments, **options)


def drop_features(record, other):
    feature = record.parts["feature"]
    record.parts["feature"] = feature[(feature["L"] != "10") | (feature["mode"] != "ssl")]


def name_splits_twice(record, other):
    record.provenance.append(record.provenance[0] | {"code": {"splits": "1" * 64}})


FALSIFIED = {
    "scores halved, all fits marked as timed out": (late_with_scores, WHOLE),
    "the best fold repeated 20 times": (best_fold_again, WHOLE),
    "rows of an L that was not run": (more_budgets, WHOLE),
    "a fold removed as timed out, importances tripled, stability 1": (dropped_fold, "features"),
    "a fit marked as failed": (failed_with_scores, WHOLE),
    "number of examples": (do(state, "dataset/examples", 9999), "facts"),
    "number of features": (do(state, "dataset/features", 7), WHOLE),
    "share of the largest class": (do(state, "dataset/majority_share", 0.9), "facts"),
    "a date in 2031": (do(state, "provenance/date", "2031-01-01T00:00:00+00:00"), WHOLE),
    "a date before the commit": (do(state, "provenance/committed", "2026-06-01T00:00:00+00:00"), WHOLE),
    "a job without a code hash": (do(state, "provenance/code", {}), WHOLE),
    "a job twice": (name_splits_twice, WHOLE),
    "best features of a ranking removed": (drop_features, WHOLE),
    "scores halved": (halve, "scores"),
    "a score changed in the fifth digit": (change_fifth_digit, "scores"),
    "an accuracy above 1": (do(put, "score", "value", 1.2), "scores"),
    "a measure renamed": (do(everywhere, "measure", {"accuracy": "auc", "f1_macro": "auc"}), "scores"),
    "an evaluator renamed in the scores": (do(put, "score", "evaluator", "best"), WHOLE),
    "an evaluator renamed everywhere": (rename_evaluator, PLAN),
    "an evaluator's parameters": (do(state, "spec/evaluators/knn/params", {"n_neighbors": 50}), PLAN),
    "an evaluator marked as failed": (do(put, "scoring", "status", "failed"), WHOLE),
    "a score removed": (do(remove_first, "score"), WHOLE),
    "number of test rows": (do(put, "score", "n_test", 19, None), "scores"),
    "two features exchanged": (exchange_features, "features"),
    "mean importances 1e-5 larger": (improve_means, "features"),
    "rankings of two folds exchanged": (exchange_digests, "ranking"),
    "hash of an order": (do(put, "ranking", "order", digests([3.0, 2.0, 1.0])["order"]), "ranking"),
    "the two best features exchanged": (do(reorder_best, 1, 0), "ranking"),
    "a feature twice": (do(reorder_best, 0, 0), "ranking"),
    "the best feature's mean rank": (do(put, "feature", "mean_rank", 3.0), "features"),
    "stability 1": (do(put, "stability", "stability", 1.0, None), "stability"),
    "stability over more folds": (do(put, "stability", "n_folds", 20, None), "stability"),
    "a fit removed as failed": (do(end_fit, "failed"), "status"),
    "a fold removed everywhere": (do(drop, fold=1), WHOLE),
    "a mode removed as unsupported": (leave_one_mode, "status"),
    "results of the modes exchanged": (do(everywhere, "mode", {"ssl": "sl", "sl": "ssl"}), "ranking"),
    "results of two L exchanged": (do(everywhere, "L", {"10": "all", "all": "10"}), "ranking"),
    "results of another method": (take_results, "ranking"),
    "a method's parameters": (do(state, "spec/method/spec/params/n_estimators", 500), PLAN),
    "the study's seed": (do(state, "spec/seed", 2), PLAN),
    "the dataset's fingerprint": (do(state, "spec/dataset/fingerprint", "0" * 64), PLAN),
    "the hash of the splits": (do(state, "spec/splits_sha256", "0" * 64), "splits"),
    "the job of an L removed": (do(remove_first, "job"), WHOLE),
    "a record changed after it was verified": (halve, STALE),
    "a fit removed as timed out": (made_up_timeout, LATE),
    "seconds of fits and jobs": (do(put, "fit", "seconds", 0.001, None), NONE),
    "the commit": (do(state, "provenance/commit", "d" * 40), NONE),
    "a dataset's note": (do(state, "dataset/note", "another"), NONE),
}


@pytest.mark.parametrize("name", FALSIFIED)
def test_falsified_record_is_found(records, data, name, tmp_path):
    change, finder = FALSIFIED[name]
    record, other = deepcopy(records)
    change(record, other)
    if finder == WHOLE:
        with pytest.raises(ArchiveError, match="the record of forest is not whole"):
            check_complete(record)
        return
    check_complete(record)
    if finder == PLAN:
        planned = {key: value for key, value in records[0].spec.items() if key not in ("L", "splits_sha256")}
        assert deviation(record.spec, planned) or set(record.spec["evaluators"]) != set(planned["evaluators"])
    elif finder == STALE:
        Archive(tmp_path).update([records[0]])
        row = {"study": "s", "dataset": "d", "method": "forest", "experiment": "", "sha256": records[0].sha256}
        pd.DataFrame([row]).to_csv(tmp_path / "verified.csv", index=False)
        assert stale_rows(tmp_path / "verified.csv", Archive(tmp_path)).empty
        Archive(tmp_path).update([record])
        assert len(stale_rows(tmp_path / "verified.csv", Archive(tmp_path))) == 1
    else:
        row = recompute_cell(record, "10", data)
        expected = {LATE: (LATE, None), NONE: ("equal bits", None)}.get(finder, (DIFFERENT, finder))
        assert (row["verdict"], row.get("difference")) == expected


def test_budget_whose_fits_all_timed_out_is_verified(records, data):
    record, _ = deepcopy(records)
    for fold in (0, 1):
        for mode in ("ssl", "sl"):
            end_fit(record, "timeout", fold, mode)
    for part in ("feature", "stability"):
        record.parts[part] = record.parts[part].query("L != '10'")
    check_complete(record)
    row = recompute_cell(record, "10", data)
    assert (row["verdict"], row["rankings"], row["scores"]) == (LATE, 0, 0)


def test_missing_package_is_named(records, data, monkeypatch):
    def refuse(self, *arguments, **options):
        raise MissingExtraError("it needs the package forest_of_others")

    monkeypatch.setattr(PCTForestRanker, "rank_coded", refuse)
    row = recompute_cell(records[0], "10", data)
    assert (row["verdict"], row["difference"]) == (LACKING, "it needs the package forest_of_others")


def test_means_count_where_bits_are_equal_whatever_code_and_machine(records, data):
    record, _ = deepcopy(records)
    record.provenance[0]["machine"]["processor"] = "another"
    for change in (improve_means, exchange_features):
        change(record, None)
        row = recompute_cell(record, "10", data, code={"ranking 10": "another"})
        assert (row["difference"], row["other_code"]) == ("features", "ranking 10")
        assert row["other_machine"].startswith("processor another, here ")


def test_other_data_is_a_difference(records, tmp_path):
    save_dataset(tmp_path, seed=1)
    row = recompute_cell(records[0], "10", tmp_path)
    assert (row["verdict"], row["difference"]) == (DIFFERENT, "data")


def test_documentation_lists_falsifications_by_check():
    text = PAGE.read_text(encoding="utf-8")
    table = re.findall(r"^\| `?(.+?)`? \| (.+) \|$", text[text.index("| found by") :], re.MULTILINE)
    listed = {name: finder for finder, names in table for name in names.split("; ")}
    finders = {
        name: finder if finder in (WHOLE, PLAN, STALE, NONE, LATE) else f"audit: {finder}"
        for name, (_, finder) in FALSIFIED.items()
    }
    assert {name: listed.get(name) for name in finders} == finders
