"""What a ranking is worth: tests of each feature, their errors, and rankings against shadows."""
