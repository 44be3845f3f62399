"""Feature rankers. Each is one class with the contract of :mod:`sslrank.core.base`, listed in :mod:`sslrank.rankers.registry`."""
