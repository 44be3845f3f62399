"""Multi-label learning: rankers, transformers, classifiers and measures."""
