"""What the results page shows, as one JSON-ready dict: the study's tables, curves, features, methods and runs."""

import json
import math
import re
import shlex
from inspect import cleandoc

import numpy as np
import pandas as pd

from sslrank.durations import duration
from sslrank.pipeline.analysis.accounts import durations_table, failures_table, incomplete_table
from sslrank.pipeline.analysis.study import StudyData, is_higher_better
from sslrank.pipeline.analysis.tables import table_info
from sslrank.pipeline.analysis.titles import TASKS
from sslrank.pipeline.archive.record import commit_words, counted
from sslrank.pipeline.files import read_table
from sslrank.registry import ranker_info

#: Kinds of target where there is little room.
SHORT_TASK_NAMES = {
    "classification": "classification",
    "mlc": "multi-label",
    "hmlc": "hierarchical",
    "str": "single-target",
    "mtr": "multi-target",
    "all": "all",
}
#: Numbers of features of one curve; of a longer one this many are drawn, evenly spaced on a logarithmic axis.
LONGEST = 80
#: What is shown of the table of stability.
STABILITY = ["method", "ranking", "mode", "L", "top", "stability", "lower", "upper"]
#: Rankers that know nothing of the features.
BLIND = ("sslrank.rankers.controls:EqualWeights", "sslrank.rankers.controls:RandomRanking")
#: Sections of a docstring that the page shows.
SECTIONS = ("Notes", "References")
#: What a contest's comparison with a publication is followed by: parts of the file names and their titles.
CONTEST = {
    "orders": "Order of the methods, dataset by dataset",
    "ranks": "Average ranks",
    "tests": "Friedman tests and critical distances",
    "pairs": "Wilcoxon tests against the method that the publication ranks best",
}


def read(path):
    """A tidy CSV; an empty table where it is not there or has no column."""
    try:
        return read_table(path)
    except (FileNotFoundError, pd.errors.EmptyDataError):
        return pd.DataFrame()


