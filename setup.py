"""Compile every ``.pyx`` file below ``src``; everything else about the package is in pyproject.toml and MANIFEST.in."""

import os
from pathlib import Path

import numpy as np
from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent
# SSLRANK_DEBUG_CYTHON=1 checks every index: slow, for finding a crash.
DEBUG = os.environ.get("SSLRANK_DEBUG_CYTHON", "0") == "1"
# The vectorised loops are marked one by one with `#pragma omp simd`; no OpenMP run time is linked. Products are
# rounded before they are added, so that every instruction set computes the same bits.
COMPILE_ARGS = ["-O1" if DEBUG else "-O3", "-fopenmp-simd", "-ffp-contract=off"]
if "CFLAGS" not in os.environ:
    COMPILE_ARGS.append("-g0")  # Python asks for debugging information, which takes a sixth of the compiler's time

# Cython's code of memory views, which would otherwise be compiled into every module: two thirds of the compiler's time.
SHARED = "sslrank.core._memory_views"

# The longest first, as the last one would keep the other processors waiting.
sources = sorted((ROOT / "src").rglob("*.pyx"), key=lambda path: (-path.stat().st_size, path))
headers = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.h"))
extensions = [
    Extension(
        ".".join(path.relative_to(ROOT / "src").with_suffix("").parts),
        [str(path.relative_to(ROOT))],
        include_dirs=[np.get_include(), "src/sslrank"],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
        extra_compile_args=COMPILE_ARGS,
        depends=["setup.py", *headers],  # Cython does not see what a header includes
    )
    for path in sources
]
extensions.insert(0, Extension(SHARED, [f"src/{SHARED.replace('.', '/')}.c"], extra_compile_args=COMPILE_ARGS))

# The Makefile compiles in place before it installs, and an installation would compile again.
if os.environ.get("SSLRANK_COMPILED") == "1":
    extensions = []

if __name__ == "__main__":  # where processes are not forked, those of cythonize read this file again
    setup(
        options={"build_ext": {"parallel": os.cpu_count()}},
        ext_modules=cythonize(
            extensions,
            nthreads=os.cpu_count(),
            include_path=["src"],
            shared_utility_qualified_name=SHARED,
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
