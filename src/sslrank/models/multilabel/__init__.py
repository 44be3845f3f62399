"""Multi-label classifiers: ML-kNN, IBLR, RAkEL, ECC and HOMER."""
