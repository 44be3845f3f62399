"""Take the texts of the view "Methods" from the docstrings of the rankers."""

import inspect
import os
import re
from inspect import cleandoc
from pathlib import Path

from sslrank.rankers.papers import paper_address
from sslrank.rankers.registry import ranker_info

#: Sections of a docstring that the page shows.
SECTIONS = ("Notes", "References")


def method_texts(config, folder):
    """Name, title, links, parameters and documentation of every method of a study whose page is in a folder."""
    return [_text(name, spec, folder) for name, spec in config["methods_used"].items()]


def ranking_texts(config, folder):
    """The same of rankings that a method gives together: members of a vote, and votes with the names of `members`."""
    found = []
    for spec in config["methods_used"].values():
        members = spec["params"].get("members")
        for name, block in members.items() if isinstance(members, dict) else ():
            params = dict(block) if isinstance(block, dict) else {"ranker": block}
            ranker = params.pop("ranker")
            about = {"ranker": ranker, "params": params, "url": paper_address(ranker)}
            found.append(_text(name, about, folder) | {"by": ranker_info(ranker).paper})
        for name, of in (spec["params"].get("votes") or {}).items():
            found.append({"name": name, "members": of})
    return found


def _text(name, spec, folder):
    item = {"name": name, "title": None, "ranker": spec.get("ranker") or spec.get("rule"), "summary": ""}
    item |= {"params": spec["params"], "sections": [], "paper": spec.get("url")}
    item |= _code(spec, Path(folder))
    return item | (_documentation(spec["ranker"]) if spec.get("ranker") else {})


def _code(spec, folder):
    """The file or folder of a method's code, from the working directory, and as the page links it; None elsewhere."""
    if spec.get("ranker"):
        path = Path(inspect.getsourcefile(ranker_info(spec["ranker"]).load())).resolve()
    else:
        path = Path("workflow/rules/methods", str(spec.get("rule"))).resolve()
    here = Path.cwd()
    if not path.exists() or here not in path.parents or here not in folder.resolve().parents:
        return {"code": None, "codeLink": None}
    link = os.path.relpath(path, folder.resolve())
    return {"code": path.relative_to(here).as_posix(), "codeLink": Path(link).as_posix()}


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
