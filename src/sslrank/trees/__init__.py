"""Semi-supervised predictive clustering trees and forests: sections 3 and 4 of paper ssl-ranking.

From the outside in: `forest` (the estimator), `supervision` (choice of w), `growing` (bags, batches,
threads), `clustering` (coded features and clustering rows), and the kernels `_table`, `_impurity`, `_search`,
`_builder`, `_storage` and `_permutation`, each a file with its invariants in the .pxd.
"""

from sslrank.trees.forest import PCTForestRanker

__all__ = ["PCTForestRanker"]
