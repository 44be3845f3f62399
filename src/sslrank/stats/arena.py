"""How the points of the study ``arena`` are read: its pairs of rankings, and limits of what they say."""

#: Columns of the table of points that describe a dataset; the others are rankings.
FACTS = ["dataset", "part", "task", "rows", "features", "L"]
#: A table with more features is wide, one with as many rows is long.
WIDE, LONG = 250, 1000
#: Fewer datasets than this tell little: conditions on what is alike are dropped until there are as many.
LEAST = 8
#: Semi-supervised rankings, what the labelled rows alone give in the same way, and what to call them.
PAIRS = {
    "semi_supervised": ("forest", "trees that also split by features"),
    "distilled": ("forest", "a forest of what four teachers predict"),
    "self_training": ("scikit_forest", "self-training"),
    "label_propagation": ("f_score", "label spreading"),
}
#: The best of several gains counts if it is above so many times its 95 % interval (Bonferroni for four: 1.3 to 1.5).
OF_SEVERAL = 1.5
#: Points that are a small gain: one hundredth of the area under the curve.
SMALL = 1.0
