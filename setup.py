"""Compile every ``.pyx`` file below ``src``; everything else about the package is in pyproject.toml."""

import os
import sys
from pathlib import Path

import numpy as np
from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent
# SSLRANK_DEBUG_CYTHON=1 checks every index: slow, for finding a crash.
DEBUG = os.environ.get("SSLRANK_DEBUG_CYTHON", "0") == "1"
# The vectorised loops are marked one by one with `#pragma omp simd`; no OpenMP run time is linked.
COMPILE_ARGS = ["/O2", "/openmp:experimental"] if sys.platform == "win32" else ["-O3", "-fopenmp-simd"]

sources = sorted((ROOT / "src").rglob("*.pyx"))
extensions = [
    Extension(
        ".".join(path.relative_to(ROOT / "src").with_suffix("").parts),
        [str(path.relative_to(ROOT))],
        include_dirs=[np.get_include(), "src/sslrank"],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
        extra_compile_args=COMPILE_ARGS,
    )
    for path in sources
]

setup(
    options={"build_ext": {"parallel": os.cpu_count()}},
    ext_modules=cythonize(
        extensions,
        include_path=["src"],
        compiler_directives={
            "language_level": 3,
            "boundscheck": DEBUG,
            "wraparound": False,
            "initializedcheck": DEBUG,
            "cdivision": True,
            "embedsignature": True,
        },
    ),
)
