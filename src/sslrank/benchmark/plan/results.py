"""The results of a study, from its jobs or from the archive."""

import json

import numpy as np

from sslrank.benchmark import paths
from sslrank.benchmark.archive.experiments import job_name
from sslrank.benchmark.archive.record import EXPERIMENTS_FOLDER, deviation
from sslrank.benchmark.experiments import TIMED
from sslrank.benchmark.plan.fingerprints import evaluator_code, experiment_code, step_code


class StudyResults:
    """Results of one study: of each method on each dataset, and of each experiment.

    Attributes
    ----------
    pairs : list of dict
        All planned (dataset, method), with the keys of :mod:`sslrank.benchmark.archive.finished_jobs`. If the archive
        has the result: also archive (its file) and evaluators (those to read). If it has not, with archive=only: also
        missing (the reason).
    planned : dict
        The pairs by (dataset, method).
    heads : dict
        Metadata of the archive's files in use, by (dataset, method).
    experiments : dict of str to dict
        By name: study, experiment, parts (the files of each) and spec.
    """

    def __init__(self, plan, study):
        self._plan, self._study, self._block = plan, study, plan.studies[study]
        self._archive = plan.store if plan.archive else None
        self._only = plan.archive == "only"
        self.heads = {}
        self.pairs = [self._pair(*pair) for pair in plan.pairs(study)]
        self._archived_datasets = {dataset for dataset, _ in self.heads}
        self.planned = {(pair["dataset"], pair["method"]): pair for pair in self.pairs}
        self.experiments = {name: self._experiment(name) for name in self._block.experiments}

    def _pair(self, dataset, method):
        plan, names = self._plan, {"study": self._study, "dataset": dataset, "method": method}
        evaluators = plan.evaluators_of(self._study, method)
        pair = names | {
            "task": plan.catalogue[dataset].task,
            "hypothesis": paths.HYPOTHESIS.format(**names) if self._block.clustering_hypothesis else "",
            "spec": self._spec(dataset, method, evaluators),
            **_format_paths(paths.PAIR, names),
        }
        head = self._archive.head(**names) if self._archive else None
        if head is not None and has_all(head.spec, pair):
            self.heads[dataset, method] = head
            return pair | {"archive": paths.ARCHIVED.format(**names), "evaluators": evaluators}
        if self._only:
            return pair | {"missing": _why_missing(head, pair)}
        return pair

    def _spec(self, dataset, method, evaluators):
        """Return the spec of a pair, as far as it is known before the data is prepared."""
        plan, block = self._plan, self._block
        entry = plan.catalogue[dataset]
        fingerprint = None if dataset in plan.data.files else entry.fingerprint
        spec = {
            "study": self._study,
            "dataset": {"name": dataset, "task": entry.task, "fingerprint": fingerprint},
            "splits": block.splits.model_dump(),
            "seed": block.seed,
            "modes": block.modes,
            "method": {"name": method, "spec": plan.spec(self._study, method)},
            "evaluators": {
                name: plan.evaluator(name) | {"L": plan.scored_budgets(self._study, name)} for name in evaluators
            },
        }
        return json.loads(json.dumps(spec))

    def _experiment(self, name):
        names, parts = {"study": self._study, "experiment": name}, self._plan.experiment_parts(self._study, name)
        identity = {"name": name, "module": self._block.experiments[name].experiment}
        spec = {"study": self._study, "experiment": identity, "seed": self._block.seed, "parts": parts}
        files = {part: _format_paths(paths.PART, names, part=part) for part in parts}
        return names | {"parts": files, "spec": json.loads(json.dumps(spec))}

    # --- results of methods on datasets -------------------------------------------------------------------------

    def is_absent(self, dataset):
        """Check if the archive has no complete result of a dataset and nothing is run for it."""
        return self._only and dataset not in self._archived_datasets

    def collected(self):
        """List the parameters of the rules `collect` and `stability` for each pair."""
        return [{key: value for key, value in pair.items() if key not in ("spec", "hypothesis")} for pair in self.pairs]

    def files(self, *keys):
        """List the archive's files in use, and some files, such as "rankings", of the pairs that are run here."""
        listed = [
            path
            for pair in self.pairs
            if "missing" not in pair
            for path in ([pair["archive"]] if "archive" in pair else map(pair.get, keys))
        ]
        return list(dict.fromkeys(listed))

    def collected_files(self):
        """List all files from which the rule `collect` takes results."""
        read = ("splits", "fits", "ranking_benchmark", "scores", "scoring", "scoring_benchmark")
        return self.files(*read) + [item["archive"] for item in self.collected_experiments() if "archive" in item]

    def datasets(self):
        """List the parameters of the rule `collect` for each dataset."""
        plan, facts, known = self._plan, [], {}
        for (dataset, _), head in self.heads.items():
            if self._only or not self._block.clustering_hypothesis or "ch" in head.dataset:
                known[dataset] = known.get(dataset, {}) | head.dataset  # a method's file may lack CH
        for name in self._block.datasets:
            entry = plan.catalogue[name]
            published, available = entry.studies.get(self._block.published), plan.is_available(name)
            reason = "" if available else entry.reason
            if available and self.is_absent(name):
                available = False
                reason = f"{paths.ARCHIVE} has no complete result for it, and nothing was run"
            is_computed_here = available and name not in known
            hypothesis = is_computed_here and self._block.clustering_hypothesis
            facts.append(
                {
                    "dataset": name,
                    "task": entry.task,
                    "available": available,
                    "reason": reason,
                    "title": entry.title,
                    "published": published.name if published else "",
                    "facts": known.get(name) if available else None,
                    "header": paths.HEADER.format(dataset=name) if is_computed_here else "",
                    "hypothesis": paths.HYPOTHESIS.format(dataset=name) if hypothesis else "",
                }
            )
        return facts

    def dataset_files(self):
        """List the headers and the files with CH that the rule `collect` reads."""
        return [fact[key] for fact in self.datasets() for key in ("header", "hypothesis") if fact[key]]

    # --- experiments --------------------------------------------------------------------------------------------

    def experiment_parts(self, name):
        """Locate the tables of each part of an experiment: the archive's file if it has all parts, otherwise folders.

        With archive=only and no such file, there are none.
        """
        parts = self.experiments[name]["parts"]
        if self._experiment_head(name):
            return dict.fromkeys(parts, paths.ARCHIVED_EXPERIMENT.format(study=self._study, experiment=name))
        return {} if self._only else {part: files["tables"] for part, files in parts.items()}

    def _experiment_head(self, name):
        """Read the metadata of an experiment's file in the archive, if it has all parts with the same settings."""
        head = self._archive and self._archive.head(self._study, EXPERIMENTS_FOLDER, name)
        planned = self.experiments[name]
        is_complete = head and set(planned["parts"]) <= set(head.spec["parts"])
        return head if is_complete and not deviation(head.spec, planned["spec"]) else None

    def collected_experiments(self):
        """List the parameters of the rule `collect` for each experiment: the source of its parts, if any."""
        items = []
        for name, experiment in self.experiments.items():
            item, head = {"experiment": name, "parts": len(experiment["parts"])}, self._experiment_head(name)
            if head:
                file = paths.ARCHIVED_EXPERIMENT.format(study=self._study, experiment=name)
                item |= {"archive": file}
            elif self._only:
                archived = self._archive.head(self._study, EXPERIMENTS_FOLDER, name)
                different = archived and deviation(archived.spec, experiment["spec"])
                why = f"{paths.ARCHIVE} has not all parts of the experiment {name} of {self._study}"
                why += f", and other settings of it: {different}" if different else ""
                item |= {"missing": f"{why}: its tables are not made"}
            items.append(item)
        return items

    # --- the archive --------------------------------------------------------------------------------------------

    def job_code(self, method):
        """Digests of the current behaviour by job, as in a record's provenance."""
        plan = self._plan
        ranking = plan.ranker_code(self._study, method) or step_code("import_rankings")
        codes = {"splits": step_code("splits")} | {f"ranking {L}": ranking for L in plan.budgets(self._study)}
        return codes | {f"scores {name}": evaluator_code(plan.evaluator(name)) for name in self._block.evaluators}

    def part_code(self, experiment):
        """Hash of an experiment and digests of what it uses, for each part."""
        code = experiment_code(self._block.experiments[experiment].experiment)
        return {job_name(part): code for part in self.experiments[experiment]["parts"]}

    def to_archive(self):
        """List the pairs of this run."""
        return [pair for pair in self.pairs if "archive" not in pair and "missing" not in pair]

    def experiments_to_archive(self):
        """List the experiments of this run."""
        return (
            [] if self._only else [each for name, each in self.experiments.items() if not self._experiment_head(name)]
        )

    def files_to_archive(self):
        """List the finished results that the rule `archive` reads."""
        read = ("header", "splits", "hypothesis", "rankings", "fits", "scores", "scoring")
        listed = [pair[key] for pair in self.to_archive() for key in read if pair[key]]
        parts = [files for each in self.experiments_to_archive() for files in each["parts"].values()]
        return list(dict.fromkeys([*listed, *(files["tables"] for files in parts)]))


