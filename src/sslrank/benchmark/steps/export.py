"""Export the training rows of every fold, for methods in other languages, or all rows, for evaluators."""

import json
from pathlib import Path

import pandas as pd

from sslrank.benchmark.files import write_problem
from sslrank.benchmark.steps import DatasetJob
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.folds import Splits


class ExportJob(DatasetJob):
    """Export the training rows with the labels of the label budget `L` to the folder `exported`; without L all rows."""

    splits: Path
    L: str | None
    exported: Path


def export_job(job: ExportJob):
    """Write the training rows of every fold as CSV.

    ``fold<i>.csv`` has a header line, the features, then the targets (empty if missing or hidden). ``about.json``
    describes the columns. Without L, ``rows.csv`` has all rows with all their targets.
    """
    folder = job.exported
    folder.mkdir(parents=True, exist_ok=True)
    try:
        dataset, all_splits = Dataset.load(job.data), Splits.load(job.splits)
    except NoDataError as error:  # the method will fail, and the import reports why
        write_problem(folder / "about.json", str(error))
        return
    targets = pd.DataFrame(dataset.target_table, columns=dataset.target_columns)
    if job.L is None:
        pd.concat([dataset.X, targets], axis=1).to_csv(folder / "rows.csv", index=False)
    for fold in all_splits.folds if job.L is not None else ():
        visible = targets.loc[fold.labeled[job.L]].reindex(fold.train)
        pd.concat([dataset.X.loc[fold.train], visible], axis=1).to_csv(folder / f"fold{fold.fold}.csv", index=False)
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
    (folder / "about.json").write_text(text + "\n", encoding="utf-8")
