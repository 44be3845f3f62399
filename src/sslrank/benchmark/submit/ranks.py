"""Compare a result made anywhere with the methods of a study in the archive."""

import io
import os
import re
import shlex
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd
import yaml

from sslrank.benchmark import paths
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.config.load import STANDARD_TABLES
from sslrank.benchmark.config.models import NAME_PATTERN
from sslrank.benchmark.config.validation import ConfigError
from sslrank.benchmark.files import SCORE_COLUMNS, read_table
from sslrank.benchmark.plan.plan import Plan
from sslrank.benchmark.report.index import write_index
from sslrank.benchmark.report.manifest import manifest_job
from sslrank.benchmark.report.page import page_job
from sslrank.benchmark.results.study import StudyData
from sslrank.benchmark.results.titles import TASKS
from sslrank.benchmark.steps.collect import collect_job
from sslrank.benchmark.steps.stability import stability_job
from sslrank.benchmark.steps.tables import tables_job
from sslrank.benchmark.submit.judging import score_submission
from sslrank.benchmark.submit.reading import (
    check_range,
    check_twice,
    line_of,
    numbers_in_words,
    read_results,
    refuse_unknown,
)
from sslrank.core.errors import DataError
from sslrank.core.messages import counted, shortened, suggestion

#: What is said of scores, which a file may have from anywhere.
GIVEN = "scores as given, not judged here"
_CELL = ["dataset", "L", "fold"]
_FIT = ["dataset", "L", "mode", "fold"]
_SCORE = ["dataset", "evaluator", "measure"]


@dataclass
class Entered:
    """Scores of a file and, of a file of rankings, the rankings; what is missing; and lines to be shown.

    `problems` says by (dataset, L, mode, fold) why there is no score.
    """

    scores: pd.DataFrame
    rankings: pd.DataFrame | None = None
    problems: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)


def submit_file(file, *, study=None, name=None, out=None, config="config.yaml", root=None):
    """Compare the rankings or scores of a file with the study's methods in the archive; write tables and a page.

    Ranks and tests are over the datasets that the file names. Nothing is filled in: on a dataset of which the file
    lacks a score its result counts in no rank and no test, and the cell is listed. `study` may be left out where the
    archive has only one. `out` is by default ``results/compare/<name>``; what an earlier comparison wrote there is
    replaced. Returns lines to be shown; if the file cannot be used, a DataError says why and nothing is written.
    """
    table = read_results(file)
    plan, study = archive_plan(config, study, root)
    name, wanted = name or Path(file).stem, _datasets(table, plan, study, file)
    target = place_of(name, plan, study, out)
    judged = "feature" in table
    how = "its rankings are judged here, on the study's splits" if judged else GIVEN
    found, missing = write_comparison(
        lambda everybody: _entered(table, everybody, plan, study, file),
        plan,
        study,
        name,
        wanted,
        target,
        about={
            "title": f"{name} compared with the methods of {study}",
            "description": f"{name} is {os.path.basename(file)}: {how}. All other results are from the archive.",
            "marks": [] if judged else [f"{name}: {GIVEN}"],
            "spec": {"rule": str(file), "params": {}},
            "command": shlex.join(["sslrank", "compare", str(file), "--study", study, "--name", name]),
        },
    )
    lines = [*found.notes, *([] if judged else [f"{name}: {GIVEN}"])]
    lines += [*_not_named(wanted, plan, study), *_said(target / "tables", name), *gaps(missing)]
    return [*lines, page_line(target)]


def page_line(target):
    """Say where the page and the tables of a comparison are."""
    return f"The page is {target / 'report.html'}, tables are in {target / 'tables'}"


def place_of(name, plan, study, out=None):
    """Return the folder of a comparison, by default ``results/compare/<name>``, after checking name and folder."""
    _check_name(name, plan, study)
    target = Path(out or paths.SUBMITTED.format(name=name))
    if target.exists() and any(target.iterdir()) and not (target / "manifest.json").is_file():
        raise DataError(f"{target} is not a folder of a comparison", advice="Name another folder with --out")
    return target


