"""Compare submitted rankings with the archived methods of a study."""

import io
import os
import re
import shlex
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from sslrank.benchmark import paths
from sslrank.benchmark.archive.ranking_summaries import summarize_rankings
from sslrank.benchmark.archive.record import SUFFIX
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.config.load import STANDARD_TABLES
from sslrank.benchmark.config.models import NAME_PATTERN
from sslrank.benchmark.files import SCORE_COLUMNS, read_table
from sslrank.benchmark.plan.plan import whole_plan
from sslrank.benchmark.report.index import write_index
from sslrank.benchmark.report.manifest import write_manifest
from sslrank.benchmark.report.page import write_page
from sslrank.benchmark.results.study import StudyData
from sslrank.benchmark.steps.collect import CollectJob, collect_job, read_results, write_stability
from sslrank.benchmark.steps.rankings_csv import read_rankings, refuse_unknown
from sslrank.benchmark.steps.tables import write_tables
from sslrank.benchmark.submit.evaluating import score_submission
from sslrank.benchmark.submit.standing import standing
from sslrank.core.errors import DataError
from sslrank.core.messages import counted, shortened, suggestion

_CELL = ["dataset", "L", "fold"]
_FIT = ["dataset", "L", "mode", "fold"]


@dataclass
class Entered:
    """Rankings, their scores, and reasons for missing scores by (dataset, L, mode, fold)."""

    scores: pd.DataFrame
    rankings: pd.DataFrame
    problems: dict = field(default_factory=dict)


def compare_file(file, *, study=None, name=None, out=None, config="config.yaml", root=None):
    """Evaluate the rankings of a file, compare them with the study's archived methods, and write tables and a page.

    Ranks and tests are over the datasets in the file. Nothing is imputed: a dataset with a missing ranking counts in no
    rank and no test, and its missing cells are listed. `study` is optional if the archive has only one. The default of
    `out` is ``results/compare/<name>``; an earlier comparison there is replaced. Returns lines to be shown. If the file
    cannot be used, a DataError is raised and nothing is written.
    """
    table = read_rankings(file)
    plan, study = archive_plan(config, study, root)
    name, datasets = name or Path(file).stem, _datasets(table, plan, study, file)
    target = comparison_folder(name, plan, study, out)
    entered, missing = write_comparison(
        lambda study_data: _evaluate(table, study_data, plan, study, file),
        plan,
        study,
        name,
        datasets,
        target,
        about={
            "title": f"{name} compared with the methods of {study}",
            "description": f"{name} is {os.path.basename(file)}: its rankings are evaluated here, on the study's "
            "splits. All other results are from the archive.",
            "marks": [],
            "spec": {"rule": str(file), "params": {}},
            "command": shlex.join(["sslrank", "compare", str(file), "--study", study, "--name", name]),
        },
    )
    without = sorted(set(table["dataset"]) - set(entered.rankings["dataset"]))
    notes = [f"{paths.ARCHIVE} has no result of {', '.join(without)}: left out"] if without else []
    return [*notes, *standing(target / "tables", name), *gaps(missing), page_line(target)]


def page_line(target):
    """Return a line with the paths of the page and the tables of a comparison."""
    return f"The page is {target / 'report.html'}, tables are in {target / 'tables'}"


def comparison_folder(name, plan, study, out=None):
    """Return the folder of a comparison, by default ``results/compare/<name>``, after checking name and folder."""
    _check_name(name, plan, study)
    target = Path(out or paths.SUBMITTED.format(name=name))
    if target.exists() and any(target.iterdir()) and not (target / "manifest.json").is_file():
        raise DataError(f"{target} is not a folder of a comparison", advice="Name another folder with --out")
    return target


