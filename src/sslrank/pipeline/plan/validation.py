"""Checking a configuration against its schema, with messages that name the nearest right key."""

import difflib
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

from sslrank.splits import parse_budget


class ConfigError(ValueError):
    """The configuration is not usable; the message says where and what was expected."""


def nearest(name, known):
    """A hint that names the nearest of the `known` names, or all of them."""
    known = [str(item) for item in known]
    near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(sorted(known))}"


def require(name, known, where):
    """Check that `name` is one of the `known` names.

    Raises
    ------
    ConfigError
    """
    if name not in known:
        raise ConfigError(f"config: {where}: {name!r} is not known; {nearest(name, known)}")


def load_schema(path):
    """Read a JSON schema written as YAML."""
    return yaml.safe_load(Path(path).read_text(encoding="utf-8"))


def check_schema(value, schema, where=""):
    """Check a value against a schema.

    Parameters
    ----------
    value : object
    schema : dict
        JSON schema, draft 2020-12.
    where : str
        What the messages call the value, e.g. ``"methods.variance.params"``.

    Raises
    ------
    ConfigError
        For the first error; a misspelt key comes with the nearest right one.
    """
    validator = Draft202012Validator(schema)
    errors = sorted(validator.iter_errors(value), key=lambda e: (e.validator != "additionalProperties", e.json_path))
    if not errors:
        return
    error = errors[0]
    path = ".".join([*([where] if where else []), *map(str, error.absolute_path)])
    place = f"config: {path}" if path else "config"
    if error.validator == "additionalProperties" and isinstance(error.schema.get("properties"), dict):
        known = error.schema["properties"]
        unknown = next(key for key in error.instance if key not in known)
        raise ConfigError(f"{place}: unknown key {unknown!r}; {nearest(unknown, known)}")
    if error.validator == "oneOf":
        raise ConfigError(f"{place}: give either 'ranker' (a Python ranker) or 'rule' (a folder), and not both")
    if error.validator == "enum":
        hint = nearest(error.instance, error.validator_value)
        raise ConfigError(f"{place}: {error.instance!r} is not one of its values; {hint}")
    raise ConfigError(f"{place}: {error.message}")


def check_budgets(budgets, where):
    """Check label budgets and give them as strings.

    Raises
    ------
    ConfigError
    """
    try:
        for budget in budgets:
            parse_budget(budget)
    except ValueError as error:
        raise ConfigError(f"config: {where}: {error}") from None
    return [str(budget) for budget in budgets]
