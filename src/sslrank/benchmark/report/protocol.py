"""A publication's protocol next to ours: ``workflow/published/<publication>/protocol.yaml`` and its table.

An entry has `parameter` (in words), `paper` (its value there), `place` (section), `ours` (the value, or words where no
file sets it) and, where the two differ or the paper is silent, `why`. A `key` says where ours is set in the study that
has the publication's name: ``splits.folds``, ``comparison.k``, ``methods.relief.n_neighbors``,
``evaluators.knn.n_neighbors``, ``experiments.synthetic.cv``; with ``*``, or a list, it is about several. Entries with
`why` are the deviations in the publication's README.md.
"""

import json
from pathlib import Path

import yaml

from sslrank.core.errors import DataError

PROTOCOL = "protocol.yaml"
#: Lines around the table in a README.md.
BEGIN, END = "<!-- of protocol.yaml, by `snakemake --cores 1 findings` -->", "<!-- end of protocol.yaml -->"
_REQUIRED, _OPTIONAL = ("parameter", "paper", "place", "ours"), ("key", "why")


def read_protocol(path):
    """Read the entries of a ``protocol.yaml``; a DataError says which of them lacks a field or has an unknown one."""
    entries = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    for entry in entries:
        odd = (set(_REQUIRED) - set(entry)) | (set(entry) - {*_REQUIRED, *_OPTIONAL})
        if odd:
            name, fields = entry.get("parameter", entry), ", ".join(sorted(odd))
            wanted = f"{', '.join(_REQUIRED)} and optionally {' and '.join(_OPTIONAL)}"
            raise DataError(f"{name}: missing or unknown: {fields}; an entry has {wanted}", file=path)
    return entries


def protocol_table(entries):
    """Markdown of the entries that have a `why`."""
    lines = ["| parameter | publication | place | ours | why |", "|---|---|---|---|---|"]
    for entry in entries:
        if "why" in entry:
            ours = f"`{json.dumps(entry['ours'])}`" if "key" in entry else entry["ours"]
            cells = [entry["parameter"], entry["paper"], entry["place"], ours, entry["why"]]
            lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def render_protocols(published):
    """Texts of the READMEs below a folder of publications, with their tables: by file."""
    pages = {}
    for path in sorted(Path(published).glob(f"*/{PROTOCOL}")):
        page = path.with_name("README.md")
        before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        if not (begin and end):
            raise DataError(f"no lines {BEGIN!r} and {END!r}, between which the table stands", file=page)
        pages[page] = f"{before}{BEGIN}\n\n{protocol_table(read_protocol(path))}\n\n{END}{after}"
    return pages
