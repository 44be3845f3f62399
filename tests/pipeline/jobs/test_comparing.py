"""Comparison with a publication: which column names the contestants."""

import numpy as np
import pandas as pd

from sslrank.pipeline.jobs.comparing import _present


def test_publications_name_methods_or_rankings():
    by_method = pd.DataFrame({"ranking": [np.nan], "method": ["a"]})
    assert _present(by_method, "ranking") == "method"
    assert _present(by_method, "method") == "method"
    assert _present(by_method.assign(ranking="r"), "ranking") == "ranking"
    assert _present(by_method[["ranking"]], "ranking") == "ranking"
    assert _present(by_method.assign(dataset="d"), "dataset") == "dataset"
