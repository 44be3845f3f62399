"""Export the training rows of every fold, for methods in other languages."""

import json
from pathlib import Path

from sslrank.benchmark.files import write_problem
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.datasets.export import to_arff, to_csv
from sslrank.model_selection.folds import Splits


def export(job, tell):
    """Do the job of the rule `export`."""
    data, wildcards = Path(job.input.table).parent, job.wildcards
    export_job(data, job.input.splits, wildcards.L, job.output[0], form=wildcards.form)


def export_job(data, splits, budget, directory, *, form="csv"):
    """Write the training rows of every fold as CSV or ARFF.

    ``fold<i>.csv`` has a header line, the features, then the targets (empty where missing or hidden). ``about.json``
    says what the columns are.
    """
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        dataset, every = Dataset.load(data), Splits.load(splits)
    except NoDataError as error:  # the method will fail, and the import knows why
        write_problem(folder / "about.json", str(error))
        return
    write = to_csv if form == "csv" else to_arff
    folds = every.folds
    for fold in folds:
        write(dataset, folder / f"fold{fold.fold}.{form}", rows=fold.train, labeled=fold.labeled[budget])
    nominal = dataset.nominal
    about = {
        "dataset": dataset.name,
        "task": dataset.task,
        "folds": [fold.fold for fold in folds],
        "features": list(dataset.X.columns),
        "nominal": [name for name, flag in zip(dataset.X.columns, nominal, strict=True) if flag],
        "targets": list(dataset.target_names),
        "hierarchy": dataset.hierarchy,
    }
    text = json.dumps(about, indent=1, ensure_ascii=False)
    (folder / "about.json").write_text(text + "\n", encoding="utf-8")
