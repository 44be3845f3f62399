"""Fits of ranking methods on subsets of the rows of a table, which is encoded once.

:mod:`~sslrank.tabular.fits.fitting` encodes it, :mod:`~sslrank.tabular.fits.methods` has the default methods,
:mod:`~sslrank.tabular.fits.screening` screens the features of very wide tables, and
:mod:`~sslrank.tabular.fits.work` spreads the fits over processes.
"""
