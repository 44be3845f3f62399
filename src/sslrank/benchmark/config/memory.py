"""What follows from the code alone, kept from one run for the next, as scikit-learn is imported for it.

That takes seconds, and Snakemake reads the workflow at each start, on a cluster in each job. Whether the parameters of
a ranker are right, what an evaluator computes, or the fingerprint of a module follows from the files of this package
and what is installed. As long as all of them are the same, the answers of the last run hold.
"""

import atexit
import contextlib
import json
import os
import sys
from pathlib import Path

_answers, _state, _new = None, None, False


def remember_in(path, *, writes):
    """Take answers from a file if they were given by the same code; with `writes`, put new ones there at the end."""
    global _answers, _state
    _answers, _state = {}, _state_of_code()
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):  # none yet, or one that a crash has damaged
        kept = json.loads(Path(path).read_text(encoding="utf-8"))
        if kept["state"] == _state:
            _answers = dict(kept["answers"])
    if writes:
        atexit.register(_save, Path(path))


def recall(function, *args):
    """Return what a function of this package gives, from memory where it was asked the same before.

    Its result must follow from the code and the arguments. Without :func:`remember_in` it is always called. Errors are
    not kept, nor are results that JSON would change.
    """
    global _new
    if _answers is None:
        return function(*args)
    try:
        question = json.dumps([function.__module__, function.__qualname__, args])
    except TypeError:
        return function(*args)
    if question not in _answers:
        answer = function(*args)
        try:
            if json.loads(json.dumps(answer)) != answer:
                return answer
        except TypeError:
            return answer
        _answers[question], _new = answer, True
    return json.loads(json.dumps(_answers[question]))  # as the caller may change it


def _state_of_code():
    """Dates and sizes of this package's files, the version of Python and the dates of the last installations."""
    root = Path(__file__).parents[2]
    places = [path for path in sys.path if path.endswith(("site-packages", "dist-packages")) and os.path.isdir(path)]
    found = {"python": sys.version, "installed": {path: os.stat(path).st_mtime_ns for path in places}}
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for file in files:
            path = os.path.join(folder, file)
            with contextlib.suppress(FileNotFoundError):  # a link to nothing, as editors make to lock a file
                stat = os.stat(path)
                found[os.path.relpath(path, root)] = [stat.st_mtime_ns, stat.st_size]
    return found


def _save(path):
    if not _new:
        return
    written = path.with_name(f"{path.name}.{os.getpid()}")
    with contextlib.suppress(OSError):  # a folder that cannot be written has no memory
        path.parent.mkdir(exist_ok=True)
        written.write_text(json.dumps({"state": _state, "answers": _answers}), encoding="utf-8")
        written.replace(path)
