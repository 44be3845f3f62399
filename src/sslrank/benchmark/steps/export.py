"""Export the training rows of every fold, for methods in other languages, or all rows, for evaluators."""

import json
from pathlib import Path

import pandas as pd

from sslrank.benchmark.files import write_problem
from sslrank.benchmark.steps import SplitJob
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.folds import Splits


class ExportJob(SplitJob):
    """Write the training rows of every fold, with the labels of the label budget `L`, as CSV to the folder `exported`.

    ``fold<i>.csv`` has a header line, the features, then the targets (empty if missing or hidden). ``about.json``
    describes the columns. Without L, ``rows.csv`` has all rows with all their targets.
    """

    L: str | None
    exported: Path


def export_job(job: ExportJob):
    """Write the rows, or why the dataset has none."""
    exported, L = job.exported, job.L
    exported.mkdir(parents=True, exist_ok=True)
    try:
        dataset, all_splits = Dataset.load(job.data), Splits.load(job.splits)
    except NoDataError as error:  # the method will fail, and the import reports why
        write_problem(exported / "about.json", str(error))
        return
    targets = pd.DataFrame(dataset.target_table, columns=dataset.target_columns)
    if L is None:
        pd.concat([dataset.X, targets], axis=1).to_csv(exported / "rows.csv", index=False)
    for fold in all_splits.folds if L is not None else ():
        visible = targets.loc[fold.labeled[L]].reindex(fold.train)
        pd.concat([dataset.X.loc[fold.train], visible], axis=1).to_csv(exported / f"fold{fold.fold}.csv", index=False)
    description = {
        "dataset": dataset.name,
        "task": dataset.task,
        "folds": [fold.fold for fold in all_splits.folds],
        "features": list(dataset.X.columns),
        "nominal": list(dataset.X.columns[dataset.nominal]),
        "targets": list(dataset.target_names),
        "hierarchy": dataset.hierarchy,
    }
    text = json.dumps(description, indent=1, ensure_ascii=False)
    (exported / "about.json").write_text(text + "\n", encoding="utf-8")
