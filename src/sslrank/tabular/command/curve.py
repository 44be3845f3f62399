"""``sslrank curve``: evaluate an existing ranking on a table."""

import numpy as np

from sslrank.core.errors import DataError
from sslrank.core.messages import listed
from sslrank.tabular.command.options import print_now, read_own_table
from sslrank.tabular.command.rankings import SavedRanking
from sslrank.tabular.fits.folds import repeated_folds
from sslrank.tabular.fits.settings import check_predictor
from sslrank.tabular.output.files import TABLES, check_output, write_table
from sslrank.tabular.output.recipe import given_settings
from sslrank.tabular.trust.dependence import detect_dependence
from sslrank.tabular.trust.stability.feature_curve import evaluation_note, feature_curve, reason_without_curve

#: Maximum number of points of a curve in the terminal.
MAX_POINTS = 20


def run(arguments):
    """Read the ranking and the table, print the curve and write it."""
    path = arguments.ranking
    if arguments.out:
        check_output(arguments.out, TABLES, inputs=(arguments.file, path))
    saved = SavedRanking.read(path)
    given = {"predictor": arguments.predictor, "measure": arguments.measure, "seed": arguments.seed}
    settings = given_settings(saved.fields, path, **given, n_jobs=arguments.jobs)
    ranking = saved.importances(arguments.column)
    table = read_own_table(arguments, saved.fields, path, ranked=list(ranking.index))
    check_predictor(settings.predictor, table.task)
    print_now(f"ranking: {path}, by {ranking.name}")
    importances = _importances(ranking, table, path)
    if reason := reason_without_curve(table):
        raise DataError(reason, file=table.path)
    coded = table.coded()
    print_now(*(f"note: {note}" for note in evaluation_note(coded)))
    folds = repeated_folds(coded, settings.seed, detect_dependence(table, coded).design)
    try:
        curve = feature_curve(coded, importances, folds, settings)
    except ValueError as error:
        raise DataError(f"the ranking cannot be evaluated: {error}", file=table.path) from None
    print_now("note: if the ranking was made from these rows, it looks better than it is; 'sslrank rank' evaluates")
    print_now("      rankings on rows that they have not seen")
    print_now(f"\n{'features':>8}  {'best':>7}  {'worst':>7}  {'random':>7}  {curve.measure}")
    rows = curve.table
    step = max(1, len(rows) // MAX_POINTS)
    for row in rows.iloc[sorted({*range(0, len(rows), step), len(rows) - 1})].itertuples():
        print_now(f"{row.size:>8}  {row.best:>7.3f}  {row.worst:>7.3f}  {row.random:>7.3f}")
    print_now(f"\n{curve.describe()}")
    print_now(f"{curve.predictor}, {curve.n_repeats} x {curve.n_folds} folds; ECA {curve.eca:+.3f} (0: random ranking)")
    if arguments.out:
        write_table(arguments.out, rows)
        print_now(f"wrote {arguments.out}")


def _importances(ranking, table, path):
    """Return a ranking's importances for the columns of a table; columns without importance come last."""
    column_names = {*table.X.columns, *table.dropped, *table.target.columns}
    if unknown := [name for name in ranking.index if name not in column_names]:
        raise DataError(f"features that are not columns of {table.path}: {listed(unknown)}", file=path)
    names = list(table.X.columns)
    if ranking.index.name in names and ranking.index.name not in ranking.index:
        raise DataError(
            f"expected column names in the first line, but {ranking.index.name!r} is a feature",
            file=path,
            advice="Start the file with a line such as: feature",
        )
    if absent := [name for name in names if name not in ranking.index]:
        print_now(f"note: features missing from the ranking come last: {listed(absent)}")
    lowest = float(ranking.min()) - 1.0
    return np.array([ranking.get(name, lowest) for name in names])
