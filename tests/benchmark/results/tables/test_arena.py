import numpy as np

from sslrank.benchmark.results.tables.arena import datasets_needed


def test_datasets_needed_for_a_test():
    # Cohen's d of 0.5: some 32 pairs for a power of 80 %.
    gains = np.random.default_rng(0).normal(size=1000)
    gains = (gains - gains.mean()) / gains.std(ddof=1) + 0.5
    assert datasets_needed(gains) == 32
    assert datasets_needed(np.array([0.1, -0.1]), 0.1) == 16
    assert np.isnan(datasets_needed(np.zeros(5)))