def plain(value, digits=None):
    """A value as JSON has it: NaN is null; with `digits`, a number has that many significant ones."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or value is pd.NA:
        return None
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return float(f"{value:.{digits}g}") if digits else value
    return value


def listed(table, digits=6):
    """A table as the names of its columns and its rows, numbers with so many significant digits."""
    rows = [[plain(value, digits) for value in row] for row in table.astype(object).itertuples(index=False)]
    return {"columns": [str(column) for column in table.columns], "rows": rows}


def page_data(folder, config, manifest):
    """Everything that the page's script draws.

    Parameters
    ----------
    folder : Path
        The study's results.
    config : dict
        The study's complete block.
    manifest : dict

    Returns
    -------
    dict
        For JSON.
    """
    study = StudyData.load(config["name"], config, folder / "collected")
    durations = read_table(folder / "collected" / "durations.csv")
    tables = _tables(folder, config)
    contest = read(folder / "tables" / "contest_scores.csv")
    methods, names, measures = _names(read(folder / "tables" / "names.csv"))
    board = read(folder / "tables" / "leaderboard.csv")
    stability = read(folder / "collected" / "stability.csv")
    evaluator = config["comparison"]["evaluator"]
    return {
        "title": config["title"] or config["name"],
        "names": names,
        "methodNames": methods,
        "tasks": TASKS,
        "shortTasks": SHORT_TASK_NAMES,
        "measures": {name: {"name": title, "higher": bool(is_higher_better(name))} for name, title in measures.items()},
        "order": _order(contest, config),
        "controls": config["controls"],
        "modes": config["modes"],
        "alpha": config["comparison"]["alpha"],
        "kind": config["figures"].get("kind") or "labels",
        "k": config["comparison"]["k"],
        "evaluator": evaluator if isinstance(evaluator, str) else None,
        "judges": {name: block["title"] or name for name, block in config["evaluators_used"].items()},
        "kNames": {
            name: "nearest neighbours k" if block["evaluator"].startswith("knn") else "number of features"
            for name, block in config["evaluators_used"].items()
        },
        "score": "area under the curve over L" if len(config["splits"]["L"]) > 1 else "score",
        "answers": {
            f"{mode} {task}": answers(part, read(folder / "tables" / "pairs.csv"), names)
            for (mode, task), part in (board.groupby(["mode", "task"], sort=False) if len(board) else ())
        },
        "datasets": [{key: plain(value, 6) for key, value in row.items()} for row in study.datasets.to_dict("records")],
        "tables": tables,
        "curves": _curves(study, contest, methods, names),
        "features": _features(folder, contest, config),
        "stability": {
            dataset: listed(part[STABILITY], 3)
            for dataset, part in (stability.groupby("dataset", sort=False) if len(stability) else ())
        },
        "stabilityFile": "collected/stability.csv",
        "methods": _methods(config),
        "published": _published(folder, config),
        "runs": _runs(folder, study.status, durations, config, manifest),
    }


def answers(board, pairs, names):
    """Who leads, by how much, and whether it matters.

    Parameters
    ----------
    board : DataFrame
        One contest of the table "leaderboard".
    pairs : DataFrame
        The table "pairs".
    names : dict of str to str

    Returns
    -------
    list of (str, str, str) or None
        Question, short answer, a sentence; None without a contest.
    """
    ranked = board[board["average_rank"].notna()].sort_values("average_rank", kind="stable")
    if len(ranked) < 2:
        return None
    first, second = ranked.iloc[0], ranked.iloc[1]
    n = int(first["n_datasets"])
    called = {name: names.get(name, name) for name in ranked["contestant"]}
    leaders = [called[name] for name in ranked.loc[ranked["average_rank"] == first["average_rank"], "contestant"]]
    where = f"on {n} dataset{'s' * (n > 1)}"
    # Of several that lead, nothing is said of the first alone.
    alone = len(leaders) == 1
    wins = "" if not alone or pd.isna(first["win_rate"]) else f"; the best on {100 * first['win_rate']:.0f} % of them"
    interval = ""
    if alone and not pd.isna(first["lower"]):
        interval = f" (95 % interval {first['lower']:.1f} to {first['upper']:.1f})"
    who = (
        "Who leads?",
        " and ".join(leaders) + (" tie" if len(leaders) > 1 else ""),
        f"Average rank {first['average_rank']:.2f}{interval} among {len(ranked)} rankings {where}{wins}.",
    )
    after = ranked[ranked["average_rank"] > first["average_rank"]]
    follows = "All are equal."
    if len(after):
        names = after.loc[after["average_rank"] == after["average_rank"].iloc[0], "contestant"]
        follows = f"{_and([called[name] for name in names])} follow{'s' * (len(names) == 1)} "
        follows += f"with {after['average_rank'].iloc[0]:.2f}."
    gap = second["average_rank"] - first["average_rank"]
    scale = ""
    if not pd.isna(first["relative"]):
        scale = " On the scale from a random ranking (0) to an oracle that sees all labels (1), "
        scale += f"{called[first['contestant']]} reaches {first['relative']:.2f}, "
        scale += f"{called[second['contestant']]} {second['relative']:.2f}."
    much = ("By how much?", f"{gap:.2f} ranks" if gap else "Not at all", follows + scale)
    return [who, much, _matters(first, ranked, pairs, called)]


def _matters(first, ranked, pairs, called):
    """Whether the leader differs from the others."""
    question, leader = "Does it matter?", first["contestant"]
    part = pairs[(pairs["mode"] == first["mode"]) & (pairs["task"] == first["task"])] if len(pairs) else pairs
    mine = part[(part["first"] == leader) | (part["second"] == leader)] if len(part) else part
    tested = mine[mine["p_holm"].notna()] if len(mine) else mine
    if not len(tested):
        return question, "No test", "A test needs scores of two rankings on several datasets."
    other = tested["second"].where(tested["first"] == leader, tested["first"])
    order = [name for name in ranked["contestant"] if name != leader]
    beaten = [called[name] for name in order if name in set(other[tested["significant"]])]
    rest = [called[name] for name in order if name in set(other[~tested["significant"]])]
    test = "Wilcoxon tests with Holm's correction"
    if not beaten:
        least = tested["p_holm"].min()
        text = f"{test} tell {called[leader]} apart from none of the others (smallest p = {least:.2f})."
        return question, "Not significant", text + " With few datasets only large differences are."
    if not rest:
        return question, "Significant", f"{test}: better than each of the others."
    return question, "In part", f"{test}: better than {_and(beaten)}; not told apart from {_and(rest)}."


def _and(names):
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _tables(folder, config):
    found = {}
    for name, block in config["tables"].items():
        info = table_info(block["function"])
        made = read(folder / "tables" / f"{name}.csv")
        found[name] = {
            "title": block["title"],
            "about": block["about"],
            "note": block["note"],
            "file": f"tables/{name}.csv",
            "keys": list(info.keys),
            "values": [value for value in info.values if value in made.columns],
            "kind": info.kind,
            "made": listed(made),
        }
    return found


def _names(table):
    """What people call methods, and what they call rankings and contestants, by the names that files have."""
    titles = {kind: dict(zip(part["name"], part["title"], strict=True)) for kind, part in table.groupby("kind")}
    methods = titles.get("method", {})
    return methods, methods | titles.get("ranking", {}) | titles.get("contestant", {}), titles.get("measure", {})


def _order(contest, config):
    """Rankings in the order in which they get their colours."""
    rankings = list(dict.fromkeys(contest.loc[~contest["control"], "contestant"])) if len(contest) else []
    return [*rankings, *config["controls"]]


def _curves(study, contest, methods, names):
    """Fold averages of all scores, by dataset: for each evaluator and measure a block of values by series, L and k."""
    scores = study.scores
    if scores.empty:
        return {}
    scores = scores.assign(k=scores["k"].astype("Float64").fillna(-1).astype(int), known=scores["value"].notna())
    scores = scores.assign(weight=scores["n_test"].where(scores["known"], 0), one=scores["value"].fillna(0))
    scores["product"] = scores["one"] * scores["weight"]
    keys = ["dataset", "evaluator", "measure", "method", "ranking", "mode", "L", "k"]
    points = scores.groupby(keys, sort=False, observed=True).agg(
        product=("product", "sum"), weight=("weight", "sum"), std=("value", "std"), n=("known", "sum")
    )
    points["value"] = points["product"] / points["weight"].where(points["weight"] > 0)
    points["spread"] = points["std"] / np.sqrt(points["n"])
    points = points.reset_index()
    labeled = scores.groupby(["dataset", "L"])["n_labeled"].mean()
    called = {}
    if len(contest):
        called = contest.set_index(["dataset", "method", "ranking", "mode"])["contestant"].to_dict()
    missing = study.selected().groupby(["dataset", "method", "ranking", "mode"])["missing"].max().to_dict()
    compared = study.selected().groupby("dataset", sort=False)["measure"].first().to_dict()
    users = points.drop_duplicates(["method", "ranking"]).groupby("ranking")["method"].nunique()
    found = {}
    for dataset, part in points.groupby("dataset", sort=False):
        series = list(dict.fromkeys(zip(part["method"], part["ranking"], part["mode"], strict=True)))
        blocks = []
        for (evaluator, measure), block in part.groupby(["evaluator", "measure"], sort=False):
            blocks.append(_block(evaluator, measure, block, series, lambda L, of=dataset: labeled[(of, L)]))
        found[dataset] = {
            "measure": compared.get(dataset),
            "series": [
                [
                    *key,
                    (dataset, *key) in called,
                    int(missing.get((dataset, *key), 0)),
                    names[key[1]] if users[key[1]] == 1 else f"{names[key[1]]}, {methods[key[0]]}",
                    called.get((dataset, *key), f"{key[0]} {key[1]}"),
                ]
                for key in series
            ],
            "blocks": blocks,
        }
    return found


def _block(evaluator, measure, points, series, labeled):
    budgets = list(dict.fromkeys(points["L"]))
    sizes = sorted(points["k"].unique())
    n_sizes, sizes = len(sizes), _thinned(sizes)
    index = pd.MultiIndex.from_product([budgets, sizes])
    values, spreads = [], []
    by_series = dict(iter(points.groupby(["method", "ranking", "mode"], sort=False)))
    for key in series:
        part = by_series.get(key)
        if part is None:
            values.append(None)
            spreads.append(None)
            continue
        part = part.set_index(["L", "k"]).reindex(index)
        values.append([plain(value, 5) for value in part["value"]])
        spreads.append([plain(value, 2) for value in part["spread"]])
    return {
        "e": evaluator,
        "m": measure,
        "L": budgets,
        "x": [float(budget) if budget.isdigit() else plain(labeled(budget), 5) for budget in budgets],
        "k": [int(size) for size in sizes],
        "n": n_sizes,
        "v": values,
        "s": spreads,
    }


def _thinned(sizes):
    if len(sizes) <= LONGEST:
        return sizes
    places = np.unique(np.geomspace(1, len(sizes), LONGEST).round().astype(int) - 1)
    return [sizes[place] for place in places]


def _features(folder, contest, config):
    """The best features of contestants and oracle by dataset, L and mode; features by their place in "names".

    Importances per target are not among them. Forests have them (`target_importances_`), but files of rankings and the
    archive keep one importance of a feature: with one for every target they would be larger by the number of targets,
    which is hundreds in a hierarchy.
    """
    path = folder / "collected" / "features.parquet"
    if not path.is_file() or contest.empty:
        return {}
    keys = ["dataset", "method", "ranking", "mode"]
    table = pd.read_parquet(path)
    blind = [name for name, spec in config["methods_used"].items() if spec.get("ranker") in BLIND]
    table = table[~table["method"].isin(blind)]
    # A control's ranking has the control's name in a contest.
    control = table["method"].isin(contest.loc[contest["control"], "method"].unique())
    table["ranking"] = table["ranking"].where(~control, table["method"])
    table = table.merge(contest[[*keys, "contestant"]].drop_duplicates(), on=keys)
    found = {}
    for dataset, part in table.groupby("dataset", sort=False):
        places = {name: number for number, name in enumerate(part["feature"].unique())}
        found[dataset] = {
            "names": list(places),
            "L": list(part["L"].unique()),
            "modes": list(part["mode"].unique()),
            "rankings": [
                {
                    "name": name,
                    "mode": mode,
                    "L": L,
                    "feature": [places[feature] for feature in rows["feature"]],
                    "rank": [plain(round(float(value), 1)) for value in rows["mean_rank"]],
                    "importance": [plain(float(value), 3) for value in rows["mean_importance"]],
                    "spread": [plain(float(value), 2) for value in rows["importance_deviation"]],
                }
                for (name, mode, L), rows in part.groupby(["contestant", "mode", "L"], sort=False)
            ],
        }
    return found


def _methods(config):
    found = []
    for name, spec in config["methods_used"].items():
        item = {"name": name, "title": None, "ranker": spec.get("ranker") or spec.get("rule"), "summary": ""}
        item |= {"params": spec["params"], "sections": []}
        if spec.get("ranker"):
            item |= _documentation(spec["ranker"])
        found.append(item)
    return found


def _documentation(ranker):
    """First line, text and some sections of a ranker's docstring."""
    text = cleandoc(ranker_info(ranker).load().__doc__ or "")
    parts, title, lines = {}, "", []
    rows = text.split("\n")
    for i, line in enumerate(rows):
        if i + 1 < len(rows) and rows[i + 1].strip() and set(rows[i + 1].strip()) == {"-"}:
            parts[title] = lines
            title, lines = line.strip(), []
        elif not (line.strip() and set(line.strip()) == {"-"}):
            lines.append(line)
    parts[title] = lines
    said = {name: _reflowed("\n".join(found)) for name, found in parts.items()}
    first, _, rest = said.get("", "").partition("\n")
    return {
        "title": first.rstrip("."),
        "summary": rest.strip(),
        "sections": [[name, said[name]] for name in SECTIONS if said.get(name)],
    }