def intended(plan):
    """List the cells that the studies of a plan intend: (study, dataset, method, L), L "" for an experiment.

    Datasets that are not available count, too.
    """
    listed = []
    for study, block in plan.studies.items():
        for dataset in block.datasets:
            task = plan.catalogue[dataset].task
            methods = [name for name in block.ranked if task in (plan.methods[name].tasks or [task])]
            listed += [(study, dataset, name, budget) for name in methods for budget in plan.budgets(study)]
        listed += [(study, EXPERIMENTS_FOLDER, name, "") for name in block.experiments]
    return listed


def cells(plan):
    """Draw the cells that `verify` recomputes; return the files of their results, and skipped records by reason.

    A cell is a (dataset, method, L), or a part of an experiment, of a chosen study in the archive. Its spec must be
    that of the plan: nothing that only a file names is imported or run.
    """
    existing, left_out = cells_by_study(plan)
    existing = [_cell_path(*cell) for listed in existing.values() for cell in listed]
    chosen = np.random.default_rng(plan.seed).permutation(len(existing))[: plan.sample]
    return [existing[number] for number in sorted(chosen)], left_out


def _cell_path(study, dataset, method, part):
    if dataset == EXPERIMENTS_FOLDER:
        return paths.PART_CELL.format(study=study, experiment=method, part=part)
    return paths.CELL.format(study=study, dataset=dataset, method=method, L=part)


