"""The kernels' C code is what newer compilers than this one take, too."""

import os
import re
import shlex
import subprocess
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import sslrank

ROOT = Path(sslrank.__file__).parent
#: The types of our own headers meet Cython's in these.
OWN_HEADER = re.compile(rb'^#include "_\w+\.h"', re.MULTILINE)


@pytest.mark.exhaustive
def test_pointers_have_the_types_of_the_headers():
    sources = [path for path in sorted(ROOT.rglob("*.c")) if OWN_HEADER.search(path.read_bytes())]
    if not sources:
        pytest.skip("the C files of the kernels are not here: not built from source")
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    include = [f"-I{path}" for path in (sysconfig.get_path("include"), np.get_include(), ROOT)]
    # An error by default since gcc 14.
    flags = ["-fsyntax-only", "-w", "-Werror=incompatible-pointer-types", "-DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION"]

    def compile_one(path):
        done = subprocess.run([*compiler, *flags, *include, f"-I{path.parent}", path], capture_output=True, text=True)
        return done.stderr if done.returncode else ""

    with ThreadPoolExecutor(2) as pool:
        assert "".join(pool.map(compile_one, sources)) == ""