def _reflowed(text):
    """Paragraphs of a docstring in one line each, without its markup."""
    text = re.sub(r":\w+:`~?([^`]*)`|`+([^`]*)`+", lambda found: found[1] or found[2], text.strip())
    text = re.sub(r"^\.\. \[", "[", text, flags=re.MULTILINE)
    text = re.sub(r"(\[\w+\])_", r"\1", text)
    paragraphs = re.split(r"\n\s*\n|\n(?=\[\w+\]|- )", text)
    return "\n\n".join(" ".join(line.strip() for line in paragraph.split("\n")) for paragraph in paragraphs)


def _published(folder, config):
    found = []
    for name, block in config["tables"].items():
        if not block["published"]:
            continue
        cells = read(folder / "compared" / f"{name}.csv")
        agreement = read(folder / "compared" / f"{name}.agreement.csv")
        contest = []
        for part, title in CONTEST.items():
            table = read(folder / "compared" / f"{name}.{part}.csv")
            if len(table):
                if part == "ranks":
                    keys = [name for name in table.columns if name not in ("scores", "average_rank")]
                    wide = table.pivot(index=keys, columns="scores", values="average_rank")
                    table = wide[list(dict.fromkeys(table["scores"]))].reset_index()
                contest.append({"title": title, "file": f"compared/{name}.{part}.csv", "made": listed(table)})
        found.append(
            {
                "name": name,
                "title": block["title"],
                "note": block["note"],
                "verdict": _verdict(block),
                "causes": block["causes"],
                "file": f"compared/{name}.csv",
                "made": listed(cells),
                "agreement": listed(agreement.dropna(axis=1, how="all")) if len(agreement) else None,
                "contest": contest,
            }
        )
    return found


