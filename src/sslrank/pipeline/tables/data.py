"""What the datasets are like."""

from sslrank.pipeline.tables.registry import table


@table("Datasets", keys=["task", "dataset"], values=["examples", "features", "classes", "labels", "targets"])
def dataset_statistics(study):
    """Sizes of the datasets as they were used (ssl-ranking, Tables 1-3)."""
    return study.datasets
