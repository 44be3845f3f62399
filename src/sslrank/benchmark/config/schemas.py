"""The JSON schemas of the configuration's files and the page of their keys, made from the models.

``python -m sslrank.benchmark.config.schemas`` writes them again.
"""

import argparse
import json
import textwrap
from pathlib import Path

from pydantic import TypeAdapter

from sslrank.benchmark.config.models import (
    Comparison,
    Config,
    Data,
    Evaluator,
    Experiment,
    Figures,
    Limits,
    MethodSpec,
    Name,
    Only,
    Own,
    SplitProtocol,
    Study,
    TableSpec,
)

#: Contents of each kind of file: model, file, and the blocks whose keys its section of the page explains.
FILES = {
    "config": (Config, "config.yaml", (Config, Limits, Data, Own)),
    "studies": (
        dict[Name, Study],
        "workflow/studies/*.yaml",
        (Study, SplitProtocol, Comparison, TableSpec, Figures, Experiment),
    ),
    "methods": (dict[Name, MethodSpec], "workflow/methods.yaml", (MethodSpec,)),
    "evaluators": (dict[Name, Evaluator], "workflow/evaluators.yaml", (Evaluator, Only)),
}
INTRODUCTION = """\
# Keys of the configuration

Made from `src/sslrank/benchmark/config/models.py` by `make schemas`; edit the models, not this page. An editor that
reads the first line of a file (`# yaml-language-server: $schema=...`) shows the same while you type.
"""


def files():
    """Content of every generated file, by its path from the root of the repository."""
    made = {"workflow/KEYS.md": _page()}
    for kind, (model, file, _) in FILES.items():
        head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": file}
        schema = TypeAdapter(model).json_schema() | head
        made[f"workflow/schemas/{kind}.schema.json"] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    return made


def _page():
    """The keys of every block, each with its kind of value, its default and its meaning."""
    lines = [INTRODUCTION]
    for _, file, blocks in FILES.values():
        lines.append(f"## {file}\n")
        for block in blocks:
            lines += [f"### {block.__name__}\n", block.__doc__ + "\n"]
            for key, field in block.model_json_schema()["properties"].items():
                text = f"- `{key}` ({_kind(field)}): {' '.join(field.get('description', '').split())}"
                default = field.get("default")
                if isinstance(default, str | bool | int | float | list) and default not in ("", []):
                    text = f"{text.removesuffix('.')}; default: `{json.dumps(default)}`."
                lines += _wrapped(text)
            lines.append("")
    return "\n".join(lines)


def _wrapped(text):
    return textwrap.wrap(text, 120, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def _kind(field):
    """A few words for the type of a field."""
    if "$ref" in field:
        return f"[{(name := field['$ref'].rpartition('/')[2])}](#{name.lower()})"
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(kind for part in field["anyOf"] if (kind := _kind(part)) != "null"))
    if "enum" in field or "const" in field:
        return ", ".join(f"`{value}`" for value in field.get("enum", [field.get("const")]))
    if field.get("type") == "array":
        return f"list of {_kind(field['items'])}"
    if field.get("type") == "object":
        inner = field.get("additionalProperties", True)
        return "mapping" if inner in (True, False) else f"mapping to {_kind(inner)}"
    words = {"string": "text", "integer": "whole number", "boolean": "true or false"}
    return words.get(field.get("type"), field.get("type", "anything"))


def main(arguments=None):
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(), help="the root of the repository")
    root = parser.parse_args(arguments).root
    for path, text in files().items():
        (root / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
