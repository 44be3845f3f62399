"""Code fingerprints: what a module reaches, and nothing else."""

from importlib.machinery import EXTENSION_SUFFIXES

import pytest

from sslrank.pipeline.plan import provenance as fingerprint
from sslrank.pipeline.plan.provenance import code_fingerprint, reached_files
from sslrank.registry import RANKERS


def names(module):
    return {path.name.partition(".")[0] for path in reached_files(module)}


def test_a_ranker_reaches_its_kernels_and_the_contract():
    module = "sslrank.rankers.relief.ssl_relief"
    assert {"base", "targets", "_neighbors", "_sums", "grid"} <= names(module)
    assert not {"registry", "forest", "cli", "ranking", "relieff"} & names(module)
    extensions = [path for path in reached_files(module) if path.name.endswith(tuple(EXTENSION_SUFFIXES))]
    assert extensions
    assert not any(path.suffix in (".pyx", ".pxd") for path in reached_files(module))


def test_cython_imports_are_followed():
    assert {"_builder", "_search", "_impurity", "_storage"} <= names("sslrank.rankers.trees.forest")


def test_a_package_that_only_exports_is_not_reached_through_its_modules():
    files = reached_files("sslrank.measures.single")
    assert not any(path.parent.name == "evaluation" and path.name == "__init__.py" for path in files)


@pytest.mark.parametrize("name", sorted(RANKERS))
def test_every_ranker_has_one(name):
    assert len(code_fingerprint(RANKERS[name].path.partition(":")[0])) == 16


def test_content_counts(tmp_path, monkeypatch):
    package = tmp_path / "sslrank"
    (package / "kernels").mkdir(parents=True)
    files = {
        "__init__.py": "from sslrank.registry import x\n",
        "registry.py": "",
        "base.py": "import numpy\n",
        "one.py": "from sslrank.base import y\nfrom sslrank.kernels import fast\n",
        "two.py": "from . import base\nfrom .kernels.fast import f\n",
        "other.py": "",
        "kernels/__init__.py": "",
        "kernels/fast.pyx": "from sslrank.kernels.deep cimport (\n    g,\n    h,\n)\n",
        f"kernels/fast{EXTENSION_SUFFIXES[0]}": "binary 1",
        "kernels/deep.pyx": "cimport numpy\n",
        f"kernels/deep{EXTENSION_SUFFIXES[0]}": "binary 2",
    }
    for name, text in files.items():
        (package / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(fingerprint, "_root", lambda: package)

    def both():
        reached_files.cache_clear()
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
        ):
            (package / name).write_text(files[name] + "more = 1\n", encoding="utf-8")
            after = both()
            assert after[0] != before[0], name
            assert after[1] != before[1], name
            before = after
    finally:
        reached_files.cache_clear()


def test_unknown_module():
    with pytest.raises(ModuleNotFoundError, match=r"no module 'sslrank\.nothing'"):
        code_fingerprint("sslrank.nothing")
