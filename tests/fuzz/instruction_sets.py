"""Kernels compute the same bits with and without instruction sets of their own, at another optimisation level.

``make sanitize`` runs this test: it compiles twenty kernels, which takes a minute. ``make test`` does not.
"""

import json
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np

import sslrank

ROOT = Path(sslrank.__file__).parent
KERNELS = (
    "evaluation/_knn_path",
    "evaluation/_svm_machine",
    "evaluation/_svm_newton",
    "evaluation/_svm_path",
    "models/_neighbors",
    "rankers/graph/_kernels",
    "rankers/relief/_neighbors",
    "rankers/relief/_sums",
    "rankers/relief/_weighted_neighbors",
    # Of the trees, those with loops that are compiled for several instruction sets.
    "rankers/trees/_cooccurrence",
    "rankers/trees/_criterion",
    "rankers/trees/_gapped_rows",
    "rankers/trees/_node_rows",
    "rankers/trees/_orders",
    "rankers/trees/_partitioner",
    "rankers/trees/_products",
    "rankers/trees/_random_tests",
    "rankers/trees/_sparse_rows",
    "rankers/trees/_tests",
)
RUN = """
import hashlib, importlib.util, json, pathlib, sys
import numpy as np
from scipy import sparse

class Plain:  # finds the kernels that were compiled for this test
    def find_spec(self, name, path=None, target=None):
        file = pathlib.Path(sys.argv[1], name + ".so")
        return importlib.util.spec_from_file_location(name, file) if file.exists() else None

if len(sys.argv) > 1:
    sys.meta_path.insert(0, Plain())

from sslrank import get_ranker
from sslrank.core.features import encode_features
from sslrank.core.targets import encode_targets
from sslrank.evaluation import error_curves, knn_predict

rng = np.random.default_rng(0)
X = rng.normal(size=(150, 21))
y = np.digitize(X[:, 0] + X[:, 1], [-0.7, 0.7]).astype(float)
holes = np.where(rng.random(X.shape) < 0.02, np.nan, X)
some = np.where(rng.random(150) < 0.5, y, np.nan)
found = {}
for name, data, target in (
    ("relief", X, some), ("relief", holes, some), ("relieff", X, y), ("rrelieff", holes, X[:, 2] + X[:, 3]),
    ("laplacian_score", X, None), ("cls", X, some), ("lsdf", X, some), ("csfs", X, some), ("sselect", X, some),
):
    ranker = get_ranker(name, random_state=0).fit(data, target)
    found[f"{name} {np.isnan(data).any()}"] = ranker.feature_importances_
numbers = np.column_stack([X[:, 2] + X[:, 3], X[:, 0], X[:, 1] * X[:, 2]])
labels = (numbers + X[:, 4:7] > 0).astype(float)
many = (rng.normal(size=(150, 70)) + X[:, :1] > 0.5).astype(float)  # more labels than a machine word has bits
thin = sparse.csr_array(np.where(rng.random(X.shape) < 0.2, X, 0.0))
for ensemble in ("random_forest", "extra_trees", "bagging"):
    for task, kind, data, target in (
        ("classification", "", X, some), ("multilabel", "", holes, labels), ("multilabel", "many", X, many),
        ("multitarget", "", holes, numbers), ("multitarget", "sparse", thin, numbers),
        ("regression", "", np.round(X), numbers[:, 0]),
    ):
        forest = get_ranker("genie3", random_state=0, n_estimators=3, ensemble=ensemble, supervision="cv",
                            cv_levels=(0.0, 0.5, 1.0), cv_folds=2, task=task)
        found[f"{ensemble} {task} {kind}"] = forest.fit(data, target).feature_importances_
weights = found["relieff False"]
for name, data in (("knn", X), ("knn holes", holes)):
    features, targets = encode_features(data), encode_targets(y, len(data))
    train, test = slice(0, 70), slice(70, None)
    found[name] = knn_predict(features.rows(train), targets.rows(train), features.rows(test), weights, 5)
for predictor in ("svm", "knn"):
    found[predictor + " curve"] = error_curves(predictor, X, y, weights, cv=3)["value"].to_numpy()
from sslrank.evaluation._svm_path import svm_curve
order = np.arange(21)
classes = np.sort(y)
_, values, _ = svm_curve(
    np.ascontiguousarray(X[np.argsort(y, kind="stable")].T), np.arange(22), order, np.arange(1, 22),
    np.append(np.unique(classes, return_index=True)[1], 150), 1.0, 1.0, 1.0, 1e-6, True,
)
found["svm decisions"] = values
print(json.dumps({k: hashlib.sha256(v.tobytes()).hexdigest() for k, v in found.items()}))
files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
here = pathlib.Path(sys.argv[-1])
print(sorted(name for name, file in files.items() if file and pathlib.Path(file).parent == here), file=sys.stderr)
"""


def test_the_bits_do_not_depend_on_the_instruction_set(tmp_path):
    sources = [ROOT / f"{kernel}.c" for kernel in KERNELS]
    assert all(source.exists() for source in sources), "no C files: build the package from its sources first"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    link = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]
    include = [f"-I{path}" for path in (sysconfig.get_path("include"), np.get_include(), ROOT)]
    jobs = []
    for kernel, source in zip(KERNELS, sources, strict=True):
        out = tmp_path / f"sslrank.{kernel.replace('/', '.')}.so"
        flags = ["-O0", "-fPIC", "-ffp-contract=off", "-w", "-DNPY_NO_DEPRECATED_API=NPY_1_7_API_VERSION"]
        command = [*compiler, *flags, "-DSSLRANK_NO_CLONES", *include, source, *link, "-o", out]
        jobs.append(subprocess.Popen(command))
    assert [job.wait() for job in jobs] == [0] * len(jobs)
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    usual = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, check=True, env=environment)
    plain = subprocess.run(
        [sys.executable, "-c", RUN, tmp_path], capture_output=True, text=True, check=True, env=environment
    )
    loaded = plain.stderr.strip().splitlines()[-1]
    assert all(f"sslrank.{kernel.replace('/', '.')}" in loaded for kernel in KERNELS), loaded
    assert json.loads(plain.stdout) == json.loads(usual.stdout)
