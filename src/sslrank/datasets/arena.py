"""The study ``arena``: datasets on which it chooses, confirms or that it never uses, and how its points are read."""

import hashlib

#: Sets on which nothing is chosen and nothing of the study ``arena`` is run: they are for a check from outside. The
#: last eight are other forms of them, or of a set that is in the arena.
KEPT_ASIDE = frozenset(
    [
        "ada",
        "sylva",
        "spectf",
        "hepatitis",
        "kc1",
        "segment",
        "dermatology",
        "splice",
        "satimage",
        "communities",
        "compactiv",
        "puma32h",
        "residential_building",
        "baseball",
        "oes97",
        "rf1",
        "atp7d",
        "enb",
        "jura",
        "wq",
        "atp1d",
        "oes10",
        "heart",
        "heart-h",
        "leukemia_5147",
        "leukemia_7070",
        "colon_continuous",
        "enron_corr",
    ]
)

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


def arena_part(name):
    """Tell which part of the arena's data a dataset is in, by a hash of its name.

    Parameters
    ----------
    name : str
        Of a dataset.

    Returns
    -------
    str
        "choose" (defaults are chosen on it), "held out" (they are confirmed on it) or "kept aside".

    Examples
    --------
    >>> arena_part("digits"), arena_part("segment")
    ('held out', 'kept aside')
    """
    if name.lower() in KEPT_ASIDE:
        return "kept aside"
    return "choose" if hashlib.sha256(f"arena {name}".encode()).digest()[0] % 2 else "held out"
