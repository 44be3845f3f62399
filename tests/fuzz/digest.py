"""Print a hash of fits of each ranker and predictor: two builds of the same code print the same on one machine.

    cd tests; python -m fuzz.digest [--jobs 4]

`make sanitize` compares the usual build with one without instruction sets of its own, `make sanitize-threads` runs it
with four threads, and `make wheels` compares a wheel with the checkout.
"""

import argparse
import contextlib
import hashlib
import warnings

import numpy as np
from scipy import sparse

from fuzz.rankers import NAMES, Case, Refused, draw_params, fit, make_case
from sslrank import get_ranker
from sslrank.evaluation import error_curves
from sslrank.rankers.registry import RANKERS

FITS = 20


def larger_cases(name):
    """Yield cases of 150 rows, whose loops are longer than a register; 70 labels are more than a word has bits."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 21))
    accept_sparse = get_ranker(name).accept_sparse
    targets = {
        "classification": np.digitize(X[:, 0] + X[:, 1], [-0.7, 0.7]).astype(float),
        "regression": X[:, 2] + X[:, 3],
        "multitarget": np.column_stack([X[:, 2] + X[:, 3], X[:, 0], X[:, 1] * X[:, 2]]),
        "multilabel": (rng.normal(size=(150, 70)) + X[:, :1] > 0.5).astype(float),
    }
    gaps = np.where(rng.random(X.shape) < 0.02, np.nan, X)
    thin = np.where(rng.random(X.shape) < 0.2, X, 0.0)
    for task in sorted(RANKERS[name].tasks & targets.keys()):
        y = targets[task].copy()
        y[rng.random(150) < 0.3] = np.nan
        for table in (X, gaps, np.round(X), sparse.csr_array(thin) if accept_sparse else thin):
            yield Case(name, task, table, y, draw_params(rng, name))


def main():
    """Print each ranker and predictor with its hash."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=1, help="threads of each fit (default: %(default)s)")
    jobs = parser.parse_args().jobs
    warnings.simplefilter("ignore")
    for name in NAMES:
        digest = hashlib.sha256()
        for case in [*(make_case(name, 0, number) for number in range(FITS)), *larger_cases(name)]:
            with contextlib.suppress(Refused):
                digest.update(fit(case, case.X, case.y, n_jobs=jobs).tobytes())
        print(name, digest.hexdigest(), flush=True)
    case = next(larger_cases("f_score"))
    for predictor in ("svm", "knn"):
        curves = error_curves(predictor, case.X, case.y, np.arange(21.0), cv=3)
        print(predictor, hashlib.sha256(curves["value"].to_numpy().tobytes()).hexdigest())


if __name__ == "__main__":
    main()
