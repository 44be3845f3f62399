"""Feature ranking from partly labelled data.

Rankers are scikit-learn estimators: ``fit(X, y)`` with missing labels in `y`, then ``feature_importances_``
and ``ranking_``. :func:`available_rankers` lists them and :func:`get_ranker` makes one by name.
"""

import importlib
from importlib.metadata import version

from sslrank.registry import available_rankers, get_ranker

__version__ = version("sslrank")
#: Where the other public names are; a module is imported when one of its names is asked for.
_HOME = {"PCT": "sslrank.rankers.trees.pct", "PCTForestRanker": "sslrank.rankers.trees.forest"}
__all__ = ["PCT", "PCTForestRanker", "__version__", "available_rankers", "get_ranker"]


def __getattr__(name):
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
