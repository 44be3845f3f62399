import os
from pathlib import Path

from snakemake.utils import min_version

min_version("9.23.1")


# In another folder (--directory), its config.yaml or else this one.
configfile: "config.yaml" if os.path.exists("config.yaml") else f"{workflow.current_basedir}/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/job.smk"
include: "workflow/rules/datasets.smk"
include: "workflow/rules/splits.smk"
include: "workflow/rules/rankings.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/experiments.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/archive.smk"
include: "workflow/rules/findings.smk"


for folder in [f"{kind}/{name}" for kind in ("methods", "evaluators") for name in rule_folders(ROOT, kind)]:

    include: f"workflow/rules/{folder}/rule.smk"

    if folder not in NAMED_FOLDERS:
        raise WorkflowError(
            f"workflow/rules/{folder}/rule.smk: its wildcard_constraints must name {Path(folder).name!r}"
        )


# The studies that config.yaml lists, or --config studies=...
rule all:
    default_target: True
    input:
        pages_of(PLAN.named),


# All that the findings rest on; section 8 of results/REPORT.md has its hours by study.
rule everything:
    input:
        expand("results/summaries/{study}", study=PLAN.summarized()),


# Summaries of the studies of `all`, which can be committed.
rule summary:
    input:
        expand("results/summaries/{study}", study=PLAN.chosen),


# A target under the name of each study (snakemake --cores 2 demo): only a rule gives a file a short name.
for study in [*PLAN.studies, *PLAN.emptied]:
    if workflow.is_rule(workflow.modifier.modify_rulename(study)):  # with the prefix of a module
        raise WorkflowError(f"own.studies.{study}: a rule has this name; give the study another one")

    rule:
        name:
            study
        input:
            pages_of([study]),


onstart:
    start_server()


# The page that leads to all of them lists what there is by then.
onsuccess:
    from sslrank.benchmark.report.index import write_index

    write_index("results")
    if without := print_failures():
        raise WorkflowError(f"no ranking of {', '.join(without)} was evaluated")


onerror:
    print_failures()
