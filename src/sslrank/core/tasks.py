"""Names of the kinds of target, in a separate module so that ``import sslrank`` stays fast."""

#: Kinds of target, in the papers' order: classification, multi-label, hierarchical multi-label, single-target
#: regression, multi-target regression.
TASKS = ("classification", "multilabel", "hierarchical", "regression", "multitarget")

#: Kinds of target of datasets: these and a time until an event, of which rankers see log-rank scores.
KINDS = (*TASKS, "survival")

#: Tasks and "none": no target at all.
EVERY_TASK = frozenset({*TASKS, "none"})


def ranked_as(kind):
    """Name the kind of target, one of :data:`TASKS`, that rankers see of a dataset's.

    Parameters
    ----------
    kind : str
        One of :data:`KINDS`.

    Returns
    -------
    str

    Examples
    --------
    >>> ranked_as("survival"), ranked_as("multilabel")
    ('regression', 'multilabel')
    """
    return "regression" if kind == "survival" else kind
