"""Facts of the datasets."""

from sslrank.benchmark.results.tables.registry import table


@table(
    "Datasets",
    keys=["task", "dataset"],
    values=[
        *("examples", "labeled", "instances", "features", "classes", "labels", "targets", "cardinality", "density"),
        "majority_share",
    ],
)
def dataset_statistics(study, rename=None):
    """Sizes of the datasets as used, and CH if the study asks for it (ssl-ranking, Tables 1-3).

    `rename` maps columns to their published names.
    """
    return study.datasets.rename(columns=rename or {})


@table("Clustering hypothesis: agreement of clusters and targets, by dataset", keys=["task", "dataset"], values=["ch"])
def clustering_hypothesis(study, of="variance"):
    """CH, the agreement of k-means clusters and targets (ssl-ranking, section 6.2, Tables 1-3).

    `of` is variance, as in the paper, or deviation, for standard deviations.
    """
    columns = {"ch": "ch"} if of == "variance" else {"ch_deviation": "ch"}
    measures = study.datasets.reindex(columns=["task", "dataset", *columns]).rename(columns=columns)
    return measures.dropna(subset="ch")
