"""Feature rankers: subclasses of :class:`sslrank.core.base.BaseRanker`, listed in :mod:`sslrank.rankers.registry`."""
