"""Ranking a user's table: :func:`sslrank.rank` and commands.

The commands are ``rank``, ``reduce``, ``curve``, ``diff``, ``paper``, ``methods`` and ``study``.

This package does not use the benchmark. Its subpackages import from each other in this order:

- :mod:`sslrank.tabular.schema`: which columns are features, targets or descriptions of rows, in arrays or a
  file.
- :mod:`sslrank.tabular.fits`: the encoded table, the default methods, and their fits on parts of the rows.
- :mod:`sslrank.tabular.trust`: tests of features, half-samples, number of features, checks.
- :mod:`sslrank.tabular.output`: output in the terminal, files, the page and figures.
- :mod:`sslrank.tabular.result` has the class of a result; :mod:`sslrank.tabular.ranking` computes it.
- :mod:`sslrank.tabular.command`: the subcommands and their options.

Arrays and data frames need only the library's dependencies; files, pages and the command need extras.
"""
