# The pages of findings, from their templates and the tables of the summaries: `snakemake --cores 1 findings`, or
# `sslrank findings` without Snakemake. Pages that are there stay as they are until all of them are rendered.

from pathlib import Path

FINDINGS = [
    str(path.with_suffix(""))
    for path in sorted(Path("results").glob("findings/*.md.j2"))
]


rule findings:
    input:
        templates=[f"{page}.j2" for page in ["results/FINDINGS.md", *FINDINGS]],
        tables=lambda w: [
            str(path) for path in sorted(Path("results/summaries").rglob("*.csv"))
        ],
    output:
        update(["results/FINDINGS.md", *FINDINGS]),
    log:
        "results/logs/findings.log",
    conda:
        ENVIRONMENT
    script:
        "../scripts/findings.py"
