"""The arena by dataset: points, the default on each half of the datasets, and the gain by unlabelled rows."""

from pathlib import Path

import pandas as pd

from sslrank.benchmark.paths import ENTRIES
from sslrank.benchmark.results.tables.arena import (
    ALL_VALUES,
    FACTS,
    ORACLES,
    PAIRS,
    YARDSTICKS,
    arena_scores,
    by_family,
    datasets_needed,
    matrix_of,
    reference_scores,
    relative_score,
    tests_against,
)
from sslrank.benchmark.results.tables.registry import table
from sslrank.stats.pairwise import average_rank_intervals, hodges_lehmann
from sslrank.stats.rank_tests import wilcoxon_test

#: Places of entries, written by `sslrank arena enter`.
PLACES = f"{ENTRIES}/places.csv"
PLACE_COLUMNS = ["entry", "name", "version", "date", "datasets", "place", "of", "average_rank"]


@table("Entries of the arena and their places, by version", keys=["entry", "version", "date"], values=["place"])
def entries(study):
    """Entries added by pull requests, with the version and date of the arena and their place in it.

    A new version of an entry, or of the arena, adds a row; earlier rows are kept. `place` is the place among the `of`
    rankings on the `datasets` that all of them have. ``sslrank arena enter`` computes it and writes the table
    ``results/entries/places.csv``.
    """
    path = Path(PLACES)
    return pd.read_csv(path, dtype={"version": str}) if path.is_file() else pd.DataFrame(columns=PLACE_COLUMNS)


@table("Points of each ranking on each dataset of the arena", keys=FACTS, values=[])
def arena_points(study):
    """Points of each ranking, by column: 100 times the mean area under the curves, minus that of a random ranking.

    Without a random ranking nothing is subtracted, which changes no difference between rankings. The last columns are
    reference scores: :func:`~sslrank.benchmark.results.tables.arena.reference_scores`.
    """
    keys = {"index": ["dataset", "task", "part", "L"], "columns": "ranking", "values": "value"}
    matrix, marks = arena_scores(study).pivot(**keys), reference_scores(study).pivot(**keys)
    random = matrix.pop("random").fillna(0.0) if "random" in matrix else pd.Series(0.0, matrix.index)
    points = matrix.sub(random, axis=0).dropna(how="all").round(2)
    points = points[points.mean().sort_values(ascending=False).index]
    for name in YARDSTICKS:
        if name in marks:
            points[name] = (marks[name].reindex(points.index) - random).round(2)
    points.columns.name = None
    rows, sizes = points.reset_index(), study.datasets.set_index("dataset")
    rows["rows"], rows["features"] = rows["dataset"].map(sizes["examples"]), rows["dataset"].map(sizes["features"])
    rows = rows.astype({"rows": int, "features": int})
    rows = rows.sort_values(["dataset", "L"], key=lambda column: column.map(_sortable))
    return rows[[*FACTS, *points.columns]].reset_index(drop=True)


def _sortable(value):
    return f"{int(value):09d}" if str(value).isdigit() else str(value)


@table("Candidates for the default ranking, by part of the datasets", keys=["part", "L", "ranking"], values=["points"])
def arena_halves(study, rankings, against):
    """Rankings on the datasets for choosing the default, on held-out ones, and on unseen ones among these.

    Only datasets that have all of these rankings count. All columns are over families, that is, over the means of
    related datasets (:data:`sslrank.datasets.arena.FAMILIES`). Points are relative to the mean of all rankings;
    `share` is the lead over a random ranking as a share of the oracle's. `difference` is the estimate of Hodges and
    Lehmann of the difference from the ranking `against`, one of them, with its 95 % interval; p is Wilcoxon's,
    `p_holm` is corrected for the rankings of one part and L. `n_needed` is the number of families needed to detect the
    mean difference, `n_half_point` to detect half a point, given the spread of the differences (power 80 %, level 5 %).
    """
    scores, rows = arena_scores(study), []
    for part in ("choose", "held out", "unseen", ALL_VALUES):
        for budget in (ALL_VALUES, *dict.fromkeys(scores["L"])):
            choice = {"part": part, "L": budget}
            matrix = matrix_of(scores, choice)
            if against not in matrix or len(matrix := matrix[[n for n in rankings if n in matrix]].dropna()) < 2:
                continue
            marks, n_datasets = matrix_of(reference_scores(study), choice).reindex(matrix.index), len(matrix)
            matrix, marks = by_family(matrix), by_family(marks)
            ranks = average_rank_intervals(matrix)["average_rank"]
            shares = relative_score(matrix, marks)
            tests = tests_against(matrix, against)
            for name in matrix:
                row = choice | {"ranking": name, "n_datasets": n_datasets, "n_families": len(matrix)}
                row |= {"average_rank": ranks[name], "share": shares[name]}
                row["points"] = (matrix[name] - matrix.mean(axis=1)).mean()
                if name != against:
                    gains = matrix[name] - matrix[against]
                    row |= dict(zip(("difference", "lower", "upper"), hodges_lehmann(gains), strict=True))
                    row |= tests[name] | {"n_needed": datasets_needed(gains)}
                    row["n_half_point"] = datasets_needed(gains, 0.5)
                rows.append(row)
    columns = ["part", "L", "ranking", "n_datasets", "n_families", "average_rank", "points", "share"]
    columns += ["difference", "lower", "upper", "wins", "losses", "p_value", "p_holm", "n_needed", "n_half_point"]
    return pd.DataFrame(rows, columns=columns)


