"""The names of the kinds of target, in a module of their own so that ``import sslrank`` stays quick."""

#: Kinds of target, in the papers' order: classification, multi-label, hierarchical multi-label, single-target
#: regression, multi-target regression.
TASKS = ("classification", "multilabel", "hierarchical", "regression", "multitarget")

#: Tasks and "none": no target at all.
EVERY_TASK = frozenset({*TASKS, "none"})
