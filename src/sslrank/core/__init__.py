"""What every room uses: the ranker contract, encoding of features and targets, seeds, validation and errors."""
