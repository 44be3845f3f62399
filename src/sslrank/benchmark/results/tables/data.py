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
    """Sizes of the datasets as they were used, and CH where the study asks for it (ssl-ranking, Tables 1-3).

    `rename` gives columns the names that a publication has for them.
    """
    return study.datasets.rename(columns=rename or {})


@table("How far the clustering hypothesis holds", keys=["task", "dataset"], values=["ch"])
def clustering_hypothesis(study, of="variance"):
    """CH, how well k-means clusters and targets agree (ssl-ranking, section 6.2, Tables 1-3).

    `of` is variance, as the paper defines it, or deviation: the same with standard deviations.
    """
    columns = {"ch": "ch"} if of == "variance" else {"ch_deviation": "ch"}
    found = study.datasets.reindex(columns=["task", "dataset", *columns]).rename(columns=columns)
    return found.dropna(subset="ch")
