"""The tables of a study, one small function each.

A table is a function that maps a :class:`sslrank.benchmark.results.study.StudyData` and options to a tidy DataFrame. To
add one, write it in a module of this package, decorate it with :func:`~.registry.table`, list it in :data:`MODULES`,
and name it under `tables` of a study. If the study's publication has the table, list its CSV files under `published`,
and the workflow compares both, matching cells by the key columns.
"""

import ast
import importlib
from functools import cache
from pathlib import Path

#: Modules of this package, imported when one of their tables is made -> functions of their tables.
MODULES = {
    "arena_meta": ("arena_dependence", "arena_choices"),
    "arena_points": ("entries", "arena_points", "arena_halves", "arena_unlabeled", "arena_yardsticks"),
    "areas": ("areas", "ssl_minus_sl", "ssl_minus_sl_by_budget", "control_ssl_minus_sl", "global_share"),
    "supervision_levels": ("chosen_levels",),
    "classifiers": ("measures_at", "before_after"),
    "dataset_facts": ("dataset_statistics", "clustering_hypothesis"),
    "error_curves": ("eca_weightings", "weighted_differences", "experiment_table"),
    "leaderboard": ("contest_scores", "leaderboard", "pairs", "names"),
    "ranks": ("dataset_ranks", "family_dataset_ranks", "family_ranks", "ranking_ranks"),
    "room": ("room",),
    "scores": ("method_scores", "scores_by_size"),
    "rank_tests": ("friedman", "nemenyi", "differences"),
    "times": ("family_time_ranks", "time_ranks", "fit_times"),
}
#: Function -> module.
TABLES = {table: module for module, tables in MODULES.items() for table in tables}


def table_words(name):
    """Read title, option names, and first paragraph of a table's docstring from its source, without import."""
    function = _functions(TABLES[name])[name]
    declared = function.decorator_list[0]
    keywords = {item.arg: item.value for item in declared.keywords}
    title = ast.literal_eval(declared.args[0] if declared.args else keywords["title"])
    arguments = function.args.args[1:] + function.args.kwonlyargs
    description = " ".join((ast.get_docstring(function) or "").partition("\n\n")[0].split())
    return title, [argument.arg for argument in arguments], description


@cache
def _functions(module):
    tree = ast.parse(Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def table_info(name):
    """Return the :class:`~.registry.TableInfo` of a name."""
    return getattr(importlib.import_module(f"{__name__}.{TABLES[name]}"), name).table
