"""Write codemeta.json and ro-crate-metadata.json from CITATION.cff, pyproject.toml, studies, catalogue and archive.

`make metadata` runs it. The crate describes the workflow (profile Workflow RO-Crate 1.0) and, for every archived study,
its data, its publication, and the commits, machines and days of its results. A test compares both files with what is
rendered here; `make forge` validates them.
"""

import csv
import json
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
CODEMETA, CRATE = "codemeta.json", "ro-crate-metadata.json"
#: Parts of the workflow that a reader of the crate looks for, with what they are.
PARTS = {
    "config.yaml": "The configuration: which studies run, and where the data is.",
    "README.md": "What the project is, and the two commands that run it.",
    "requirements.lock": "Every package that runs the workflow, with its version and hashes.",
    "workflow/": "Rules, studies, methods, evaluators and the catalogue of datasets.",
    "src/": "The Python library, with Cython kernels.",
    "results/archive/": "Results of finished runs; manifest.csv lists each file with its sha256, commit and date.",
    "results/summaries/": "Tables and figures of every study, from which the findings are rendered.",
    "results/REPORT.md": "The reproductions of four publications as a report.",
}
#: Media types of these parts, by suffix.
FORMATS = {".yaml": "application/yaml", ".md": "text/markdown", ".lock": "text/plain"}


def read_yaml(path):
    """The content of a YAML file of the repository."""
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def citation():
    """The content of CITATION.cff, with the date as text and without the report, which is a part of the repository."""
    content = read_yaml("CITATION.cff")
    content["references"] = [reference for reference in content["references"] if reference["type"] != "report"]
    content["date-released"] = str(content["date-released"])
    return content


def render_codemeta():
    """The text of codemeta.json (CodeMeta 3.0)."""
    cited = citation()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return dump(
        {
            "@context": "https://w3id.org/codemeta/3.0",
            "type": "SoftwareSourceCode",
            "name": project["name"],
            "description": cited["abstract"].strip(),
            "version": project["version"],
            "dateModified": cited["date-released"],
            "license": f"https://spdx.org/licenses/{project['license']}",
            "author": [{"type": "Organization", "name": author["name"]} for author in cited["authors"]],
            "keywords": cited["keywords"],
            "programmingLanguage": ["Python", "Cython", "Snakemake"],
            "operatingSystem": ["Linux", "macOS"],
            "softwareRequirements": [f"Python {project['requires-python']}", *project["dependencies"]],
            "referencePublication": [publication(reference) for reference in cited["references"]],
        }
    )


def publication(reference):
    """A publication of CITATION.cff in the terms of schema.org."""
    doi = reference.get("doi")
    return {
        "type": "Thesis" if reference["type"] == "thesis" else "ScholarlyArticle",
        **({"id": f"https://doi.org/{doi}"} if doi else {}),
        "name": reference["title"],
        "author": [f"{author['given-names']} {author['family-names']}" for author in reference["authors"]],
        "datePublished": str(reference["year"]),
    }


