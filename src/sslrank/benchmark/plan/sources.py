"""Where the results of a study come from: its jobs or the archive."""

import json
from functools import cached_property

from sslrank.benchmark import paths
from sslrank.benchmark.archive.record import EXPERIMENTS_FOLDER, deviation, job_name
from sslrank.benchmark.experiments import TIMED
from sslrank.benchmark.plan.fingerprints import step_code


class ResultSources:
    """Sources of a study's results, by method and dataset, and by experiment; "here" means the jobs of this run.

    Attributes
    ----------
    study : sslrank.benchmark.plan.study.StudyPlan
    specs : dict
        What is computed, by (dataset, method), as far as it is known before the data is prepared.
    heads : dict
        Metadata of the archive's records in use, by (dataset, method).
    missing : dict
        Why the archive has no result, by (dataset, method); with archive=only.
    experiments : dict of str to dict
        What the experiments compute, by name.
    """

    def __init__(self, plan, study):
        self._plan, self.study, self._block = plan, study, study.block
        self._archive = plan.store if plan.archive else None
        self._only = plan.archive == "only"
        self.specs = {pair: self._spec(*pair) for pair in study.pairs()}
        heads = {pair: self._archive.head(study.name, *pair) if self._archive else None for pair in self.specs}
        self.heads = {pair: head for pair, head in heads.items() if head and has_all(head.spec, self.specs[pair])}
        if self._block.clustering_hypothesis and not self._only:  # CH is computed with all other results of a dataset
            datasets_with_ch = {dataset for (dataset, _), head in self.heads.items() if "ch" in head.dataset}
            self.heads = {pair: head for pair, head in self.heads.items() if pair[0] in datasets_with_ch}
        absent = [pair for pair in heads if self._only and pair not in self.heads]
        self.missing = {pair: _why_missing(heads[pair], self.specs[pair]) for pair in absent}
        self.experiments = {name: self._experiment_spec(name) for name in self._block.experiments}

    def _spec(self, dataset, method):
        study, block, dataset_spec = self.study, self._block, self._plan.catalogue[dataset]
        evaluators = {name: self._plan.evaluators[name].computed for name in study.evaluators(method)}
        fingerprint = None if dataset in self._plan.data.files else dataset_spec.fingerprint
        spec = {
            "study": study.name,
            "dataset": {"name": dataset, "task": dataset_spec.task, "fingerprint": fingerprint},
            "splits": block.splits.model_dump(),
            "seed": block.seed,
            "modes": block.modes,
            "method": {"name": method, "spec": study.spec(method)},
            "evaluators": {name: each | {"L": study.scored_budgets(name)} for name, each in evaluators.items()},
        }
        return json.loads(json.dumps(spec))

    def _experiment_spec(self, name):
        identity = {"name": name, "module": self._block.experiments[name].experiment}
        spec = {"study": self.study.name, "experiment": identity, "seed": self._block.seed}
        return json.loads(json.dumps(spec | {"parts": self.study.experiment_parts(name)}))

    # --- results of methods on datasets -------------------------------------------------------------------------

    @cached_property
    def _specs_here(self):
        """What is computed here, by dataset and method."""
        specs = {}
        for (dataset, method), spec in self.specs.items():
            if (dataset, method) not in self.heads and (dataset, method) not in self.missing:
                specs.setdefault(dataset, {})[method] = spec
        return specs

    def datasets_here(self):
        """Return the datasets with results that are computed here."""
        return list(self._specs_here)

    def specs_here(self, dataset):
        """Return what is computed here on a dataset, by method."""
        return self._specs_here[dataset]

    def archived_datasets(self):
        """Return the datasets with results from the archive."""
        return list(dict.fromkeys(dataset for dataset, _ in self.heads))

    def drawn_datasets(self):
        """Return the datasets whose curves are drawn as files."""
        drawn = set(self._block.figures.curves or ()) & {*self.datasets_here(), *self.archived_datasets()}
        return [name for name in self.study.datasets() if name in drawn]

    def collected(self):
        """List for each pair dataset, task and method; also evaluators (those to read) of an archived one, or why."""
        listed = []
        for (dataset, method), spec in self.specs.items():
            pair = {"dataset": dataset, "task": spec["dataset"]["task"], "method": method}
            if (dataset, method) in self.heads:
                pair["archived"] = list(spec["evaluators"])
            elif (dataset, method) in self.missing:
                pair["missing"] = self.missing[dataset, method]
            listed.append(pair)
        return listed

    def described(self):
        """List for each dataset its name, task, title and published name, and why it is unavailable, or ""."""
        with_results, listed = {*self.datasets_here(), *self.archived_datasets()}, []
        planned = {dataset for dataset, _ in self.specs}
        for name in self._block.datasets:
            dataset_spec = self._plan.catalogue[name]
            published = dataset_spec.studies.get(self._block.published)
            reason = ""
            if not self._plan.is_available(name):
                reason = dataset_spec.reason
            elif name not in planned:
                reason = f"no method of the study ranks features for {dataset_spec.task!r}"
            elif name not in with_results:
                reason = f"{paths.ARCHIVE} has no complete result for it, and nothing was run"
            names = {"dataset": name, "task": dataset_spec.task, "title": dataset_spec.title}
            listed.append(names | {"published": published.name if published else "", "reason": reason})
        return listed

    # --- experiments --------------------------------------------------------------------------------------------

    def is_archived(self, experiment):
        """Check if the archive has all parts of an experiment with the same settings."""
        head = self._archive and self._archive.head(self.study.name, EXPERIMENTS_FOLDER, experiment)
        planned = self.experiments[experiment]
        is_complete = head and set(planned["parts"]) <= set(head.spec["parts"])
        return bool(is_complete and not deviation(head.spec, planned))

    def archived_experiments(self):
        """Return the names of the experiments that are taken from the archive."""
        return [name for name in self.experiments if self.is_archived(name)]

    def experiments_here(self):
        """Return what the experiments of this run compute, by name."""
        return {name: spec for name, spec in self.experiments.items() if not (self._only or self.is_archived(name))}

    def parts_here(self, experiment):
        """Return the names of the parts of an experiment that are computed here."""
        return list(self.experiments_here().get(experiment, {"parts": ()})["parts"])

    def joined_experiments(self):
        """Return the names of the experiments whose tables can be made."""
        return [name for name in self.experiments if not self._only or self.is_archived(name)]

    def collected_experiments(self):
        """List for each experiment its name, the number of its parts, and whether it is archived, or why missing."""
        items = []
        for name, spec in self.experiments.items():
            item = {"experiment": name, "parts": len(spec["parts"])}
            if self.is_archived(name):
                item["archived"] = True
            elif self._only:
                archived = self._archive.head(self.study.name, EXPERIMENTS_FOLDER, name)
                different = archived and deviation(archived.spec, spec)
                why = f"{paths.ARCHIVE} has not all parts of the experiment {name} of {self.study.name}"
                why += f", and other settings of it: {different}" if different else ""
                item["missing"] = f"{why}: its tables are not made"
            items.append(item)
        return items

    # --- the archive --------------------------------------------------------------------------------------------

    def job_code(self, method):
        """Digests of the current behaviour by job, as in a record's provenance."""
        ranking = self.study.ranker_code(method) or step_code("import_rankings")
        codes = {"splits": step_code("splits")} | {f"ranking {L}": ranking for L in self.study.budgets()}
        return codes | {f"scores {name}": self.study.scoring(name)["used"] for name in self._block.evaluators}

    def part_code(self, experiment):
        """Hash of an experiment and digests of what it uses, for each part."""
        code = self.study.experiment_code(experiment)
        return {job_name(part): code for part in self.experiments[experiment]["parts"]}


