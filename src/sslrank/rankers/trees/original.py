"""Trees and scores of the original program, to study their effect on the published tables.

The program of the publication, CLUS 2.12.8, differs from paper ssl-ranking:

- impurity: that of a target is summed over labelled rows; a nominal target then counts with its labelled rows, a
  numeric one as if all rows were labelled;
- trees: sibling leaves with equal predictions are merged, bottom-up, when a tree is grown, but not while w is chosen;
- genie3: features and targets are neither scaled nor weighted by w, so the score depends on units;
- random_forest: a permuted feature stays permuted while the next features are scored, in the order of a walk from the
  root, so features high in a tree get little importance.

Other properties are those of this library: a row without the tested value goes to one side, errors are those of Table
4, Extra-Trees have bootstrap samples. The code is plain NumPy, as only studies use it.
"""

import numpy as np
from scipy import sparse

from sslrank.core.random_state import derive_seed
from sslrank.core.validation import check_choice
from sslrank.metrics.single import measure_for
from sslrank.rankers.trees._permutation import apply_values
from sslrank.rankers.trees.clustering import parent_estimate, target_columns
from sslrank.rankers.trees.forest import PCTForestRanker
from sslrank.rankers.trees.growing import Bags
from sslrank.rankers.trees.pct import PCT


class OriginalTree(PCT):
    """One tree with the target impurity of the original program; the parameters are those of :class:`PCT`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> OriginalTree(max_depth=1, random_state=0).fit(X, y).predict(X[:2])
    array([0, 0])
    """

    _target_scale = "known"


class OriginalForest(PCTForestRanker):
    """Rank features by an ensemble of the original program's trees.

    Parameters
    ----------
    formulas : {"original", "paper"}, default="original"
        "original" merges leaves and computes genie3 and random_forest with the program's defects. "paper" has only the
        program's target impurity; the scores are those of the paper.
    ensemble, importance, ... :
        See :class:`sslrank.rankers.trees.forest.PCTForestRanker`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> OriginalForest(n_estimators=5, supervision=1.0, random_state=0).fit(X, y).ranking_.argmin() in (2, 3)
    True
    """

    _target_scale = "known"

    formulas: str = "original"

    def check_params(self):
        super().check_params()
        check_choice("formulas", self.formulas, ("original", "paper"))

    def _scores(self, grown, problem, train, forest_seed, max_samples):
        scores = super()._scores(grown, problem, train, forest_seed, max_samples)
        if self.formulas == "paper":
            return scores
        if problem.weights is not None:
            raise ValueError("formulas='original' cannot use sample_weight; 'paper' can")
        draws = Bags(train, problem.labeled, self.bootstrap_, max_samples)
        bags = [draws.draw(derive_seed(forest_seed, "bag", number)) for number in range(self.n_estimators)]
        scores["symbolic"] = np.zeros(problem.table.n_features)
        for tree in self.estimators_:
            merge_equal_leaves(tree, self.task_)
            tree.add_importances(np.zeros(problem.table.n_features), scores["symbolic"])
        scores["symbolic"] /= self.n_estimators
        forest = self.estimators_, bags, train, problem.features, problem.targets
        scores["genie3"] = raw_genie3(*forest, self.supervised)
        if "random_forest" in scores:
            scores["random_forest"] = cumulative_permutation(*forest, forest_seed)
        return scores


def merge_equal_leaves(tree, task):
    """Merge sibling leaves with equal predictions, bottom-up, in place.

    Classes and labels are equal if the majority is (ties: the first class, the label present); numbers and labels of a
    hierarchy are equal if the means are. A tree without labelled rows predicts nothing and keeps its leaves.

    Parameters
    ----------
    tree : Tree
    task : str
    """
    left, right, predicted = tree.children_left, tree.children_right, tree.value
    if np.isnan(predicted[0]).all():
        return
    if task == "classification":
        predicted = np.argmax(predicted, axis=1)[:, None]
    elif task == "multilabel":
        predicted = predicted >= 0.5
    leaf = left < 0
    for node in np.flatnonzero(~leaf)[::-1]:  # children come after their parent
        a, b = left[node], right[node]
        leaf[node] = leaf[a] and leaf[b] and (predicted[a] == predicted[b]).all()
    tree.make_leaves(leaf.astype(np.uint8))


def raw_genie3(trees, bags, train, features, targets, supervised):
    """Compute Eq. (3) on raw sums of squares and Gini indices: the mean over trees, not divided by rows.

    Parameters
    ----------
    trees : list of Tree
    bags : list of ndarray of shape (len(train),)
        Multiplicity of each training row in each tree's bag.
    train : ndarray of int
    features : sslrank.core.features.Features
    targets : sslrank.core.targets.Targets
    supervised : bool
        Leave out the features, which supervised trees of the original program do not cluster by.

    Returns
    -------
    ndarray of shape (D,)
    """
    values = _dense(features.values[train])
    columns = _Columns(values, features.n_categories, targets.rows(train), supervised)
    scores = np.zeros(features.shape[1])
    for tree, bag in zip(trees, bags, strict=True):
        inner = np.flatnonzero(tree.feature >= 0)
        gains = columns.gains(tree, apply_values(tree, values), bag, inner)
        scores += np.bincount(tree.feature[inner], gains, minlength=len(scores))
    return scores / len(trees)