def _verdict(block):
    """What is said of a published table, and of which runs: studies that are like others take over their verdicts."""
    summaries = dict.fromkeys(re.findall(r"^table: (summaries/[^/]+)/", block["check"], re.MULTILINE))
    places = ", ".join(f"results/{folder}" for folder in summaries)
    return f"{block['verdict']} (By {places}.)" if places else block["verdict"]


def _label_notes(status):
    """Datasets on which fewer labels were there than asked for."""
    found = {}
    for row in status.itertuples():
        note = json.loads(row.details).get("labels") if isinstance(row.details, str) else None
        if note:
            found.setdefault((row.dataset, row.L), note)
    return pd.DataFrame([(*key, note) for key, note in found.items()], columns=["dataset", "L", "note"])


def _runs(folder, status, durations, config, manifest):
    scoring = read_table(folder / "collected" / "scoring.csv")
    path = folder / "estimate.csv"
    estimate = read_table(path) if path.is_file() else None
    took = durations_table(status, durations, estimate)
    inside, steps = status["seconds"].sum(), durations.groupby("step")["s"].sum()
    words = [f"All jobs took: {', '.join(f'{step} {duration(value)}' for step, value in steps.items())};"]
    words.append(f"inside the rankers' fits {duration(inside)}.")
    if steps.get("ranking", 0) > inside:
        share = 100 * (1 - inside / steps["ranking"])
        words.append(f"{share:.0f} % of the ranking jobs went into starting Python, reading and writing.")
    if manifest.get("largest_memory_mb"):
        words.append(f"The largest job took {manifest['largest_memory_mb']:.0f} MB of memory.")
    machine = manifest["machine"]
    rerun = f"sslrank rerun {shlex.quote('results/' + config['name'])}"
    return {
        "summary": " ".join(words),
        "estimated": None if estimate is None else _estimated(took, estimate),
        "durations": listed(took.merge(_origin(folder), on=["dataset", "method"], how="left")),
        "failures": listed(failures_table(status, scoring)),
        "incomplete": listed(incomplete_table(status, scoring)),
        "labels": listed(_label_notes(status)),
        "machine": f"Made on {machine['processor'] or machine['architecture']}, {machine['cores']} cores, "
        f"{machine['system']}, Python {machine['python']}, at commit {manifest['commit'] or 'unknown'}, "
        f"finished {manifest['finished'][:16].replace('T', ' ')} UTC.{_from_archive(manifest)}",
        "rerun": "\n".join(
            (f"{rerun} --dataset DATASET", f"{rerun} --method METHOD", f"{rerun} --L {config['splits']['L'][0]}")
        ),
        "versions": "\n".join(f"{name} {version}" for name, version in manifest["versions"].items() if version),
        "config": json.dumps(manifest["config"], indent=1, ensure_ascii=False),
    }


