"""Which curves a summary keeps."""

import pandas as pd

from sslrank.benchmark.report.pictures import picture_name
from sslrank.benchmark.report.summary import _curves


def test_curves_are_those_of_the_dataset_and_of_no_other(tmp_path):
    folder = tmp_path / "figures/curves"
    folder.mkdir(parents=True)
    names = ["clef", "clef-k20", "αβ"]
    for name in names:
        for panel in ("k20", "k40"):
            (folder / f"{picture_name(f'{name}-{panel}')}.svg").touch()
    datasets = pd.DataFrame({"dataset": names, "available": True, "task": "regression"})
    for name in names:
        kept = _curves(tmp_path, [name], ["k20", "k40"], datasets)
        assert [path.stem for path in kept] == [picture_name(f"{name}-k20"), picture_name(f"{name}-k40")]
