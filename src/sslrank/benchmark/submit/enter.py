"""Enter a ranker into the arena: rank and evaluate its datasets as in the study, and say where it stands."""

import contextlib
import importlib
import importlib.util
import io
import json
import shlex
import sys
import time
from pathlib import Path

import pandas as pd

from sslrank.benchmark.config.load import check_params, import_problem
from sslrank.benchmark.config.models import MethodSpec
from sslrank.benchmark.files import read_table
from sslrank.benchmark.submit.compare import Entered, archive_plan, comparison_folder, gaps, page_line, write_comparison
from sslrank.benchmark.submit.entries import write_entry
from sslrank.benchmark.submit.evaluating import score_ranker
from sslrank.benchmark.submit.standing import standing
from sslrank.core.errors import DataError
from sslrank.core.messages import counted, listed, shortened
from sslrank.datasets.arena import QUICK
from sslrank.rankers.registry import ranker_info
from sslrank.testing import ranker_checks

STUDY = "arena"
#: The method whose archived datasets an entry is compared on: it has the default.
REFERENCE = "consensus"
#: Number of datasets of `quick`.
QUICK_DATASETS = 12
#: Checks before the first dataset; each takes at most a few fits of a table of 60 rows.
CHEAP = ("class", "params", "unsupported", "fit", "seed", "gaps")
_TRACEBACK = "Traceback (most recent call last):"


def enter(entry, *, quick=False, params=None, name=None, out=None, config="config.yaml", root=None):
    """Evaluate a ranker on the arena's datasets and write a page that compares it; yield lines to be shown.

    `entry` is ``mine.py:Mine``, ``module:Class`` or the name of a registered ranker, `params` are its parameters;
    `quick` takes twelve small datasets (:data:`sslrank.datasets.arena.QUICK`) instead of all. The default of `name` is
    that of the class; for `name` and `out` see :func:`sslrank.benchmark.submit.compare.compare_file`. Unavailable
    datasets and failed fits are reported and left out; a DataError is raised if nothing can be compared.
    """
    path = load_entry(entry)
    info = ranker_info(path)
    check_params(MethodSpec(ranker=path, params=info.params), params or {}, entry, root)
    ranker = info.load()(**{**info.params, **(params or {})})
    plan, study = archive_plan(config, STUDY, root)
    name = name or path.rpartition(":")[2]
    target = comparison_folder(name, plan, study, out)
    yield f"{name} {check_entry(ranker)}"
    heads = _heads(plan, ranker.tasks)
    if not heads:
        kinds = sorted({plan.catalogue[dataset].task for dataset in plan.studies[STUDY].datasets})
        raise DataError(f"{name} supports no kind of target of the arena; it has {listed(kinds)}")
    datasets = _quick(list(heads)) if quick else list(heads)
    if any(name in _rankings(plan, dataset) for dataset in datasets):  # some rankings have results on few datasets
        raise DataError(f"the arena has a ranking {name!r}", advice="Give yours another name with --name")
    yield f"{len(datasets)} of the arena's {len(heads)} datasets with targets that it supports, on the arena's splits:"
    spec = {"name": name, "ranker": path, "params": dict(params or {}), "rankings": None}
    entered, ranked = Entered(pd.DataFrame(), pd.DataFrame()), []
    yield from _evaluate(entered, ranked, spec, {dataset: heads[dataset] for dataset in datasets}, plan)
    yield "Comparing with the archived rankings"
    options = [f"--param={key}={json.dumps(value, default=str)}" for key, value in spec["params"].items()]
    options += [f"--name={name}", *(["--quick"] if quick else [])]
    about = {
        "title": f"{name} in the arena",
        "description": f"{name} is {entry}, ranked and evaluated here. All other results are from the archive.",
        "marks": ["quick: small datasets only"] if quick else [],
        "spec": spec,
        "command": shlex.join(["sslrank", "arena", "enter", entry, *options]),
    }
    entered, missing = write_comparison(lambda _: entered, plan, study, name, ranked, target, about=about)
    entered.rankings.to_csv(target / "rankings.csv", index=False)
    yield from standing(target / "tables", name)
    yield from gaps(missing)
    if quick:
        yield f"To rank the {counted(len(heads) - len(ranked), 'other dataset')} as well, leave out --quick"
    yield page_line(target)
    if not quick:
        board = read_table(target / "tables" / "leaderboard.csv")
        folder = write_entry(name, entry, spec["params"], entered.scores, board)
        yield f"{folder} is the entry: add it in a pull request, whose tests compute one of its datasets again"
    yield f"{target / 'rankings.csv'} has its rankings; sslrank compare reads such a file from any program"


