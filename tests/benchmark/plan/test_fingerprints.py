"""Code fingerprints: what a module reaches, and nothing else."""

from dataclasses import replace
from importlib.machinery import EXTENSION_SUFFIXES

import pytest

from sslrank.benchmark.plan import fingerprints as fingerprint
from sslrank.benchmark.plan.fingerprints import code_fingerprint, reached_files, source_root
from sslrank.rankers.registry import RANKERS


def forget():
    """Read files again, as a new process would."""
    reached_files.cache_clear()
    code_fingerprint.cache_clear()


def names(module):
    return {path.name.partition(".")[0] for path in reached_files(module)}


@pytest.mark.parametrize("name", sorted(RANKERS))
def test_every_ranker_has_a_fingerprint(name):
    module, _, found = code_fingerprint(path := RANKERS[name].path.partition(":")[0]).partition(": ")
    assert path == f"sslrank.{module}"
    assert len(found) == 16


def test_fingerprint_depends_on_content(tmp_path, monkeypatch):
    package = tmp_path / "sslrank"
    (package / "kernels").mkdir(parents=True)
    files = {
        "__init__.py": "from sslrank.rankers.registry import x\n",
        "registry.py": "",
        "base.py": "import numpy\n",
        "one.py": "from sslrank.base import y\nfrom sslrank.kernels import fast\n",
        "two.py": "from . import base\nfrom .kernels.fast import f\n",
        "other.py": "",
        "kernels/__init__.py": "",
        "kernels/fast.pyx": "from sslrank.kernels.deep cimport (\n    a,\n)\nfrom sslrank.kernels.far import b as c\n",
        f"kernels/fast{EXTENSION_SUFFIXES[0]}": "binary 1",
        "kernels/deep.pyx": "cimport numpy\n",
        f"kernels/deep{EXTENSION_SUFFIXES[0]}": "binary 2",
        "kernels/far.pyx": "",
        f"kernels/far{EXTENSION_SUFFIXES[0]}": "binary 3",
    }
    for name, text in files.items():
        (package / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(fingerprint, "source_root", lambda: package)

    def both():
        forget()
        return code_fingerprint("sslrank.one"), code_fingerprint("sslrank.two")

    try:
        before = both()
        for name in ("other.py", "registry.py", "__init__.py", "kernels/__init__.py"):
            (package / name).write_text(files[name] + "more = 1\n", encoding="utf-8")
            assert both() == before, name
        for name in (
            "base.py",
            f"kernels/fast{EXTENSION_SUFFIXES[0]}",
            f"kernels/deep{EXTENSION_SUFFIXES[0]}",
            f"kernels/far{EXTENSION_SUFFIXES[0]}",
        ):
            (package / name).write_text(files[name] + "more = 1\n", encoding="utf-8")
            after = both()
            assert after[0] != before[0], name
            assert after[1] != before[1], name
            before = after
    finally:
        forget()


def test_unknown_module_raises():
    with pytest.raises(ModuleNotFoundError, match=r"no module 'sslrank\.nothing'"):
        code_fingerprint("sslrank.nothing")


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
    forget()
    yield tmp_path
    forget()


def test_own_ranker_hash_includes_sibling_modules(own):
    found = reached_files("own_ranker")
    assert {path.relative_to(own).as_posix() for path in found if path.is_relative_to(own)} == {
        "own_ranker.py",
        "own_helper.py",
        "own_deep.py",
        "own_package/__init__.py",
        "own_package/sub.py",
        "own_package/near.py",
    }
    others = {path.name for path in found if not path.is_relative_to(own)}
    assert "base.py" in others
    ours = source_root()  # may be installed itself
    assert not any("site-packages" in str(path) for path in found if not path.is_relative_to(ours))


def test_own_ranker_hash_includes_helpers(own):
    before = code_fingerprint("own_ranker")
    (own / "own_other.py").write_text("other = 1\n", encoding="utf-8")
    forget()
    assert code_fingerprint("own_ranker") == before
    (own / "own_deep.py").write_text("y = 22\n", encoding="utf-8")
    forget()
    assert code_fingerprint("own_ranker") != before


def test_hash_excludes_other_installed_modules():
    assert {path.name for path in reached_files("threadpoolctl")} == {"threadpoolctl.py"}


def test_hash_includes_lazily_exported_modules(own):
    (own / "own_lazy.py").write_text("from sslrank.evaluation import knn_predict\n", encoding="utf-8")
    assert {"knn", "_neighbors"} <= names("own_lazy")


@pytest.mark.parametrize("fact", ["path", "params", "tasks"])
def test_hash_includes_registry_entry(monkeypatch, fact):
    info = fingerprint.ranker_info("genie3")
    before = fingerprint.ranker_facts("genie3")
    other = {"path": "sslrank.rankers.f_score:FScore", "params": {"other": 1}, "tasks": {"regression"}}[fact]
    monkeypatch.setattr(fingerprint, "ranker_info", lambda name: replace(info, **{fact: other}))
    assert fingerprint.ranker_facts("genie3") != before


def test_hash_includes_rankers_named_in_parameters(own):
    (own / "own_member.py").write_text("class Mine:\n    pass\n", encoding="utf-8")
    members = {"a": "f_score", "b": {"ranker": "own_member:Mine"}}
    ours = "sslrank.rankers"
    named = fingerprint.ranker_modules("mean_rank", {"members": members})
    assert named == ["own_member", f"{ours}.f_score", f"{ours}.mean_rank"]
    assert f"{ours}.trees.forest" in fingerprint.ranker_modules("mean_rank", {})  # of its usual members
    assert f"{ours}.information_gain" in fingerprint.ranker_modules("ig_br", {})
    assert fingerprint.ranker_modules("genie3", {"max_features": "sqrt"}) == [f"{ours}.trees.forest"]
