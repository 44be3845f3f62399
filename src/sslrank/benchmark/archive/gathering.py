"""A record of what is finished of a pair or an experiment, from the files and logs of its jobs."""

import json
from pathlib import Path

from sslrank.benchmark.archive.experiments import Part, read_tables, record_of
from sslrank.benchmark.archive.parts import dataset_facts, files_of, gather_parts, origins_of
from sslrank.benchmark.archive.record import Record, deviation, grouped
from sslrank.benchmark.archive.summaries import summarize_rankings
from sslrank.benchmark.archive.unfinished import importance_rows
from sslrank.benchmark.files import read_benchmark
from sslrank.benchmark.logs import file_hashes, read_record


class Unfinished(Exception):
    """A job has not finished, or its files are not those that it wrote; the message says which and why."""


def gather_record(pair, place=lambda path: path):
    """The record of what is finished of a pair.

    A job is finished when its log ends with its record and the files that it read and wrote are still the same.

    Parameters
    ----------
    pair : dict
        See :mod:`sslrank.benchmark.archive.parts`.
    place : callable, default=the identity
        From a path of the plan to where the file is.

    Returns
    -------
    record : Record
    missing : list of str
        Why jobs of the pair are not in it.

    Raises
    ------
    Unfinished
        If nothing of the pair is finished.
    """
    chain = _Chain(place)
    table = str(Path(pair["header"]).with_name("table.parquet"))
    if not chain.there(table):
        raise Unfinished(f"{table} is not there")
    splits = chain.job(pair["splits_log"], [pair["splits"]])
    header = json.loads(place_text(place(pair["header"])))
    for path, read in ((pair["header"], header), (pair["splits"], json.loads(place_text(place(pair["splits"]))))):
        if "problem" in read:
            raise Unfinished(f"{path}: {read['problem']}")
    rankings, scores, missing = {}, {}, []
    for L, files in pair["rankings"].items():
        try:
            made = chain.job(files["log"], [files["rankings"], files["status"]], [pair["header"], pair["splits"]])
            rankings[L] = files, made
        except Unfinished as reason:
            missing.append(str(reason))
    for name, files in pair["scores"].items():
        judged = [files_["rankings"] for L, files_ in pair["rankings"].items() if L in files["L"]]
        try:
            if not set(files["L"]) <= set(rankings):
                raise Unfinished(f"{files['scores']}: some of its rankings are not finished")
            # Jobs had no status of their own once; what scores they wrote then are there.
            files = {key: path for key, path in files.items() if key != "status" or chain.there(path)}
            wrote = [files[key] for key in ("scores", "status") if key in files]
            made = chain.job(files["log"], wrote, [pair["header"], pair["splits"], *judged])
            scores[name] = files, made
        except Unfinished as reason:
            missing.append(str(reason))
    if not rankings:
        raise Unfinished(missing[0])
    what = {
        "study": pair["study"],
        "dataset": {
            "name": pair["dataset"],
            "task": header["task"],
            "fingerprint": header["provenance"]["fingerprint"],
        },
        "splits": splits["params"]["protocol"],
        "splits_sha256": splits["output"][pair["splits"]],
        "seed": splits["params"]["seed"],
        "modes": _same(rankings, "modes"),
        "method": {"name": pair["method"], "spec": _same(rankings, "spec")},
        "evaluators": {name: _judge(made["params"], name, rankings) for name, (_, made) in scores.items()},
        "L": list(rankings),
    }
    made_by = {"splits": splits}
    made_by |= {f"ranking {L}": made for L, (_, made) in rankings.items()}
    made_by |= {f"scores {name}": made for name, (_, made) in scores.items()}
    found = pair | {
        "rankings": {L: _placed(files, place) for L, (files, _) in rankings.items()},
        "scores": {name: _placed(files, place) for name, (files, _) in scores.items()},
    }
    hypothesis = pair.get("hypothesis") and place(pair["hypothesis"])
    facts = dataset_facts(place(pair["header"]), hypothesis if hypothesis and Path(hypothesis).exists() else None)
    parts = gather_parts(found) | summarize_rankings(files_of(found))
    own_rule = "rule" in what["method"]["spec"]  # its jobs take no fits over
    parts["importance"], left = importance_rows(files_of(found) if missing and not own_rule else {})
    if left:
        many = (
            f"importances of L {', '.join(left)} are too many to be kept, so these are ranked again on another machine"
        )
        missing.insert(0, f"{missing[0]}; {many}")
    jobs = {
        job: (made["how"], job_code(made["params"], job.partition(" ")[2]), made["date"])
        for job, made in made_by.items()
    }
    jobs |= {f"ranking {L}": (origin["how"], origin["code"], origin["date"]) for L, origin in origins_of(found).items()}
    return Record(what, grouped(jobs), facts, parts), missing