def intended(plan):
    """List the cells that the studies of a plan intend: (study, dataset, method, L), L "" for an experiment.

    Datasets that are not available count, too.
    """
    listed = []
    for study, block in plan.studies.items():
        for dataset in block.datasets:
            task = plan.catalogue[dataset].task
            methods = [name for name in block.ranked if task in (plan.methods[name].tasks or [task])]
            listed += [(study, dataset, name, budget) for name in methods for budget in block.splits.L]
        listed += [(study, EXPERIMENTS_FOLDER, name, "") for name in block.experiments]
    return listed


def cells_by_study(plan):
    """List the cells that can be recomputed, by study, and skipped records by reason.

    A cell is study, dataset, method and L, or study, "experiments", experiment and part. The spec of a record must be
    that of the plan: nothing that only a file names is imported or run.
    """
    existing, left_out = {}, {}
    for names in plan.store.record_keys:
        reason, found_cells = _cells_of(plan, *names)
        existing.setdefault(names[0], []).extend((*names, part) for part in found_cells)
        if reason:
            left_out.setdefault(reason, []).append("/".join(names))
    return existing, left_out


def unplanned(plan):
    """List in lines the records that no study uses, as it does not plan them or plans other settings; none if filtered.

    Otherwise a dataset or method that is taken from a study would be missing from its tables only.
    """
    if plan.emptied or any(block.filtered for block in plan.studies.values()):
        return []
    reasons = {"/".join(names): _contradiction(plan, *names) for names in plan.store.record_keys}
    return [f"{name} is a record {reason}" for name, reason in reasons.items() if reason]


