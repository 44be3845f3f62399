"""``sslrank rank``: rank the features of a table."""

import sys
from pathlib import Path

from sslrank.tabular.command import no_target
from sslrank.tabular.command.options import read_own_table, say, split_names
from sslrank.tabular.command.rankings import read_blocks, read_importances
from sslrank.tabular.fits.settings import RankingSettings
from sslrank.tabular.ranking import rank_own_table
from sslrank.tabular.show.files import RESULTS, check_output, write_result


def run(arguments):
    """Do the command."""
    if arguments.out:
        check_output(arguments.out, RESULTS, folder=True, inputs=[arguments.file, *arguments.beside])
    settings = RankingSettings(
        methods=split_names([arguments.methods]),
        measure=arguments.measure,
        effort=arguments.effort,
        budget=arguments.budget,
        blocks=None if arguments.blocks is None else read_blocks(arguments.blocks),
        seed=arguments.seed,
        n_jobs=arguments.jobs,
    ).checked()
    others = read_importances(arguments.beside)
    table = read_own_table(arguments)
    if table.task == "none":
        no_target.run(table, arguments)
        return
    result = rank_own_table(table, settings, beside=others, say=say)
    _report(result, is_written=bool(arguments.out))
    if arguments.out:
        for path in write_result(result, arguments.out, arguments.typed):
            say(f"wrote {path}")
        curve = Path(arguments.out, "curve.csv")
        if not result.curve and curve.exists():
            say(f"note: {curve} belongs to an earlier ranking")


def _report(result, is_written):
    from sslrank.tabular.show.report import SHOWN, advice_lines, headlines, ranking_lines, stability_line

    for line in ["", *headlines(result), "", *ranking_lines(result)]:
        say(line)
    if len(result.table.X.columns) > SHOWN:
        hint = "" if is_written else "; --out writes them"
        say(f"  ... {len(result.table.X.columns)} features in all{hint}")
    say("")
    for line in filter(None, [stability_line(result), *advice_lines(result.checks)]):
        say(line)
    for name, message in result.failures.items():
        print(f"sslrank: warning: {name} could not rank these rows: {message}", file=sys.stderr)
