from snakemake.utils import min_version

min_version("9.19")


configfile: "config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/datasets.smk"
include: "workflow/rules/splits.smk"
include: "workflow/rules/rankings.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/experiments.smk"
include: "workflow/rules/comparison.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/estimate.smk"


for folder in PLAN.method_folders():

    include: f"workflow/rules/methods/{folder}/rule.smk"


# All studies of config.yaml but those with in_all: false.
rule all:
    default_target: True
    input:
        [study_page(name) for name, study in PLAN.studies.items() if study["in_all"]],


# Their summaries, which can be committed; with --config studies=... those of other studies.
rule summary:
    input:
        [
            f"results/summaries/{name}"
            for name, study in PLAN.studies.items()
            if study["in_all"] or PLAN.filters["studies"]
        ],


# Expected core-hours, memory and disk of the same studies.
rule estimate:
    input:
        [
            f"results/{name}/estimate.csv"
            for name, study in PLAN.studies.items()
            if study["in_all"]
        ],


# Every study is a target under its own name: snakemake --cores 2 demo
for study in PLAN.studies:

    rule:
        name:
            study
        input:
            study_page(study),


# So is every dataset, with its scores in all studies: snakemake --cores 2 dataset-digits
for dataset in PLAN.every_dataset():

    rule:
        name:
            f"dataset-{dataset}"
        input:
            dataset_scores(dataset),
