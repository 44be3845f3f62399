"""The Relief family: supervised, semi-supervised and unsupervised, for every kind of target."""

from sslrank.relief.ssl_relief import SSLRelief

__all__ = ["SSLRelief"]
