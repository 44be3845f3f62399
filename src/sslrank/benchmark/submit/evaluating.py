"""Evaluate rankings (submitted, of a ranker, or archived) on the data and splits of the archive."""

import tempfile

import numpy as np
import pandas as pd

from sslrank.benchmark import scoring
from sslrank.benchmark.archive.record import ORDERED
from sslrank.benchmark.fits import rank_dataset
from sslrank.benchmark.steps.import_rankings import check_ranking
from sslrank.benchmark.steps.splits import archived_splits
from sslrank.core.errors import DataError
from sslrank.datasets.download import fetch
from sslrank.datasets.prepare import prepare


def archived_data(archived, dataset_spec, data):
    """Prepare a dataset, and recreate the splits of its archived results.

    `archived` is the spec of an archived result on it (see :class:`sslrank.benchmark.archive.record.Record`), `data`
    has cache and mirror. Raises a DataError if the data is unavailable, or if data or splits differ from those of the
    archive.
    """
    with tempfile.TemporaryDirectory() as folder:
        prepare(dataset_spec, fetch(dataset_spec, data.cache, data.mirror)).save(folder)
        dataset, splits = archived_splits(folder, archived)
    if dataset is None:
        raise DataError(f"dataset {dataset_spec.name!r}: its content differs from that of the archive's results")
    if splits is None:
        raise DataError(f"dataset {dataset_spec.name!r}: its splits differ from those of the archive")
    return dataset, splits


def score_submission(rankings, archived, evaluator, dataset_spec, data):
    """Score rankings of one dataset; return the scores, and reasons for missing scores by (L, mode, fold).

    `evaluator` is one of the archive's evaluators; the other arguments and errors are those of :func:`archived_data`.
    """
    dataset, splits = archived_data(archived, dataset_spec, data)
    block, problems, good = archived["evaluators"][evaluator], {}, {}
    features, folds = set(dataset.X.columns), {each.fold for each in splits.folds}
    for (budget, mode, fold), part in rankings.groupby(["L", "mode", "fold"], sort=False):
        if budget not in block["L"]:
            problems[budget, mode, fold] = "the archive has no scores of this L"
        elif fold not in folds:
            problems[budget, mode, fold] = "the dataset has no such fold"
        elif problem := check_ranking(part, features):
            problems[budget, mode, fold] = problem
        else:
            good.setdefault(budget, []).append(part)
    good = {budget: pd.concat(parts, ignore_index=True) for budget, parts in good.items()}
    return _scores(dataset, splits, good, block, archived), problems


def score_ranker(spec, archived, evaluator, dataset_spec, data):
    """Rank one dataset for each L and split of the archive; return rankings, scores and fits.

    `spec` is that of :func:`sslrank.benchmark.fits.rank_dataset`, whose tables of rankings and fits get the column L;
    the other arguments and errors are those of :func:`archived_data`.
    """
    dataset, splits = archived_data(archived, dataset_spec, data)
    block, rankings, fits = archived["evaluators"][evaluator], {}, []
    for budget in block["L"]:
        rankings[budget], status = rank_dataset(
            dataset, splits, budget, spec, modes=archived["modes"], seed=archived["seed"]
        )
        fits.append(status.assign(L=budget))
    scores = _scores(dataset, splits, {L: table for L, table in rankings.items() if len(table)}, block, archived)
    tables = [table.assign(L=budget) for budget, table in rankings.items()]
    return pd.concat(tables, ignore_index=True), scores, pd.concat(fits, ignore_index=True)


def _scores(dataset, splits, rankings, block, archived):
    rows = scoring.evaluate_rankings(dataset, splits, rankings, block, seed=archived["seed"])
    columns = ["L", "mode", "fold", "ranking", "measure", "k", "value"]
    return pd.DataFrame(rows, columns=columns).astype({"k": "Int64", "value": np.float64})


def score_archived(records, evaluator, block, dataset_spec, data):
    """Score the archived rankings of methods on one dataset by another evaluator, without fitting.

    The archive has the order of the best :data:`~sslrank.benchmark.archive.record.ORDERED` features of a ranking;
    scores that need more features are left out.

    Parameters
    ----------
    records : list of Record
        Records of one dataset, with the orders of their rankings.
    evaluator : str
        Name of the evaluator in the scores.
    block : dict
        Configured "evaluator" and "params"; the evaluator must use only the order of the features.
    dataset_spec, data
        As in :func:`archived_data`, which also defines the errors.

    Returns
    -------
    DataFrame
        method, L, mode, fold, ranking, evaluator, measure, k, value.
    """
    dataset, splits = archived_data(records[0].spec, dataset_spec, data)
    names, parts = np.array(dataset.X.columns, dtype=object), []
    for record in records:
        rankings = {}
        for row in record.parts["ranking"].itertuples():
            importances = np.zeros(len(names))
            importances[row.best] = np.arange(len(row.best), 0, -1)
            ranking = {"mode": row.mode, "fold": row.fold, "ranking": row.ranking, "feature": names}
            rankings.setdefault(row.L, []).append(pd.DataFrame(ranking | {"importance": importances}))
        rankings = {budget: pd.concat(tables, ignore_index=True) for budget, tables in rankings.items()}
        parts.append(_scores(dataset, splits, rankings, block, record.spec).assign(method=record.key[2]))
    scores = pd.concat(parts, ignore_index=True).assign(evaluator=evaluator)
    if len(names) > ORDERED:
        scores = scores[scores["k"].isna() | (scores["k"] <= ORDERED)]
    return scores[["method", "L", "mode", "fold", "ranking", "evaluator", "measure", "k", "value"]]
