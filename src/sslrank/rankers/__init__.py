"""Feature rankers. Each is one class with the contract of :mod:`sslrank.base`, listed in :mod:`sslrank.registry`."""