class _Columns:
    """Columns of features and targets whose sums of squares the original program sums."""

    def __init__(self, values, n_categories, targets, supervised):
        parts, estimate = [], []
        for j, k in enumerate([] if supervised else n_categories):
            parts.append(_one_hot(values[:, j], k) if k else values[:, [j]])
            estimate += [float(k == 0)] * parts[-1].shape[1]
        of_targets = target_columns(targets)
        n_columns = of_targets.shape[1]
        # A Gini index is the sum of its categories' variances, and both categories of a label have the same.
        hierarchy = targets.weights / (n_columns if supervised else targets.weights.sum())
        factor = {"multilabel": np.full(n_columns, 2.0), "hierarchical": hierarchy}
        weights = np.append(np.ones(len(estimate)), factor.get(targets.task, np.ones(n_columns)))
        n_targets = 1 if targets.task in ("classification", "hierarchical") else n_columns
        columns = np.hstack([*parts, of_targets])
        self.known = (~np.isnan(columns)).astype(np.float64)
        count = np.maximum(self.known.sum(axis=0), 1)
        columns = np.where(self.known == 1, columns, 0)
        self.values = (columns - columns.sum(axis=0) / count) * self.known
        self.weights = weights / ((0 if supervised else len(n_categories)) + n_targets)
        self.estimate = np.append(estimate, np.full(n_columns, parent_estimate(targets)))

    def gains(self, tree, leaves, bag, inner):
        """Compute the weighted mean over variables of the decrease of their sums of squares, by inner node."""
        rows = sparse.csr_array(
            (bag.astype(np.float64), (leaves, np.arange(len(leaves)))), shape=(tree.node_count, len(leaves))
        )
        left, right = tree.children_left, tree.children_right
        count, total, squares = (rows @ x for x in (self.known, self.values, self.values**2))
        for node in inner[::-1]:  # children come after their parent
            for of in (count, total, squares):
                of[node] = of[left[node]] + of[right[node]]
        spread = squares - total**2 / np.maximum(count, 1)
        gains = spread[inner].copy()
        for child in (left[inner], right[inner]):
            # A branch without known values of a variable gets a share of its parent's sum of squares.
            gains -= np.where(count[child] == 0, self.estimate * spread[inner], spread[child])
        return gains @ self.weights


def cumulative_permutation(trees, bags, train, features, targets, seed):
    """Compute Eq. (4) with permuted features that are not restored, in the order of a walk through the tree.

    Parameters
    ----------
    trees, bags, train, features, targets
        As in :func:`raw_genie3`.
    seed : int

    Returns
    -------
    ndarray of shape (D,)
    """
    scores = np.zeros(features.shape[1])
    measure = measure_for(targets.task)
    values = _dense(features.values[train])
    targets = targets.rows(train)
    for number, (tree, bag) in enumerate(zip(trees, bags, strict=True)):
        random = np.random.Generator(np.random.PCG64(derive_seed(seed, "permutation", number)))
        out_of_bag = values[bag == 0]
        labeled = np.flatnonzero(targets.labeled[bag == 0])
        if len(labeled) == 0:
            continue
        truth = targets.rows(np.flatnonzero(bag == 0)[labeled])
        rows = np.ascontiguousarray(out_of_bag[labeled])
        prototypes = _predictions(tree.value, targets.task)
        leaves = apply_values(tree, rows)
        before = after = measure(truth, prototypes[leaves])
        for feature in _order_of_walk(tree):
            rows[:, feature] = random.permutation(out_of_bag[:, feature])[labeled]
            earlier, leaves = leaves, apply_values(tree, rows)
            if not np.array_equal(leaves, earlier):
                after = measure(truth, prototypes[leaves])
            worse = measure.sign * (before - after) / (before if before > 0 else 1)
            scores[feature] += 0 if np.isnan(worse) else worse
    return scores / len(trees)


def _predictions(values, task):
    """Return the nodes' predictions: one class (ties: the first one, as in the program), numbers, or ranks of labels.

    Ranks give the same area as the shares and can be counted.
    """
    if task in ("regression", "multitarget") or np.isnan(values).any():
        return values
    if task == "classification":
        return np.eye(values.shape[1])[np.argmax(values, axis=1)]
    return np.unique(values, return_inverse=True)[1].reshape(values.shape)


def _order_of_walk(tree):
    """List the tree's features in the order of a walk that visits the rows that pass a test first."""
    feature, left, right = tree.feature, tree.children_left, tree.children_right  # each access creates an array
    order, stack = {}, [0]
    while stack:
        node = stack.pop()
        if feature[node] >= 0:
            order.setdefault(int(feature[node]))
            stack += [left[node], right[node]]  # right: the test holds
    return order


def _one_hot(codes, n_categories):
    columns = (codes[:, None] == np.arange(n_categories)).astype(np.float64)
    columns[np.isnan(codes)] = np.nan
    return columns


def _dense(values):
    return np.ascontiguousarray(values.toarray() if sparse.issparse(values) else values)
