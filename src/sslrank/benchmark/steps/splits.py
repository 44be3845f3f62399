"""The splits job: (study, dataset)."""

from pathlib import Path

from sslrank.benchmark.files import write_problem
from sslrank.core.errors import NoDataError
from sslrank.datasets.dataset import Dataset
from sslrank.model_selection.splits import make_splits


def splits(job, tell):
    """Do the job of the rule `splits`."""
    data, given = Path(job.input.table).parent, job.params
    problem = splits_job(data, job.output[0], protocol=given.protocol, seed=given.seed)
    if problem:
        tell(f"data set {job.wildcards.dataset!r} {problem}\nThe rest is made without it.")


def splits_job(data, output, *, protocol, seed):
    """Make the folds and label sets of a dataset, or say why that cannot be done.

    Parameters
    ----------
    data : path-like
        Folder of the prepared dataset.
    output : path-like
    protocol : dict
        The study's block `splits`.
    seed : int
        The study's seed.

    Returns
    -------
    str
        A problem that is not that of an earlier job, or nothing.
    """
    try:
        dataset = Dataset.load(data)
    except NoDataError as error:
        write_problem(output, str(error))
        return ""
    options = {key: value for key, value in protocol.items() if key != "L"}
    try:
        make_splits(
            dataset.y,
            task=dataset.task,
            dataset=dataset.name,
            parts=dataset.parts,
            seed=seed,
            budgets=protocol["L"],
            **options,
        ).save(output)
    except ValueError as error:
        problem = f"cannot be split: {error}"
        write_problem(output, problem)
        return problem
    return ""
