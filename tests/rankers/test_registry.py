import subprocess
import sys

import pytest

import sslrank
from sslrank.rankers.registry import ADDRESSES, RANKERS, available_rankers


def test_ranker_classes_are_importable_from_package():
    for info in RANKERS.values():
        name = info.path.partition(":")[2]
        assert getattr(sslrank, name) is info.load()
        assert name in dir(sslrank)
        assert name in sslrank.__all__
    assert {"PCT", "BaseRanker", "get_ranker", "__version__"} <= set(dir(sslrank))
    with pytest.raises(AttributeError, match="no attribute 'Relief'"):
        sslrank.Relief  # noqa: B018


def test_package_import_loads_no_ranker():
    registry = {"sslrank.rankers", "sslrank.rankers.registry"}
    code = "import sys, sslrank; print([m for m in sys.modules if m.startswith(('sslrank.rankers', 'sklearn'))"
    code += f" and m not in {registry}])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"


def test_every_ranker_says_its_paper_and_its_use():
    assert all(info.paper and info.use for info in RANKERS.values())
    assert set(ADDRESSES) <= {info.paper for info in RANKERS.values()}


def test_rankers_can_be_listed_by_task():
    assert {"relief", "rrelieff"} <= set(available_rankers("regression")) <= set(available_rankers()) - {"relieff"}
    with pytest.raises(ValueError, match="there is no kind of target 'regresion'; did you mean 'regression'"):
        available_rankers("regresion")
