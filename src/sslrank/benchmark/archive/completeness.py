"""Check that a record is complete: each row belongs to the spec and is unique, and no row is missing.

The check runs when a record is written, read, merged with others and verified. It needs neither data nor methods;
:mod:`sslrank.benchmark.audit.cells` recomputes the numbers.
"""

import itertools
from collections import Counter
from datetime import UTC, datetime, timedelta

from sslrank.benchmark.archive.record import JOB, PARTS, RESTORE, ArchiveError, job_name

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


def check_complete(record, path=None):
    """Check that a record is complete; an ArchiveError has the file, method, part and first wrong row."""
    try:
        _check_provenance(record)
        if record.is_experiment:
            _check_experiment(record)
        else:
            _check_result(record)
    except _Contradiction as contradiction:
        name = record.key[2]
        raise ArchiveError(
            f"the record of {name} is not whole: {contradiction}", file=path or record.file, advice=RESTORE
        ) from None


class _Contradiction(Exception):
    """A record contradicts its spec; the message has the difference."""


def _require(is_so, problem):
    if not is_so:
        raise _Contradiction(problem)


def _check_same(actual, expected, problem):
    """Raise if two sets differ; name the first element that only one of them has."""
    actual, expected = set(actual), set(expected)
    _check_known(actual, expected, problem)
    if fewer := expected - actual:
        raise _Contradiction(f"{problem} {min(map(_as_words, fewer))} is missing")


def _check_known(actual, expected, problem):
    """Raise if a set has an element that another one lacks; name the first."""
    if more := set(actual) - set(expected):
        raise _Contradiction(f"{problem} {min(map(_as_words, more))} is not expected")


def _require_unique(keys, problem):
    """Raise if an element occurs twice."""
    keys = list(keys)
    if len(set(keys)) < len(keys):
        raise _Contradiction(f"{problem} {_as_words(Counter(keys).most_common(1)[0][0])} occurs twice")


def _as_words(key):
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _keys(frame, columns):
    """Return a tuple of the values of some columns for each row, in plain Python, much faster than an index."""
    return list(zip(*(frame[column].to_numpy(object) for column in columns), strict=True))


# --- provenance and experiments -----------------------------------------------------------------------------------


def _check_provenance(record):
    spec = record.spec
    if record.is_experiment:
        jobs = map(job_name, spec["parts"])
    else:
        jobs = ["splits", *(f"ranking {L}" for L in spec["L"]), *(f"scores {name}" for name in spec["evaluators"])]
    found_jobs = [job for group in record.provenance for job in group.get("code", {})]
    _check_same(found_jobs, jobs, "in its provenance, the job")
    _require_unique(found_jobs, "in its provenance, the job")
    for group in record.provenance:
        _check_same(group, _MADE, "in its provenance, the key")
        date = datetime.fromisoformat(group["date"])
        _require(date <= datetime.now(UTC) + timedelta(days=1), f"it was made in the future, {date}")
        committed = datetime.fromisoformat(group["committed"] or group["date"])
        _require(committed <= date, f"it was made on {date}, before its commit of {committed}")


def _check_experiment(record):
    _check_same(record.spec, _OF_EXPERIMENT, "in its spec, the key")
    _require(JOB in record.parts, "it has no table of jobs")
    for table, frame in record.parts.items():
        _check_known(frame["part"], record.spec["parts"], f"in the table {table!r}, the part")
    _check_same(record.parts[JOB]["part"], record.spec["parts"], "the part")
    _require_unique(record.parts[JOB]["part"], "the job of the part")


# --- results of a method on a dataset -----------------------------------------------------------------------------


def _check_result(record):
    spec, parts = record.spec, record.parts
    _check_same(spec, _SPEC, "in its spec, the key")
    _require(spec["L"] == [L for L in spec["splits"]["L"] if L in spec["L"]], "its L are not those of the protocol")
    for part, columns in PARTS.items():
        _require(list(parts[part]) == columns, f"the part {part!r} has other columns")
        _require_unique(_keys(parts[part], KEYS[part]), f"in the part {part!r}, the row")
    _check_fits(record)
    _check_rankings(record)
    _check_scores(record)
    for step, column, named in (("ranking", "L", spec["L"]), ("scores", "evaluator", spec["evaluators"])):
        jobs = parts["job"].loc[parts["job"]["step"] == step, column]
        if jobs.notna().all():  # in older versions a job for each, now one for all
            _check_same(jobs, named, f"the job of step {step} for")


def _check_fits(record):
    spec, fit = record.spec, record.parts["fit"]
    _check_known(fit["status"], FITTED, "the status of a fit")
    folds, repetitions = sorted(set(fit["fold"])), spec["splits"].get("repetitions", 1)
    n_splits = spec["splits"].get("folds", 10) * repetitions
    expected = {"holdout": repetitions, "cross-validation": n_splits, "whole-dataset": repetitions}
    number = expected.get(spec["splits"]["scheme"], min(len(folds), n_splits))
    _require(folds == list(range(number)), f"its folds are {folds}")
    _check_same(_keys(fit, _FIT), itertools.product(spec["L"], spec["modes"], folds), "the fit")


def _check_rankings(record):
    facts, parts = record.dataset, record.parts
    fit, ranking = parts["fit"], parts["ranking"]
    _check_same(_keys(ranking, _FIT), _keys(fit[fit["status"] == "ok"], _FIT), "the ranking of the successful fit")
    for part in ("feature", "stability"):
        _check_same(_keys(parts[part], _OF_FOLDS), _keys(ranking, _OF_FOLDS), f"in the part {part!r}, the ranking")
    _check_known(parts["stability"]["n_features"], [facts.get("features")], "stability for the number of features")


def _check_scores(record):
    spec, parts = record.spec, record.parts
    score, scoring = parts["score"], parts["scoring"]
    _check_same(scoring["evaluator"], spec["evaluators"], "the evaluator")
    _check_known(scoring["status"], SCORED, "the status of an evaluator")
    done = set(scoring.loc[scoring["status"] == "ok", "evaluator"])
    _check_known(score["evaluator"], done, "in the scores, the evaluator")
    measures, of_fold = {}, {}
    for name, key, measure in zip(score["evaluator"], _keys(score, _RANKING), score["measure"], strict=True):
        measures.setdefault((name, key), Counter())[measure] += 1
    for name in done:
        expected = [key for key in _keys(parts["ranking"], _RANKING) if key[0] in spec["evaluators"][name]["L"]]
        _check_same((key for by, key in measures if by == name), expected, f"in the scores by {name}, the ranking")
    for (name, (L, mode, fold, ranking)), counts in measures.items():
        others = of_fold.setdefault((name, L, fold), counts)
        _require(counts == others, f"ranking {L} {mode} {fold} {ranking} has other measures by {name} than the others")
