from snakemake.utils import min_version

min_version("9.23.1")


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/datasets.smk"
include: "workflow/rules/splits.smk"
include: "workflow/rules/rankings.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/experiments.smk"
include: "workflow/rules/comparison.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/archive.smk"
include: "workflow/rules/findings.smk"
include: "workflow/rules/estimate.smk"


for folder in PLAN.method_folders():

    include: f"workflow/rules/methods/{folder}/rule.smk"


check_rules_of_methods()


# The studies that config.yaml lists, or --config studies=...
rule all:
    default_target: True
    input:
        [paths.PAGE.format(study=study) for study in PLAN.chosen],


# Their summaries, which can be committed.
rule summary:
    input:
        [paths.SUMMARY.format(study=study) for study in PLAN.chosen],


# Expected core-hours, memory and disk of the same studies.
rule estimate:
    input:
        [paths.ESTIMATE.format(study=study) for study in PLAN.chosen],


# Every study is a target under its own name: snakemake --cores 2 demo
for study in PLAN.studies:

    rule:
        name:
            unused_name(study)
        input:
            paths.PAGE.format(study=study),


# So is every dataset, with its scores in these studies: snakemake --cores 2 dataset-digits
for dataset in PLAN.every_dataset():

    rule:
        name:
            f"dataset-{dataset}"
        input:
            dataset_results(dataset),


check_targets()


onstart:
    check_results_folder()


# The page that leads to all of them lists what there is by then.
onsuccess:
    from sslrank.benchmark.report.index import write_index

    write_index("results")
    end_now()


onerror:
    end_now()
