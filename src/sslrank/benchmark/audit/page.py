"""The command ``sslrank audit`` and its page."""

import tempfile
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import pandas as pd

from sslrank.benchmark import paths
from sslrank.benchmark.archive.ledger import ARCHIVED, archived_cells, ledger_problems, read_ledger, standing_words
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.archive.verified import former_verdict, problem_lines, read_verified, stale_rows, write_rows
from sslrank.benchmark.audit.recomputing import bounds, draw_cells, recompute, record_states
from sslrank.benchmark.audit.summaries import comparison_differences, summary_differences
from sslrank.benchmark.environment import git_state, machine
from sslrank.benchmark.plan.plan import whole_plan
from sslrank.benchmark.plan.sources import cells_by_study, intended, unplanned
from sslrank.benchmark.report.findings import render_findings
from sslrank.core.errors import DataError
from sslrank.core.messages import counted

VERIFIED = f"{paths.ARCHIVE}/verified.csv"
#: The plan of a worker, by the configuration.
_plan = cache(whole_plan)


def audit(*, cells=30, seed=None, out="results/audit.md", config="config.yaml"):
    """Check the evidence of this repository and write a page about it; yield lines to be shown.

    Compares ledger, archive, plan and git; renders the findings; reads every record; makes tables and comparisons of
    every summary again; and computes `cells` results again, the same number from each study; `seed` is by default the
    commit. Rows of recomputed cells are added to ``results/archive/verified.csv``. Raises a DataError
    with the number of problems, which the page lists, after writing it.
    """
    plan, commit, problems = whole_plan(config), git_state("."), []
    archive = Archive(paths.ARCHIVE)
    problems += [f"ledger: {line}" for line in ledger_problems(archive, intended(plan), unplanned(plan))]
    yield f"{counted(len(problems), 'contradiction')} of the ledger; root hash {archive.root_hash()}"
    changed_pages = [str(path) for path, text in render_findings().items() if path.read_text(encoding="utf-8") != text]
    problems += [f"findings: {path} does not follow from its tables" for path in changed_pages]
    yield f"findings rendered: {counted(len(changed_pages), 'page')} differ"
    by_study, left_out = cells_by_study(plan)
    drawn_cells = draw_cells(by_study, cells, int((seed or commit or "0").removesuffix("-dirty"), 16))
    rows, skipped, ledger = [], [], read_ledger(archive.folder)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        studies = dict.fromkeys([*by_study, *plan.summarized()])
        jobs = {pool.submit(_differences, config, study): study for study in studies}
        numbered = enumerate(drawn_cells)
        jobs |= {pool.submit(_recompute, config, cell, number): "/".join(cell) for number, cell in numbered}
        for job in as_completed(jobs):
            result = job.result()
            if isinstance(result, dict):
                result |= former_verdict(result, ledger)
                rows.append(result | {"commit": commit, "command": "sslrank audit"})
                yield f"{jobs[job]}: {result['verdict']}"
            elif isinstance(result, str):
                skipped.append(result)
                yield result
            else:
                problems += [f"summary: {line}" for line in result]
                yield f"records and summary of {jobs[job]}: {counted(len(result), 'file')} differ"
    if rows:
        problems += [f"recomputed: {line}" for line in problem_lines(write_rows(rows, Path(VERIFIED)))]
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    Path(out).write_text(_page(plan, archive, commit, problems, skipped, left_out), encoding="utf-8")
    yield f"The page is {out}"
    if problems:
        raise DataError(f"{counted(len(problems), 'problem')}, the first: {problems[0]}", advice=f"All are in {out}")


def _differences(config, study):
    """List how the summary of a study differs, of one without records its comparisons; without it, read the records."""
    plan = _plan(config)
    names = [each for each in plan.store.record_keys if each[0] == study]
    if study in plan.summarized():
        with tempfile.TemporaryDirectory() as folder:
            return list((summary_differences if names else comparison_differences)(plan, study, folder))
    for each in names:
        plan.store.read(*each)
    return []


def _recompute(config, cell, seed):
    return recompute(_plan(config), cell, seed)


def _page(plan, archive, commit, problems, skipped, left_out):
    verified = read_verified(VERIFIED)
    fresh = verified.drop(stale_rows(VERIFIED, archive).index)
    bound, states = bounds(fresh), record_states(plan, verified)
    reasons = pd.Series([reason for state, reason in archived_cells(archive).values() if state == ARCHIVED and reason])
    skipped += [f"{counted(len(names), 'record')} {reason}, as {names[0]}" for reason, names in left_out.items()]
    parts = {
        "Problems": _list(problems),
        "Records that do not reproduce": "Of the cells that were computed again, by all audits, while their record has "
        "been the same. With 95 % confidence at most this share of the study's cells do not reproduce, if the cells of "
        "an audit are as drawn: those whose job took more than five minutes are left out.\n\n"
        + _table(bound.assign(at_most=[f"{share:.0%}" for share in bound["at_most"]])),
        "Results that the ledger intends": _table(pd.DataFrame(standing_words(archive).items(), columns=["study", ""])),
        "Behaviour that made the records": "Digests are today's or older. Of records made before there were digests, "
        "cells of the same method that today's code computed again are equal, different, or not drawn.\n\n"
        + _table(states.rename_axis("study").reset_index()),
        "Cells whose commit cannot be looked at": _list(
            f"{number} {why}" for why, number in reasons.value_counts().items()
        ),
        "Not computed again": _list(skipped),
    }
    head = f"# Audit\n\nCommit {commit}, archive {archive.root_hash()}, {machine()['processor']}."
    return "\n\n".join([head, *(f"## {title}\n\n{text}" for title, text in parts.items())]) + "\n"


def _list(lines):
    return "\n".join(f"- {line}" for line in lines) or "None."


def _table(frame):
    rows = [list(frame), ["---"] * frame.shape[1], *frame.astype(str).to_numpy().tolist()]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
