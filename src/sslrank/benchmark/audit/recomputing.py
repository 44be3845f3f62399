"""Draw cells of the archive, the same number from each study, compute them again, and bound the share that differs."""

import re
import tempfile

import numpy as np
import pandas as pd
from scipy.stats import beta

from sslrank.benchmark.archive.record import EXPERIMENTS_FOLDER, job_name
from sslrank.benchmark.archive.verified import FORMER, LACKING, LATE, SAME, digests_hash, is_allowed
from sslrank.benchmark.audit.cells import recompute_cell, recompute_part
from sslrank.core.errors import DataError
from sslrank.datasets.download import fetch
from sslrank.datasets.prepare import prepare

#: Seconds of the archived job above which a cell is one fold of it, and above which it is left out.
LONG, TOO_LONG = 20, 300


def draw_cells(existing, number, seed):
    """Draw cells from lists by study: as many from each study as from the others, as far as they have them."""
    rng = np.random.default_rng(seed)
    waiting = {study: [listed[i] for i in rng.permutation(len(listed))] for study, listed in existing.items()}
    rounds = []
    while any(waiting.values()):
        studies = [study for study, listed in waiting.items() if listed]
        rounds += [waiting[study].pop() for study in rng.permutation(studies)]
    return rounds[:number]


def recompute(plan, cell, seed):
    """Recompute a cell, or one fold of a long one; return a row of `verified.COLUMNS`, or the reason for none."""
    study, dataset, method, part = cell
    record, sources = plan.store.read(study, dataset, method), plan.sources(study)
    try:
        if dataset == EXPERIMENTS_FOLDER:
            jobs = record.parts["job"]
            if jobs.loc[jobs["part"] == part, "s"].sum() > TOO_LONG:
                return f"the job of {'/'.join(cell)} took more than {TOO_LONG} s"
            return recompute_part(record, part, code=sources.part_code(method))
        fits = record.parts["fit"].query("L == @part")
        seconds = fits["seconds"].sum() + record.parts["scoring"]["seconds"].sum() / len(record.spec["L"])
        folds = sorted(fits["fold"].unique())
        if seconds > LONG:
            folds = [int(np.random.default_rng(seed).choice(folds))]
            seconds /= fits["fold"].nunique()
        if seconds > TOO_LONG:
            return f"a fold of {'/'.join(cell)} took more than {TOO_LONG} s"
        # Other data is a difference from the record, not a reason to leave the cell out.
        dataset_spec = plan.catalogue[dataset].model_copy(update={"fingerprint": None})
        with tempfile.TemporaryDirectory() as folder:
            file = (plan.own_dataset(dataset) or {}).get("file") or plan.data.files.get(dataset)
            files = None if file else fetch(dataset_spec, plan.data.cache, plan.data.mirror)
            prepare(dataset_spec, files, path=file).save(folder)
            return recompute_cell(record, part, folder, code=sources.job_code(method), folds=folds)
    except (DataError, OSError) as error:
        return f"{'/'.join(cell)}: {error}"


def bounds(rows):
    """Bound the share of cells that do not reproduce, by study and over all, with 95 % confidence (Clopper, Pearson).

    `rows` are rows of recomputed cells. Three verdicts do not count: a package is not installed, the scores are by the
    former rule of ties, or a fit timed out.
    """
    rows = rows[~rows["verdict"].isin([LACKING, FORMER, LATE])]
    groups = [*rows.groupby("study"), ("all", rows)] if len(rows) else []
    table = [
        (study, len(part), int((~is_allowed(part)).sum()), (part["verdict"] == SAME).sum()) for study, part in groups
    ]
    table = pd.DataFrame(table, columns=["study", "cells", "different", "equal_bits"])
    return table.assign(
        at_most=beta.ppf(0.95, table["different"] + 1, (table["cells"] - table["different"]).clip(1e-9))
    )


def record_states(plan, verified):
    """Count the records of each study by the behaviour that made them.

    "today": their digests are the current ones; "older": others; records made before there were digests are "equal",
    "different" or "not drawn", by cells of their method in the table `verified` that today's digests recomputed.
    """
    counts = {}
    for names in plan.store.record_keys:
        if names[0] in plan.studies:
            state = record_state(plan, verified, *names)
            counts.setdefault(names[0], {}).setdefault(state, 0)
            counts[names[0]][state] += 1
    return pd.DataFrame.from_dict(counts, orient="index").reindex(columns=STATES).fillna(0).astype(int)


#: A digest; the hashes of files in records made before there were digests have other lengths.
_DIGEST = re.compile(r"\b[0-9a-f]{12}\b")
STATES = ["today", "older", "equal", "different", "not drawn", "not planned"]


def record_state(plan, verified, study, dataset, method):
    """Return the state of one record, as in :func:`record_states`; "not planned" if the study has no such job."""
    sources, head = plan.sources(study), plan.store.head(study, dataset, method)
    codes = {job: code for group in head.provenance for job, code in group["code"].items()}
    if dataset == EXPERIMENTS_FOLDER:
        code = sources.part_code(method) if method in sources.experiments else {}
        names = {job_name(part) for part in head.spec["parts"]}
    else:
        code = sources.job_code(method) if method in plan.studies[study].ranked else {}
        names = codes.keys() - {"splits"}
    if not names <= code.keys():
        return "not planned"
    if any(_DIGEST.search(text) for text in codes.values()):
        return "today" if all(codes[job] == code[job] for job in names) else "older"
    of_method = verified["experiment" if dataset == EXPERIMENTS_FOLDER else "method"] == method
    drawn = verified[(verified["study"] == study) & of_method & (verified["digests"] == digests_hash(code, names))]
    reproduced = is_allowed(drawn) & drawn["verdict"].ne(FORMER)
    return "not drawn" if drawn.empty else "equal" if reproduced.all() else "different"
