"""Fits of ranking methods on parts of a table that was coded once.

:mod:`~sslrank.tabular.fits.problem` codes it, :mod:`~sslrank.tabular.fits.methods` has the default methods,
:mod:`~sslrank.tabular.fits.first_pass` leaves features of very wide tables out, and
:mod:`~sslrank.tabular.fits.work` spreads the fits over processes.
"""
