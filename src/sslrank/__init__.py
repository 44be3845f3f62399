"""Feature ranking from partly labelled data.

Rankers are scikit-learn estimators: ``fit(X, y)`` with missing labels in `y`, then ``feature_importances_``
and ``ranking_``. :func:`available_rankers` lists them and :func:`get_ranker` makes one by name.
"""

from importlib.metadata import version

from sslrank.registry import available_rankers, get_ranker

__version__ = version("sslrank")
__all__ = ["__version__", "available_rankers", "get_ranker"]
