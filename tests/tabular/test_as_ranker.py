import numpy as np
import pandas as pd
import pytest

import sslrank
from sslrank.tabular.as_ranker import PublicRanking


def test_ranker_equals_rank_function():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(60, 4)), columns=list("abcd"))
    table.insert(1, "copy", table["a"])
    y = np.where(np.arange(60) < 40, np.where(table["c"] + 0.3 * table["a"] > 0, "x", "z"), None)
    found = PublicRanking(task="classification", random_state=3).fit(table, y)
    called = sslrank.rank(table, y, effort="order", random_state=3)
    ranked = called.table.X.columns[called.order].tolist()
    assert table.columns[np.argsort(found.ranking_)].tolist() == [*ranked, "copy"]
    assert found.importances_["sslrank"] is found.feature_importances_
    assert found.importances_["sslrank_without_tests"][2 + 1] == found.importances_["sslrank_without_tests"].max()


def test_rank_coded_raises_type_error():
    with pytest.raises(TypeError, match=r"call fit\(X, y\)"):
        PublicRanking().rank_coded(None, None)
