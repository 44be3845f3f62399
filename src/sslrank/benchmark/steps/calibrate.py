"""The calibration job: what a dataset will cost in a study, from short fits on this machine.

Per dataset and method, one fit in each mode on the first fold with the middle L is timed and taken as many
times as the study has folds and L. Where the method's `calibration` says that its time is linear in a
parameter, fits with growing values of it are made until one takes noticeably longer than the one before, and
the line through both gives the time at the parameter's own value; otherwise its `params` make a cheaper fit.
Both are multiplied by `times`. Per evaluator, one ranking is judged and taken as many times as there are
rankings. All times are of the processor, on one thread, so other load hardly matters.
"""

import resource
import time
from dataclasses import replace

import numpy as np
import pandas as pd

from sslrank.benchmark.files import CALIBRATION_COLUMNS
from sslrank.benchmark.steps.rank import rank_dataset
from sslrank.core.errors import NoDataError
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.datasets.dataset import Dataset
from sslrank.evaluation.evaluators import is_shared, load_evaluator
from sslrank.model_selection.folds import Splits

#: Bytes that a row of a rankings table takes in Parquet, and a row of scores in CSV, about.
BYTES_PER_IMPORTANCE = 9
BYTES_PER_SCORE = 100
#: Seconds by which a fit has to be longer than the one before, and the factor by which the parameter grows.
ENOUGH, STEP = 0.25, 4
#: Rows of the fit that only loads modules.
WARM_UP = 60


