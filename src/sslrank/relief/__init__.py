"""The Relief family: supervised, semi-supervised and unsupervised, for every kind of target."""

from sslrank.relief.relieff import ReliefF, RReliefF
from sslrank.relief.ssl_relief import SSLRelief

__all__ = ["RReliefF", "ReliefF", "SSLRelief"]
