"""Fingerprints: digests of the library's methods, hashes of a user's own files."""

import pytest

from sslrank.benchmark.plan import fingerprints
from sslrank.benchmark.plan.fingerprints import digests, evaluator_code, experiment_code, own_code, ranker_code
from sslrank.evaluation.evaluators import EVALUATORS
from sslrank.rankers.registry import RANKERS


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Modules of a user's: one in a folder of modules, one in a package."""
    files = {
        "own_ranker.py": "import own_helper\nfrom own_package.sub import x\nfrom sslrank.core.base import BaseRanker\n",
        "own_helper.py": "try:\n    import numpy\nexcept ImportError:\n    from own_deep import y\n",
        "own_deep.py": "y = 1\n",
        "own_other.py": "",
        "own_package/__init__.py": "",
        "own_package/sub.py": "from .near import z\nx = z\n",
        "own_package/near.py": "z = 1\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    own_code.cache_clear()
    yield tmp_path
    own_code.cache_clear()


@pytest.mark.parametrize(
    ("file", "counts"),
    [("own_ranker.py", True), ("own_deep.py", True), ("own_package/near.py", True), ("own_other.py", False)],
)
def test_own_ranker_depends_on_what_it_imports(own, file, counts):
    before = ranker_code("own_ranker:Mine", {})
    (own / file).write_text("z = y = 22\n", encoding="utf-8")
    own_code.cache_clear()
    assert (ranker_code("own_ranker:Mine", {}) != before) is counts


def test_installed_modules_count_with_their_package():
    assert own_code("threadpoolctl") != own_code("joblib.parallel") == own_code("joblib")
    with pytest.raises(ModuleNotFoundError, match="no module 'nothing_here'"):
        own_code("nothing_here")


def test_library_methods_have_the_digest_of_their_parameters(own):
    table = digests()
    for kind, names in (("ranker", RANKERS), ("evaluator", EVALUATORS)):
        assert set(names) <= {name for of, name, params in table if of == kind and params == "{}"}
    plain = f"genie3 {table['ranker', 'genie3', '{}']}"
    assert ranker_code("genie3", {}) == ranker_code("genie3", {"max_depth": 3}) == plain
    bagging = {"ensemble": "bagging", "supervision": "cv", "n_estimators": 100}
    assert ranker_code("genie3", bagging) not in (plain, ranker_code("genie3", bagging | {"ensemble": "random_forest"}))
    both = ranker_code("mean_rank", {"members": {"a": "f_score", "b": {"ranker": "own_ranker:Mine"}}})
    assert [word for word in both.split() if len(word) != 12] == ["mean_rank", "f_score", "own_ranker:Mine"]


def test_changed_digest_is_seen_by_what_uses_it(monkeypatch):
    def codes():
        evaluator = {"evaluator": "eca", "params": {}}
        return ranker_code("genie3", {}), evaluator_code(evaluator), experiment_code("noise"), experiment_code("growth")

    before = codes()
    changed = {key: value[::-1] if key[1] == "eca" else value for key, value in digests().items()}
    monkeypatch.setattr(fingerprints, "digests", lambda: changed)
    assert [first != second for first, second in zip(before, codes(), strict=True)] == [False, True, True, False]
