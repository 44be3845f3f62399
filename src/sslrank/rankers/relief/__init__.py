"""The Relief family: supervised, semi-supervised and unsupervised, for every kind of target."""

from sslrank.rankers.relief.relieff import ReliefF, RReliefF
from sslrank.rankers.relief.ssl_relief import SSLRelief

__all__ = ["RReliefF", "ReliefF", "SSLRelief"]
