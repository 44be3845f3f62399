"""Make the tables and comparisons of a committed summary again, from the archive, and compare them."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark import paths
from sslrank.benchmark.archive.record import SUFFIX
from sslrank.benchmark.files import read_table
from sslrank.benchmark.report.summary import MAX_BYTES, write_overviews
from sslrank.benchmark.results.study import StudyData
from sslrank.benchmark.steps.collect import CollectJob, StabilityJob, collect_job, stability_job
from sslrank.benchmark.steps.compare_published import compare_tables
from sslrank.benchmark.steps.experiment import ExperimentJob, experiment_job
from sslrank.benchmark.steps.tables import write_tables

#: Files of a summary that are made again; not its datasets, which may be a part of the study's.
PARTS = ("[!d]*.csv", "tables/*.csv", "compared/*.csv", "experiments/*/*.csv")
#: The table whose rows depend on one dataset only, the columns that do, and those that name a row.
CONTEST, ROW = "contest_scores", ["dataset", "entry", "method", "mode"]
OF_DATASET = ["task", *ROW, "measure", "score", "standard_error"]


def make_tables(plan, study, folder, dataset=None):
    """Make experiments and tables of a study from the archive alone; of one dataset, only :data:`CONTEST`."""
    folder, sources, of_study = Path(folder), plan.sources(study), plan.study(study)
    blocks, archive, collected = of_study.table_blocks(), Path(paths.ARCHIVE, study), folder / "collected"
    datasets, pairs, experiments = sources.described(), sources.collected(), sources.archived_experiments()
    if dataset is not None:
        datasets, pairs = ([item for item in listed if item["dataset"] == dataset] for listed in (datasets, pairs))
        blocks, experiments = {CONTEST: blocks[CONTEST]}, []
    collected.mkdir(parents=True, exist_ok=True)
    files = {"archived": [archive / f"{name}{SUFFIX}" for name in sources.archived_datasets()], "gathered": []}
    files["archived_experiments"] = [archive / "experiments" / f"{name}{SUFFIX}" for name in experiments]
    listed = {"datasets": datasets, "pairs": pairs}
    listed["experiments"] = sources.collected_experiments() if dataset is None else []
    collect_job(CollectJob(study=study, **files, **listed, collected=[collected / "scores.csv"]))
    if dataset is None:
        ranked = {"stability": collected / "stability.csv", "features": collected / "features.parquet"}
        stability_job(StabilityJob(gathered=[], archived=files["archived"], pairs=pairs, **ranked))
        write_overviews(collected, folder, of_study.block.comparison.excluded_datasets)
    folders = {name: folder / "experiments" / name for name in experiments}
    for name, archived in zip(experiments, files["archived_experiments"], strict=True):
        files = {"archived": archived, "computed": [], "tables": folders[name]}
        parts = of_study.experiment_parts(name)
        experiment_job(ExperimentJob(name=of_study.experiment(name), parts=parts, **files))
    write_tables(StudyData.load(of_study.table_config(), collected, folders), folder / "tables", blocks)


def make_comparisons(plan, study, tables, folder, **options):
    """Compare the tables in the folder `tables` with the published ones, if the study has any."""
    of_study = plan.study(study)
    if blocks := of_study.published_tables():
        spelling = {"spelling": of_study.published_names(), "datasets": of_study.published_datasets()}
        compare_tables(tables, Path(folder), blocks=blocks, **spelling, **options)


def summary_differences(plan, study, folder):
    """List in lines how a study's summary differs from what is made again in `folder` from the archive."""
    make_tables(plan, study, folder)
    make_comparisons(plan, study, Path(folder, "tables"), Path(folder, "compared"))
    committed = Path(paths.SUMMARIES, study)
    files = {path.relative_to(root) for root in (committed, Path(folder)) for part in PARTS for path in root.glob(part)}
    for file in sorted(files):
        new_file = Path(folder, file)
        is_large = new_file.is_file() and new_file.stat().st_size > MAX_BYTES
        if not is_large and (difference := table_difference(committed / file, new_file)):
            yield f"{study}/{file}: {difference}"


def comparison_differences(plan, study, folder, *, contests=True):
    """List in lines how the comparisons of a summary differ from what is made again from its own tables."""
    committed = Path(paths.SUMMARIES, study, "compared")
    make_comparisons(plan, study, committed.with_name("tables"), folder, contests=contests)
    folders = [Path(folder), *[committed] * contests]
    for name in sorted({path.name for each in folders for path in each.glob("*.csv")}):
        if difference := table_difference(committed / name, Path(folder, name)):
            yield f"{study}/compared/{name}: {difference}"


def dataset_difference(plan, study, dataset, folder):
    """Compare the scores of one dataset of a study with the archive; return the difference, or ""."""
    make_tables(plan, study, folder, dataset)
    path = Path("tables", f"{CONTEST}.csv")
    committed, made = (read_table(root / path)[OF_DATASET] for root in (Path(paths.SUMMARIES, study), Path(folder)))
    # All datasets choose the method that enters for a family; one alone may choose another.
    same = committed[ROW].merge(made[ROW])
    return _difference(*(same.merge(table) for table in (committed, made)))


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
