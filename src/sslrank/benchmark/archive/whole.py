"""Check that a record is complete: each row belongs to the spec and is unique, and no row is missing.

The check runs when a record is written, read, merged with others and verified. It needs neither data nor methods;
:mod:`sslrank.benchmark.steps.verify_cell` recomputes the numbers.
"""

import itertools
from collections import Counter
from datetime import UTC, datetime, timedelta

import numpy as np
import pandas as pd

from sslrank.benchmark.archive.record import ORDERED, PARTS, ArchiveError
from sslrank.metrics.ranges import ROUNDING, measure_range

_FIT = ["L", "mode", "fold"]
_RANKING = [*_FIT, "ranking"]
_OF_FOLDS = ["L", "mode", "ranking"]
#: Columns that identify a row of each part.
KEYS = {
    "score": [*_RANKING, "evaluator", "measure", "k"],
    "fit": _FIT,
    "scoring": ["evaluator"],
    "ranking": _RANKING,
    "feature": [*_OF_FOLDS, "place"],
    "stability": [*_OF_FOLDS, "top"],
    "job": ["step", "L", "evaluator"],
}
FITTED = ("ok", "failed", "timeout", "unsupported")
SCORED = ("ok", "failed", "timeout")
_SPEC = {"study", "dataset", "splits", "splits_sha256", "seed", "modes", "method", "evaluators", "L"}
_OF_EXPERIMENT = {"study", "experiment", "seed", "parts"}
_MADE = {"commit", "committed", "versions", "machine", "instructions", "code", "date"}
#: Advice if a record is incomplete.
_ADVICE = "Restore the file (git checkout), or delete it and run: snakemake -f archive"


def check_whole(record, path=None):
    """Check that a record is complete; an ArchiveError has the file, method, part and first wrong row."""
    try:
        _check_provenance(record)
        if record.is_experiment:
            _check_experiment(record)
        else:
            _check_result(record)
    except _Contradiction as odd:
        name = record.subject[2]
        raise ArchiveError(
            f"the record of {name} is not whole: {odd}", file=path or record.file, advice=_ADVICE
        ) from None


class _Contradiction(Exception):
    """A record contradicts its spec; the message has the difference."""


def _require(is_so, problem):
    if not is_so:
        raise _Contradiction(problem)


def _same(actual, expected, problem):
    """Raise if two sets differ; name the first element that only one of them has."""
    actual, expected = set(actual), set(expected)
    if actual != expected:
        more, fewer = (sorted(map(_named, each)) for each in (actual - expected, expected - actual))
        raise _Contradiction(
            f"{problem} {more[0]}, which is not expected" if more else f"{problem} {fewer[0]} is missing"
        )


def _named(key):
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _no_row(wrong, frame, part, problem):
    """Raise if a mask marks a row of a part; name the first marked row by its keys."""
    wrong = np.asarray(wrong, dtype=bool)
    if wrong.any():
        row = frame[wrong].iloc[0]
        keys = ", ".join(f"{key} {row[key]}" for key in KEYS[part] if not pd.isna(row[key]))
        raise _Contradiction(f"in the part {part!r}, row {keys}: {problem}")


def _keys(frame, columns):
    """Return a tuple of the values of some columns for each row, in plain Python, much faster than an index."""
    return list(zip(*(frame[column].to_numpy(object) for column in columns), strict=True))


def _outside(keys, known):
    return [key not in known for key in keys]


# --- provenance and experiments -----------------------------------------------------------------------------------


def _check_provenance(record):
    spec = record.spec
    if record.is_experiment:
        jobs = {f"part {name}" for name in spec["parts"]}
    else:
        jobs = {"splits", *(f"ranking {L}" for L in spec["L"]), *(f"scores {name}" for name in spec["evaluators"])}
    made = [job for group in record.provenance for job in group.get("code", {})]
    _same(made, jobs, "its provenance has the job")
    _require(len(made) == len(set(made)), "its provenance has a job twice")
    for group in record.provenance:
        _same(group, _MADE, "its provenance has the key")
        _require(all(group["code"].values()), "a job has no hash of its code")
        try:
            date = datetime.fromisoformat(group["date"])
            committed = datetime.fromisoformat(group["committed"]) if group["committed"] else date
        except ValueError as error:
            raise _Contradiction(f"a date of its provenance is none: {error}") from None
        _require(date <= datetime.now(UTC) + timedelta(days=1), f"it was made in the future, {group['date']}")
        _require(committed <= date, f"it was made on {group['date']}, before its commit of {group['committed']}")


def _check_experiment(record):
    _same(record.spec, _OF_EXPERIMENT, "its spec has the key")
    _require("job" in record.parts, "it has no table of jobs")
    for table, frame in record.parts.items():
        _require(frame["part"].isin(record.spec["parts"]).all(), f"the table {table!r} has another part than its spec")
    _same(record.parts["job"]["part"], record.spec["parts"], "the part")
    _require(record.parts["job"]["part"].is_unique, "a part has two jobs")


# --- results of a method on a dataset -----------------------------------------------------------------------------


def _check_result(record):
    spec, parts = record.spec, record.parts
    _same(spec, _SPEC, "its spec has the key")
    _require(spec["L"] == [L for L in spec["splits"]["L"] if L in spec["L"]], "its L are not those of the protocol")
    for part, columns in PARTS.items():
        frame = parts[part]
        _require(list(frame) == columns, f"the part {part!r} has other columns")
        keys = _keys(frame.astype({"k": object}) if part == "score" else frame, KEYS[part])
        if len(set(keys)) < len(keys):
            _no_row(frame.duplicated(KEYS[part]), frame, part, "is there twice")
        for column, key in (("L", "L"), ("mode", "modes")):
            if column in columns and part != "job":
                _no_row(
                    _outside(frame[column].to_numpy(object), set(spec[key])),
                    frame,
                    part,
                    f"is of no {column} of the spec",
                )
    _check_fits(record)
    _check_rankings(record)
    _check_scores(record)
    _check_jobs(record)