def cells_by_study(plan):
    """List the cells of the chosen studies that can be recomputed, by study, and skipped records by reason.

    A cell is study, dataset, method and L, or study, "experiments", experiment and part.
    """
    existing, left_out = {}, {}
    for names in plan.store.record_keys:
        if names[0] in plan.studies and names[0] not in plan.chosen:
            continue
        reason, found_cells = _cells_of(plan, *names)
        existing.setdefault(names[0], []).extend((*names, part) for part in found_cells)
        if reason:
            left_out.setdefault(reason, []).append("/".join(names))
    return existing, left_out


def _cells_of(plan, study, dataset, method):
    """Return the reason to skip a record, or "", and the L or parts of its cells."""
    if study not in plan.studies:
        return "of studies that the configuration does not have", []
    results, head = plan.results(study), plan.store.head(study, dataset, method)
    part = "parts" if dataset == EXPERIMENTS_FOLDER else "evaluators"
    planned = results.experiments.get(method) if part == "parts" else results.planned.get((dataset, method))
    if planned is None:
        return "that the study or the filters leave out", []
    if part == "parts" and planned["spec"]["experiment"]["module"] in TIMED:
        return "of experiments that measure time", []
    if part == "evaluators" and method not in plan.python_methods():
        return "of methods with a rule of their own, which ranks all folds at once", []
    more = [f"only the file has {name}" for name in head.spec[part] if name not in planned["spec"][part]]
    if different := next(iter(more), "") or deviation(head.spec, planned["spec"]):
        return f"whose spec is not the plan's ({different})", []
    return "", list(head.spec["parts"]) if part == "parts" else [L for L in head.spec["L"] if L in plan.budgets(study)]


def _format_paths(patterns, names, **values):
    return {key: pattern.format(**names, **values) for key, pattern in patterns.items()}


def _why_missing(head, pair):
    """Explain why the archive lacks the complete result of a pair."""
    if head is None:
        return f"{paths.ARCHIVE} has no result for it"
    if different := deviation(head.spec, pair["spec"]):
        return f"{paths.ARCHIVE} has other settings of it: {different}"
    evaluators = ", ".join(head.spec["evaluators"]) or "none"
    return f"{paths.ARCHIVE} has a part: L {', '.join(head.spec['L'])}, evaluators {evaluators}"


def has_all(spec, pair):
    """Check if a record has all results of a planned pair; never for the user's own file."""
    complete = set(pair["spec"]["splits"]["L"]) <= set(spec["L"])
    complete &= set(pair["spec"]["evaluators"]) <= set(spec["evaluators"])
    known = pair["spec"]["dataset"]["fingerprint"] is not None
    return complete and known and not deviation(spec, pair["spec"])