def write_comparison(enter, plan, study, name, wanted, target, *, about):
    """Write tables and page of a result beside the study's methods on the datasets `wanted`, in the folder `target`.

    `enter` gets the :class:`~sslrank.benchmark.results.study.StudyData` of these methods and returns the result as
    :class:`Entered`; `about` has title, description and marks of the page, command, and the result's spec. Returns the
    result and its cells without a score.
    """
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for part in ("collected", "tables", "rankings"):
            (folder / part).mkdir()
        pairs = [pair for pair in plan.results(study).collected() if pair["dataset"] in wanted]
        facts = [fact for fact in plan.results(study).datasets() if fact["dataset"] in wanted]
        collect_job(folder / "collected", datasets=facts, pairs=pairs)
        read = {part: read_table(folder / "collected" / f"{part}.csv") for part in ("datasets", "scores", "status")}
        everybody = StudyData(study, plan.table_config(study), **read)
        found = enter(everybody)
        found.scores["ranking"] = _called(found.scores["ranking"], name)
        missing = _add(folder / "collected", everybody, found, name, study)
        _condense(folder, plan, study, found, name, wanted)
        settings = _settings(plan, study, name, wanted, about)
        tables_job(
            folder / "collected",
            folder / "tables",
            study=study,
            config=plan.table_config(study) | {"methods": settings["methods"], "datasets": wanted, "entered": name},
            tables={key: block for key, block in plan.table_blocks(study).items() if key in settings["tables"]},
        )
        command = about["command"]
        manifest_job(folder / "collected", folder / "manifest.json", config=settings, root=plan.root, command=command)
        page_job(folder, folder / "report.html", config=settings)
        shutil.rmtree(folder / "rankings")
        whole = target.with_name(f".{target.name}.new")  # so that a half-written folder never has its name
        shutil.rmtree(whole, ignore_errors=True)
        shutil.copytree(folder, whole)
    if target.exists():
        shutil.rmtree(target)
    whole.rename(target)
    if target == Path(paths.SUBMITTED.format(name=target.name)):
        write_index(target.parents[1])
    return found, missing


def archive_plan(config, study, root=None):
    """The plan of the studies with the archive alone, and the study."""
    if not Path(config).is_file():
        raise DataError(f"there is no {config} here", advice="Run it in the folder of the repository, or of its clone")
    there = sorted({file.split("/")[0] for file in Archive(paths.ARCHIVE).rows})
    if study is None and len(there) == 1:
        study = there[0]
    if study not in there:
        problem = f"{paths.ARCHIVE} has no result of the study {study!r}" if study else "name a study: --study STUDY"
        raise DataError(f"{problem}; {suggestion(study, there) if study else 'it has: ' + ', '.join(there)}")
    settings = yaml.safe_load(Path(config).read_text(encoding="utf-8")) or {}
    settings |= {"archive": "only", "datasets": None, "methods": None}
    try:
        plan = Plan(settings, root or Path(config).parent)
    except ConfigError as error:
        raise DataError(str(error)) from None
    if study not in plan.studies or not plan.results(study).heads:
        raise DataError(f"{paths.ARCHIVE} has no complete result of {study!r} with the settings of {config}")
    return plan, study


def _datasets(table, plan, study, file):
    """Return the datasets that a file names, in the study's order, after checking that the archive has one of them."""
    refuse_unknown(table, "dataset", plan.studies[study].datasets, file, f"the study {study}")
    there = {dataset for dataset, _ in plan.results(study).heads}
    named = set(table["dataset"])
    if not named & there:
        has = ", ".join(name for name in plan.studies[study].datasets if name in there)
        raise DataError(f"is about no dataset that {paths.ARCHIVE} has", file=file, advice=f"It has {has}")
    return [name for name in plan.studies[study].datasets if name in named]


def _not_named(wanted, plan, study):
    """Name the datasets of the study that a file leaves out, in one line."""
    others = [name for name in plan.studies[study].datasets if name not in wanted]
    if others:
        names = ", ".join(others[:5]) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
        yield f"Compared on {len(wanted)} of {len(wanted) + len(others)} datasets of {study}; not in the file: {names}"


def _check_name(name, plan, study):
    if not re.fullmatch(NAME_PATTERN, name):
        raise DataError(f"{name!r} cannot name a folder", advice="Give it a name of letters and digits with --name")
    if name in plan.studies[study].ranked:
        raise DataError(f"the study has a method {name!r}", advice="Give the result another name with --name")
    if pd.read_csv(io.StringIO(name), header=None).isna().any(axis=None):  # as the tables are read again
        problem = f"{name!r} cannot be the result's name: tables have it for a missing value"
        raise DataError(problem, advice="Give the result another name with --name")


