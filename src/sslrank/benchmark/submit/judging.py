"""Score submitted rankings and rankers: on the data, on the splits and by the evaluator of the archive."""

import tempfile

import numpy as np
import pandas as pd

from sslrank.benchmark import scoring
from sslrank.benchmark.fits import rank_dataset
from sslrank.benchmark.steps.import_rankings import check_ranking
from sslrank.benchmark.steps.splits import archived_splits
from sslrank.core.errors import DataError
from sslrank.datasets.download import fetch
from sslrank.datasets.prepare import prepare


def archived_data(what, entry, data):
    """Prepare a dataset, and make the splits of the archive's results on it again.

    `what` is what the archive has computed on it (:class:`sslrank.benchmark.archive.record.Record`), `data` has cache
    and mirror. A DataError says that the data is not available, or that it or its splits are not those of the archive.
    """
    with tempfile.TemporaryDirectory() as folder:
        prepare(entry, fetch(entry, data.cache, data.mirror), max_size=data.max_size).save(folder)
        dataset, splits = archived_splits(folder, what)
    if dataset is None:
        raise DataError(f"dataset {entry.name!r}: its content differs from that of the archive's results")
    if splits is None:
        raise DataError(f"dataset {entry.name!r}: its splits differ from those of the archive")
    return dataset, splits


def score_submission(rankings, what, evaluator, entry, data):
    """Score rankings of one dataset; return scores, and by (L, mode, fold) why rankings are not judged.

    `evaluator` is one of the archive's evaluators; the other arguments and errors are those of :func:`archived_data`.
    """
    dataset, splits = archived_data(what, entry, data)
    block, problems, good = what["evaluators"][evaluator], {}, {}
    features = set(dataset.X.columns)
    for (budget, mode, fold), part in rankings.groupby(["L", "mode", "fold"], sort=False):
        if budget not in block["L"]:
            problems[budget, mode, fold] = "the archive has no scores of this L"
        elif problem := check_ranking(part, features):
            problems[budget, mode, fold] = problem
        else:
            good.setdefault(budget, []).append(part)
    good = {budget: pd.concat(parts, ignore_index=True) for budget, parts in good.items()}
    return _scores(dataset, splits, good, block, what), problems


def score_ranker(spec, what, evaluator, entry, data):
    """Rank one dataset by a ranker for every L and split of the archive; return rankings, their scores and the fits.

    `spec` is that of :func:`sslrank.benchmark.fits.rank_dataset`, whose tables of rankings and fits get the column L;
    the other arguments and errors are those of :func:`archived_data`.
    """
    dataset, splits = archived_data(what, entry, data)
    block, rankings, fits = what["evaluators"][evaluator], {}, []
    for budget in block["L"]:
        rankings[budget], status = rank_dataset(dataset, splits, budget, spec, modes=what["modes"], seed=what["seed"])
        fits.append(status.assign(L=budget))
    scores = _scores(dataset, splits, {L: table for L, table in rankings.items() if len(table)}, block, what)
    every = [table.assign(L=budget) for budget, table in rankings.items()]
    return pd.concat(every, ignore_index=True), scores, pd.concat(fits, ignore_index=True)


def _scores(dataset, splits, rankings, block, what):
    rows = scoring.evaluate_rankings(dataset, splits, rankings, block, seed=what["seed"])
    columns = ["L", "mode", "fold", "ranking", "measure", "k", "value"]
    return pd.DataFrame(rows, columns=columns).astype({"k": "Int64", "value": np.float64})
