"""The tables of a study, one small function each.

A table is a function that maps a :class:`sslrank.benchmark.results.study.StudyData` and options to a tidy DataFrame. To
add one, write it in a module of this package, decorate it with :func:`~.registry.table`, and name it under `tables` of
a study. If the study's publication has the table, list its CSV files under `published`, and the workflow compares both,
matching cells by the key columns.
"""

import ast
import importlib
from pathlib import Path

#: Module and source of the function of each table, by name; a module is imported when one of its tables is made.
TABLES = {
    node.name: (path.stem, node)
    for path in sorted(Path(__file__).parent.glob("*.py"))
    for node in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef) and any(ast.unparse(each).startswith("table(") for each in node.decorator_list)
}


def table_words(name):
    """Read title, option names, and first paragraph of a table's docstring from its source, without import."""
    _, function = TABLES[name]
    title = ast.literal_eval(function.decorator_list[0].args[0])
    arguments = function.args.args[1:] + function.args.kwonlyargs
    description = " ".join((ast.get_docstring(function) or "").partition("\n\n")[0].split())
    return title, [argument.arg for argument in arguments], description


def table_info(name):
    """Return the :class:`~.registry.TableInfo` of a name."""
    return getattr(importlib.import_module(f"{__name__}.{TABLES[name][0]}"), name).table