def archived_studies():
    """For each archived study: its datasets, commits, first and last day, and number of files."""
    studies = {}
    with (ROOT / "results/archive/manifest.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            name, dataset, *_ = row["file"].split("/")
            study = studies.setdefault(
                name, {"datasets": set(), "commits": set(), "days": set(), "files": 0, "bytes": 0}
            )
            if dataset != "experiments":
                study["datasets"].add(dataset)
            study["commits"].add(row["commit"])
            study["days"].add(row["date"][:10])
            study["files"] += 1
            study["bytes"] += int(row["bytes"])
    return studies


def render_crate():
    """The text of ro-crate-metadata.json (RO-Crate 1.1, Workflow RO-Crate 1.0)."""
    cited = citation()
    licence = f"https://spdx.org/licenses/{cited['license']}"
    catalogue = read_yaml("workflow/datasets.yaml")
    titles = {
        name: study
        for path in sorted((ROOT / "workflow/studies").glob("*.yaml"))
        for name, study in read_yaml(path.relative_to(ROOT)).items()
    }
    studies = archived_studies()
    used = sorted(set().union(*(study["datasets"] for study in studies.values())) & set(catalogue))
    publications = {}
    for reference in cited["references"]:
        # The notes of CITATION.cff begin with the study: "The study eca: ..."
        study = reference["notes"].removeprefix("The study ").partition(":")[0]
        publications[study] = entity(publication(reference), f"#publication-{study}")
    graph = [
        {
            "@id": CRATE,
            "@type": "CreativeWork",
            "about": {"@id": "./"},
            "conformsTo": [
                {"@id": "https://w3id.org/ro/crate/1.1"},
                {"@id": "https://w3id.org/workflowhub/workflow-ro-crate/1.0"},
            ],
        },
        {
            "@id": "./",
            "@type": "Dataset",
            "name": cited["title"],
            "description": cited["abstract"].strip(),
            "datePublished": cited["date-released"],
            "version": cited["version"],
            "license": {"@id": licence},
            "author": [{"@id": "#authors"}],
            "publisher": [{"@id": "#authors"}],
            "keywords": ", ".join(cited["keywords"]),
            "mainEntity": {"@id": "Snakefile"},
            "hasPart": [{"@id": part} for part in ("Snakefile", *PARTS)],
            "mentions": [{"@id": f"#run-{name}"} for name in sorted(studies)],
        },
        {"@id": "#authors", "@type": "Organization", "name": cited["authors"][0]["name"]},
        {
            "@id": licence,
            "@type": "CreativeWork",
            "name": "BSD 3-Clause License",
            "description": "The licence of code and results; datasets have those of their origins.",
        },
        {
            "@id": "Snakefile",
            "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
            "name": "sslrank",
            "encodingFormat": "text/plain",
            "description": "Download, split, rank, score, compare and report: every study of config.yaml.",
            "programmingLanguage": {"@id": "#snakemake"},
            "license": {"@id": licence},
            "creator": [{"@id": "#authors"}],
            "version": cited["version"],
            "conformsTo": {"@id": "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"},
        },
        {
            "@id": "#snakemake",
            "@type": "ComputerLanguage",
            "name": "Snakemake",
            "alternateName": "SMK",
            "identifier": {"@id": "https://doi.org/10.1093/bioinformatics/bts480"},
            "url": {"@id": "https://snakemake.readthedocs.io"},
        },
        *(
            {
                "@id": path,
                "@type": "Dataset" if path.endswith("/") else "File",
                "name": path,
                "description": text,
                "encodingFormat": [FORMATS[Path(path).suffix]] if Path(path).suffix else [],
                "about": [{"@id": "./"}] if path == "README.md" else [],
                "hasPart": [{"@id": f"{path}{name}/"} for name in studies] if path == "results/archive/" else [],
            }
            for path, text in PARTS.items()
        ),
        *publications.values(),
    ]
    for name, study in sorted(studies.items()):
        title = titles.get(name, {}).get("title")
        source = next((one for one in sorted(publications, key=len, reverse=True) if name.startswith(one)), None)
        graph.append(
            {
                "@id": f"results/archive/{name}/",
                "@type": "Dataset",
                "name": f"Archived results of the study {name}" + (f" ({title})" if title else ""),
                "description": f"{study['files']} Parquet files, {study['bytes']} bytes.",
                "license": {"@id": licence},
                **({"citation": {"@id": publications[source]["@id"]}} if source else {}),
            }
        )
        graph.append(
            {
                "@id": f"#run-{name}",
                "@type": "CreateAction",
                "name": f"Runs of the study {name}",
                "instrument": {"@id": "Snakefile"},
                "object": [{"@id": f"#dataset-{one}"} for one in sorted(study["datasets"] & set(catalogue))],
                "result": {"@id": f"results/archive/{name}/"},
                "startTime": min(study["days"]),
                "endTime": max(study["days"]),
                "description": "Commits: " + ", ".join(sorted(study["commits"])),
            }
        )
    graph += [dataset_entity(name, catalogue[name]) for name in used]
    graph = [{key: single(value) for key, value in one.items() if value != []} for one in graph]
    return dump({"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph})


def single(value):
    """A list of one value as that value, as RO-Crate asks."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def entity(described, identifier):
    """A description with `type` and `id` as an entity of a crate."""
    kept = {key: value for key, value in described.items() if key not in ("id", "type")}
    return {"@id": described.get("id", identifier), "@type": described["type"], **kept}


def dataset_entity(name, entry):
    """A dataset of the catalogue: where it comes from, and the hashes of its files."""
    return {
        "@id": f"#dataset-{name}",
        "@type": "Dataset",
        "name": entry["title"],
        "identifier": name,
        "description": "Origin: " + entry["home"],
        "sha256": [file["sha256"] for file in entry.get("files", ()) if "sha256" in file],
        **({"license": entry["license"]} if "license" in entry else {}),
    }


def dump(content):
    """JSON with one line for each value."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    (ROOT / CODEMETA).write_text(render_codemeta(), encoding="utf-8")
    (ROOT / CRATE).write_text(render_crate(), encoding="utf-8")
