"""Where the results of a study come from: which files its jobs write, and what the archive has of them."""

import json
from functools import cache, cached_property

import numpy as np

from sslrank.benchmark import paths
from sslrank.benchmark.archive.experiments import job_name, same_parts
from sslrank.benchmark.archive.gathering import files_of
from sslrank.benchmark.archive.record import EXPERIMENTS, deviation, file_name
from sslrank.benchmark.archive.store import Archive
from sslrank.benchmark.experiments import are_enough
from sslrank.benchmark.plan.fingerprints import evaluator_code, experiment_code, ranker_code, step_code


class Sources:
    """The pairs (dataset, method) and the experiments of each study: the files of their jobs, or the archive's.

    Parameters
    ----------
    plan : sslrank.benchmark.plan.plan.Plan
    """

    def __init__(self, plan):
        self._plan = plan
        # A file of the archive, and the jobs here, are the same as long as the run goes on.
        self.archived = cache(self._archived)
        self.pairs = cache(self._pairs)
        self.experiments = cache(self._experiments)

    @cached_property
    def _archive(self):
        """The archive; every file in it is listed, as others would be left out in silence."""
        archive = Archive(paths.ARCHIVE)
        archive.check_listed()
        return archive

    def _pairs(self, study):
        """Every pair of a study, as :mod:`sslrank.benchmark.archive.gathering` has it, and "what" it computes."""
        plan, found = self._plan, []
        for dataset, method in plan.pairs(study):
            names = {"study": study, "dataset": dataset, "method": method}
            judges = [judge for *pair, judge in plan.scored(study) if pair == [dataset, method]]
            rankings = {
                "rankings": paths.RANKINGS,
                "status": paths.STATUS,
                "log": paths.RANKING_LOG,
                "benchmark": paths.RANKING_BENCHMARK,
            }
            scores = {
                "scores": paths.SCORES,
                "status": paths.SCORES_STATUS,
                "log": paths.SCORES_LOG,
                "benchmark": paths.SCORES_BENCHMARK,
            }
            found.append(
                names
                | {
                    "task": plan.catalogue[dataset].task,
                    "header": paths.HEADER.format(**names),
                    "hypothesis": paths.HYPOTHESIS.format(**names) if plan.studies[study].clustering_hypothesis else "",
                    "splits": paths.SPLITS.format(**names),
                    "splits_log": paths.DATASET_LOG.format(step="splits", **names),
                    "rankings": {L: _filled(rankings, names, L=L) for L in plan.budgets(study)},
                    "scores": {
                        judge: _filled(scores, names, evaluator=judge) | {"L": plan.scored_budgets(study, judge)}
                        for judge in judges
                    },
                    "what": self._what(names, judges),
                }
            )
        return found

    def _what(self, names, judges):
        """What is to be computed of a pair, as far as it is known before the data is."""
        plan, study = self._plan, names["study"]
        entry, block = plan.catalogue[names["dataset"]], plan.studies[study]
        own = names["dataset"] in plan.data.files
        what = {
            "study": study,
            "dataset": {
                "name": names["dataset"],
                "task": entry.task,
                "fingerprint": None if own else entry.fingerprint,
            },
            "splits": block.splits.model_dump(),
            "seed": block.seed,
            "modes": block.modes,
            "method": {"name": names["method"], "spec": plan.spec(study, names["method"])},
            "evaluators": {name: plan.evaluator(name) | {"L": plan.scored_budgets(study, name)} for name in judges},
        }
        return json.loads(json.dumps(what))

    def _archived(self, study):
        """Heads of the archive's files that have all of a pair, by (dataset, method), where they are asked for."""
        if self._plan.archive is None:
            return {}
        archive, found = self._archive, {}
        for pair in self.pairs(study):
            file = file_name(study, pair["dataset"], pair["method"])
            if file in archive:
                head = archive.head(file)
                if has_all(head.what, pair):
                    found[pair["dataset"], pair["method"]] = head
        return found

    def _experiments(self, study):
        """Every experiment of a study by name: the files of its parts, and "what" it computes."""
        plan, found = self._plan, {}
        block = plan.studies[study]
        files = {
            "tables": paths.EXPERIMENT_PART,
            "log": paths.EXPERIMENT_PART_LOG,
            "benchmark": paths.EXPERIMENT_PART_BENCHMARK,
        }
        for name, experiment in block.experiments.items():
            names, parts = {"study": study, "experiment": name}, plan.experiment_parts(study, name)
            about = {"name": name, "module": experiment.experiment}
            what = {"study": study, "experiment": about, "seed": block.seed, "parts": parts}
            parts = {part: _filled(files, names, part=part) for part in parts}
            found[name] = names | {"parts": parts, "what": json.loads(json.dumps(what))}
        return found

    def experiment_parts(self, study, name):
        """Where the tables of the parts of an experiment are, by part: folders, or the archive's file.

        With archive=only there are no folders.
        """
        experiment, head = self.experiments(study)[name], self._experiment_head(study, name)
        what, file = experiment["what"], paths.ARCHIVED_EXPERIMENT.format(study=study, experiment=name)
        archived = dict.fromkeys(same_parts(head.what, what) if head else [], file)
        if self._plan.archive == "only":
            return archived
        return {part: files["tables"] for part, files in experiment["parts"].items()} | archived

    def _experiment_head(self, study, name):
        """The head of the archive's file of an experiment, where it is asked for and there."""
        file = file_name(study, EXPERIMENTS, name)
        return self._archive.head(file) if self._plan.archive is not None and file in self._archive else None

    def is_joined(self, study, name):
        """Whether an experiment's tables can be made: with archive=only, of the archive's parts."""
        found, parts = self.experiment_parts(study, name), self._plan.experiment_parts(study, name)
        return bool(found) and are_enough(self._plan.studies[study].experiments[name].experiment, found, parts)

    def collected_experiments(self, study):
        """What the collecting job is told about each experiment: where its parts come from, and why others miss."""
        found = []
        for name, experiment in self.experiments(study).items():
            places, n_parts = self.experiment_parts(study, name), len(experiment["parts"])
            file = paths.ARCHIVED_EXPERIMENT.format(study=study, experiment=name)
            taken = [part for part, place in places.items() if place == file]
            head, joined = self._experiment_head(study, name), self.is_joined(study, name)
            if taken and joined:
                code = self.part_code(study, name)
                same = self._is_code(head, {job_name(part): code[job_name(part)] for part in taken})
                item = {"experiment": name, "parts": len(taken), "archive": file}
                found.append(item | {"taken": taken, "same_code": same})
            if here := len(places) - len(taken):
                found.append({"experiment": name, "parts": here})
            if missing := n_parts - len(places):
                why = f"{paths.ARCHIVE} has {len(taken)} of {n_parts} parts of the experiment {name} of {study}"
                if head and (different := deviation(head.what, experiment["what"])):
                    why += f", and other settings of it: {different}"
                why += ": its tables are made of these" if joined else ": its tables are not made"
                found.append({"experiment": name, "parts": missing, "missing": why})
        return found

    def collected(self, study):
        """What the collecting job is told about each pair: its files, or the archive's file, or why it is missing."""
        archived, found = self.archived(study), []
        for pair in self.pairs(study):
            names = {key: pair[key] for key in ("study", "dataset", "task", "method")}
            head = archived.get((pair["dataset"], pair["method"]))
            if head is not None:
                found.append(
                    names
                    | {
                        "archive": paths.ARCHIVED.format(**pair),
                        "evaluators": list(pair["scores"]),
                        "same_code": self._is_code(head, self.job_code(study, pair["dataset"], pair["method"])),
                    }
                )
            elif self._plan.archive == "only":
                found.append(names | {"missing": self._why_missing(pair)})
            else:
                found.append({name: value for name, value in pair.items() if name not in ("what", "hypothesis")})
        return found

    def _why_missing(self, pair):
        """Why the archive does not have all of a pair."""
        file = file_name(pair["study"], pair["dataset"], pair["method"])
        if file not in self._archive:
            return f"{paths.ARCHIVE} has nothing of it"
        what = self._archive.head(file).what
        there = f"L {', '.join(what['L'])}, evaluators {', '.join(what['evaluators']) or 'none'}"
        different = deviation(what, pair["what"])
        return f"{paths.ARCHIVE} has " + (f"other settings of it: {different}" if different else f"a part: {there}")

    def is_absent(self, study, dataset):
        """Whether nothing of a dataset is in the archive, and nothing is run for it."""
        return self._plan.archive == "only" and not any(name == dataset for name, _ in self.archived(study))

    def condensed(self, study):
        """What the condensing job is told about each pair: the files of its rankings by L, or the archive's file."""
        return [
            {key: pair[key] for key in ("dataset", "task", "method")}
            | ({"archive": pair["archive"]} if "archive" in pair else {"rankings": files_of(pair)})
            for pair in self.collected(study)
            if "missing" not in pair
        ]

    def condensed_files(self, study):
        """The files that the condensing job reads."""
        return [
            path for pair in self.condensed(study) for path in (pair.get("rankings") or {"": pair["archive"]}).values()
        ]

    def files(self, study, only=None):
        """Every file that the results of a study, or of one of its datasets, are collected from."""
        found = []
        for pair in self.collected(study):
            if only not in (None, pair["dataset"]) or "missing" in pair:
                continue
            if "archive" in pair:
                found.append(pair["archive"])
                continue
            found.append(pair["splits"])
            for files in (*pair["rankings"].values(), *pair["scores"].values()):
                found += [path for key, path in files.items() if key not in ("rankings", "log", "L")]
        if only is None:
            found += [item["archive"] for item in self.collected_experiments(study) if "archive" in item]
        return list(dict.fromkeys(found))

    def dataset_facts(self, study):
        """What the collecting job is told about the datasets of a study."""
        plan, facts = self._plan, []
        block, known = plan.studies[study], {}
        for (dataset, _), head in self.archived(study).items():
            if plan.archive == "only" or not block.clustering_hypothesis or "ch" in head.dataset:
                known[dataset] = known.get(dataset, {}) | head.dataset  # not every method's file may have CH
        for name in block.datasets:
            entry = plan.catalogue[name]
            published, available = entry.studies.get(block.published), plan.is_available(name)
            reason = "" if available else entry.reason
            if available and self.is_absent(study, name):
                available = False
                parts = sum(file.startswith(f"{study}/{name}/") for file in self._archive.rows)
                part = f" but a part of {parts} methods" if parts else ""
                reason = f"{paths.ARCHIVE} has nothing complete of it{part}, and nothing was run"
            here = available and name not in known
            facts.append(
                {
                    "dataset": name,
                    "task": entry.task,
                    "available": available,
                    "reason": reason,
                    "title": entry.title,
                    "published": published.name if published else "",
                    "facts": known.get(name) if available else None,
                    "header": paths.HEADER.format(dataset=name) if here else "",
                    "hypothesis": paths.HYPOTHESIS.format(dataset=name) if here and block.clustering_hypothesis else "",
                }
            )
        return facts

    def dataset_files(self, study):
        """The prepared headers, and files with CH, that facts of datasets are read from."""
        return [fact[key] for fact in self.dataset_facts(study) for key in ("header", "hypothesis") if fact[key]]

    def job_code(self, study, dataset, method):
        """Hash of the code that is here, by job, as a record's "how" has it."""
        plan = self._plan
        ranker = plan.methods[method].ranker
        ranking = f"{step_code('rank')} {ranker_code(ranker)}" if ranker else step_code("import_rankings")
        found = {"splits": step_code("splits")} | {f"ranking {L}": ranking for L in plan.budgets(study)}
        for name in plan.studies[study].evaluators:
            found[f"scores {name}"] = f"{step_code('score')} {evaluator_code(plan.evaluator(name))}"
        return found

    def part_code(self, study, name):
        """The same of an experiment."""
        module = self._plan.studies[study].experiments[name].experiment
        code = f"{step_code('experiment_part')} {experiment_code(module)}"
        return {job_name(part): code for part in self.experiments(study)[name]["parts"]}

    @staticmethod
    def _is_code(head, here):
        """Whether the code that made a record is the one that is here."""
        return all(here.get(job, code) == code for group in head.how for job, code in group["code"].items())

    def to_archive(self, study):
        """The pairs of a study that the `archive` step puts into the archive: all that is run here."""
        taken = self.archived(study)
        if self._plan.archive == "only":
            return []
        return [pair for pair in self.pairs(study) if (pair["dataset"], pair["method"]) not in taken]

    def experiments_to_archive(self, study):
        """The experiments of a study with parts that are run here; none where filters leave out datasets or methods."""
        found = []
        for name, experiment in ({} if self._plan.studies[study].filtered else self.experiments(study)).items():
            archived = paths.ARCHIVED_EXPERIMENT.format(study=study, experiment=name)
            here = [part for part, place in self.experiment_parts(study, name).items() if place != archived]
            found += [experiment | {"here": here}] if here else []
        return found

    def archive_inputs(self):
        """The finished results of the chosen studies that the `archive` step reads."""
        found = []
        for study in self._plan.chosen:
            for pair in self.to_archive(study):
                found += [pair[key] for key in ("header", "splits", "hypothesis") if pair[key]]
                found += [files[key] for files in pair["rankings"].values() for key in ("rankings", "status")]
                found += [files[key] for files in pair["scores"].values() for key in ("scores", "status")]
            for each in self.experiments_to_archive(study):
                found += [each["parts"][part]["tables"] for part in each["here"]]
        return list(dict.fromkeys(found))

    def cells(self):
        """Files of the cells that `verify` recomputes: a random sample of what is in the archive.

        A cell is a (dataset, method, L), or a part of an experiment. Methods with a rule of their own are not among
        them: a job there ranks all folds at once. Nor are experiments where a filter names datasets or methods.
        """
        plan, found = self._plan, []
        for file, (study, dataset, method) in self._archive.names().items():
            if study not in plan.chosen:
                continue
            names = {"study": study, "dataset": dataset, "method": method}
            if dataset == EXPERIMENTS:
                if method in plan.studies[study].experiments and not plan.studies[study].filtered:
                    there = self._archive.head(file).what["parts"]
                    found += [paths.PART_CELL.format(study=study, experiment=method, part=part) for part in there]
            elif (dataset, method) in plan.pairs(study) and method in plan.python_methods():
                found += [paths.CELL.format(L=L, **names) for L in self._archive.rows[file]["L"].split()]
        chosen = np.random.default_rng(plan.seed).permutation(len(found))[: plan.sample]
        return [found[number] for number in sorted(chosen)]

    @staticmethod
    def archived_file(names):
        """The archive's name of the file of a job, by its wildcards."""
        return file_name(names.study, names.dataset, names.method)


def _filled(patterns, names, **values):
    return {key: pattern.format(**names, **values) for key, pattern in patterns.items()}


def has_all(what, pair):
    """Whether a record has all results of a planned pair; never for a file of the user's own."""
    complete = set(pair["rankings"]) <= set(what["L"]) and set(pair["scores"]) <= set(what["evaluators"])
    known = pair["what"]["dataset"]["fingerprint"] is not None
    return complete and known and not deviation(what, pair["what"])
