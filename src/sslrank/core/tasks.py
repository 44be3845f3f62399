"""Names of the kinds of target, in a separate module so that ``import sslrank`` stays fast."""

#: Kinds of target, in the order of the papers: classification, multi-label, hierarchical multi-label, single-target
#: regression, multi-target regression.
TASKS = ("classification", "multilabel", "hierarchical", "regression", "multitarget")

#: Kinds of target of datasets: these and time-to-event, whose log-rank scores rankers see.
DATASET_TASKS = (*TASKS, "survival")

#: Tasks and "none" (no target).
EVERY_TASK = frozenset({*TASKS, "none"})


def ranking_kind(kind):
    """Return the kind of target, one of :data:`TASKS`, as which rankers see that of a dataset.

    Parameters
    ----------
    kind : str
        One of :data:`DATASET_TASKS`.

    Returns
    -------
    str

    Examples
    --------
    >>> ranking_kind("survival"), ranking_kind("multilabel")
    ('regression', 'multilabel')
    """
    return "regression" if kind == "survival" else kind
