"""``sslrank evaluate``: evaluate the archived rankings of a study by another evaluator, without fitting."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark import paths
from sslrank.benchmark.submit.compare import archive_plan
from sslrank.benchmark.submit.evaluating import score_archived
from sslrank.core.errors import DataError
from sslrank.core.messages import counted, suggestion
from sslrank.evaluation.evaluators import load_evaluator


def evaluate_archived(study, evaluator, *, out=None, config="config.yaml", root=None):
    """Score the archived rankings of a study by an evaluator of the configuration; yield lines to be shown.

    Writes the scores as CSV to `out`, by default ``results/evaluated/<study>-<evaluator>.csv``. Records of older
    versions, which lack the order of features, are skipped and counted. Raises a DataError if there is nothing to
    evaluate.
    """
    plan, study = archive_plan(config, study, root)
    if evaluator not in plan.evaluators:
        raise DataError(f"there is no evaluator {evaluator!r}; {suggestion(evaluator, plan.evaluators)}")
    block, only = plan.evaluators[evaluator].computed, plan.evaluators[evaluator].only
    if plan.evaluators[evaluator].rule:
        raise DataError(f"the evaluator {evaluator} has a rule of its own, which only a run of the study follows")
    if getattr(load_evaluator(block["evaluator"]), "USES_VALUES", False):
        raise DataError(
            f"the evaluator {evaluator} weights features by their importances; the archive has only their order",
            advice="Take one that uses the order, or run the study with this evaluator",
        )
    by_dataset, without, tables = {}, 0, []
    for (dataset, method), head in plan.sources(study).heads.items():
        if only.methods is not None and method not in only.methods:
            continue
        record = plan.store.read(*head.key)
        if record.parts["ranking"]["best"].notna().all():
            by_dataset.setdefault(dataset, []).append(record)
        else:
            without += 1
    if without:
        yield f"{counted(without, 'record')} of {study} without orders left out: archived by an older version"
    for dataset, records in by_dataset.items():
        try:
            scores = score_archived(records, evaluator, block, plan.catalogue[dataset], plan.data)
        except (DataError, OSError) as error:
            yield f"{dataset}: left out: {error}"
            continue
        tables.append(scores.assign(dataset=dataset))
        yield f"{dataset}: {counted(len(records), 'method')}, {counted(len(scores), 'score')}"
    if not tables:
        raise DataError(f"{paths.ARCHIVE} has no order of a ranking of {study} that can be evaluated")
    target = Path(out or f"results/evaluated/{study}-{evaluator}.csv")
    target.parent.mkdir(parents=True, exist_ok=True)
    table = pd.concat(tables, ignore_index=True)
    table[["dataset", *(name for name in table if name != "dataset")]].to_csv(target, index=False)
    yield f"The scores are in {target}"
