"""Seconds and memory that a job may take, estimated by the jobs in the archive.

A job of a method or an evaluator takes ``start + factor * rows**a * features**b * targets**c * fits**d * L**e``. There
`targets` counts classes or targets, `fits` folds times modes (of an evaluator also times the L that it judges) and `L`
labelled rows. Factor and exponents are fitted to the logarithms of the archive's values by least squares with ridge
penalties that draw those of a method towards the ones of all methods together: a method that the archive has on few
datasets takes these nearly as they are. Long jobs weigh more, by the root of their seconds. Seconds are the clock's, of
machines that did other work as well, since a job's limit is one on the clock.

``python -m sslrank.benchmark.archive.durations`` (``make durations``) renews :data:`TABLE`.
"""

import csv
import math
import re
from pathlib import Path
from typing import NamedTuple

#: The fitted factors and exponents: one line per step, name of method or evaluator, and quantity. `jobs` counts those
#: of the archive, and `worst` is the largest ratio of one of them to its estimate.
TABLE = "workflow/durations.csv"
FACTS = ("rows", "features", "targets", "fits", "L")
COLUMNS = ("step", "name", "quantity", "jobs", "factor", *FACTS, "worst")
#: What every job takes, for the start of Python: seconds, and megabytes.
START = {"seconds": 3.0, "megabytes": 200.0}
#: Least part of a job above its start, so that logarithms stay small.
LEAST = {"seconds": 0.3, "megabytes": 10.0}
#: Studies of which nothing is estimated: their methods have the names of others, and run other programs.
LEFT_OUT = ("ssl-ranking-original",)


#: Jobs of at least so many seconds get so many threads if their ranker is among those that gain by them: two threads
#: are 1.7 to 2.1 times as fast as one (measured at commit 255f773).
LONG, THREADS, PARALLEL = 900, 4, ("genie3",)


def threads_of(ranker, seconds):
    """Threads of a ranking job with a ranker (its name, None of a program) and a duration with one thread, or None."""
    return THREADS if ranker in PARALLEL and (seconds or 0) >= LONG else 1


class Work(NamedTuple):
    """What a job works on; see the module."""

    rows: float
    features: float
    targets: float
    fits: float
    L: float = 1.0


#: A part of an experiment, whose durations are told apart by its name only.
ALONE = Work(1, 1, 1, 1)


def labeled_rows(budget, rows, targets):
    """Return the number of labelled rows of a label budget.

    Parameters
    ----------
    budget : str
        A number, ``all``, ``10pct`` or ``3-per-class``.
    rows : int
        Rows of the dataset.
    targets : int
        Classes or targets.

    Returns
    -------
    float

    Examples
    --------
    >>> [labeled_rows(budget, 200, 4) for budget in ("50", "all", "10pct", "3-per-class")]
    [50.0, 200.0, 20.0, 12.0]
    """
    if budget.endswith("pct"):
        return rows * float(budget.removesuffix("pct")) / 100
    if found := re.fullmatch(r"(\d+)-per-class", budget):
        return min(float(found[1]) * targets, rows)
    return min(float(budget), rows) if budget.isdigit() else float(rows)


def ranking_work(protocol, modes, rows, features, targets, budgets):
    """Describe a job that ranks by some label budgets under a protocol of splits (a dict), in a number of modes."""
    work = scoring_work(protocol, modes, rows, features, targets, budgets)
    labeled = sum(labeled_rows(budget, work.rows, targets) for budget in budgets) / len(budgets)
    return work._replace(L=labeled)


def scoring_work(protocol, modes, rows, features, targets, budgets):
    """Describe a job that judges the rankings of some label budgets; see :func:`ranking_work`."""
    rows = min(rows, *(protocol.get(key) or rows for key in ("rows", "max_rows")))
    fits = protocol.get("folds", 10) * protocol.get("repetitions", 1) * modes * len(budgets)
    return Work(rows, features, targets, fits)


