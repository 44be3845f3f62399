"""The splits job: (study, dataset)."""

from sslrank.data.dataset import Dataset
from sslrank.splits import make_splits


def splits_job(data, output, *, protocol, seed):
    """Make the folds and label sets of a dataset.

    Parameters
    ----------
    data : path-like
        Folder of the prepared dataset.
    output : path-like
    protocol : dict
        The study's block `splits`.
    seed : int
        The study's seed.
    """
    dataset = Dataset.load(data)
    options = {key: value for key, value in protocol.items() if key != "L"}
    make_splits(
        dataset.y,
        task=dataset.task,
        dataset=dataset.name,
        parts=dataset.parts,
        seed=seed,
        budgets=protocol["L"],
        **options,
    ).save(output)
