"""``sslrank rank``: rank the features of a table."""

from pathlib import Path

from sslrank.core.messages import listed
from sslrank.tabular.command.options import print_now, read_own_table, split_names
from sslrank.tabular.command.rankings import read_blocks
from sslrank.tabular.output.files import RESULTS, check_output, write_result
from sslrank.tabular.output.recipe import given_settings, read_fields
from sslrank.tabular.output.terminal import screen
from sslrank.tabular.ranking import rank_own_table


def run(arguments):
    """Rank the features of a table, print the result and write it."""
    if arguments.out:
        check_output(arguments.out, RESULTS, folder=True, inputs=[arguments.file])
    like = arguments.like
    fields = None if like is None else read_fields(like)
    settings = given_settings(
        fields,
        like,
        methods="auto" if arguments.methods == "auto" else split_names([arguments.methods]),
        measure=arguments.measure,
        effort=arguments.effort,
        blocks=None if arguments.blocks is None else read_blocks(arguments.blocks),
        seed=arguments.seed,
        n_jobs=arguments.jobs,
    )
    table = read_own_table(arguments, fields, like)
    out = arguments.out or ""
    result = rank_own_table(table, settings, log=print_now, command=arguments.typed, saved=out)
    print_now("", *screen(result))
    if arguments.out:
        print_now(f"wrote {listed(map(str, write_result(result, arguments.out)))}")
        curve = Path(arguments.out, "curve.csv")
        if not result.curve and curve.exists():
            print_now(f"note: {curve} belongs to an earlier ranking")