@table("Scores between a random ranking and the oracle", keys=["part", "L", "shape", "ranking"], values=["points"])
def arena_yardsticks(study, rankings):
    """Rankings and reference scores, in points over the random ranking.

    "oracle" is a forest, and "oracle_sslrank" the default, trained with all labels of the training rows, including
    hidden ones. "all_features" is not a ranking but the score with all features but one, for at most 301 features.
    `share` is the lead over the random ranking as a share of the oracle's. Each row is over the families of the
    datasets that have the ranking and the oracle.
    """
    scores = pd.concat([arena_scores(study), reference_scores(study)]).drop_duplicates(["dataset", "L", "ranking"])
    rows, budgets = [], (ALL_VALUES, *dict.fromkeys(scores["L"]))
    choices = [(part, L, ALL_VALUES) for part in (ALL_VALUES, "choose", "held out", "unseen") for L in budgets]
    for part, budget, shape in [*choices, (ALL_VALUES, ALL_VALUES, "tall"), (ALL_VALUES, ALL_VALUES, "wide")]:
        choice = {"part": part, "L": budget, "shape": shape}
        matrix = matrix_of(scores, choice)
        if "random" not in matrix or "oracle" not in matrix:
            continue
        for name in [*rankings, "random", *ORACLES, "all_features"]:
            if name in matrix and len(full := matrix.dropna(subset=[name, "random", "oracle"])):
                row, full = {"n_datasets": len(full)}, by_family(full)
                lead = full[name] - full["random"]
                row |= {"n_families": len(lead), "points": lead.mean(), "standard_error": lead.sem()}
                rows.append(choice | {"ranking": name} | row | {"share": relative_score(full, full)[name]})
    columns = ["part", "L", "shape", "ranking", "n_datasets", "n_families", "points", "standard_error", "share"]
    return pd.DataFrame(rows, columns=columns)


@table("SSL minus SL rankings", keys=["ranking", "supervised", "part", "L", "task", "shape"], values=["difference"])
def arena_unlabeled(study):
    """Semi-supervised rankings compared with supervised ones, which use only the labelled rows.

    All columns are over families of related datasets. `better` is the share on which the semi-supervised ranking is
    better, `difference` the estimate of Hodges and Lehmann of the difference in points, with its 95 % interval, `mean`
    the mean with its standard error; p is Wilcoxon's.
    """
    scores, rows = arena_scores(study), []
    everything = {"part": ALL_VALUES, "L": ALL_VALUES, "task": ALL_VALUES, "shape": ALL_VALUES}
    choices = [
        everything,
        *({**everything, column: value} for column in everything for value in dict.fromkeys(scores[column])),
    ]
    for choice in choices:
        matrix = matrix_of(scores, choice)
        for ranking, supervised in PAIRS.items():
            if ranking not in matrix or supervised not in matrix:
                continue
            gains = (matrix[ranking] - matrix[supervised]).dropna()
            row = {"ranking": ranking, "supervised": supervised, **choice, "n_datasets": len(gains)}
            gains = by_family(gains)
            if len(gains) >= 2:
                row |= {"n_families": len(gains), "better": (gains > 0).mean()}
                row |= dict(zip(("difference", "lower", "upper"), hodges_lehmann(gains), strict=True))
                row |= {"mean": gains.mean(), "standard_error": gains.sem()}
                rows.append(row | {"p_value": wilcoxon_test(gains, 0 * gains).p_value})
    columns = ["ranking", "supervised", *everything, "n_datasets", "n_families", "better"]
    return pd.DataFrame(rows, columns=[*columns, "difference", "lower", "upper", "mean", "standard_error", "p_value"])
