"""Filters: features scored one by one, without a predictor."""
