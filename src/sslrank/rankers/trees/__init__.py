"""Semi-supervised predictive clustering trees and forests: sections 3 and 4 of paper ssl-ranking.

From the outside in: `forest` and `pct` (the estimators, on `estimator`), `supervision` (choice of w),
`growing` (bags, batches, threads), `clustering` (coded features and clustering rows), and the kernels
`_builder`, `_search`, `_impurity`, `_table`, `_storage` and `_permutation`, each a small file with its
invariants in the .pxd. The vectorised loops are in `_rows.h`, `_gram.h` and `_sort.h`. `original` has two
scores with the defects of the original program, for an ablation.
"""
