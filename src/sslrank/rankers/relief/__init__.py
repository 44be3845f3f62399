"""Relief rankers: supervised, semi-supervised and unsupervised, for every kind of target."""