class Durations:
    """The table of :data:`TABLE`, read from a file; without the file nothing is known."""

    def __init__(self, path):
        self._fits = {}
        if Path(path).is_file():
            with open(path, encoding="utf-8", newline="") as stream:
                for row in csv.DictReader(stream):
                    key = row["step"], row["name"], row["quantity"]
                    self._fits[key] = [float(row[column]) for column in ("factor", *FACTS)]

    def estimate(self, quantity, step, name, work=ALONE):
        """Estimate the "seconds" or "megabytes" of a job; None if the archive has none of its step and name.

        `step` is "ranking", "scores" or "part", and `name` that of the method, evaluator or experiment's module.
        """
        known = self._fits.get((step, name, quantity))
        if known is None:
            return None
        factor, *exponents = known
        facts = zip(work, exponents, strict=True)
        return START[quantity] + factor * math.prod(max(fact, 1.0) ** exponent for fact, exponent in facts)


# --- the fit ------------------------------------------------------------------------------------------------


def jobs_done(archive):
    """Yield step, name, :class:`Work`, seconds and megabytes of every job in the archive."""
    from sslrank.benchmark.archive.experiments import JOB

    for file, (study, where, _) in archive.names().items():
        if study in LEFT_OUT:
            continue
        record = archive.read(file)
        what, facts = record.what, record.dataset
        for job in record.parts[JOB].dropna(subset=["s", "max_rss"]).to_dict("records"):
            measured = float(job["s"]), float(job["max_rss"])
            if where == "experiments":
                yield "part", what["experiment"]["module"], ALONE, *measured
                continue
            targets = facts.get("classes") or facts.get("labels") or facts.get("targets") or 1
            table = what["splits"], len(what["modes"]), facts["examples"], facts["features"], targets
            if job["step"] == "ranking":
                # One job made the rankings of all L once.
                budgets = [job["L"]] if isinstance(job["L"], str) else what["L"]
                yield "ranking", what["method"]["name"], ranking_work(*table, budgets), *measured
            elif judge := what["evaluators"].get(job["evaluator"]):
                yield "scores", job["evaluator"], scoring_work(*table, judge["L"]), *measured


def fit(done):
    """Rows of the table, as dicts by :data:`COLUMNS`, for jobs as :func:`jobs_done` yields them."""
    import numpy as np

    steps = {}
    for step, name, work, *measured in done:
        steps.setdefault(step, []).append((name, work, measured))
    table = []
    for step, jobs in steps.items():
        names = sorted({name for name, _, _ in jobs})
        of = np.array([names.index(name) for name, _, _ in jobs])
        X = np.column_stack([np.ones(len(jobs)), np.log(np.maximum([work for _, work, _ in jobs], 1.0))])
        width = X.shape[1]
        A = np.hstack([X] + [X * (of == number)[:, None] for number in range(len(names))])
        penalties = np.array([1e-6] + [0.1] * (width - 1) + ([0.3] + [3.0] * (width - 1)) * len(names))
        for column, quantity in enumerate(START):
            values = np.array([measured[column] for _, _, measured in jobs])
            weights = np.sqrt([measured[0] for _, _, measured in jobs])
            weights /= weights.mean()
            logs = np.log(np.maximum(values - START[quantity], LEAST[quantity]))
            fitted = np.linalg.solve(A.T @ (A * weights[:, None]) + np.diag(penalties), A.T @ (weights * logs))
            ratios = values / (START[quantity] + np.exp(A @ fitted))
            shared, *own = fitted.reshape(-1, width)
            for number, name in enumerate(names):
                mine = of == number
                logarithm, *exponents = shared + own[number]
                row = {"step": step, "name": name, "quantity": quantity, "jobs": int(mine.sum())}
                row |= {"factor": float(f"{math.exp(logarithm):.4g}"), "worst": round(float(ratios[mine].max()), 2)}
                table.append(row | {fact: round(float(e), 3) for fact, e in zip(FACTS, exponents, strict=True)})
    return sorted(table, key=lambda row: (row["step"], row["name"], row["quantity"]))


def write_table(archive, path=TABLE):
    """Fit the jobs of an archive, and write the table."""
    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(fit(jobs_done(archive)))


if __name__ == "__main__":
    from sslrank.benchmark import paths
    from sslrank.benchmark.archive.store import Archive

    write_table(Archive(paths.ARCHIVE))