def write_comparison(enter, plan, study, name, datasets, target, *, about):
    """Write tables and page that compare a result with the study's methods on some `datasets`.

    `target` is the folder. `enter` maps the :class:`~sslrank.benchmark.results.study.StudyData` of the methods to the
    result, an :class:`Entered`. `about` has title, description and marks of the page, the command, and the spec of the
    result. Returns the result and its cells without a score.
    """
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for part in ("collected", "tables"):
            (folder / part).mkdir()
        sources, config = plan.sources(study), plan.study(study).table_config()
        pairs = [pair for pair in sources.collected() if pair["dataset"] in datasets]
        archived = [Path(paths.ARCHIVE, study, f"{name}{SUFFIX}") for name in sources.archived_datasets()]
        files = {"gathered": [], "archived": archived, "pairs": pairs}
        facts = [fact for fact in sources.described() if fact["dataset"] in datasets]
        none = {"archived_experiments": [], "experiments": [], "collected": [folder / "collected/datasets.csv"]}
        collect_job(CollectJob(study=study, datasets=facts, **files, **none))
        study_data = StudyData.load(config, folder / "collected")
        entered = enter(study_data)
        entered.scores["ranking"] = _entry_names(entered.scores["ranking"], name)
        missing = _add(folder / "collected", study_data, entered, name, study)
        _condense(folder / "collected", plan, files, entered, name)
        settings = _settings(plan, study, name, datasets, about)
        config |= {"methods": settings["methods"], "datasets": datasets, "entered": name}
        blocks = {key: block for key, block in plan.study(study).table_blocks().items() if key in settings["tables"]}
        write_tables(StudyData.load(config, folder / "collected"), folder / "tables", blocks)
        command = about["command"]
        write_manifest(folder / "collected", folder / "manifest.json", config=settings, root=plan.root, command=command)
        write_page(folder, folder / "report.html", config=settings)
        new_folder = target.with_name(f".{target.name}.new")  # so that a half-written folder never has its name
        shutil.rmtree(new_folder, ignore_errors=True)
        shutil.copytree(folder, new_folder)
    if target.exists():
        shutil.rmtree(target)
    new_folder.rename(target)
    if target == Path(paths.SUBMITTED.format(name=target.name)):
        write_index(target.parents[1])
    return entered, missing


def archive_plan(config, study, root=None):
    """Return the plan with `archive=only`, and the study."""
    plan = whole_plan(config, root)
    studies = sorted({file.split("/")[0] for file in Archive(paths.ARCHIVE).sums})
    if study is None and len(studies) == 1:
        study = studies[0]
    if study not in studies:
        problem = f"{paths.ARCHIVE} has no result of the study {study!r}" if study else "name a study: --study STUDY"
        raise DataError(f"{problem}; {suggestion(study, studies) if study else 'it has: ' + ', '.join(studies)}")
    if study not in plan.studies or not plan.sources(study).heads:
        raise DataError(f"{paths.ARCHIVE} has no complete result of {study!r} with the settings of {config}")
    return plan, study


def _datasets(table, plan, study, file):
    """Return the datasets in a file, in the study's order, after checking that the archive has one of them."""
    refuse_unknown(table, "dataset", plan.studies[study].datasets, file, study)
    archived = {dataset for dataset, _ in plan.sources(study).heads}
    named = set(table["dataset"])
    if not named & archived:
        has = ", ".join(name for name in plan.studies[study].datasets if name in archived)
        raise DataError(f"is about no dataset that {paths.ARCHIVE} has", file=file, advice=f"It has {has}")
    return [name for name in plan.studies[study].datasets if name in named]


def _check_name(name, plan, study):
    if not re.fullmatch(NAME_PATTERN, name):
        raise DataError(f"{name!r} cannot name a folder", advice="Give it a name of letters and digits with --name")
    if name in plan.studies[study].ranked:
        raise DataError(f"the study has a method {name!r}", advice="Give the result another name with --name")
    if pd.read_csv(io.StringIO(name), header=None).isna().any(axis=None):  # as the tables are read again
        problem = f"{name!r} cannot be the result's name: tables have it for a missing value"
        raise DataError(problem, advice="Give the result another name with --name")


def _evaluate(table, study_data, plan, study, file):
    """Evaluate the rankings of a file in the way in which the study compares methods."""
    refuse_unknown(table, "L", plan.study(study).budgets(), file, study)
    refuse_unknown(table, "mode", plan.studies[study].modes, file, study)
    table = table[table["dataset"].isin(study_data.scores["dataset"])]
    status = study_data.status[study_data.status["dataset"].isin(table["dataset"])]
    refuse_unknown(table, "fold", status["fold"].unique(), file, study)
    evaluator = plan.studies[study].comparison.evaluator
    specs = {dataset: head.spec for (dataset, _), head in plan.sources(study).heads.items()}
    parts, problems = [], {}
    for dataset, part in table.groupby("dataset", sort=False):
        try:
            scores, wrong = score_submission(part, specs[dataset], evaluator, plan.catalogue[dataset], plan.data)
        except (DataError, OSError) as error:
            cells = part[["L", "mode", "fold"]].drop_duplicates().itertuples(index=False)
            wrong, scores = {tuple(cell): str(error) for cell in cells}, pd.DataFrame()
        problems |= {(dataset, *cell): problem for cell, problem in wrong.items()}
        parts.append(scores.assign(dataset=dataset, evaluator=evaluator))
    if not any(map(len, parts)):
        (dataset, budget, mode, fold), problem = next(iter(problems.items()))
        problem = f"no ranking could be evaluated; of {dataset} with L {budget}, {mode}, fold {fold}: {problem}"
        raise DataError(problem, file=file)
    scores = pd.concat([part for part in parts if len(part)], ignore_index=True)
    return Entered(scores, table, problems)


