"""Linear projections of multi-label data, which the thesis compares with rankings."""
