"""The job that puts the finished results of a run into the archive."""

from pathlib import Path

from sslrank.benchmark.archive.experiments import newer_parts, only_parts, same_parts
from sslrank.benchmark.archive.gathering import Unfinished, gather_experiment, gather_record
from sslrank.benchmark.archive.record import commit_time, deviation, file_name, subject
from sslrank.benchmark.archive.store import Archive, newest
from sslrank.benchmark.archive.unfinished import joined
from sslrank.core.errors import DataError
from sslrank.datasets.export import written


def archive_job(folder, pairs, experiments=(), *, results="results", estimates=None):
    """Put what is finished into the archive, and say what came of it.

    Parameters
    ----------
    folder : path-like
        The archive's.
    pairs : list of dict
        See :mod:`sslrank.benchmark.archive.parts`; "what" is what the configuration asks for.
    experiments : list of dict, optional
        See :func:`sslrank.benchmark.archive.gathering.gather_experiment`.
    results : path-like, default="results"
        Folder of the results, for those of another run.
    estimates : dict of str to path-like, optional
        By study, where its estimate is if it was made. The first one stays: it was there before the results.

    Returns
    -------
    list of str
        Lines to be shown.
    """

    def place(path):
        return str(Path(results, Path(path).relative_to("results")))

    if not Path(results).is_dir():
        raise DataError(f"there is no folder {results} with results")
    archive, lines, counts = Archive(folder), [], {"complete": 0, "partial": 0, "unfinished": 0}
    chosen, shared = [], {study: archive.shared(study) for study in {pair["study"] for pair in pairs}}
    for pair in pairs:
        name = f"{pair['study']}, {pair['dataset']}, {pair['method']}"
        try:
            record, missing = gather_record(pair, place)
        except Unfinished as reason:
            counts["unfinished"] += 1
            if Path(place(pair["splits_log"])).exists():
                lines.append(f"{name}: nothing yet: {reason}")
            continue
        different = deviation(record.what, pair["what"])
        if different:
            lines.append(f"{name}: left out, it was made with other settings than the configuration has: {different}")
            continue
        if unlike := shared[pair["study"]].add(record):
            lines.append(_not_shared(name, folder, *unlike))
            continue
        record, older = _with_older(record, archive, pair)
        if older:
            lines.append(f"{name}: left out, {older}")
            continue
        counts["partial" if missing else "complete"] += 1
        lines += [f"{name}: not yet in it: {reason}" for reason in missing[:1]]
        chosen.append(record)
    for experiment in experiments:
        name = f"{experiment['study']}, experiment {experiment['experiment']}"
        try:
            record, missing = gather_experiment(experiment, place)
        except Unfinished as reason:
            lines.append(f"{name}: nothing yet: {reason}")
            continue
        if missing:
            lines.append(f"{name}: {len(missing)} parts are not taken, the first: {missing[0]}")
        if archive.is_there(record.file):
            there = archive.head(record.file)
            if difference := deviation(there.what, record.what):
                has, parts = there.what["parts"], record.what["parts"]
                alike = [part for part, params in parts.items() if has.get(part, params) == params]
                if deviation(there.what, record.what | {"parts": {}}):  # seed or experiment: then no part is alike
                    alike = []
                count = f", {len(parts) - len(alike)} of {len(parts)} parts"
                lines.append(_not_shared(name + count, folder, record.file, difference))
                if not alike:
                    continue
                record = only_parts(record, alike)
            if newer := newer_parts(there, record):
                lines.append(f"{name}: {len(newer)} parts left out, the archive has results of a newer commit of them")
        chosen.append(record)
    listed = set(archive.rows)
    changed = archive.update(chosen)
    gone = sorted(listed - set(archive.rows))
    lines += [f"{folder}/{file}: it was deleted, and is listed no longer" for file in gone]
    for study, path in (estimates or {}).items():
        target = Path(folder, study, "estimate.csv")
        if Path(place(path)).is_file() and not target.exists() and target.parent.is_dir():
            with written(target) as stream:
                stream.write(Path(place(path)).read_text(encoding="utf-8"))
            lines.append(f"{target}: the estimate")
    for experiment in experiments:
        what = experiment["what"]
        file = file_name(*subject(what))
        has = len(same_parts(archive.head(file).what, what)) if file in archive else 0
        lines.append(
            f"{what['study']}, experiment {what['experiment']['name']}: {has} of {len(what['parts'])} parts are in it"
        )
    size = sum(int(row["bytes"]) for row in archive.rows.values())
    lines += [
        f"finished: {counts['complete']}, in part: {counts['partial']}, nothing yet: {counts['unfinished']} "
        "(of datasets x methods)",
        f"{folder}: {len(changed)} files are new or changed; {len(archive.rows)} files, {size / 1e6:.2f} MB in all",
    ]
    return lines


def _not_shared(name, folder, file, difference):
    return (
        f"{name}: left out, it does not share what was computed with {folder}/{file}: {difference}. If that is no "
        "longer wanted, delete what the archive has with the other settings, and run: snakemake archive"
    )


def _with_older(record, archive, pair):
    """A record with what else the archive has of its pair, and why the archive's is to be kept; "" if it is not."""
    if not archive.is_there(record.file):
        return record, ""
    there = archive.head(record.file)
    if commit_time(record) < commit_time(there):
        return (
            record,
            f"the archive has results of a newer commit ({newest(there)}; here {newest(record) or 'unknown'})",
        )
    has, here = (
        {(key, name) for key in ("L", "evaluators") for name in what[key]} for what in (there.what, record.what)
    )
    if has <= here:
        return record, ""
    there, planned = archive.read(record.file), [pair["rankings"], pair["scores"]]
    finished = all(set(names) <= set(there.what[key]) for key, names in zip(("L", "evaluators"), planned, strict=True))
    kept, more = ({*each.parts["importance"]["L"]} for each in (there, record))
    whole = joined(there, record, pair) if here - has or (more - kept and not finished) else None
    return (record, "the archive has more of it than has finished here") if whole is None else (whole, "")