def _entry_names(rankings, name):
    """Name the rankings of a file by the result's name, followed by their own if there are several."""
    if rankings.nunique() == 1:
        return name
    return name + " " + rankings.where(rankings != "", "ranking")


def _add(collected, study_data, entered, name, study):
    """Add the scores to the collected tables, with the status of each cell; return the cells without a score."""
    archived_scores = study_data.scores
    tasks = archived_scores.drop_duplicates("dataset").set_index("dataset")["task"]
    row_counts = archived_scores[[*_CELL, "n_test", "n_labeled"]].drop_duplicates(_CELL)
    scores = entered.scores.merge(row_counts, on=_CELL)
    scores = scores.assign(study=study, method=name, task=scores["dataset"].map(tasks))[SCORE_COLUMNS]
    _append(scores, collected / "scores.csv")
    seen = {*scores["mode"], *(mode for _, _, mode, _ in entered.problems)}
    modes = pd.DataFrame({"mode": [mode for mode in study_data.config["modes"] if mode in seen]})
    cells = study_data.status[["dataset", "task", "L", "fold"]].drop_duplicates().merge(modes, how="cross")
    n_rankings = scores["ranking"].nunique()
    complete_fits = scores.merge(study_data.selected()[["dataset", "evaluator", "measure"]].drop_duplicates())
    complete_fits = complete_fits.dropna(subset="value")
    complete_fits = complete_fits.groupby(_FIT)["ranking"].nunique() == n_rankings
    index = pd.MultiIndex.from_frame(cells[_FIT])
    ok = complete_fits.reindex(index, fill_value=False).to_numpy()
    status = cells.assign(method=name, status="ok", seconds=float("nan"), message="", details="{}")
    status.loc[~ok, "status"] = ["failed" if key in entered.problems else "not run" for key in index[~ok]]
    lacking = f"the file {'has no' if n_rankings == 1 else 'lacks a'} ranking of it"
    status.loc[~ok, "message"] = [entered.problems.get(key, lacking) for key in index[~ok]]
    _append(status, collected / "status.csv")
    sources = pd.DataFrame({"dataset": sorted(set(scores["dataset"])), "method": name, "source": "the file"})
    _append(sources, collected / "sources.csv")
    return status[~ok]


def _append(rows, path):
    table = read_table(path)
    pd.concat([table, rows.reindex(columns=table.columns)], ignore_index=True).to_csv(path, index=False)


def _condense(collected, plan, files, entered, name):
    """Write stability and best features of the study's methods and of the scored rankings."""
    summaries = [(pair, record.parts) for pair, record in read_results(**files) if record is not None]
    scored = entered.rankings.merge(entered.scores[_FIT].drop_duplicates(), on=_FIT)
    scored["ranking"] = _entry_names(scored["ranking"], name)
    for dataset, part in scored.groupby("dataset", sort=False):
        pair = {"dataset": dataset, "task": plan.catalogue[dataset].task, "method": name}
        summaries.append((pair, summarize_rankings(part)))
    write_stability(summaries, collected / "stability.csv", collected / "features.parquet")


def _settings(plan, study, name, datasets, about):
    """Return the study's block with the result added to the methods, and with only some tables."""
    block = plan.study(study).config()
    n_datasets = len(plan.studies[study].datasets)
    kept = {key: table | {"published": []} for key, table in block["tables"].items() if key in STANDARD_TABLES}
    return block | {
        "title": about["title"],
        "description": about["description"],
        "datasets": datasets,
        "out_of": n_datasets,
        "marks": [f"{len(datasets)} of {counted(n_datasets, 'dataset')} of {study}", *about["marks"]],
        "entered": name,
        "methods": [*block["methods"], name],
        "methods_used": block["methods_used"] | {name: about["spec"]},
        "tables": kept,
    }


def gaps(missing):
    """List missing scores of the result, by dataset."""
    if missing.empty:
        return
    yield f"Missing cells ({len(missing)}); the result does not count on these datasets:"
    for dataset, part in missing.groupby("dataset", sort=False):
        first, *others = dict.fromkeys(part["message"])
        reasons = shortened(first, 120) + (f", and {counted(len(others), 'other reason')}" if others else "")
        yield f"  {dataset}: {len(part)} of L {', '.join(dict.fromkeys(part['L']))} ({reasons})"
