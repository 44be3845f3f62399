"""Column names of a data frame, which may be any objects, and their strings in messages and files."""

import pandas as pd

from sslrank.core.messages import quoted
from sslrank.tabular.schema.roles import COLUMN_LISTS


class ColumnNames:
    """Names of columns and their texts.

    Parameters
    ----------
    given : sequence
        Distinct names: texts, numbers, dates, tuples of a MultiIndex, None.

    Raises
    ------
    ValueError
        If two columns have the same name.

    Examples
    --------
    >>> names = ColumnNames([2010, "2010", ("size", "cm")])
    >>> names.texts
    ['2010', "'2010'", 'size / cm']
    >>> names.text(2010), names.given("size / cm")
    ('2010', ('size', 'cm'))
    """

    def __init__(self, given):
        self._of, self._given = {}, {}
        for name in given:
            if _key(name) in self._of:
                raise ValueError(
                    f"two columns of X are named {quoted(name)}. Rename one, or keep the first of each name: "
                    "X.loc[:, ~X.columns.duplicated()]"
                )
            text = _text(name)
            while text in self._given:  # such as 1 and "1"
                text = repr(name) if text == _text(name) else f"{text}_"
            self._of[_key(name)], self._given[text] = text, name

    @property
    def texts(self):
        """The texts, in the order of the columns."""
        return list(self._given)

    def text(self, name):
        """Return the text of a name, which may already be a text; an unknown name is returned unchanged."""
        try:
            return self._of.get(_key(name), name)
        except TypeError:  # no name: an array, say
            return name

    def given(self, text):
        """Return the column name of a text."""
        return self._given.get(text, text)

    def __contains__(self, name):
        try:
            return _key(name) in self._of or (isinstance(name, str) and name in self._given)
        except TypeError:
            return False

    def translated(self, roles):
        """Convert :class:`~sslrank.tabular.schema.roles.ColumnRoles` to a dict with texts for names."""
        names = {key: [self.text(name) for name in getattr(roles, key)] for key in COLUMN_LISTS}
        for key, value in roles.row_columns.items():
            names[key] = self.text(value) if value in self else value
        return names

    def blocks(self, blocks):
        """Convert blocks of features, a dict of sequences or None, to texts."""
        return blocks and {block: [self.text(name) for name in members] for block, members in blocks.items()}


def _key(name):
    """Convert a name to a key, so that NaN equals itself and 1 differs from True."""
    return "NaN" if isinstance(name, float) and name != name else name, type(name) is bool


def _text(name):
    if isinstance(name, tuple):
        return " / ".join(str(part) for part in name if part != "")
    if isinstance(name, pd.Timestamp) and name == name.normalize():
        return str(name.date())
    return str(name)
