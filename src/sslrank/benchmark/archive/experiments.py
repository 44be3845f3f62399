"""A record of an experiment that needs no dataset: the tables of its finished parts.

Parts come piece by piece, of several runs and machines. A record has any number of them and can be taken apart into
them again, so that two records of an experiment have one that is both.
"""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from sslrank.benchmark.archive.record import ArchiveError, Record, committed_time, deviation, grouped

#: Table with a row for each part: s, max_rss, cpu_time of its job, and the date of its end. No experiment has it.
JOB = "job"


@dataclass(frozen=True)
class Part:
    """A finished part of an experiment.

    Attributes
    ----------
    params : dict
        Its parameters.
    how : dict
        What it ran on: see :func:`sslrank.benchmark.environment.environment`.
    code : str
        Hash of its code.
    date : str
        When it ended.
    tables : dict of str to DataFrame
        What it computed.
    job : dict
        s, max_rss and cpu_time.
    """

    params: dict
    how: dict
    code: str
    date: str
    tables: dict
    job: dict


def read_tables(folder):
    """The tables in the folder of a part, by name."""
    return {path.stem: pd.read_parquet(path) for path in sorted(Path(folder).glob("*.parquet"))}


def job_name(part):
    """Name of the job of a part, in the hashes of code of a record's "how"."""
    return f"part {part}"


def record_of(what, parts):
    """The record that some parts make.

    Parameters
    ----------
    what : dict
        study, experiment (name, module) and seed.
    parts : dict of str to Part
        By name.

    Returns
    -------
    Record
        Parts in the order of their names, and of each the rows in their own.
    """
    parts = dict(sorted(parts.items()))
    found = {}
    for name, part in parts.items():
        for table, frame in (part.tables | {JOB: pd.DataFrame([part.job | {"date": part.date}])}).items():
            found.setdefault(table, []).append(frame.assign(part=name))
    tables = {table: pd.concat(found[table], ignore_index=True) for table in sorted(found)}
    how = grouped({job_name(name): (part.how, part.code, part.date) for name, part in parts.items()})
    return Record(what | {"parts": {name: part.params for name, part in parts.items()}}, how, {}, tables)


def parts_of(record):
    """The parts that a record has.

    Parameters
    ----------
    record : Record

    Returns
    -------
    dict of str to Part
        By name.
    """
    tables = {name: {} for name in record.what["parts"]}
    for table, frame in record.parts.items():
        for name, rows in frame.groupby("part", sort=False):
            tables[name][table] = rows.drop(columns="part").reset_index(drop=True)
    found = {}
    for group in record.how:
        how = {key: value for key, value in group.items() if key not in ("code", "date")}
        for name in record.what["parts"]:
            if job_name(name) in group["code"]:
                (job,) = tables[name].pop(JOB).to_dict("records")
                date, code = job.pop("date"), group["code"][job_name(name)]
                found[name] = Part(record.what["parts"][name], how, code, date, tables[name], job)
    return found


def only_parts(record, names):
    """The record of some of its parts.

    Parameters
    ----------
    record : Record
    names : iterable of str

    Returns
    -------
    Record
    """
    parts = parts_of(record)
    return record_of(
        {key: value for key, value in record.what.items() if key != "parts"}, {name: parts[name] for name in names}
    )


def same_parts(what, planned):
    """Parts that a record has and that a plan asks for, with the same seed and parameters.

    Parameters
    ----------
    what : dict
        The record's.
    planned : dict
        What is to be computed.

    Returns
    -------
    list of str
        In the plan's order.
    """
    if deviation(what, planned | {"parts": {}}):
        return []
    return [name for name, params in planned["parts"].items() if what["parts"].get(name) == params]


def newer_parts(there, here):
    """Parts of which a record has results of a newer commit than another one.

    Parameters
    ----------
    there, here : Record
        Heads are enough.

    Returns
    -------
    list of str
        Those of `here` that are to stay as they are `there`.
    """
    ages = [{job: committed_time(made) for made in record.how for job in made["code"]} for record in (there, here)]
    jobs = {name: job_name(name) for name in here.what["parts"] if name in there.what["parts"]}
    return [name for name, job in jobs.items() if ages[0][job] > ages[1][job]]


def merged(there, here):
    """What two records of an experiment have, of a part that both have the one of the newer commit, else that `here`.

    Parameters
    ----------
    there, here : Record

    Returns
    -------
    Record

    Raises
    ------
    ArchiveError
        If they do not share what was computed.
    """
    if different := deviation(there.what, here.what):
        raise ArchiveError(f"does not share what was computed: {different}", file=there.file)
    kept = newer_parts(there, here)
    parts = parts_of(there) | {name: part for name, part in parts_of(here).items() if name not in kept}
    return record_of({key: value for key, value in here.what.items() if key != "parts"}, parts)
