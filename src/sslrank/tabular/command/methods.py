"""``sslrank methods``: list the ranking methods, or explain one."""

import inspect

from sslrank.core.errors import DataError
from sslrank.rankers.registry import RANKERS, available_rankers, ranker_info
from sslrank.tabular.command.options import print_now


def run(arguments):
    """List the methods, or print what one does, its class, paper and code."""
    if arguments.name and arguments.task:
        raise DataError("--task selects methods of the list", advice="Leave it out, or the name")
    if arguments.name:
        try:
            info = ranker_info(arguments.name)
            ranker = info.load()
        except (ImportError, ValueError) as error:
            raise DataError(str(error)) from None
        if arguments.name in RANKERS:
            print_now(f"{arguments.name}: {info.use} ({info.paper})")
        params = "".join(f", {key}={value!r}" for key, value in info.params.items())
        print_now(f"class {ranker.__name__}, created by get_ranker({arguments.name!r}{params})")
        print_now(f"kinds of target: {info.kinds}")
        if info.url:
            print_now(f"paper: {info.url}")
        print_now(f"code: {inspect.getsourcefile(ranker)}\n")
        print_now(inspect.getdoc(ranker) or "")
        return
    for name in available_rankers(arguments.task):
        info = RANKERS[name]
        print_now(f"{name:22} {info.kinds:42} {info.use}")
