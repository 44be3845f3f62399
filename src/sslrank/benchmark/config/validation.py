"""Messages about mistakes in the configuration; see :mod:`sslrank.datasets.blocks`."""

from jsonschema import Draft202012Validator

from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion
from sslrank.datasets.blocks import read_yaml


def require_known(name, known, where):
    """Raise a DataError with the new or nearest name if `name` is not in `known`."""
    if name not in known:
        raise DataError(f"{where}: {name!r} is not known; {suggestion(name, known)}")


def check_schema(value, path, where):
    """Check a value against the JSON schema in `path`, the ``schema.yaml`` that a method's folder brings."""
    validator = Draft202012Validator(read_yaml(path))
    errors = sorted(validator.iter_errors(value), key=lambda e: (e.validator != "additionalProperties", e.json_path))
    if not errors:
        return
    error = errors[0]
    key = ".".join([where, *map(str, error.absolute_path)])
    if error.validator == "additionalProperties" and isinstance(error.schema.get("properties"), dict):
        properties = error.schema["properties"]
        unknown = next(key for key in error.instance if key not in properties)
        raise DataError(f"{key}: unknown key {unknown!r}; {suggestion(unknown, properties)}")
    if error.validator == "enum":
        hint = suggestion(error.instance, error.validator_value)
        raise DataError(f"{key}: {error.instance!r} is not one of its values; {hint}")
    raise DataError(f"{key}: {error.message}")
