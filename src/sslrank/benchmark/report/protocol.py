"""A publication's protocol compared with ours: ``workflow/published/<publication>/protocol.yaml``.

A row has `parameter` (in words), `paper` (the published value), `place` (section), `ours` (our value, or words if no
file sets it) and, if the two differ or the paper has none, `why`. A `key` names our value in the study with the
publication's name: ``splits.folds``, ``comparison.k``, ``methods.relief.n_neighbors``,
``evaluators.knn.n_neighbors``, ``experiments.synthetic.cv``; ``*``, or a list, stands for several. Rows with `why`
are the deviations in the publication's README.md.
"""

import json
from pathlib import Path

import yaml

from sslrank.core.errors import DataError

PROTOCOL = "protocol.yaml"
#: Lines before and after the table in a README.md.
BEGIN, END = "<!-- of protocol.yaml, by `snakemake --cores 1 findings` -->", "<!-- end of protocol.yaml -->"


def protocol_table(protocol):
    """Format the rows with a `why` as a Markdown table."""
    lines = ["| parameter | publication | place | ours | why |", "|---|---|---|---|---|"]
    for row in protocol:
        if "why" in row:
            ours = f"`{json.dumps(row['ours'])}`" if "key" in row else row["ours"]
            cells = [row["parameter"], row["paper"], row["place"], ours, row["why"]]
            lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def render_protocols(published):
    """Render the READMEs in a folder of publications with their tables; return texts by file."""
    pages = {}
    for path in sorted(Path(published).glob(f"*/{PROTOCOL}")):
        page = path.with_name("README.md")
        before, begin, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        if not (begin and end):
            raise DataError(f"no lines {BEGIN!r} and {END!r}, between which the table stands", file=page)
        table = protocol_table(yaml.safe_load(path.read_text(encoding="utf-8")))
        pages[page] = f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"
    return pages
