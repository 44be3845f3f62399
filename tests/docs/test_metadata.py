"""Metadata for registries agree with the project, and the paper with its references."""

import json
import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
PAPER = (ROOT / "src/docs/paper/paper.md").read_text(encoding="utf-8")
REFERENCES = (ROOT / "src/docs/paper/paper.bib").read_text(encoding="utf-8")


def test_crate_entities_are_complete():
    graph = json.loads((ROOT / "ro-crate-metadata.json").read_text(encoding="utf-8"))["@graph"]
    identifiers = [entity["@id"] for entity in graph]
    assert len(set(identifiers)) == len(identifiers)
    for entity in graph:
        for value in entity.values():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict) and not one["@id"].startswith("https://"):
                    assert one["@id"] in identifiers, (entity["@id"], one)
        if not entity["@id"].startswith(("#", "https://")):
            assert (ROOT / entity["@id"]).exists(), entity["@id"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    root, flow = (next(entity for entity in graph if entity["@id"] == name) for name in ("./", "Snakefile"))
    assert root["version"] == flow["version"] == cited["version"]
    assert root["datePublished"] == str(cited["date-released"])


def test_paper_citations_exist():
    keys = re.findall(r"^@\w+\{(\w+),$", REFERENCES, re.MULTILINE)
    assert len(set(keys)) == len(keys)
    assert set(re.findall(r"@(\w+\d{4})", PAPER)) == set(keys)
    for entry in re.split(r"\n(?=@)", REFERENCES):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))
        assert {"author", "title", "year"} <= set(fields), entry
        assert re.search(rf"\w{fields['year']},", entry.splitlines()[0]), entry
        if "doi" in fields:
            assert re.fullmatch(r"10\.\d{4,9}/\S+", fields["doi"]), entry
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    assert {reference["doi"] for reference in cited if "doi" in reference} <= set(
        re.findall(r"doi = \{(.*)\}", REFERENCES)
    )
