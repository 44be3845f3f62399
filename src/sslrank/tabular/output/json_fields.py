"""The fields of ``ranking.json``: attributes of a ranking and of its parts, by their names."""

import os
import re
from datetime import UTC, datetime

import numpy as np
import pandas as pd

#: Version of the fields; it grows when one is renamed, removed or changes its meaning.
SCHEMA = 1
#: Class of a part of a result -> attributes that are saved.
FIELDS = {
    "Ranking": (
        "schema", "version", "packages", "date", "command", "seed", "recipe", "answer", "table", "n_ranked_rows",
        "methods", "failures", "top", "features", "tests", "pairs", "joint", "conditional", "adding", "n_adding_blocks",
        "together", "given_others", "blocks", "n_pairs", "stability",
        "curve", "n_enough", "why_enough", "unlabeled", "redundancy", "by_target", "checks", "notes",
    ),
    "OwnTable": ("path", "sha256", "n_rows", "n_labeled", "n_unread", "target", "dropped", "notes"),
    "Target": ("columns", "names", "task", "stated_task", "reason", "event", "adjust", "positives_only", "class_sizes"),
    "Answer": (
        "text", "rows", "targets", "given", "n_features", "n_related", "p_value", "untested", "related", "together",
        "given_others", "joint", "adding",
        "enough", "prediction", "caveats", "next_step", "command",
    ),
    "Caveat": ("code", "condition", "consequence", "reverses_answer", "leads", "command"),
    "Related": (
        "n_rows", "n_permutations", "within", "exchanged", "p_value", "any_related", "guessed_p", "smallest_effect",
        "related",
    ),
    "Pairs": ("pairs", "p_values", "p_value", "reason", "n_rows"),
    "Joint": ("p_value", "score", "measure", "is_shown"),
    "ConditionalTests": ("reason", "n_rows"),
    "Curve": (
        "measure", "higher_is_better", "predictor", "n_folds", "n_repeats", "best", "enough", "upper", "chance", "eca",
        "is_flat", "is_above_chance", "is_conclusive", "table",
    ),
    "Unlabeled": ("n_unlabeled", "methods", "used", "change", "low", "high", "n_rows"),
    "Redundancy": ("near_duplicate_groups", "correlated_groups"),
    "Check": ("code", "title", "passed", "looked_at", "finding", "advice", "options", "condition"),
}  # fmt: skip
#: Attributes that are indices of features, or groups of them; in the file they are names.
_INDICES = {("Related", "related"), ("Pairs", "pairs")}
_INDICES |= {("Ranking", name) for name in ("adding", "together", "given_others")}
_INDICES |= {("Redundancy", name) for name in FIELDS["Redundancy"]}


def today():
    """Return today's date, or that of SOURCE_DATE_EPOCH, for reproducible files."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    when = datetime.fromtimestamp(int(epoch), UTC) if re.fullmatch(r"\d+", epoch) else datetime.now(UTC)
    return when.strftime("%Y-%m-%d")


def plain_values(part, names):
    """Convert a part of a result to plain values, for JSON and pages.

    Parameters
    ----------
    part : object
        An instance of a class in :data:`FIELDS`, or a value.
    names : list of str
        Features by index.

    Returns
    -------
    object
        Dicts, lists, texts and numbers.
    """
    kind = type(part).__name__
    if kind in FIELDS:
        return {
            field: _names(getattr(part, field), names)
            if (kind, field) in _INDICES
            else plain_values(getattr(part, field), names)
            for field in FIELDS[kind]
        }
    if isinstance(part, pd.DataFrame):
        return part.to_dict("records") if isinstance(part.index, pd.RangeIndex) else part.to_dict()
    if isinstance(part, dict):
        return {str(key): plain_values(value, names) for key, value in part.items()}
    if isinstance(part, list | tuple | np.ndarray):
        return [plain_values(value, names) for value in part]
    if isinstance(part, np.generic):
        return part.item()
    return part if part is None or isinstance(part, bool | int | float) else str(part)


def _names(indices, names):
    return [_names(index, names) if isinstance(index, list | np.ndarray) else names[index] for index in indices]
