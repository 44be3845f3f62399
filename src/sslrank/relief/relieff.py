"""ReliefF and RReliefF, the supervised originals."""
