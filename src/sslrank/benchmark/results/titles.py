"""Titles of methods, rankings, measures and kinds of target; files have their short names."""

from sslrank.rankers.registry import RANKERS

#: Titles of measures; not defined with the measures, so that a new title does not re-run scoring jobs.
MEASURE_TITLES = {
    "f1_macro": "F1, macro",
    "f1_positive": "F1 of the rarer class",
    "accuracy": "Accuracy",
    "balanced_accuracy": "Balanced accuracy",
    "r2": "R², coefficient of determination",
    "auprc_rarer": "Average precision of the rarer class",
    "auprc_micro": "Area under the precision-recall curve, micro",
    "c_index": "Harrell's C",
    "rrmse": "Root relative squared error",
    "hamming_loss": "Hamming loss",
    "zero_one_loss": "Zero-one loss",
    "macro_f": "F1, macro over labels",
    "micro_f": "F1, micro over labels",
    "average_precision": "Average precision",
    "label_average_precision": "Average precision, mean over labels",
    "one_error": "One-error",
    "coverage": "Coverage",
    "ranking_loss": "Ranking loss",
    "macro_auc": "Area under the ROC curve, macro",
}
#: Titles of quantities in published tables, if the name is not clear.
QUANTITIES = {
    "auc": "AUC",
    "ch": "CH",
    "delta": "SSL minus SL",
    "eca": "ECA",
    "share_delta_positive": "share with SSL above SL",
}
#: Titles of kinds of target, and of all of them together.
TASK_TITLES = {
    "classification": "Classification",
    "multilabel": "Multi-label classification",
    "hierarchical": "Hierarchical multi-label classification",
    "regression": "Single-target regression",
    "multitarget": "Multi-target regression",
    "survival": "Time until an event",
    "all": "All kinds of target",
}
#: Rankings without a registered name: the score of paper ssl-ranking, members and votes of the arena's methods.
RANKING_TITLES = {
    "random_forest": "Random forest score",
    "forest": "Forest (Genie3)",
    "extra_trees": "Extra-Trees",
    "permutation": "Forest, permutation",
    "semi_supervised": "Forest, semi-supervised",
    "scikit_extra_trees": "scikit-learn Extra-Trees",
    "scikit_permutation": "scikit-learn forest, permutation",
    "forest_f_l1": "Vote: forest, F, L1",
    "trees_f_l1": "Vote: Extra-Trees, F, L1",
    "forest_trees_f_l1": "Vote: forest, Extra-Trees, F, L1",
    "trees_l1": "Vote: Extra-Trees, L1",
    "trees_distilled": "Vote: Extra-Trees, distilled",
    "trees_f_l1_distilled": "Vote: Extra-Trees, F, L1, distilled",
    "forest_f_l1_relief": "Vote: forest, F, L1, relief",
    "auto_before": "Default until 0.1",
    "sslrank": "sslrank rank",
    "sslrank_without_tests": "sslrank rank, without its tests",
    "all_features": "All features",
    "conditional": "Conditional importance",
    "sdr_mc": "SDR-MC",
}
_CURVES = {
    "ffa": "Forward feature addition",
    "rfa": "Reverse feature addition",
    "expected": "Expected curve",
    "expected error": "Standard error of the expected curve",
}


def measure_title(name):
    """Return the title of a measure, of a point of an error curve ("ffa rrmse") or of its average ("eca[1] rrmse")."""
    kind, _, last = name.rpartition(" ")
    last = MEASURE_TITLES.get(last, last.replace("_", " "))
    if kind.startswith("eca["):
        return f"Error curve average, weighting {kind[4:-1]}: {last}"
    return f"{_CURVES.get(kind, kind)}: {last}" if kind else last


def ranking_title(name, titles):
    """Return the title of a ranking; with its method's name, that of the method in the plan's `titles`."""
    default = RANKERS[name].title if name in RANKERS else RANKING_TITLES.get(name, name)
    return titles.get(name) or default


def entry_title(name, titles):
    """Return the title of an entry: method, ranking, or both, as in "Extra trees, Genie3 score"."""
    method, _, ranking = name.partition(" ")
    if not ranking:
        return ranking_title(name, titles)
    return f"{titles.get(method, method)}, {ranking_title(ranking, titles)}"
