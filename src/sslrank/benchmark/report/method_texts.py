"""Take the texts of the view "Methods" from the docstrings of the rankers."""

import re
from inspect import cleandoc

from sslrank.rankers.registry import ranker_info

#: Sections of a docstring that the page shows.
SECTIONS = ("Notes", "References")


def method_texts(config):
    """Name, title, parameters and documentation of every method of a study."""
    found = []
    for name, spec in config["methods_used"].items():
        item = {"name": name, "title": None, "ranker": spec.get("ranker") or spec.get("rule"), "summary": ""}
        item |= {"params": spec["params"], "sections": []}
        if spec.get("ranker"):
            item |= _documentation(spec["ranker"])
        found.append(item)
    return found


def _documentation(ranker):
    """First line, text and some sections of a ranker's docstring."""
    text = cleandoc(ranker_info(ranker).load().__doc__ or "")
    parts, title, lines = {}, "", []
    rows = text.split("\n")
    for i, line in enumerate(rows):
        if i + 1 < len(rows) and rows[i + 1].strip() and set(rows[i + 1].strip()) == {"-"}:
            parts[title] = lines
            title, lines = line.strip(), []
        elif not (line.strip() and set(line.strip()) == {"-"}):
            lines.append(line)
    parts[title] = lines
    said = {name: _reflowed("\n".join(found)) for name, found in parts.items()}
    first, _, rest = said.get("", "").partition("\n")
    return {
        "title": first.rstrip("."),
        "summary": rest.strip(),
        "sections": [[name, said[name]] for name in SECTIONS if said.get(name)],
    }


def _reflowed(text):
    """Paragraphs of a docstring in one line each, without its markup."""
    text = re.sub(r":\w+:`~?([^`]*)`|`+([^`]*)`+", lambda found: found[1] or found[2], text.strip())
    text = re.sub(r"^\.\. \[", "[", text, flags=re.MULTILINE)
    text = re.sub(r"(\[\w+\])_", r"\1", text)
    paragraphs = re.split(r"\n\s*\n|\n(?=\[\w+\]|- )", text)
    return "\n\n".join(" ".join(line.strip() for line in paragraph.split("\n")) for paragraph in paragraphs)