def _origin(folder):
    """Where the results of each method on each dataset come from: the archive's commits, or this run."""
    table = pd.read_csv(folder / "collected" / "sources.csv", dtype=str)  # a commit may look like a number
    words = [
        f"archive, commit {commit_words(row.commit)}{', other code' if row.code == 'other' else ''}"
        if row.source == "archive"
        else row.source
        for row in table.itertuples()
    ]
    return table[["dataset", "method"]].assign(source=words).dropna(subset="dataset")


def _from_archive(manifest):
    """What is said about results from the archive."""
    words = []
    for item in manifest["sources"] + manifest["experiments"]:
        if item["source"] == "archive":
            code = ", whose code is not the one here" if item["code"] == "other" else ""
            made = f"commit {commit_words(item['commit'])}{code}, {item['processor']}, {item['instructions']}."
            words.append(f" {counted(item)} are from the archive: {made}")
    return "".join(words)


def _estimated(took, estimate):
    """Expected and actual hours of what was estimated and has run."""
    known = took.dropna(subset=["actual_over_estimated"])
    pairs = estimate.merge(known[["dataset", "method"]], on=["dataset", "method"])
    expected = known[["estimated_ranking", "estimated_scoring"]].sum().sum() / 3600
    actual = known[["ranking_seconds", "scoring_seconds"]].sum().sum() / 3600
    return (
        f"For what was estimated beforehand, {expected:.3g} core-hours were expected, extrapolated from "
        f"{pairs['measured_seconds'].sum() / 60:.3g} minutes of measured work; it took {actual:.3g} hours."
    )