def _entered(table, everybody, plan, study, file):
    """Scores of a file, in the columns that the archive's have."""
    known, notes = everybody.scores, []
    if "mode" not in table:
        table = table.assign(mode="ssl")
        notes.append(f"{file} has no column 'mode': taken to be ssl")
    refuse_unknown(table, "L", plan.budgets(study), file, f"the study {study}")
    refuse_unknown(table, "mode", plan.studies[study].modes, file, f"the study {study}")
    here = known["dataset"].unique()
    without = sorted(set(table["dataset"]) - set(here))
    if without:
        notes.append(f"{paths.ARCHIVE} has no result of {', '.join(without)}: left out")
        table = table[table["dataset"].isin(here)]
    _check_folds(table, everybody, file)
    if "feature" in table:
        return _judged(table, plan, study, notes, file)
    compared = _compared(everybody)
    by_dataset = compared.drop_duplicates("dataset").set_index("dataset")
    for column in ("evaluator", "measure"):
        if column not in table:
            table = table.assign(**{column: table["dataset"].map(by_dataset[column])})
            taken = table[column].dropna().unique()
            notes.append(f"{file} has no column {column!r}: taken to be {', '.join(taken)}")
        else:
            refuse_unknown(table, column, known[column].unique(), file, "the archive")
    check_range(table, file)
    table = _with_k(table, known, compared, file)
    folds = known[_CELL].drop_duplicates().assign(there=True)
    cells = table[_CELL].merge(folds, on=_CELL, how="left")["there"]
    if cells.isna().any():
        wrong = cells.isna().set_axis(table.index)
        row = table[wrong].iloc[0]
        problem = f"the archive has no score of fold {row['fold']} of {row['dataset']} with L {row['L']}"
        raise DataError(problem, file=file, line=line_of(wrong), advice="Remove this line")
    counts = table.merge(compared.assign(counts=True), on=[*_SCORE, "k"], how="left")["counts"].notna().to_numpy()
    ours = table[counts]
    numbers = ours.groupby([*_FIT, "ranking"])["value"].transform("size")
    # Where the mean over k is compared, one over some of them would be another score.
    part = ours[numbers < compared.groupby("dataset").size().reindex(ours["dataset"]).to_numpy()]
    if len(part) == len(ours):
        datasets = compared[compared["dataset"].isin(table["dataset"])].groupby("dataset", sort=False)
        wanted = "; ".join(dict.fromkeys(_in_words(scores) for _, scores in datasets))
        raise DataError("has none of the scores that the study compares", file=file, advice=f"It compares {wanted}")
    problems = dict.fromkeys(part[_FIT].itertuples(index=False, name=None), "the file lacks some k")
    return Entered(table.drop(part.index), problems=problems, notes=notes)


def _compared(everybody):
    """Dataset, evaluator, measure and k of the scores that a study compares; every k where it is their mean."""
    compared = everybody.selected()[[*_SCORE, "k"]].drop_duplicates()
    if everybody.comparison["k"] == "mean":
        every = everybody.scores.dropna(subset="value")[[*_SCORE, "k"]].drop_duplicates()
        compared = compared.drop(columns="k").merge(every)
    return compared.astype({"k": "Int64"})


def _in_words(compared):
    """Name the scores that a study compares on a dataset."""
    if compared.empty:  # its evaluator has failed there for every method
        return "nothing on it"
    evaluator, measure = compared[["evaluator", "measure"]].iloc[0]
    numbers = compared["k"].dropna()
    words = f" with {'the mean over ' * (len(numbers) > 1)}k {numbers_in_words(numbers)}" if len(numbers) else ""
    return f"{measure} by {evaluator}{words}"


