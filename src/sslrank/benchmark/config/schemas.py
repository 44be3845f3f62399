"""JSON schemas of the configuration's files, generated from the models; editors use them to complete and explain keys.

``python -m sslrank.benchmark.config.schemas`` writes them again.
"""

import argparse
import json
from pathlib import Path

from pydantic import TypeAdapter

from sslrank.benchmark.config.models import Config, Evaluator, MethodSpec, Name, Study
from sslrank.datasets.catalogue import Entry

#: The models of the configuration's files, by kind: model and file.
FILES = {
    "config": (Config, "config.yaml"),
    "datasets": (dict[str, Entry], "workflow/datasets.yaml"),
    "studies": (dict[Name, Study], "workflow/studies/*.yaml"),
    "methods": (dict[Name, MethodSpec], "workflow/methods.yaml"),
    "evaluators": (dict[Name, Evaluator], "workflow/evaluators.yaml"),
}


def files():
    """Content of every schema, by its path from the root of the repository."""
    made = {}
    for kind, (model, file) in FILES.items():
        schema = TypeAdapter(model).json_schema()
        if kind == "datasets":  # an entry's name is its key
            del schema["$defs"]["Entry"]["properties"]["name"]
        schema |= {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": file}
        made[f"workflow/schemas/{kind}.schema.json"] = json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
    return made


def main(arguments=None):
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(), help="the root of the repository")
    root = parser.parse_args(arguments).root
    for path, text in files().items():
        (root / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
