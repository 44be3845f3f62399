"""The extras of ``pip install sslrank[...]`` and their packages."""

from importlib.util import find_spec

#: Modules of each extra that sslrank imports.
MODULES = {
    "readers": ("pyarrow", "arff", "openpyxl", "pydantic", "pyreadstat", "python_calamine", "rdata", "tqdm", "yaml"),
    "download": ("pooch", "requests", "tqdm"),
    "plots": ("matplotlib",),
    "workflow": ("jsonschema", "scikit_posthocs"),
    "som": ("minisom",),
    "arena": ("boruta", "fastcan", "hidimstat", "lightgbm", "skrebate"),
}


class MissingExtraError(ImportError):
    """A package of an extra is not installed.

    Examples
    --------
    >>> issubclass(MissingExtraError, ImportError)
    True
    """


def require(extra, what, *modules):
    """Raise an error if packages of an extra are missing.

    Parameters
    ----------
    extra : str
        A key of :data:`MODULES`.
    what : str
        What needs the packages, as the beginning of the message.
    *modules : str
        Required packages; by default all of the extra.

    Raises
    ------
    MissingExtraError
        If one of them is not installed.

    Examples
    --------
    >>> require("readers", "reading data files")
    """
    missing = [module for module in modules or MODULES[extra] if find_spec(module) is None]
    if missing:
        raise MissingExtraError(
            f"{what} needs {', '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed: "
            f"pip install 'sslrank[{extra}]'"
        )
