"""What the datasets are like."""

from sslrank.pipeline.tables.registry import table


@table(
    "Datasets",
    keys=["task", "dataset"],
    values=[
        "examples",
        "instances",
        "features",
        "classes",
        "labels",
        "targets",
        "cardinality",
        "density",
        "majority_share",
        "ch",
    ],
)
def dataset_statistics(study, rename=None):
    """Sizes of the datasets as they were used, and CH where the study asks for it (ssl-ranking, Tables 1-3).

    `rename` gives columns the names that a publication has for them.
    """
    return study.datasets.rename(columns=rename or {})
