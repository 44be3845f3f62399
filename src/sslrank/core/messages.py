"""Text for messages: lists of names, counts with nouns, suggestions for misspelt names, shortened texts."""

import difflib

#: Number of names shown in a list.
MAX_LISTED = 8
#: Names of options, keys and values of version 0.2, and the new names; this table and the next one go after 0.3.
RENAMED = {
    # kinds of target
    "mlc": "multilabel",
    "hmlc": "hierarchical",
    "str": "regression",
    "mtr": "multitarget",
    # rankers and methods
    "laplace": "ssl_laplacian",
    "sslrank.rankers.graph.laplace:LaplaceScore": "ssl_laplacian",
    "random_forest": "ssl_permutation",
    "rf": "permutation_importance",
    "views": "consensus",
    # tables and keys of a study
    "relative_scores": "contest_scores",
    "beside": "excluded_datasets",
    "without": "excluded_rankings",
    "judges": "evaluators",
    # conditional tests
    "--own": "--conditional",
    "own_p": "conditional_p",
    "own_q": "conditional_q",
    # attributes of a ranking
    "chance": "tests",
    "own": "conditional",
    "with_own": "adding",
    "problem": "coded",
}
_JOIN = "join the importances to the ranking by feature; sslrank curve evaluates them"
#: Options, parameters and commands of version 0.2 without a successor, and what to do instead.
REMOVED = {
    "beside": _JOIN,
    "external": _JOIN,
    "budget": "use effort, whose result does not depend on the speed of the machine",
    "shuffles": "leave it out, the tests choose their permutations themselves",
    "calibrate": "leave it out, the result has the smallest effect that the tests detect",
    "for": "no ranking is decidedly better for tables of one kind",
    "member": "unpack the archive, and name the file",
    "hours": "the page of a study has the hours of its jobs",
    "findings": "run: snakemake --cores 1 findings",
    "summary": "run: snakemake --cores 1 summary",
    "root-hash": "run: snakemake --cores 1 check_archive",
}


def listed(names, length=None):
    """List the first names, and the number of all.

    Parameters
    ----------
    names : iterable of str
    length : int, optional
        Maximum number of characters of a name; longer ones are shortened.

    Returns
    -------
    str

    Examples
    --------
    >>> listed("abcdefghij")
    'a, b, c, d, e, f, g, h, ... (10 in all)'
    """
    names = list(names)
    more = f", ... ({len(names)} in all)" if len(names) > MAX_LISTED else ""
    first_names = [shortened(str(name), length) if length else str(name) for name in names[:MAX_LISTED]]
    return ", ".join(name or "''" for name in first_names) + more


def joined(names):
    """Join names by commas as on a command line, quoting names that contain a comma or a quotation mark.

    Parameters
    ----------
    names : iterable of str

    Returns
    -------
    str

    Examples
    --------
    >>> joined(["age", "dose, mg"])
    'age,"dose, mg"'
    """
    return ",".join('"{}"'.format(name.replace('"', '""')) if set(name) & set('",') else name for name in names)


def counted(count, one, many=None):
    """Format a count with its noun or phrase.

    Parameters
    ----------
    count : int
    one : str
        Noun or phrase after 1.
    many : str, optional
        Noun or phrase after any other count; by default `one` with an "s".

    Returns
    -------
    str

    Examples
    --------
    >>> counted(1, "row"), counted(0, "row"), counted(2, "class is", "classes are")
    ('1 row', '0 rows', '2 classes are')
    """
    return f"{count} {one if count == 1 else many or one + 's'}"


def quoted(value):
    """Quote a value for a message; NumPy's numbers are formatted like Python's.

    Parameters
    ----------
    value : object

    Returns
    -------
    str

    Examples
    --------
    >>> import numpy as np
    >>> quoted(np.int64(5)), quoted("five")
    ('5', "'five'")
    """
    return repr(value.item() if getattr(value, "shape", None) == () else value)


def excerpt(text):
    """Quote a text, or its first 40 characters.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> excerpt("x" * 50)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"
    """
    return repr(text if len(text) <= 40 else text[:40] + "...")


def shortened(text, length):
    """Shorten a text to `length` characters by cutting its middle, because long names often differ at the end.

    Tabs, line breaks and unprintable characters become blanks.

    Parameters
    ----------
    text : str
    length : int

    Returns
    -------
    str

    Examples
    --------
    >>> shortened("temperature_sensor_17", 12)
    'temper…or_17'
    """
    text = text if text.isprintable() else " ".join("".join(c if c.isprintable() else " " for c in text).split())
    end = (length - 1) // 2
    return text if len(text) <= length else f"{text[: length - 1 - end]}…{text[-end:]}"


def nearest(name, known, renamed=None):
    """Suggest the nearest known name of a misspelt one, or the new name of a renamed one.

    Parameters
    ----------
    name : str
    known : iterable of str
    renamed : dict of str to str, optional
        New names by old ones: :data:`RENAMED` for options, keys and values; by default none, for names of users.

    Returns
    -------
    str
        Text to append to a message; empty if no name is similar.

    Examples
    --------
    >>> "unknown ranker 'relif'" + nearest("relif", ["relief", "genie3"])
    "unknown ranker 'relif'; did you mean 'relief'?"
    >>> "unknown task 'mlc'" + nearest("mlc", ["regression", "multilabel"], RENAMED)
    "unknown task 'mlc'; it is called 'multilabel' now"
    >>> "unknown dataset 'nope'" + nearest("nope", ["ionosphere"])
    "unknown dataset 'nope'"
    """
    hint = _hint(name, known, renamed)
    return f"; {hint}" if hint else ""


def suggestion(name, known, renamed=RENAMED):
    """Suggest the new or nearest name of an option, key or value, or list all known names.

    Parameters
    ----------
    name : str
    known : iterable of str
    renamed : dict of str to str, default=RENAMED
        As in :func:`nearest`.

    Returns
    -------
    str

    Examples
    --------
    >>> suggestion("relif", ["relief", "genie3"]), suggestion("xyz", ["relief", "genie3"])
    ("did you mean 'relief'?", 'known are: genie3, relief')
    """
    return _hint(name, known, renamed) or f"known are: {', '.join(sorted(map(str, known))) or 'none'}"


def _hint(name, known, renamed):
    known = list(map(str, known))
    if renamed and renamed.get(str(name)) in known:
        return f"it is called {renamed[name]!r} now"
    cutoff = 0.5 if len(str(name)) <= 5 else 0.6  # half of the letters in common means similarity only for short names
    lower = {}
    for other in known:
        if len(other) <= 2 * len(str(name)):  # long names have the letters of most short ones
            lower.setdefault(other.lower(), other)
    near = difflib.get_close_matches(str(name).lower(), lower, n=1, cutoff=cutoff)
    return f"did you mean {lower[near[0]]!r}?" if near else ""
