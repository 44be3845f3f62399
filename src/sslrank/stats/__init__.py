"""Statistics for comparing rankings: leaderboards, rank tests, pairwise tests and stability."""

import importlib

#: Modules of the public names; a module is imported when one of its names is asked for.
_HOME = {
    "Leaderboard": "sslrank.stats.leaderboards",
    "leaderboard": "sslrank.stats.leaderboards",
}
__all__ = sorted(_HOME)


def __getattr__(name):
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
