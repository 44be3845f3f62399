"""The choice of the search method for the nodes of a forest, once per forest, from data and settings."""

import numpy as np

from sslrank.rankers.trees._all_tests import AllTests
from sslrank.rankers.trees._cooccurrence import TwoValuedTests
from sslrank.rankers.trees._criterion import Criterion
from sslrank.rankers.trees._gapped_rows import GappedRows
from sslrank.rankers.trees._node_rows import DenseRows
from sslrank.rankers.trees._partitioner import Partitioner
from sslrank.rankers.trees._random_tests import RandomTests
from sslrank.rankers.trees._sparse_rows import SparseRows

#: Methods that can be switched off, to measure the gain of each (tests/measurements/README.md).
SEARCH_METHODS = ("two-valued", "products", "orders")

#: Rows of at most this number of columns are summed in float64 without vectorisation, see _rows.h.
NARROW = 16
#: Maximum number of pairs of features (and of features and targets) in memory: at most 128 MB a thread.
LARGEST_PAIRS = 1 << 25
#: Inner products of dense rows are kept for at most as many rows as there are columns, and not more than this; and
#: only if at least this many features are searched in each node, as making them costs more than searching a few. Scans
#: of narrow rows are as fast without.
LARGEST_PRODUCTS = 256
FEWEST_FEATURES = 32
LEAST_WIDTH = 128


def choose_search(table, rows, settings, levels, without=()):
    """Choose how tests are found, how rows are kept in order, and how sides are summed.

    ==================  ===============  =================  ======================  ===============================
    tests               data             row order          norms of a side         target part
    ==================  ===============  =================  ======================  ===============================
    all (`AllTests`)    dense            "orders", or       running sum of rows,    running sum; within "products"
                                         sorted per node    "products" below        if all rows are labelled and
                                                                                    there is one level
    all                 columns with     as dense, not for  running sums of tiles   running sum
                        missing values   the gappy ones     of columns, for 16
                                                            features together
    all                 sparse           entries sorted     entries                 entries
    random, one each    any              none               as above, the smaller   as the features
    (`RandomTests`)                                         side
    all or random       two values each  none               kept from node to node  kept from node to node
    ("two-valued")
    ==================  ===============  =================  ======================  ===============================

    Reasons for the methods in SEARCH_METHODS:

    - two-valued: a feature has one test, and the sum of a side is that of the parent minus the other side; if all
      features are tried, the cost of a tree is that of the smaller branches. Nodes of up to 64 rows use inner products
      of their rows, computed once for a subtree.
    - products: in a node with fewer rows than columns, a side is represented by n inner products per row instead of its
      columns.
    - orders: if all features are searched, sorted rows are partitioned instead of sorted again.

    Parameters
    ----------
    table : FeatureTable
    rows : sslrank.rankers.trees.clustering.ClusteringRows
    settings : sslrank.rankers.trees.growing.GrowthSettings
    levels : sequence of float
        Levels of supervision to grow together.
    without : collection of str
        Methods of SEARCH_METHODS to switch off.

    Returns
    -------
    Tests
        The search for tests, with its rows and partitioner.
    """
    n_features, all_features = table.n_features, settings.max_features == table.n_features
    criterion = Criterion(rows)
    orders = "orders" not in without and all_features and not (table.sparse or settings.random_tests)
    partitioner = Partitioner(table, settings.max_features, orders)
    common = partitioner, settings.max_features, settings.min_samples_leaf, levels
    tests = RandomTests if settings.random_tests else AllTests
    if table.sparse:
        pairs = n_features * (n_features + 2 * criterion.width_t)
        if "two-valued" not in without and table.two_valued and all_features and pairs <= LARGEST_PAIRS:
            return TwoValuedTests(SparseRows(rows, criterion), *common, settings.random_tests)
        return tests(SparseRows(rows, criterion), *common)
    level = levels[0] if len(levels) == 1 else -1.0
    nominal = np.asarray(table.nominal, dtype=bool)
    subsets = bool((np.asarray(table.n_codes)[nominal] > 2).any())
    missing = bool(np.any(table.has_missing))
    products_limit = 0
    if (
        "products" not in without
        and not (subsets or missing or criterion.n_ragged)
        and settings.max_features >= FEWEST_FEATURES
        and criterion.width_f > NARROW
        and level != 1
        and criterion.width >= LEAST_WIDTH
    ):
        products_limit = min(LARGEST_PRODUCTS, criterion.width)
    dense = GappedRows(rows, criterion) if criterion.n_ragged else DenseRows(rows, criterion, products_limit, level)
    return tests(dense, *common)
