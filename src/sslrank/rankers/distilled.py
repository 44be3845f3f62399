"""Distilled forest: a forest learns the predictions that teachers, trained on the labelled rows, make for all rows."""

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.linear_model import RidgeCV

from sslrank.core.base import BaseRanker
from sslrank.core.columns import design_matrix
from sslrank.core.random_state import derive_seed
from sslrank.core.targets import Targets
from sslrank.core.tasks import TASKS
from sslrank.core.validation import check_count
from sslrank.models.knn import knn_predict
from sslrank.rankers.trees.forest import PCTForestRanker
from sslrank.rankers.trees.supervision import respect_hierarchy

#: scikit-learn's default.
N_NEIGHBORS = 5
#: Penalties of the ridge regression, chosen by its leave-one-out error.
PENALTIES = np.logspace(-2, 4, 13)


class DistilledForest(BaseRanker):
    """Rank features by their importance to a forest that learns the predictions of several teachers for all rows.

    Four teachers learn from the labelled rows: Extra-Trees, a random forest, five nearest neighbours and ridge
    regression (on 0/1 indicators of classes and labels, clipped to [0, 1]). The mean of their predictions (class
    shares, label scores or numbers) is the soft target of every row, labelled or not. A student, a random forest,
    learns the soft targets; its decrease of impurity (Genie3 score) is the importance. Unlabelled rows thus show the
    student where the teachers' predictions change [1]_ [2]_.

    Parameters
    ----------
    n_estimators : int, default=100
        Trees of the student and of each of the two forests among the teachers.
    teacher : estimator, optional
        A scikit-learn classifier (for classes and labels) or regressor (for numbers) that replaces the four teachers.
        It gets numeric features with missing values imputed, and is fitted to each target separately. If it has a
        parameter `random_state`, this is set.
    supervised : bool, default=False
        Remove the unlabelled rows: the student learns the predictions of the labelled rows only.
    task, n_features_to_select, categorical_features, n_jobs, random_state
        See :class:`sslrank.core.base.BaseRanker`.
    hierarchy, hierarchy_alpha
        See :func:`sslrank.core.targets.encode_targets`.

    Attributes
    ----------
    feature_importances_ : ndarray of shape (n_features,)
    soft_targets_ : ndarray of shape (n_rows, n_values)
        Mean predictions of the teachers: class shares, label scores or numbers.

    References
    ----------
    .. [1] G. Hinton, O. Vinyals, J. Dean (2015), Distilling the knowledge in a neural network, arXiv:1503.02531.
    .. [2] C. Bucilă, R. Caruana, A. Niculescu-Mizil (2006), Model compression, KDD 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sslrank import get_ranker
    >>> X, y = load_iris(return_X_y=True)
    >>> y[np.arange(150) % 5 > 0] = -1
    >>> get_ranker("distilled", random_state=0).fit(X, y).ranking_
    array([3, 4, 1, 2])

    With your own teacher:

    >>> from sklearn.ensemble import HistGradientBoostingClassifier
    >>> boosting = HistGradientBoostingClassifier(min_samples_leaf=3, max_iter=20)
    >>> get_ranker("distilled", teacher=boosting, random_state=0).fit(X, y).soft_targets_.shape
    (150, 3)
    """

    tasks = frozenset(TASKS)
    n_estimators: int = 100
    teacher: object = None
    supervised: bool = False
    hierarchy: list | None = None
    hierarchy_alpha: float = 0.75

    def check_params(self):
        check_count("n_estimators", self.n_estimators)
        if not isinstance(self.teacher, BaseEstimator | None):
            raise ValueError(f"teacher must be a classifier or regressor as of scikit-learn, got {self.teacher!r}")

    def rank_coded(self, features, targets):
        seed = self.resolve_seed()
        labeled = np.flatnonzero(targets.labeled)
        if len(labeled) == 0:
            raise ValueError("DistilledForest needs at least one labelled row, y has none")
        self.soft_targets_ = self.teach(features, targets, labeled, seed)
        student = PCTForestRanker(
            supervised=True,
            n_estimators=self.n_estimators,
            n_jobs=self.n_jobs,
            random_state=derive_seed(seed, "student"),
        )
        soft = self.soft_targets_
        weights = np.ones(soft.shape[1]) if targets.task == "classification" else targets.weights
        return student.rank_coded(
            features, Targets("regression" if soft.shape[1] == 1 else "multitarget", soft, weights)
        )

    def teach(self, features, targets, labeled, seed):
        """Predict every row from the labelled ones: soft targets of shape (n, n_classes) or (n, T)."""
        if self.teacher is None:
            return soft_targets(features, targets, labeled, self.n_estimators, seed, self.n_jobs)
        return taught_targets(self.teacher, features, targets, labeled, derive_seed(seed, "teacher"))