def calibrate_job(data, splits, output, *, methods, evaluators, modes, seed=0):
    """Measure one fit per method and mode and one evaluation per evaluator, and extrapolate.

    Parameters
    ----------
    data, splits : path-like
    output : path-like
        Rows with the columns :data:`~sslrank.benchmark.files.CALIBRATION_COLUMNS`: two per method (step "ranking" and
        "scores"), and one per evaluator that computes something for all rankings (step "shared").
    methods : dict of str to dict
        Per method: "spec" of the fit as a study makes it, "calibration" (see workflow/KEYS.md), and "evaluators",
        the names of those that judge it.
    evaluators : dict of str to dict
        Per evaluator: "evaluator" and "params" as configured, and "budgets", the L that it judges.
    modes : sequence of str
    seed : int
    """
    try:
        dataset, every = Dataset.load(data), Splits.load(splits)
    except NoDataError:  # the page says why
        pd.DataFrame(columns=CALIBRATION_COLUMNS).to_csv(output, index=False)
        return
    budget = every.budgets[len(every.budgets) // 2]
    first = replace(every, folds=every.folds[:1])
    runs = len(every.folds) * len(every.budgets)
    judges = {name: _Judge(dataset, first.folds[0], budget, block, seed) for name, block in evaluators.items()}
    rows = []
    for method, block in methods.items():
        fits = _fits(dataset, first, budget, block, modes, seed)
        scored = fits["rankings"].groupby(["mode", "ranking"], sort=False).ngroups
        times, measured, lines = 0.0, 0.0, 0
        for name in block["evaluators"]:
            judge = judges[name]
            jobs = len(every.folds) * sum(budget in every.budgets for budget in judge.budgets)
            times += judge.seconds * scored * jobs
            lines += judge.lines * scored * jobs
            measured += judge.seconds
        common = {"dataset": dataset.name, "task": dataset.task, "method": method}
        rows.append(
            common
            | {
                "step": "ranking",
                "seconds": fits["seconds"] * runs,
                "measured_seconds": fits["measured"],
                "disk_mb": len(fits["rankings"]) * runs * BYTES_PER_IMPORTANCE / 1e6,
                "basis": f"1 of {runs} fits per mode{fits['basis']}",
                "note": fits["note"],
            }
        )
        rows.append(
            common
            | {
                "step": "scores",
                "seconds": times,
                "measured_seconds": measured,
                "disk_mb": lines * BYTES_PER_SCORE / 1e6,
                "basis": f"1 of {scored * runs} rankings",
            }
        )
    for name, judge in judges.items():
        if judge.shared_seconds:
            jobs = len(every.folds) * len(judge.budgets)
            rows.append(
                {
                    "dataset": dataset.name,
                    "task": dataset.task,
                    "method": name,
                    "step": "shared",
                    "seconds": judge.shared_seconds * jobs,
                    "measured_seconds": judge.shared_measured,
                    "disk_mb": 0.0,
                    "basis": f"{judge.few} of {judge.n_rankings} random rankings, 1 of {jobs} folds and L",
                }
            )
    table = pd.DataFrame(rows, columns=CALIBRATION_COLUMNS)
    table["memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    table.to_csv(output, index=False, float_format="%.6g")


def _fits(dataset, splits, budget, block, modes, seed):
    """Seconds of one fit in all modes, what was measured, and the rankings."""
    spec, calibration = block["spec"], block["calibration"]
    small = _few_rows(splits, budget)

    def fit(params, where=splits):
        started = time.process_time()
        rankings, status = rank_dataset(
            dataset, where, budget, {**spec, "params": {**spec["params"], **params}}, modes=modes, seed=seed
        )
        return time.process_time() - started, rankings, status

    parameter = calibration["linear_in"]
    cheap = {**calibration["params"]}
    if parameter is None:
        fit(cheap, small)
        measured, rankings, status = fit(cheap)
        seconds, basis = measured, ""
    else:
        low, high, wanted = *calibration["at"], calibration["value"]
        fit(cheap | {parameter: low}, small)
        before, _, _ = fit(cheap | {parameter: low})
        seconds, rankings, status = fit(cheap | {parameter: high})
        measured = before + seconds
        while seconds - before < ENOUGH and high * STEP < wanted:
            low, high, before = high, high * STEP, seconds
            seconds, rankings, status = fit(cheap | {parameter: high})
            measured += seconds
        seconds += max(0.0, (seconds - before) / (high - low)) * (wanted - high)
        basis = f", {low} and {high} of {wanted} {parameter.removeprefix('n_')}"
    seconds *= calibration["times"]
    basis += f", times {calibration['times']:g}" if calibration["times"] != 1 else ""
    problems = status.loc[status["status"] != "ok", "message"].unique()
    if not (status["status"] == "ok").any():
        seconds = 0.0
    return {
        "seconds": seconds,
        "measured": measured,
        "rankings": rankings,
        "basis": basis,
        "note": "; ".join(problems),
    }


def _few_rows(splits, budget):
    """The splits with a few rows only: a first fit loads modules, which is not what is to be measured."""
    fold = splits.folds[0]
    rows = fold.labeled[budget][:WARM_UP]
    return replace(splits, folds=[replace(fold, train=rows, labeled={budget: rows}, note={})])


class _Judge:
    """Times one evaluator on one made-up ranking.

    Attributes
    ----------
    seconds, shared_seconds : float
        Per ranking, and per fold and L for what all rankings share.
    lines : int
        Scores per ranking.
    """

    def __init__(self, dataset, fold, budget, block, seed):
        self.budgets = block["budgets"]
        name, params = block["evaluator"], dict(block["params"])
        features = encode_features(dataset.X)
        targets = encode_targets(dataset.y, len(dataset.X), task=dataset.task, hierarchy=dataset.hierarchy)
        rows = (features, targets, fold.train, fold.test, fold.labeled[budget])
        importances = np.random.default_rng(seed).random(features.values.shape[1])
        known, self.shared_seconds, self.shared_measured = {}, 0.0, 0.0
        if is_shared(name, params):
            self.few = 2
            self.n_rankings = params.get("n_rankings", load_evaluator(name).DEFAULTS["n_rankings"])
            started = time.process_time()
            known["shared"] = load_evaluator(name).share(*rows, params | {"n_rankings": self.few}, seed)
            self.shared_measured = time.process_time() - started
            self.shared_seconds = self.shared_measured * self.n_rankings / self.few
        evaluate = load_evaluator(name).evaluate
        evaluate(features, targets, *self._few(fold, budget), importances, params, seed, **known)
        started = time.process_time()
        self.lines = len(evaluate(*rows, importances, params, seed, **known))
        self.seconds = time.process_time() - started

    @staticmethod
    def _few(fold, budget):
        return fold.labeled[budget], fold.test[:5], fold.labeled[budget]
