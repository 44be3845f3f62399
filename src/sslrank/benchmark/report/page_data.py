"""The data of the results page as JSON: tables, curves, features, methods and runs of a study."""

import itertools
import re

import numpy as np

from sslrank.benchmark.files import read_parquet, read_table
from sslrank.benchmark.report.answers import answers
from sslrank.benchmark.report.findings import render
from sslrank.benchmark.report.json_tables import columns_and_rows, plain, read_or_empty
from sslrank.benchmark.report.method_texts import method_texts, ranking_texts
from sslrank.benchmark.report.reproduction import main_tables, reproduction
from sslrank.benchmark.report.runs import runs
from sslrank.benchmark.results.study import StudyData, is_higher_better
from sslrank.benchmark.results.tables import table_info
from sslrank.benchmark.results.titles import QUANTITIES, RANKINGS, TASKS
from sslrank.stats.pairwise import cliques

#: Kinds of target where there is little room.
SHORT_TASK_NAMES = {
    "classification": "classification",
    "multilabel": "multi-label",
    "hierarchical": "hierarchical",
    "regression": "single-target",
    "multitarget": "multi-target",
    "all": "all",
}
#: Numbers of features of one curve; of a longer one this many are drawn, evenly spaced on a logarithmic axis.
LONGEST = 80
#: Columns that identify a ranking on a dataset.
SERIES = ["method", "ranking", "mode"]
#: Columns of the table of stability that are shown.
STABILITY = ["method", "ranking", "mode", "L", "top", "stability", "lower", "upper"]
#: Rankers that do not use the features.
BLIND = ("sslrank.rankers.controls:EqualWeights", "random_ranking")
#: Tables that follow the comparison of a contest with a publication: parts of the file names and their titles.
CONTEST = {
    "orders": "Order of the methods, dataset by dataset",
    "ranks": "Average ranks",
    "tests": "Friedman tests and critical distances",
    "pairs": "Wilcoxon tests against the method that the publication ranks best",
}


def page_data(folder, config, manifest):
    """Make everything that the page's scripts draw, for JSON; `config` is the study's complete block."""
    study = StudyData.load(config["name"], config, folder / "collected")
    durations = read_table(folder / "collected" / "durations.csv")
    tables = _tables(folder, config)
    contest = read_or_empty(folder / "tables" / "contest_scores.csv")
    methods, names, measures = _names(read_or_empty(folder / "tables" / "names.csv"))
    board = read_or_empty(folder / "tables" / "leaderboard.csv")
    pairs = read_or_empty(folder / "tables" / "pairs.csv")
    stability = read_or_empty(folder / "collected" / "stability.csv")
    evaluator = config["comparison"]["evaluator"]
    return {
        "title": config["title"] or config["name"],
        "names": names,
        "methodNames": methods,
        "tasks": TASKS,
        "quantities": QUANTITIES,
        "shortTasks": SHORT_TASK_NAMES,
        "measures": {name: {"name": title, "higher": bool(is_higher_better(name))} for name, title in measures.items()},
        "order": _order(contest, config),
        "controls": config["controls"],
        "familyMembers": list(study.family_of),
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
            f"{mode} {task}": answers(part, pairs, names)
            for (mode, task), part in (board.groupby(["mode", "task"], sort=False) if len(board) else ())
        },
        "groups": {
            f"{mode} {task}": cliques(part.dropna(subset="average_rank")["entry"], _of(pairs, mode, task))
            for (mode, task), part in (board.groupby(["mode", "task"], sort=False) if len(board) else ())
        },
        "datasets": [{key: plain(value, 6) for key, value in row.items()} for row in study.datasets.to_dict("records")],
        "tables": tables,
        "curves": _curves(study, contest, methods, names),
        "telling": _telling(contest, config),
        "entered": config.get("entered"),
        "features": _features(folder, contest, config),
        "stability": {
            dataset: columns_and_rows(part[STABILITY], 3)
            for dataset, part in (stability.groupby("dataset", sort=False) if len(stability) else ())
        },
        "stabilityFile": "collected/stability.csv",
        "methods": method_texts(config, folder),
        "rankings": ranking_texts(config, folder),
        "published": _published(folder, config),
        **_reproduced(folder, config),
        "runs": runs(folder, study.status, durations, config, manifest),
    }


def _of(table, mode, task):
    return table[(table["mode"] == mode) & (table["task"] == task)]