def soft_targets(features, targets, labeled, n_estimators, seed, n_jobs=None):
    """Average the predictions of the four teachers for every row.

    Parameters
    ----------
    features : sslrank.core.features.Features
    targets : sslrank.core.targets.Targets
    labeled : ndarray of int
        Rows that the teachers learn from.
    n_estimators : int
    seed : int
    n_jobs : int, optional

    Returns
    -------
    ndarray of shape (n, n_classes) or (n, T)

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> targets = encode_targets([0, 0, 1, 1, -1], 5)
    >>> features = encode_features([[0.0], [1.0], [8.0], [9.0], [7.0]])
    >>> soft_targets(features, targets, np.arange(4), n_estimators=5, seed=0).argmax(axis=1)
    array([0, 0, 1, 1, 1])
    """
    total = 0.0
    forest = PCTForestRanker(n_estimators=n_estimators, n_jobs=n_jobs)
    problem = forest.make_problem(features, targets)
    for ensemble in ("extra_trees", "random_forest"):
        forest.set_params(ensemble=ensemble)
        total = total + forest.predict_coded(problem, labeled, derive_seed(seed, ensemble))
    known = targets.rows(labeled)
    total += knn_predict(
        features.rows(labeled), known, features, np.ones(features.shape[1]), N_NEIGHBORS, n_jobs=n_jobs
    )
    total += ridge_predict(features, known, labeled)
    return respect_hierarchy(total / 4, targets.parents)


def ridge_predict(features, known, labeled):
    """Predict every row by ridge regression on the labelled rows' targets.

    Parameters
    ----------
    features : sslrank.core.features.Features
    known : sslrank.core.targets.Targets
        Targets of the labelled rows.
    labeled : ndarray of int
        Those rows.

    Returns
    -------
    ndarray of shape (n, n_classes) or (n, T)

    Examples
    --------
    >>> import numpy as np
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> known = encode_targets([0.0, 1.0, 2.0], 3, task="regression")
    >>> ridge_predict(encode_features([[0.0], [1.0], [2.0], [3.0]]), known, np.arange(3)).round(1)
    array([[0.],
           [1.],
           [2.],
           [3.]])
    """
    X = design_matrix(features, labeled).values
    Y = np.eye(known.n_classes)[known.values[:, 0].astype(np.intp)] if known.task == "classification" else known.values
    predicted = np.empty((len(X), Y.shape[1]))
    patterns, of_target = np.unique(~np.isnan(Y), axis=1, return_inverse=True)
    for k in range(patterns.shape[1]):  # targets known in the same rows are fitted together
        columns, there = np.flatnonzero(of_target.ravel() == k), patterns[:, k]
        if there.sum() < 2:
            predicted[:, columns] = Y[there][:, columns].mean(axis=0) if there.any() else 0.0
            continue
        model = RidgeCV(PENALTIES).fit(X[labeled[there]], Y[there][:, columns])
        predicted[:, columns] = model.predict(X).reshape(len(X), -1)
    return predicted if known.task in ("regression", "multitarget") else np.clip(predicted, 0.0, 1.0)


def taught_targets(teacher, features, targets, labeled, seed):
    """Predict every row by a classifier or regressor that is fitted to the labelled rows, for each target separately.

    Parameters
    ----------
    teacher : estimator
        Cloned before it is fitted.
    features : sslrank.core.features.Features
    targets : sslrank.core.targets.Targets
    labeled : ndarray of int
        Rows that it learns from.
    seed : int

    Returns
    -------
    ndarray of shape (n, n_classes) or (n, T)
        A class, label or number that is constant in the labelled rows is predicted for every row.

    Raises
    ------
    ValueError
        If a regressor is given for classes, or a classifier for numbers.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sslrank.core.features import encode_features
    >>> from sslrank.core.targets import encode_targets
    >>> targets = encode_targets(["no", "no", "yes", "yes", None], 5)
    >>> features = encode_features([[0.0], [1.0], [8.0], [9.0], [7.0]])
    >>> taught_targets(DecisionTreeClassifier(), features, targets, np.arange(4), seed=0)[-1]
    array([0., 1.])
    """
    numbers = targets.task in ("regression", "multitarget")
    if not (is_regressor if numbers else is_classifier)(teacher):
        what, wanted = ("numbers", "regressor") if numbers else ("classes or labels", "classifier")
        raise ValueError(f"the target is of {what}: expected a {wanted} as teacher, got {type(teacher).__name__}")
    X, n_classes = design_matrix(features, labeled).values, 0 if numbers else max(targets.n_classes, 2)
    parts = []
    for values in targets.values.T:
        known = labeled[~np.isnan(values[labeled])]
        parts.append(_teacher_predictions(teacher, X, known, values[known], n_classes, seed))
    if not numbers and targets.task != "classification":
        parts = [shares[:, 1:] for shares in parts]
    return respect_hierarchy(np.hstack(parts), targets.parents)


def _teacher_predictions(teacher, X, known, y, n_classes, seed):
    """Predict one target of every row: a number, or the share of each class."""
    made = np.zeros((len(X), n_classes or 1))
    if len(np.unique(y)) < 2:  # constant target, which some models refuse
        if len(y):
            made[:, int(y[0]) if n_classes else 0] = 1.0 if n_classes else y[0]
        return made
    model = clone(teacher)
    if "random_state" in model.get_params(deep=False):
        model.set_params(random_state=seed)
    model.fit(X[known], y.astype(np.intp) if n_classes else y)
    if not n_classes:
        made[:, 0] = np.ravel(model.predict(X))
    elif hasattr(model, "predict_proba"):
        made[:, model.classes_] = model.predict_proba(X)
    else:
        made[np.arange(len(X)), model.predict(X)] = 1.0
    return made
