# Render findings and deviations from templates, summaries and protocols: `snakemake --cores 1 findings`.
# Existing pages are replaced only after all have been rendered.

from pathlib import Path

FINDINGS = [
    str(path.with_suffix(""))
    for pattern in ("*.md.j2", "findings/*.md.j2")
    for path in sorted(Path("results").glob(pattern))
]


use rule job as findings with:
    input:
        [f"{page}.j2" for page in FINDINGS],
        sorted(map(str, Path("workflow/published").glob("*/protocol.yaml"))),
        lambda w: [
            str(path)
            for pattern in ("summaries/**/*.csv", "archive/*.csv", "findings/*.[cy]*")
            for path in sorted(Path("results").glob(pattern))
        ],
    output:
        pages=update(FINDINGS),
    log:
        "results/logs/findings.log",
    params:
        function="report.findings_job",
