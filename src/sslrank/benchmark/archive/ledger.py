"""The ledger of the archive: which results are intended, and whether each is archived, or why it is not.

``ledger.csv`` next to the archive's files is only ever appended to. A row is about one method (or experiment) of a
study on some datasets, for some L, and replaces what earlier rows say about these cells; what was archived once can
only be withdrawn::

    study,method,L,since,state,reason,datasets
    arena,boruta,20 50 200,789744d8dad2,not run,too slow for this round,abalone anes96

`since` is the commit of the row; `state` is one of :data:`STATES`. An archived cell whose `reason` is
:data:`DIRTY` or :data:`UNKNOWN` was made by a commit that cannot be looked at again; no later one may be. Today's code
can give other scores than a cell of :data:`FORMER_TIES`.
"""

import csv
import subprocess
from collections import Counter
from itertools import pairwise
from pathlib import Path

from sslrank.benchmark.archive.record import EXPERIMENTS_FOLDER, ArchiveError
from sslrank.core.messages import counted

LEDGER = "ledger.csv"
#: The table of digests, which each commit has, and the length of a digest.
DIGESTS, DIGEST = "src/sslrank/benchmark/digests.csv", 12
COLUMNS = ["study", "method", "L", "since", "state", "reason", "datasets"]
ARCHIVED, IMPOSSIBLE, NOT_RUN, WITHDRAWN = STATES = ("archived", "impossible", "not run", "withdrawn")
#: Reasons of archived cells that were made by changed files, or by a commit that git does not have.
DIRTY, UNKNOWN = "uncommitted changes", "unknown commit"
#: Reason of cells scored before rows at the distance of the k-th neighbour shared the remaining votes.
FORMER_TIES = "scored by the former rule of ties"
ADVICE = "The states are in src/docs/benchmark/archive.md; restore what was removed with git checkout"


def read_ledger(folder):
    """Read the ledger in an archive's folder: a row by cell (study, dataset, method, L); L is "" for an experiment."""
    path, cells = Path(folder, LEDGER), {}
    with open(path, encoding="utf-8", newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream), 2):
            if list(row) != COLUMNS or None in row.values() or row["state"] not in STATES:
                raise ArchiveError(f"expected {', '.join(COLUMNS)}, and a state of {STATES}", file=path, line=number)
            if row["state"] != ARCHIVED and not row["reason"]:
                raise ArchiveError(f"the state {row['state']!r} needs a reason", file=path, line=number)
            for dataset in row["datasets"].split():
                for budget in row["L"].split() or [""]:
                    cell = row["study"], dataset, row["method"], budget
                    if row["state"] in (IMPOSSIBLE, NOT_RUN) and cells.get(cell, row)["state"] in (ARCHIVED, WITHDRAWN):
                        problem = f"{_name(cell)} was archived by an earlier row: its state can only be {WITHDRAWN!r}"
                        raise ArchiveError(problem, file=path, line=number)
                    cells[cell] = row
    return cells