def _with_k(table, known, compared, file):
    """Scores with their k: each is one that the archive has, and is filled in where that has a single one."""
    column = "'k'" if "k" in table else None
    table = table.assign(k=table["k"] if column else pd.array([pd.NA] * len(table), dtype="Int64"))
    by_score = known.groupby(_SCORE)["k"].unique()
    for key, given in table.groupby(_SCORE, sort=False)["k"]:
        if key not in by_score:
            continue
        dataset, evaluator, measure = key
        there = [int(k) for k in by_score[key] if not pd.isna(k)]
        if len(there) == 1:
            given = given.fillna(there[0])
            table.loc[given.index, "k"] = given
        wrong = ~given.isin(there) if there else given.notna()
        if wrong.any():
            k = given[wrong].iloc[0]
            what = f"{measure} by {evaluator} on {dataset}"
            wanted = _in_words(compared[compared["dataset"] == dataset])
            has = f"the archive has k {numbers_in_words(there)}" if there else "the archive has it without k"
            raise DataError(
                f"the k of {what} is missing; {has}" if pd.isna(k) else f"there is no k {k} of {what}; {has}",
                file=file,
                line=line_of(wrong),
                column=column,
                advice=f"Each score needs its k; the study compares {wanted}",
            )
    check_twice(table, file)  # a line without k may have got that of another
    return table


def _check_folds(table, everybody, file):
    """Check that each dataset has all folds that a file names."""
    status = everybody.status
    for dataset, folds in table.groupby("dataset", sort=False)["fold"]:
        there = status.loc[status["dataset"] == dataset, "fold"].unique()
        wrong = ~folds.isin(there)
        if wrong.any():
            fold = folds[wrong].iloc[0]
            raise DataError(
                f"the study {everybody.name} has no fold {fold} of {dataset}; it has folds {numbers_in_words(there)}",
                file=file,
                line=line_of(wrong),
                column="'fold'",
                advice="Folds are counted from 0" if (folds - 1).isin(there).all() else None,
            )


def _judged(table, plan, study, notes, file):
    """Rankings of a file, judged by the evaluator that the study compares."""
    evaluator = plan.studies[study].comparison.evaluator
    heads = {dataset: head.what for (dataset, _), head in plan.results(study).heads.items()}
    parts, problems = [], {}
    for dataset, part in table.groupby("dataset", sort=False):
        try:
            scores, wrong = score_submission(part, heads[dataset], evaluator, plan.catalogue[dataset], plan.data)
        except (DataError, OSError) as error:
            cells = part[["L", "mode", "fold"]].drop_duplicates().itertuples(index=False)
            wrong, scores = {tuple(cell): str(error) for cell in cells}, pd.DataFrame()
        problems |= {(dataset, *cell): problem for cell, problem in wrong.items()}
        parts.append(scores.assign(dataset=dataset, evaluator=evaluator))
    scores = pd.concat([part for part in parts if len(part)], ignore_index=True) if any(map(len, parts)) else None
    if scores is None:
        (dataset, budget, mode, fold), problem = next(iter(problems.items()))
        problem = f"no ranking could be judged; of {dataset} with L {budget}, {mode}, fold {fold}: {problem}"
        raise DataError(problem, file=file)
    return Entered(scores, table, problems, notes)


def _called(rankings, name):
    """The rankings of a file by the result's name, followed by their own where there are several."""
    if rankings.nunique() == 1:
        return name
    return name + " " + rankings.where(rankings != "", "ranking")


def _add(collected, everybody, found, name, study):
    """Add a file's scores to the collected tables, with the status of every cell; return the cells without a score."""
    known = everybody.scores
    tasks = known.drop_duplicates("dataset").set_index("dataset")["task"]
    about = known[[*_CELL, "n_test", "n_labeled"]].drop_duplicates(_CELL)
    scores = found.scores.merge(about, on=_CELL)
    scores = scores.assign(study=study, method=name, task=scores["dataset"].map(tasks))[SCORE_COLUMNS]
    _append(scores, collected / "scores.csv")
    seen = {*scores["mode"], *(mode for _, _, mode, _ in found.problems)}
    modes = pd.DataFrame({"mode": [mode for mode in everybody.config["modes"] if mode in seen]})
    cells = everybody.status[["dataset", "task", "L", "fold"]].drop_duplicates().merge(modes, how="cross")
    n_rankings = scores["ranking"].nunique()
    there = scores.merge(_compared(everybody)).dropna(subset="value")
    there = there.groupby(_FIT)["ranking"].nunique() == n_rankings
    index = pd.MultiIndex.from_frame(cells[_FIT])
    ok = there.reindex(index, fill_value=False).to_numpy()
    status = cells.assign(method=name, status="ok", seconds=float("nan"), message="", details="{}")
    status.loc[~ok, "status"] = ["failed" if key in found.problems else "not run" for key in index[~ok]]
    what = "score" if found.rankings is None else "ranking"
    lacking = f"the file has no {what} of it" if n_rankings == 1 else f"the file lacks a {what} of it"
    status.loc[~ok, "message"] = [found.problems.get(key, lacking) for key in index[~ok]]
    _append(status, collected / "status.csv")
    sources = pd.DataFrame({"dataset": sorted(set(scores["dataset"])), "method": name, "source": "the file"})
    _append(sources, collected / "sources.csv")
    return status[~ok]


