"""Tests of the features: each alone, given all others, and against shadow features."""
