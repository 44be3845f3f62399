"""Names of the kinds of target, in a separate module so that ``import sslrank`` stays fast."""

#: Kinds of target, in the papers' order: classification, multi-label, hierarchical multi-label, single-target
#: regression, multi-target regression.
TASKS = ("classification", "multilabel", "hierarchical", "regression", "multitarget")

#: Tasks and "none": no target at all.
EVERY_TASK = frozenset({*TASKS, "none"})
