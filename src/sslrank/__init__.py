"""Feature ranking from partly labelled data.

Rankers are scikit-learn estimators: ``fit(X, y)`` with missing labels in `y`, then ``feature_importances_`` and
``ranking_``. :func:`available_rankers` lists them and :func:`get_ranker` creates one by name; their classes can also be
imported from here, such as ``from sslrank import PCTForestRanker``. :func:`rank` ranks a table by several methods, with
tests and intervals.
"""

from importlib import import_module
from importlib.metadata import version

from sslrank.rankers.registry import RANKERS, available_rankers, get_ranker

__version__ = version("sslrank")

#: Modules of the other names; a module is imported when its name is asked for, so that ``import sslrank`` stays quick.
_MODULE_OF = {info.path.partition(":")[2]: info.path.partition(":")[0] for info in RANKERS.values()} | {
    "BaseRanker": "sslrank.core.base",
    "LabeledKFold": "sslrank.model_selection.labeled_kfold",
    "LabeledOnly": "sslrank.models.labeled_only",
    "PCT": "sslrank.rankers.trees.pct",
    "rank": "sslrank.tabular.ranking",
}

__all__ = ["__version__", "available_rankers", "get_ranker", *sorted(_MODULE_OF)]


def __getattr__(name):
    if name in _MODULE_OF:
        return getattr(import_module(_MODULE_OF[name]), name)
    hint = "; it is called 'SSLLaplacianScore'" if name == "LaplaceScore" else ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")


def __dir__():
    return sorted({*globals(), *_MODULE_OF})
