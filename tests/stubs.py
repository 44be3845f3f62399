"""Write src/sslrank/__init__.pyi, by which editors complete names and parameters of rankers: python tests/stubs.py."""

import inspect
import textwrap
from itertools import groupby
from pathlib import Path

import sslrank
from sslrank.rankers.registry import RANKERS

STUB = Path(sslrank.__file__).with_suffix(".pyi")
_HEAD = '''"""Names of the package for editors and type checkers; written by `python tests/stubs.py`."""

from typing import Any, Literal, overload

'''


def stub():
    """The names of the package, and a signature of ``get_ranker`` for each class and its names."""
    modules = sslrank._MODULE_OF | {"available_rankers": "sslrank.rankers.registry"}
    lines = [
        f"from {module} import {name} as {name}"
        for name, module in sorted(modules.items(), key=lambda item: item[::-1])
    ]
    lines += ["", "__version__: str", ""]
    paths = sorted(RANKERS, key=lambda name: (RANKERS[name].path, name))
    for _, names in groupby(paths, key=lambda name: RANKERS[name].path):
        names = list(names)
        ranker = RANKERS[names[0]].load()
        known = ", ".join(f"{parameter}=..." for parameter in inspect.signature(ranker).parameters)
        quoted = ", ".join(f'"{name}"' for name in names)
        text = f"def get_ranker(name: Literal[{quoted}], *, {known})->{ranker.__name__}:..."
        lines += ["@overload", textwrap.fill(text, 116, subsequent_indent="    ", break_on_hyphens=False)]
    # An arrow at the beginning of a line would be an error, so it was part of a word.
    lines = [line.replace(")->", ") -> ").replace(":...", ": ...") for line in lines]
    return _HEAD + "\n".join([*lines, "@overload", "def get_ranker(name: str, **params: Any) -> BaseRanker: ...", ""])


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
