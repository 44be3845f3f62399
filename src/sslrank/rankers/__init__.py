"""Feature rankers: each derives from :class:`sslrank.core.base.BaseRanker` and is listed in :mod:`sslrank.rankers.registry`."""