def _tables(folder, config):
    found = {}
    for name, block in config["tables"].items():
        info = table_info(block["function"])
        made = read_or_empty(folder / "tables" / f"{name}.csv")
        found[name] = {
            "title": block["title"],
            "about": block["about"],
            "note": block["note"],
            "file": f"tables/{name}.csv",
            "keys": list(info.keys),
            "values": [value for value in info.values if value in made.columns],
            "kind": info.kind,
            "made": columns_and_rows(made),
        }
    return found


def _telling(contest, config):
    """Name the dataset whose curves are shown first: the one on which rankings are furthest from a random one.

    That is the largest lead of an entry over the random control, in standard errors of the two; without that control
    the largest spread among the entries.
    """
    if contest.empty or not contest["counts"].any():
        return None
    part = contest[contest["mode"] == config["modes"][0]]
    turned = part["score"].where(part["higher_is_better"], -part["score"])
    part = part.assign(turned=turned, error=part["standard_error"].fillna(0.0))
    best = part[part["counts"]].sort_values("turned").groupby("dataset").last()
    other = part[part["method"] == "random_ranking"].set_index("dataset")
    if other.empty:
        other = part[part["counts"]].sort_values("turned").groupby("dataset").first()
    lead = best["turned"] - other["turned"].reindex(best.index)
    error = (best["error"] ** 2 + other["error"].reindex(best.index) ** 2) ** 0.5
    scale = error.where(error > 0, lead.abs().max() or 1.0)
    lead = (lead / scale).dropna()
    return lead.idxmax() if len(lead) else None


def _names(table):
    """Map the names in files to titles: of methods, of rankings and entries, and of measures."""
    titles = {kind: dict(zip(part["name"], part["title"], strict=True)) for kind, part in table.groupby("kind")}
    methods = titles.get("method", {})
    return methods, RANKINGS | methods | titles.get("ranking", {}) | titles.get("entry", {}), titles.get("measure", {})


def _order(contest, config):
    """List rankings in the order in which they get their colours."""
    rankings = list(dict.fromkeys(contest.loc[~contest["control"], "entry"])) if len(contest) else []
    return [*rankings, *config["controls"]]


def _curves(study, contest, methods, names):
    """Average all scores over the folds, by dataset: per evaluator and measure a block of values by series, L and k."""
    scores = study.scores
    if scores.empty:
        return {}
    scores = scores.assign(k=scores["k"].astype("Float64").fillna(-1).astype(int), known=scores["value"].notna())
    scores = scores.assign(weight=scores["n_test"].where(scores["known"], 0), one=scores["value"].fillna(0))
    scores["product"] = scores["one"] * scores["weight"]
    keys = ["dataset", "evaluator", "measure", "method", "ranking", "mode", "L", "k"]
    points = scores.groupby(keys, sort=False, observed=True).agg(
        product=("product", "sum"), weight=("weight", "sum"), spread=("value", "sem")
    )
    points["value"] = points["product"] / points["weight"].where(points["weight"] > 0)
    points = points.reset_index()
    labeled = scores.groupby(["dataset", "L"])["n_labeled"].mean()
    called = {}
    if len(contest):
        called = contest.set_index(["dataset", "method", "ranking", "mode"])["entry"].to_dict()
    missing = study.selected().groupby(["dataset", "method", "ranking", "mode"])["missing"].max().to_dict()
    compared = study.selected().groupby("dataset", sort=False)["measure"].first().to_dict()
    users = points.drop_duplicates(["method", "ranking"]).groupby("ranking")["method"].nunique()
    found = {}
    for dataset, part in points.groupby("dataset", sort=False):
        series = list(dict.fromkeys(part[SERIES].itertuples(index=False, name=None)))
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
                    _series_name(*key[:2], entry, users[key[1]], names, methods),
                    entry,
                ]
                for key in series
                for entry in [called.get((dataset, *key), f"{key[0]} {key[1]}")]
            ],
            "blocks": blocks,
        }
    return found


def _series_name(method, ranking, entry, n_methods, names, methods):
    """Name of a line: its method where the entry is that, otherwise its ranking, with the method if several have it."""
    if entry == method:
        return names[entry]
    return names[ranking] if n_methods == 1 else f"{names[ranking]}, {methods[method]}"


