"""Compare Extra-Trees that draw all, or a part of the features in each node, on tables of 500 features or more.

    snakemake --cores 2 results/data/{colon,madelon,ovarian,basehock,amlprognosis,leukemia_7129,prostate}/table.parquet
    snakemake --cores 2 results/data/{dlbcl,mll,srbct,warpar10p,orlraws10p,tox-171,pcmac}/table.parquet
    python tests/benchmarks/bench_max_features.py --data results/data

The default methods of ``sslrank rank`` (100 trees, after screening where there is any) rank the features from 20,
50 and 100 labelled rows; scores are those of bench_screening.py. "Part" is where the arena has a dataset: among those
to choose by, or held out. Seconds are processor seconds of a fit.
"""

from functools import partial

from bench_screening import compare, default_methods

from sslrank.tabular.fits.methods import RankingMethod
from sslrank.tabular.fits.problem import fit_methods

NAMES = ["amlprognosis", "basehock", "colon", "leukemia_7129", "madelon", "ovarian", "prostate"]
NAMES += ["dlbcl", "mll", "orlraws10p", "pcmac", "srbct", "tox-171", "warpar10p"]
#: Share of the features that each node tries, or "sqrt": as many as their square root.
DRAWN = {"all": "all", "1/2": 1 / 2, "1/3": 1 / 3, "1/5": 1 / 5, "1/10": 1 / 10, "sqrt": "sqrt"}


def with_max_features(drawn, problem, rows, seed):
    """Importances of forests whose nodes try so many features, and of the other default methods."""
    methods = [
        RankingMethod(method.name, method.params | {"max_features": drawn}) if "ensemble" in method.params else method
        for method in default_methods()
    ]
    return fit_methods(methods, problem, rows, rows[:0], seed)[0]


if __name__ == "__main__":
    variants = {name: partial(with_max_features, drawn) for name, drawn in DRAWN.items()}
    compare(__doc__.splitlines()[0], NAMES, (20, 50, 100), variants)