def _append(rows, path):
    table = read_table(path)
    pd.concat([table, rows.reindex(columns=table.columns)], ignore_index=True).to_csv(path, index=False)


def _condense(folder, plan, study, found, name, wanted):
    """Write stability and best features of the study's methods, and of a file's rankings that were judged."""
    pairs = [pair for pair in plan.results(study).ranking_sources() if pair["dataset"] in wanted]
    if found.rankings is not None:
        judged = found.rankings.merge(found.scores[_FIT].drop_duplicates(), on=_FIT)
        judged["ranking"] = _called(judged["ranking"], name)
        for dataset, part in judged.groupby("dataset", sort=False):
            files = {}
            for budget, rows in part.groupby("L", sort=False):
                files[budget] = str(folder / "rankings" / f"{dataset}-{budget}.parquet")
                rows.to_parquet(files[budget])
            task = plan.catalogue[dataset].task
            pairs.append({"dataset": dataset, "task": task, "method": name, "rankings": files})
    collected = folder / "collected"
    stability_job(collected / "stability.csv", collected / "features.parquet", pairs=pairs)


def _settings(plan, study, name, wanted, about):
    """Return the study's block with a result among the methods, and only some of the tables."""
    block = plan.study_config(study)
    every = len(plan.studies[study].datasets)
    kept = {key: table | {"published": []} for key, table in block["tables"].items() if key in STANDARD_TABLES}
    return block | {
        "title": about["title"],
        "description": about["description"],
        "datasets": wanted,
        "out_of": every,
        "marks": [f"{len(wanted)} of {counted(every, 'dataset')} of {study}", *about["marks"]],
        "entered": name,
        "methods": [*block["methods"], name],
        "methods_used": block["methods_used"] | {name: about["spec"]},
        "tables": kept,
    }


def _said(tables, name):
    """List average ranks and pairs of the result, for each kind of target and mode that it has scores of."""
    board, pairs = (read_table(tables / f"{part}.csv") for part in ("leaderboard", "pairs"))
    mine = board[board["method"] == name]
    if mine["average_rank"].isna().all():
        yield f"{name} counts on no dataset: it lacks scores on each of them"
    for row in mine.dropna(subset="average_rank").itertuples():
        contest = board[(board["mode"] == row.mode) & (board["task"] == row.task)].dropna(subset="average_rank")
        of = TASKS.get(row.task, row.task).lower()
        yield f"{row.entry}, {row.mode}, {of}: average rank {row.average_rank:.2f} of {len(contest)} " + (
            f"on {counted(row.n_datasets, 'dataset')} that all have"
        )
        found = pairs[(pairs["mode"] == row.mode) & (pairs["task"] == row.task)]
        for pair in found.itertuples():
            if row.entry not in (pair.first, pair.second):
                continue
            first = pair.first == row.entry
            wins, losses = (pair.wins, pair.losses) if first else (pair.losses, pair.wins)
            p = (
                ""
                if pd.isna(pair.p_holm) or pair.n_datasets < 2
                else f", p = {pair.p_value:.3g} ({pair.p_holm:.3g} by Holm)"
            )
            other = pair.second if first else pair.first
            yield f"  against {other}: {wins} won, {pair.ties} tied, {losses} lost{p}"


def gaps(missing):
    """List missing scores of the result, by dataset."""
    if missing.empty:
        return
    yield f"Missing cells ({len(missing)}); the result does not count on these datasets:"
    for dataset, part in missing.groupby("dataset", sort=False):
        first, *others = dict.fromkeys(part["message"])
        reasons = shortened(first, 120) + (f", and {counted(len(others), 'other reason')}" if others else "")
        yield f"  {dataset}: {len(part)} of L {', '.join(dict.fromkeys(part['L']))} ({reasons})"