def _check_fits(record):
    spec, fit = record.spec, record.parts["fit"]
    _no_row(~fit["status"].isin(FITTED), fit, "fit", "has an unknown status")
    _no_row(~(fit["seconds"] >= 0), fit, "fit", "has no seconds")
    _no_row(fit["status"].isin(("failed", "timeout")) & ~fit["message"].fillna("").ne(""), fit, "fit", "has no reason")
    folds = sorted(set(fit["fold"]))
    most = spec["splits"].get("folds", 10) * spec["splits"].get("repetitions", 1)
    _require(folds == list(range(len(folds))) and len(folds) <= most, f"its folds are {folds}")
    per_repetition = spec["splits"].get("repetitions", 1)
    expected = {"holdout": per_repetition, "cross-validation": most, "whole-dataset": per_repetition}
    number = expected.get(spec["splits"]["scheme"], len(folds))
    _require(len(folds) == number, f"it has {len(folds)} folds of {number}")
    _same(_keys(fit, _FIT), itertools.product(spec["L"], spec["modes"], folds), "the fit")
    left = {(mode, status == "unsupported") for mode, status in _keys(fit, ["mode", "status"])}
    _require(len(left) == len(set(fit["mode"])), "fits of a mode are unsupported in some folds only")


def _check_rankings(record):
    parts, facts = record.parts, record.dataset
    fit, ranking = parts["fit"], parts["ranking"]
    ranked, keys = set(_keys(fit[fit["status"] == "ok"], _FIT)), _keys(ranking, _FIT)
    _no_row(_outside(keys, ranked), ranking, "ranking", "its fit is not ok")
    _same(keys, ranked, "the ranking of the fit")
    for key in ("examples", "features"):
        _require(isinstance(facts.get(key), int) and facts[key] > 0, f"its dataset has {facts.get(key)} {key}")
    known = ranking["best"].notna()
    _require(known.all() or not known.any(), "some of its rankings have no order of their best features")
    size, n_features = min(ORDERED, facts["features"]), facts["features"]
    for best in ranking.loc[known, "best"]:
        best = np.asarray(best)
        whole = len(best) == size and len(np.unique(best)) == size and best.min() >= 0 and best.max() < n_features
        _require(whole, "the order of a ranking's best features is none")
    folds = Counter(_keys(ranking, _OF_FOLDS))
    stability, feature = parts["stability"], parts["feature"]
    for part, frame in (("feature", feature), ("stability", stability)):
        _same(_keys(frame, _OF_FOLDS), folds, f"the part {part!r} has the ranking")
    _no_row(stability["n_features"] != n_features, stability, "stability", "is not about the dataset's features")


def _check_scores(record):
    spec, parts = record.spec, record.parts
    score, scoring, ranking = parts["score"], parts["scoring"], parts["ranking"]
    _same(scoring["evaluator"], spec["evaluators"], "the evaluator")
    _no_row(~scoring["status"].isin(SCORED), scoring, "scoring", "has an unknown status")
    done = set(scoring.loc[scoring["status"] == "ok", "evaluator"])
    keys, ranked = _keys(score, _RANKING), set(_keys(ranking, _RANKING))
    by, measures = (score[column].to_numpy(object) for column in ("evaluator", "measure"))
    _no_row(_outside(by, done), score, "score", "its evaluator has no scoring that is ok")
    _no_row(_outside(keys, ranked), score, "score", "its ranking has no fit that is ok")
    low, high = np.array([measure_range(name) for name in set(measures)]).reshape(-1, 2).T
    limits = {name: [a - ROUNDING, b + ROUNDING] for name, a, b in zip(set(measures), low, high, strict=True)}
    values, (low, high) = score["value"].to_numpy(), np.array([limits[name] for name in measures]).reshape(-1, 2).T
    _no_row((values < low) | (values > high), score, "score", "its measure cannot have this value")
    examples = set(_keys(score, ["L", "fold", "n_test", "n_labeled"]))
    _require(len(examples) == len({key[:2] for key in examples}), "a fold has several numbers of examples")
    most = record.dataset["examples"]
    _no_row(~score["n_test"].between(1, most), score, "score", "has more examples than the dataset")
    for name in done:
        wanted = {key for key in ranked if key[0] in spec["evaluators"][name]["L"]}
        mine = [(key, measure) for key, measure, judge in zip(keys, measures, by, strict=True) if judge == name]
        _same((key for key, _ in mine), wanted, f"scores by {name} of the ranking")
        counts = {(L, fold, measure, n) for ((L, _, fold, _), measure), n in Counter(mine).items()}
        same = len(counts) == len({key[:3] for key in counts})
        _require(same, f"rankings of a fold have other numbers of scores by {name}")


def _check_jobs(record):
    spec, job = record.spec, record.parts["job"]
    ranked, scored = (job[job["step"] == step] for step in ("ranking", "scores"))
    _require(len(ranked) + len(scored) == len(job), "it has a job of another step")
    numbers = job[["s", "max_rss", "cpu_time"]].astype(float)
    _no_row((numbers < 0).any(axis=1), job, "job", "has negative seconds or memory")
    if ranked["L"].notna().all():  # one job ranked by all L in older versions
        _same(ranked["L"], spec["L"], "the ranking job of L")
    if scored["evaluator"].notna().all():
        _same(scored["evaluator"], spec["evaluators"], "the scoring job of")
