"""Messages about mistakes in the configuration; see :mod:`sslrank.datasets.blocks`."""

from functools import partial

from jsonschema import Draft202012Validator

from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion
from sslrank.datasets import blocks


class ConfigError(DataError):
    """The configuration is invalid; the message has the place and what was expected."""


check = partial(blocks.check, error_type=ConfigError)
read_yaml = partial(blocks.read_yaml, error_type=ConfigError)


def require_known(name, known, where):
    """Raise a ConfigError with the new or nearest name if `name` is not in `known`."""
    if name not in known:
        raise ConfigError(f"{where}: {name!r} is not known; {suggestion(name, known)}")


def check_schema(value, path, where):
    """Check a value against the JSON schema in `path`, the ``schema.yaml`` that a method's folder brings."""
    validator = Draft202012Validator(read_yaml(path))
    errors = sorted(validator.iter_errors(value), key=lambda e: (e.validator != "additionalProperties", e.json_path))
    if not errors:
        return
    error = errors[0]
    place = ".".join([where, *map(str, error.absolute_path)])
    if error.validator == "additionalProperties" and isinstance(error.schema.get("properties"), dict):
        known = error.schema["properties"]
        unknown = next(key for key in error.instance if key not in known)
        raise ConfigError(f"{place}: unknown key {unknown!r}; {suggestion(unknown, known)}")
    if error.validator == "enum":
        hint = suggestion(error.instance, error.validator_value)
        raise ConfigError(f"{place}: {error.instance!r} is not one of its values; {hint}")
    raise ConfigError(f"{place}: {error.message}")
