"""Feature ranking from partly labelled data.

Rankers are scikit-learn estimators: ``fit(X, y)`` with missing labels in `y`, then ``feature_importances_``
and ``ranking_``. :func:`available_rankers` lists them and :func:`get_ranker` makes one by name.
"""

from importlib.metadata import version

from sslrank.registry import available_rankers, get_ranker

__version__ = version("sslrank")
__all__ = ["PCT", "PCTForestRanker", "__version__", "available_rankers", "get_ranker"]


def __getattr__(name):
    """Import the tree estimators when they are asked for, so that ``import sslrank`` stays quick."""
    if name in ("PCT", "PCTForestRanker"):
        from sslrank.rankers import trees

        return getattr(trees, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
