"""Constants to read the points of the study ``arena``: pairs of rankings, and thresholds of a verdict."""

#: Columns of the table of points that describe a dataset; the others are rankings.
FACTS = ["dataset", "part", "task", "rows", "features", "L"]
#: Name of the default of `sslrank rank` among the rankings.
DEFAULT = "trees_l1"
#: What is judged with the rankings and is none, in the same columns: a ranking by all labels, hidden ones included, and
#: all features. They take no part in ranks.
ORACLE = "oracle"
YARDSTICKS = (ORACLE, "all_features")
#: A table with more features is wide, one with as many rows is long.
WIDE, LONG = 250, 1000
#: Fewest similar datasets for a verdict: with fewer, conditions of similarity are dropped one by one.
LEAST = 8
#: Semi-supervised rankings, the supervised ranking that each is compared with, and their names in sentences.
PAIRS = {
    "semi_supervised": ("forest", "semi-supervised trees (features count in the impurity)"),
    "distilled": ("forest", "a forest distilled from four models"),
    "self_training": ("scikit_forest", "self-training"),
    "label_propagation": ("f_score", "label spreading"),
}
#: To count, the best of several gains must exceed this many half-widths of its 95 % interval (Bonferroni for four
#: gains: 1.3 to 1.5).
OF_SEVERAL = 1.5
#: A smaller gain, in points, counts as hardly any: one hundredth of the area under the curve.
SMALL = 1.0
