import pandas as pd
import pytest

from sslrank.benchmark.experiments import prototype_growth


def test_growth_table_has_all_sizes():
    found = prototype_growth.parts([200, 400], [4])
    assert list(found) == ["200 rows", "400 rows"]
    tables = [prototype_growth.experiment(seed=1, **part)["seconds"] for part in found.values()]
    assert tables[0]["variant"].tolist() == ["all rows", "4 units"]
    assert tables[0].loc[0, "agreement"] == pytest.approx(1.0)
    assert tables[1]["found"].between(0.0, 1.0).all()


def test_exponent_uses_the_last_three_sizes():
    sizes = pd.DataFrame({"rows": [500, 1000, 2000, 4000] * 2, "seconds": [9.0, 1.0, 9.0, 16.0, 1.0, 1.0, 2.0, 4.0]})
    sizes["variant"] = ["all rows"] * 4 + ["50 units"] * 4
    summary = prototype_growth.join({"seconds": sizes})["summary"].set_index("variant")
    assert summary["exponent"].to_dict() == pytest.approx({"all rows": 2.0, "50 units": 1.0})
    assert summary.loc["all rows", ["from", "to"]].tolist() == [1000, 4000]
    assert prototype_growth.join({"seconds": sizes[sizes["rows"] == 500]})["summary"].empty