def _evaluate(entered, ranked, spec, heads, plan):
    """Rank and evaluate each dataset, add results to `entered` and its name to `ranked`; yield a line for each."""
    scores, rankings, evaluator, is_shown = [], [], plan.studies[STUDY].comparison.evaluator, False
    for number, (dataset, head) in enumerate(heads.items(), 1):
        started, printed = time.perf_counter(), io.StringIO()
        line = f"{number:3} of {len(heads)}  {dataset}: "
        try:
            with contextlib.redirect_stderr(printed):  # warnings, and the traceback of every fit that fails
                scored = score_ranker(spec, head.spec, evaluator, plan.catalogue[dataset], plan.data)
        except (DataError, OSError) as error:
            yield f"{line}left out: {error}"
            continue
        table, evaluated, fits = scored
        rankings.append(table.assign(dataset=dataset))
        scores.append(evaluated.assign(dataset=dataset, evaluator=evaluator))
        ranked.append(dataset)
        seconds = fits["seconds"].sum()
        line += f"ranked in {seconds:.1f} s, evaluated in {time.perf_counter() - started - seconds:.1f} s"
        bad = fits[fits["status"] != "ok"]
        for row in bad.itertuples():
            entered.problems[dataset, row.L, row.mode, row.fold] = row.message
        if len(bad):
            line += f"; {len(bad)} of {len(fits)} fits failed: {shortened(bad['message'].iloc[0], 120)}"
            line += "" if is_shown else f"\n{_TRACEBACK}{printed.getvalue().rpartition(_TRACEBACK)[2].rstrip()}"
            is_shown = True
        yield line
    if not any(map(len, scores)):
        raise DataError(f"{spec['name']} has ranked none of {counted(len(heads), 'dataset')}, for the reasons above")
    entered.scores, entered.rankings = (pd.concat(parts, ignore_index=True) for parts in (scores, rankings))


def load_entry(text):
    """Import the class of ``mine.py:Mine`` or ``module:Class``; return its name for a ranker's spec.

    A registered name is returned unchanged. Raises a DataError that names what is missing.
    """
    file, _, name = text.rpartition(":")
    path = Path(file or name)
    if path.suffix != ".py":
        try:
            ranker_info(text).load()
        except (ValueError, ImportError) as error:
            raise DataError(str(error), advice="A file and its class are named as in mine.py:Mine") from None
        return text
    if not path.is_file():
        raise DataError("there is no such file", file=path)
    if path.stem in sys.modules:
        raise DataError(f"a module {path.stem!r} is loaded already", file=path, advice="Give the file another name")
    sys.path.insert(0, str(path.resolve().parent))
    try:
        module = importlib.import_module(path.stem)
    except Exception as error:
        raise DataError(f"{path} cannot be imported: {import_problem(f'{path.stem}:Class', error)}") from None
    if not file:
        own = [key for key, kind in vars(module).items() if getattr(kind, "__module__", "") == path.stem]
        raise DataError("name a class of it, too", file=path, advice=f"As in {path}:{(own or ['Mine'])[0]}")
    try:
        ranker_info(f"{path.stem}:{name}").load()
    except ValueError as error:
        raise DataError(str(error)) from None
    return f"{path.stem}:{name}"


def check_entry(ranker):
    """Run the cheap checks of a ranker's contract; a DataError has the first that fails."""
    for name, _, check in ranker_checks(ranker):
        if name in CHEAP:
            try:
                check()
            except AssertionError as error:
                raise DataError(f"{error}. All checks: sslrank.testing.check_ranker") from None
    return f"passes the checks {', '.join(CHEAP)}"


def _heads(plan, tasks):
    """Return archived results by dataset, for the listed kinds of target."""
    heads = plan.sources(STUDY).heads
    datasets = [name for name in plan.studies[STUDY].datasets if plan.catalogue[name].task in tasks]
    return {name: heads[name, REFERENCE] for name in datasets if (name, REFERENCE) in heads}


def _rankings(plan, dataset):
    """Return the names of a dataset's archived rankings."""
    keys = [head.key for pair, head in plan.sources(STUDY).heads.items() if pair[0] == dataset]
    return {name for key in keys for name in plan.store.read(*key).parts["score"]["ranking"]}


def _quick(datasets):
    """Choose the datasets of `quick`, in the study's order."""
    first = [dataset for dataset in QUICK if dataset in datasets]
    return [dataset for dataset in datasets if dataset in first[:QUICK_DATASETS]] or datasets[:QUICK_DATASETS]
