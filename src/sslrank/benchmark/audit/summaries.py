"""Make the tables and comparisons of a committed summary again, from the archive, and compare them."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark import paths
from sslrank.benchmark.files import read_table
from sslrank.benchmark.report.summary import MAX_BYTES
from sslrank.benchmark.steps.collect import collect_job
from sslrank.benchmark.steps.compare_published import compare_tables
from sslrank.benchmark.steps.experiment import experiment_job
from sslrank.benchmark.steps.tables import tables_job

#: Files of a summary that are made again.
PARTS = ("tables/*.csv", "compared/*.csv", "experiments/*/*.csv")
#: The table whose rows depend on one dataset only, and the columns that do.
CONTEST, OF_DATASET = "contest_scores", ["task", "dataset", "entry", "mode", "measure", "score", "standard_error"]


def make_tables(plan, study, folder, dataset=None):
    """Make experiments and tables of a study from the archive alone; of one dataset, only :data:`CONTEST`."""
    folder, results, tables = Path(folder), plan.results(study), plan.table_blocks(study)
    datasets, pairs, experiments = results.datasets(), results.collected(), plan.joined_experiments(study)
    if dataset is not None:
        datasets, pairs = ([item for item in listed if item["dataset"] == dataset] for listed in (datasets, pairs))
        tables, experiments = {CONTEST: tables[CONTEST]}, []
    for part in ("collected", "tables", "experiments"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    collect_job(folder / "collected", datasets=datasets, pairs=pairs, experiments=results.collected_experiments())
    for name in experiments:
        module = plan.studies[study].experiments[name].experiment
        experiment_job(results.experiment_parts(name), folder / "experiments" / name, name=module)
    places = {path.name: path for path in (folder / "experiments").iterdir()}
    config = plan.table_config(study)
    tables_job(folder / "collected", folder / "tables", study=study, config=config, tables=tables, experiments=places)


def make_comparisons(plan, study, made, folder, **options):
    """Compare the tables in the folder `made` with the published ones, if the study has any."""
    publication = plan.publication(study)
    if publication.tables:
        spelling = {"spelling": publication.names, "datasets": publication.datasets}
        compare_tables(made, Path(folder), tables=publication.tables, **spelling, **options)


def summary_differences(plan, study, folder):
    """List in lines how a study's summary differs from what is made again in `folder` from the archive."""
    make_tables(plan, study, folder)
    make_comparisons(plan, study, Path(folder, "tables"), Path(folder, "compared"))
    committed = Path(paths.SUMMARIES, study)
    files = {path.relative_to(root) for root in (committed, Path(folder)) for part in PARTS for path in root.glob(part)}
    for file in sorted(files):
        made = Path(folder, file)
        is_large = made.is_file() and made.stat().st_size > MAX_BYTES
        if not is_large and (difference := table_difference(committed / file, made)):
            yield f"{study}/{file}: {difference}"


def comparison_differences(plan, study, folder, *, contests=True):
    """List in lines how the comparisons of a summary differ from what is made again from its own tables."""
    committed = Path(paths.SUMMARIES, study)
    make_comparisons(plan, study, committed / "tables", folder, contests=contests)
    for made in sorted(Path(folder).glob("*.csv")):
        if difference := table_difference(committed / "compared" / made.name, made):
            yield f"{study}/compared/{made.name}: {difference}"


def dataset_difference(plan, study, dataset, folder):
    """Compare the scores of one dataset of a study with the archive; return the difference, or ""."""
    make_tables(plan, study, folder, dataset)
    path, rows = Path("tables", f"{CONTEST}.csv"), []
    for root in (Path(paths.SUMMARIES, study), Path(folder)):
        table = read_table(root / path)
        rows.append(table.loc[table["dataset"] == dataset, OF_DATASET])
    return _difference(*rows)


def table_difference(first, second):
    """Compare two CSV files, whose rows may be in any order; return the first difference, or ""."""
    if not (first.is_file() and second.is_file()):
        return "is committed, but not made" if first.is_file() else "is made, but not committed"
    return _difference(read_table(first), read_table(second))


def _difference(first, second):
    try:
        options = {"check_exact": False, "rtol": 1e-9, "atol": 1e-12, "obj": "the table"}
        pd.testing.assert_frame_equal(_rows(first), _rows(second), **options)
    except AssertionError as error:
        return " ".join(str(error).split())[:200]
    return ""


def _rows(table):
    """Sort rows by their texts and whole numbers: those of equal rank may stand in any order."""
    keys = [name for name in table if table[name].dtype.kind != "f"]
    return table.sort_values(keys, kind="stable", ignore_index=True) if keys else table