def _contradiction(plan, study, dataset, method):
    """Return how the plan contradicts a record, or ""."""
    planned, head = _planned(plan, study, dataset, method), plan.store.head(study, dataset, method)
    if planned is None:
        return "that the study or the filters leave out" if study in plan.studies else "of an unknown study"
    part = "parts" if "parts" in planned else "evaluators"
    more = [f"only the file has {name}" for name in head.spec[part] if name not in planned[part]]
    different = next(iter(more), "") or deviation(head.spec, planned)
    return f"whose spec is not the plan's ({different})" if different else ""


def _planned(plan, study, dataset, method):
    if study not in plan.studies:
        return None
    sources = plan.sources(study)
    return sources.experiments.get(method) if dataset == EXPERIMENTS_FOLDER else sources.specs.get((dataset, method))


def _cells_of(plan, study, dataset, method):
    """Return the reason to skip a record, or "", and the L or parts of its cells."""
    if reason := _contradiction(plan, study, dataset, method):
        return reason, []
    planned, head = _planned(plan, study, dataset, method), plan.store.head(study, dataset, method)
    if "parts" in planned:
        is_timed = planned["experiment"]["module"] in TIMED
        return ("of experiments that measure time", []) if is_timed else ("", list(head.spec["parts"]))
    if plan.methods[method].rule is not None:
        return "of methods with a rule of their own, which ranks all folds at once", []
    if plan.study(study).scored_by_rules(method):
        return "of evaluators with a rule of their own", []
    return "", [L for L in head.spec["L"] if L in plan.study(study).budgets()]


def _why_missing(head, spec):
    """Explain why the archive lacks the complete result of a pair."""
    if head is None:
        return f"{paths.ARCHIVE} has no result for it"
    if different := deviation(head.spec, spec):
        return f"{paths.ARCHIVE} has other settings of it: {different}"
    evaluators = ", ".join(head.spec["evaluators"]) or "none"
    return f"{paths.ARCHIVE} has a part: L {', '.join(head.spec['L'])}, evaluators {evaluators}"


def has_all(archived, planned):
    """Check if the spec of a record has all results of a planned one; never for the user's own file."""
    complete = set(planned["splits"]["L"]) <= set(archived["L"])
    complete &= set(planned["evaluators"]) <= set(archived["evaluators"])
    return complete and planned["dataset"]["fingerprint"] is not None and not deviation(archived, planned)
