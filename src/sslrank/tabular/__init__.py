"""A person's own table: :func:`sslrank.rank`, and the commands ``rank``, ``reduce``, ``curve`` and ``methods``.

This room uses the library below it, not the benchmark. Its wings import one way, in this order:

- :mod:`sslrank.tabular.understanding`: which columns are features, targets or about rows, in arrays or a file.
- :mod:`sslrank.tabular.fits`: the table coded once, the default methods, and their fits on parts of its rows.
- :mod:`sslrank.tabular.trust`: what a ranking is worth: tests of features, half-samples, number of features, checks.
- :mod:`sslrank.tabular.show`: a ranking on the terminal, as files and as a page.
- :mod:`sslrank.tabular.result` is a ranking with all that is known about it; :mod:`sslrank.tabular.ranking` makes it.
- :mod:`sslrank.tabular.command`: the subcommands and their options.

Arrays and data frames need no package beyond the library's own; files, pages and the command ask for what they need.
"""
