"""Score submitted rankings: on the data, on the splits and by the evaluator of the archive."""

import tempfile

import numpy as np
import pandas as pd

from sslrank.benchmark import scoring
from sslrank.benchmark.steps.import_rankings import check_ranking
from sslrank.benchmark.steps.splits import archived_splits
from sslrank.core.errors import DataError
from sslrank.datasets.download import fetch
from sslrank.datasets.prepare import prepare


def score_submission(rankings, what, evaluator, entry, data):
    """Score rankings of one dataset; return scores, and by (L, mode, fold) why rankings are not judged.

    `what` is what the archive has computed on the dataset (:class:`sslrank.benchmark.archive.record.Record`),
    `evaluator` one of its evaluators, `data` has cache and mirror. A DataError says that the data is not available, or
    that it or its splits are not those of the archive.
    """
    with tempfile.TemporaryDirectory() as folder:
        prepare(entry, fetch(entry, data.cache, data.mirror), max_size=data.max_size).save(folder)
        dataset, splits = archived_splits(folder, what)
    if dataset is None:
        raise DataError(f"dataset {entry.name!r}: its content differs from that of the archive's results")
    if splits is None:
        raise DataError(f"dataset {entry.name!r}: its splits differ from those of the archive")
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
    rows = scoring.evaluate_rankings(dataset, splits, good, block, seed=what["seed"])
    columns = ["L", "mode", "fold", "ranking", "measure", "k", "value"]
    return pd.DataFrame(rows, columns=columns).astype({"k": "Int64", "value": np.float64}), problems
