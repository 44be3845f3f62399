"""Semi-supervised predictive clustering trees and forests: sections 3 and 4 of paper ssl-ranking.

From the outside in: `forest` and `pct` (the estimators, on `estimator`), `supervision` (choice of w), `growing` (bags,
batches, threads), `clustering` (the rows Z whose variance is the impurity), `coding` (features as codes) and
`search` (the search methods for the nodes of a forest). `original` has two scores with the defects of the original
program, for an ablation.

The kernels, each with its invariants in the .pxd and its loops over numbers in the .h of the same name:

- criterion: `_criterion` (`_gains.h`), from scalars and norms to decreases of impurity; it knows no rows.
- node rows: `_node_rows` (dense; `_rows.h`), `_gapped_rows` (columns with missing values; `_gaps.h`), `_sparse_rows`
  (`_sparse_sums.h`); entered once per node, then summed test by test. `_products` are their inner products.
- partitioner: `_partitioner` (`_sort.h`, `_partition.h`) with `_orders`, rows in order of a feature and parted.
- tests: `_tests` (the interface), `_all_tests`, `_random_tests` and `_cooccurrence` (all features of a node at once),
  each one way to find the best test (`_choice.h`).
- builder: `_builder` with `_stack`, depth first, for several levels of supervision at once; `_tree` is the result and
  `_permutation` walks it. `_table` and `_ranks` are the coded features, `_random` the streams of random numbers.
"""