def append_rows(folder, states, since):
    """Append (state, reason) by cell to the ledger, cells of a method in one row; an equal state is left out."""
    path, rows, cells = Path(folder, LEDGER), {}, {}
    if path.is_file():
        cells = read_ledger(folder)
    else:
        path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    by_pair = {}
    for cell, state in states.items():
        if cell not in cells or (cells[cell]["state"], cells[cell]["reason"]) != state:
            by_pair.setdefault((*cell[:3], *state), []).append(cell[3])
    for (study, dataset, method, state, reason), budgets in by_pair.items():
        rows.setdefault((study, method, " ".join(budgets), since, state, reason), []).append(dataset)
    with open(path, "a", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows((*key, " ".join(names)) for key, names in rows.items())


def archived_cells(archive):
    """Map the cells of an archive to their state and the reason: of whole commits, or :data:`DIRTY`/:data:`UNKNOWN`."""
    heads = {names: archive.head(*names) for names in archive.record_keys}
    git_commits = known_commits(archive.folder, {name for head in heads.values() for name in _commits(head)})
    cells = {}
    for (study, dataset, method), head in heads.items():
        commits, reason = _commits(head), ""
        if git_commits is not None and not all(name.removesuffix("-dirty") in git_commits for name in commits):
            reason = UNKNOWN
        elif any(name.endswith("-dirty") for name in commits):
            reason = DIRTY
        for budget in [""] if dataset == EXPERIMENTS_FOLDER else head.spec["L"]:
            cells[study, dataset, method, budget] = ARCHIVED, reason
    return cells


def _commits(head):
    return {group["commit"] or "none" for group in head.provenance}


def known_commits(folder, names):
    """Return which commits git has, of names that may end in "-dirty"; None outside of a whole checkout."""
    if _git(folder, "rev-parse", "--is-shallow-repository") != "false\n":
        return None
    asked = sorted({name.removesuffix("-dirty") for name in names})
    answers = _git(folder, "cat-file", "--batch-check=%(objecttype)", "--buffer", text="\n".join(asked) + "\n")
    return {name for name, answer in zip(asked, answers.splitlines(), strict=True) if answer == "commit"}


def _git(folder, *words, text=None):
    done = subprocess.run(["git", *words], cwd=folder, input=text, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def ledger_problems(archive, planned, unplanned=()):
    """List in lines what contradicts the ledger: records, `planned` cells, commits, or its own history.

    `unplanned` are lines about records that the configuration does not use.
    """
    ledger, records = read_ledger(archive.folder), archived_cells(archive)
    studies = {cell[0] for cell in ledger}
    for cell in sorted(records.keys() | {cell for cell, row in ledger.items() if row["state"] == ARCHIVED}):
        row = ledger.get(cell)
        if row is None or row["state"] != ARCHIVED:
            yield f"{_name(cell)} has a record, but not the state {ARCHIVED!r}"
        elif cell not in records:
            yield f"{_name(cell)} has the state {ARCHIVED!r}, but no record"
        elif records[cell][1] not in ("", row["reason"]):
            yield f"{_name(cell)} is made by a commit with {records[cell][1]!r}, which the ledger does not say"
    for cell in sorted({cell for cell in planned if cell[0] in studies} - ledger.keys()):
        yield f"{_name(cell)} is planned and not in the ledger"
    yield from unplanned
    commits = {row["since"] for row in ledger.values()}
    git_commits = known_commits(archive.folder, commits)
    if git_commits is not None:
        for name in sorted(commits - git_commits):
            yield f"git has no commit {name}, since which rows have their state"
        yield from _other_digests(archive)
    yield from _scored_by_todays_rule(archive, ledger)
    yield from _rewritten(archive.folder)


def _other_digests(archive):
    """Yield a line for each record with a digest of a method or evaluator that its commit does not have."""
    tables = {"HEAD": _digests_at(archive.folder, "HEAD")}
    names = {name for name, _ in tables["HEAD"]}
    for record in archive.record_keys:
        for group in archive.head(*record).provenance:
            words, commit = " ".join(group["code"].values()).split(), str(group["commit"]).removesuffix("-dirty")
            claimed = {pair for pair in pairwise(words) if pair[0] in names and len(pair[1]) == DIGEST}
            if claimed and commit not in tables:
                tables[commit] = _digests_at(archive.folder, commit)
            for name, digest in sorted(claimed - tables.get(commit, set())):
                yield f"{_name(record)} has the digest {digest} of {name}, which its commit {commit[:12]} does not have"


def _scored_by_todays_rule(archive, ledger):
    """Yield a line for each record that the ledger calls :data:`FORMER_TIES`, and that has evaluators of today."""
    today = _digests_at(archive.folder, "HEAD")
    former = {cell[:3] for cell, row in ledger.items() if row["reason"] == FORMER_TIES}
    for record in sorted(former & {*archive.record_keys}):
        jobs = [job for group in archive.head(*record).provenance for job in group["code"].items()]
        codes = [code.split() for name, code in jobs if name.startswith("scores ")]
        if codes and not any(today.isdisjoint(pairwise(words)) for words in codes):
            yield f"{_name(record)} is said to be {FORMER_TIES}, but its evaluators have today's digests"


def _digests_at(folder, commit):
    rows = csv.DictReader(_git(folder, "show", f"{commit}:{DIGESTS}").splitlines())
    return {(row["name"], row["digest"]) for row in rows}


def _rewritten(folder):
    """Yield a line for each commit whose rows a later ledger does not keep, and for late :data:`DIRTY` rows.

    A merge has the rows of all its parents; any other version begins with the one before.
    """
    lines = _git(folder, "log", "--full-history", "--format=%H %P", "--", LEDGER).splitlines()
    history, texts = [["", "HEAD"], *(line.split() for line in lines)], {}
    for commit in {commit for commits in history for commit in commits if commit}:
        texts[commit] = _git(folder, "show", f"{commit}:./{LEDGER}")
    texts[""] = Path(folder, LEDGER).read_text(encoding="utf-8")
    for newer, *older in history:
        text, rows = texts[newer], set(texts[newer].splitlines())
        for commit in older:
            before = texts[commit]
            if not (rows.issuperset(before.splitlines()) if older[1:] else text.startswith(before)):
                yield f"rows of {LEDGER} of commit {commit[:12]} were changed or removed; only append to it"
    first = texts[history[-1][0]]
    for line in texts[""].splitlines():
        if (f",{DIRTY}," in line or f",{UNKNOWN}," in line) and line not in first:
            yield f"a row of {LEDGER} allows {line.split(',')[-2]!r}, which only its first version may: {line:.80}"


def _name(cell):
    return "/".join(filter(None, cell))


def check_ledger(archive, planned, unplanned=()):
    """Compare ledger, archive, plan and git; return lines about the states of each study.

    Raises an ArchiveError with the number of contradictions and the first ones. Where there never was a ledger there is
    nothing to check, as in the archive of a user's own studies.
    """
    if not Path(archive.folder, LEDGER).is_file():
        if commit := _git(archive.folder, "log", "-1", "--format=%h", "--", LEDGER).strip():
            problem = f"there is no such file, but git has it: {commit} is the last commit that changed it"
            raise ArchiveError(problem, file=archive.folder / LEDGER, advice=ADVICE)
        return [f"{archive.folder} has no {LEDGER}: which results are intended is not checked"]
    if problems := list(ledger_problems(archive, planned, unplanned)):
        first = "\n  ".join(problems[:10])
        raise ArchiveError(
            f"{counted(len(problems), 'contradiction')}, the first:\n  {first}",
            file=archive.folder / LEDGER,
            advice=ADVICE,
        )
    return [f"{study}: {share_words(counts)}" for study, counts in ledger_counts(archive.folder).items()]


def ledger_counts(folder):
    """Count the cells of each study by their state, those of :data:`FORMER_TIES` apart."""
    counts = {}
    for (study, *_), row in read_ledger(folder).items():
        state = FORMER_TIES if row["reason"] == FORMER_TIES else row["state"]
        counts.setdefault(study, Counter())[state] += 1
    return counts


def datasets_of_former_ties(folder):
    """List the datasets of each study that has cells of :data:`FORMER_TIES`."""
    datasets = {}
    for (study, dataset, *_), row in read_ledger(folder).items():
        if row["reason"] == FORMER_TIES:
            datasets.setdefault(study, set()).add(dataset)
    return {study: sorted(names) for study, names in sorted(datasets.items())}


def n_archived(counts):
    """Count the archived cells of a study, those of the former rule included."""
    return counts[ARCHIVED] + counts[FORMER_TIES]


def share_words(counts):
    """Say how many of the intended cells are archived, how many of them by the former rule, and the others' states."""
    others = [f"{counts[state]} {state}" for state in STATES[1:] if counts[state]]
    left = f" ({', '.join(others)})" if others else ""
    former = f", {counts[FORMER_TIES]} of them {FORMER_TIES}" if counts[FORMER_TIES] else ""
    return f"{n_archived(counts)} of {counted(counts.total(), 'intended cell')} archived{former}{left}"


def standing_words(archive):
    """Say on what of the archive the results of each study rest: the share of its ledger and the hash of its files.

    Empty for an archive without a ledger.
    """
    if not Path(archive.folder, LEDGER).is_file():
        return {}
    words = {}
    for study, counts in sorted(ledger_counts(archive.folder).items()):
        files = f"; sha256 `{archive.study_hash(study)[:16]}`" if n_archived(counts) else ""
        words[study] = share_words(counts) + files
    return words
