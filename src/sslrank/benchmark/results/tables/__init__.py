"""The tables of a study, one small function each.

A table is a function of a :class:`sslrank.benchmark.results.study.StudyData` and options that gives a tidy
DataFrame. Write it in a module of this package, decorate it with :func:`~.registry.table`, list it in :data:`TABLES`,
and name it under `tables` of a study. When the study's publication has the same table, the names of its CSV
files under `published` make the workflow compare the two: cells match on the key columns.
"""

import ast
import importlib
from functools import cache
from pathlib import Path

#: Function -> module of this package, which is imported when the table is made.
TABLES = {
    "arena": "arena",
    "arena_points": "arena_points",
    "arena_halves": "arena_points",
    "arena_unlabeled": "arena_points",
    "arena_yardsticks": "arena_points",
    "areas": "areas",
    "ssl_minus_sl": "areas",
    "ssl_minus_sl_by_budget": "areas",
    "global_share": "areas",
    "chosen_levels": "levels",
    "relative_scores": "controls",
    "control_ssl_minus_sl": "controls",
    "control_global_share": "controls",
    "measures_at": "classifiers",
    "before_after": "classifiers",
    "dataset_statistics": "data",
    "clustering_hypothesis": "data",
    "eca_weightings": "errors",
    "weighted_differences": "errors",
    "weighting_agreement": "errors",
    "below_random": "errors",
    "experiment_table": "errors",
    "contest_scores": "leaders",
    "leaderboard": "leaders",
    "pairs": "leaders",
    "names": "names",
    "wilcoxon": "pairs",
    "wilcoxon_splits": "pairs",
    "critical_distances": "pairs",
    "dataset_ranks": "ranks",
    "family_dataset_ranks": "ranks",
    "family_ranks": "ranks",
    "ranking_ranks": "ranks",
    "room": "room",
    "method_scores": "scores",
    "scores_by_size": "scores",
    "friedman": "rank_tests",
    "nemenyi": "rank_tests",
    "family_time_ranks": "times",
    "time_ranks": "times",
    "fit_times": "times",
}


def table_module(name):
    """Dotted name of the module that makes a table; the name is one of :data:`TABLES`."""
    return f"{__name__}.{TABLES[name]}"


def table_words(name):
    """Title, names of options, and first paragraph of the docstring of a table, read from its source: no import."""
    function = _functions(TABLES[name])[name]
    declared = function.decorator_list[0]
    given = {item.arg: item.value for item in declared.keywords}
    title = ast.literal_eval(declared.args[0] if declared.args else given["title"])
    arguments = function.args.args[1:] + function.args.kwonlyargs
    about = " ".join((ast.get_docstring(function) or "").partition("\n\n")[0].split())
    return title, [argument.arg for argument in arguments], about


@cache
def _functions(module):
    tree = ast.parse(Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def table_info(name):
    """The :class:`~.registry.TableInfo` of a name."""
    return getattr(importlib.import_module(table_module(name)), name).table
