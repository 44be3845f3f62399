"""Tests of features, as estimators: each alone, given all others, in pairs, and intervals of the ranks of any model.

:class:`MarginalTest` and :class:`ConditionalTest` test which features are related to a target, and which add
information beyond the others, :class:`PairTest` which pairs are related together; :class:`HalfSamples` gives intervals
of ranks. They take groups, times, panels, strata, censored and partly labelled targets, and columns to adjust for.
:func:`sslrank.rank` calls the same tests.

- :mod:`sslrank.hypothesis_tests.design`, :mod:`sslrank.hypothesis_tests.permutations`: what is exchanged and removed.
- :mod:`sslrank.hypothesis_tests.related`, :mod:`sslrank.hypothesis_tests.conditional`: the tests of encoded tables.
"""

from importlib import import_module

_MODULE_OF = dict.fromkeys(("MarginalTest", "ConditionalTest", "PairTest"), "estimators")
_MODULE_OF["HalfSamples"] = "half_samples"

__all__ = list(_MODULE_OF)


def __getattr__(name):
    if name in _MODULE_OF:
        return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
