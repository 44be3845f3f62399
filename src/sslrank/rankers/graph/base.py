"""Base class of the rankers on a graph of nearest neighbours."""

from sslrank.core.base import BaseRanker
from sslrank.rankers.graph.affinity import row_graph


class GraphRanker(BaseRanker):
    """A ranker that scores features on the graph of :func:`sslrank.rankers.graph.affinity.row_graph`.

    Parameters
    ----------
    n_neighbors : int, default=10
        k of the graph: two rows are linked when one is among the k nearest of the other. Rows at the k-th distance
        share the places that nearer rows leave, so the order of the rows does not matter.
    bandwidth : float or "percentile", default="percentile"
        lambda of an edge's weight exp(-d^2 / lambda); "percentile" is the 20th percentile of all squared distances.
    scale : {None, "range", "standard"}, default=None
        Divide numeric features by their range or standard deviation first. With None the score depends on the units of
        the features.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import CLS
    >>> issubclass(CLS, GraphRanker), CLS(n_neighbors=5).n_neighbors
    (True, 5)
    """

    n_neighbors: int = 10
    bandwidth: float | str = "percentile"
    scale: str | None = None

    def _graph(self, rows, **options):
        """Build the graph of the rows of :class:`sslrank.core.columns.Columns`."""
        return row_graph(rows.values, self.n_neighbors, self.bandwidth, **options)
