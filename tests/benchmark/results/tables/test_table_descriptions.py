"""The description of a table, read from its source, equals the docstring of its function."""

import inspect

import pytest

from sslrank.benchmark.results.tables import TABLES, table_info, table_words


@pytest.mark.parametrize("name", TABLES)
def test_table_description_equals_docstring(name):
    title, options, about = table_words(name)
    made = table_info(name)
    assert title == made.title
    assert options == list(inspect.signature(made.make).parameters)[1:]
    assert about == " ".join(made.make.__doc__.partition("\n\n")[0].split())
    assert ":`" not in about  # pages show it as it is