def _block(evaluator, measure, points, series, labeled):
    budgets = list(dict.fromkeys(points["L"]))
    sizes = sorted(points["k"].unique())
    n_sizes, sizes = len(sizes), _thinned(sizes)
    place = {key: number for number, key in enumerate(itertools.product(budgets, sizes))}
    values, spreads = {}, {}
    for *key, budget, size, value, spread in points[[*SERIES, "L", "k", "value", "spread"]].itertuples(index=False):
        key, at = tuple(key), place.get((budget, size))
        if at is not None:
            values.setdefault(key, [None] * len(place))[at] = plain(value, 5)
            spreads.setdefault(key, [None] * len(place))[at] = plain(spread, 2)
    return {
        "e": evaluator,
        "m": measure,
        "L": budgets,
        "x": [float(budget) if budget.isdigit() else plain(labeled(budget), 5) for budget in budgets],
        "k": [int(size) for size in sizes],
        "n": n_sizes,
        "v": [values.get(key) for key in series],
        "s": [spreads.get(key) for key in series],
    }


def _thinned(sizes):
    if len(sizes) <= LONGEST:
        return sizes
    places = np.unique(np.geomspace(1, len(sizes), LONGEST).round().astype(int) - 1)
    return [sizes[place] for place in places]


def _features(folder, contest, config):
    """List the best features of the entries and the oracle by dataset, L and mode; features by their index in "names".

    Importances per target are not among them. Forests have them (`target_importances_`), but files of rankings and the
    archive keep one importance of a feature: with one for every target they would be larger by the number of targets,
    which is hundreds in a hierarchy.
    """
    path = folder / "collected" / "features.parquet"
    if not path.is_file() or contest.empty:
        return {}
    keys = ["dataset", "method", "ranking", "mode"]
    table = read_parquet(path)
    blind = [name for name, spec in config["methods_used"].items() if spec.get("ranker") in BLIND]
    table = table[~table["method"].isin(blind)]
    # A control's ranking has the control's name in a contest.
    control = table["method"].isin(contest.loc[contest["control"], "method"].unique())
    table["ranking"] = table["ranking"].where(~control, table["method"])
    table = table.merge(contest[[*keys, "entry"]].drop_duplicates(), on=keys)
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
                for (name, mode, L), rows in part.groupby(["entry", "mode", "L"], sort=False)
            ],
        }
    return found


def _published(folder, config):
    found = []
    for name, block in config["tables"].items():
        if not block["published"]:
            continue
        cells = read_or_empty(folder / "compared" / f"{name}.csv")
        agreement = read_or_empty(folder / "compared" / f"{name}.agreement.csv")
        contest = []
        for part, title in CONTEST.items():
            table = read_or_empty(folder / "compared" / f"{name}.{part}.csv")
            if len(table):
                if part == "ranks":
                    keys = [name for name in table.columns if name not in ("scores", "average_rank")]
                    wide = table.pivot(index=keys, columns="scores", values="average_rank")
                    table = wide[list(dict.fromkeys(table["scores"]))].reset_index()
                contest.append({"title": title, "file": f"compared/{name}.{part}.csv", "made": columns_and_rows(table)})
        found.append(
            {
                "name": name,
                "title": block["title"],
                "note": block["note"],
                "verdict": _verdict(block, folder.parent / "summaries"),
                "causes": block["causes"],
                "file": f"compared/{name}.csv",
                "made": columns_and_rows(cells),
                "agreement": columns_and_rows(agreement.dropna(axis=1, how="all")) if len(agreement) else None,
                "contest": contest,
            }
        )
    return found


def _reproduced(folder, config):
    """Counts of reproduced values, signs and winners, and the published table that is opened first."""
    tables = {name: block for name, block in config["tables"].items() if block["published"]}
    cells, agreements = (
        {name: read_or_empty(folder / "compared" / f"{name}{part}.csv") for name in tables}
        for part in ("", ".agreement")
    )
    there = {name: part for name, part in cells.items() if len(part) and part["reproduced"].notna().any()}
    opens = main_tables(tables, there) or list(there) or list(tables)
    return {"reproduction": reproduction(tables, cells, agreements), "opens": next(iter(opens), None)}


def _verdict(block, summaries):
    """The verdict on a published table, and the summaries it is from: studies like others take over their verdicts."""
    used = dict.fromkeys(re.findall(r"""cells\(["']([^/"']+)/""", block["verdict"]))
    missing = [name for name in used if not (summaries / name).is_dir()]
    if missing:
        return f"The verdict needs {', '.join(f'{summaries / name}' for name in missing)}, which is not there."
    text = " ".join(render(block["verdict"], summaries, f"the verdict of {block['title']}").split())
    return f"{text} (From {', '.join(f'results/summaries/{name}' for name in used)}.)" if used else text
