"""Tests of the features: each alone, and given all others."""