def gather_experiment(experiment, place=lambda path: path):
    """The record of the finished parts of an experiment; see :func:`gather_record`.

    Parameters
    ----------
    experiment : dict
        study, experiment (its name), parts (by name: tables, the folder, log, benchmark; paths) and what.
    place : callable, default=the identity
        From a path of the plan to where the file is.

    Returns
    -------
    record : Record
    missing : list of str
        Why parts are not in it: unfinished, or made with other settings than the configuration has.

    Raises
    ------
    Unfinished
        If no part can be taken.
    """
    chain, planned, found, missing = _Chain(place), experiment["what"], {}, []
    for name, files in experiment["parts"].items():
        try:
            made = chain.job(files["log"], [files["tables"]])
            params = made["params"]
            module = planned["experiment"] | {"module": params["name"]}
            what = {"experiment": module, "seed": params["seed"], "parts": {name: params["part"]}}
            if different := deviation(what, planned):
                raise Unfinished(
                    f"{files['tables']} was made with other settings than the configuration has: {different}"
                )
        except Unfinished as reason:
            missing.append(str(reason))
            continue
        measured = read_benchmark(place(files["benchmark"]))
        job = {key: float(measured.get(key, "nan")) for key in ("s", "max_rss", "cpu_time")}
        tables = read_tables(place(files["tables"]))
        found[name] = Part(params["part"], made["how"], job_code(params), made["date"], tables, job)
    if not found:
        raise Unfinished(missing[0])
    return record_of({key: value for key, value in planned.items() if key != "parts"}, found), missing


def place_text(path):
    """The text of a file that a pair needs.

    Raises
    ------
    Unfinished
        If it is not there.
    """
    try:
        return Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Unfinished(f"{path} is not there") from None


class _Chain:
    """Records of jobs whose files, read and written, are those that are there."""

    def __init__(self, place):
        self.place, self._hashes = place, {}

    def job(self, log, output, read=()):
        record = read_record(self.place(log))
        if record is None:
            raise Unfinished(f"{log} has no record of a finished job")
        for kind, paths in (("output", output), ("input", read)):
            for path in paths:
                if record[kind].get(path) != self._hash(path):
                    raise Unfinished(f"{path} is not the file that the job of {log} has {_VERBS[kind]}")
        return record

    def there(self, path):
        """Whether a file of the plan is there."""
        return self._hash(path) is not None

    def _hash(self, path):
        if path not in self._hashes:
            found = self.place(path)
            self._hashes[path] = file_hashes([found])[str(found)] if Path(found).exists() else None
        return self._hashes[path]


_VERBS = {"output": "written", "input": "read"}


def _placed(files, place):
    return {key: value if key == "L" else place(value) for key, value in files.items()}


def _same(rankings, key):
    """A parameter of the ranking jobs of all L."""
    values = {L: made["params"][key] for L, (_, made) in rankings.items()}
    first, *others = values.items()
    for L, value in others:
        if value != first[1]:
            raise Unfinished(f"the rankings of L {first[0]} and {L} were made with other {key}; run one of them again")
    return first[1]


def _judge(params, name, budgets):
    block = next(item for item in params["evaluators"] if item["name"] == name)
    return block["evaluator"] | {"L": [L for L in budgets if L in block["rankings"]]}


def job_code(params, name=None):
    """Hash of the code of a job, by its parameters: of its script, and of the ranker, evaluator or experiment."""
    found = [params["code"]]
    if "used" in params:
        found.append(params["used"])
    if "ranker" in params:
        found.append(params["ranker"][0])
    if "evaluators" in params:
        found.append(next(item["code"] for item in params["evaluators"] if item["name"] == name))
    return " ".join(found)
