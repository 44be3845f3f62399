"""The Relief family: supervised, semi-supervised and unsupervised, for every kind of target."""
