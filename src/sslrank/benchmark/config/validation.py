"""Reading and checking configuration: one message per mistake, with its place and the nearest right name."""

import re
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator
from pydantic import ValidationError

from sslrank.core.messages import suggestion


class ConfigError(ValueError):
    """The configuration is not usable; the message says where and what was expected."""


def require(name, known, where):
    """Raise a ConfigError that suggests the nearest name if `name` is none of the `known` ones."""
    if name not in known:
        raise ConfigError(f"{where}: {name!r} is not known; {suggestion(name, known)}")


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Refuses a key that is there twice, of which YAML would silently take the last one."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key.value!r} is there twice", key.start_mark
                )
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(path):
    """Read the mapping in a YAML file; a ConfigError has the place of a mistake."""
    try:
        content = yaml.load(Path(path).read_text(encoding="utf-8"), Loader=_Loader)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}, line {mark.line + 1}, column {mark.column + 1}" if mark else str(path)
        raise ConfigError(f"{place}: {getattr(error, 'problem', None) or error}") from None
    if not isinstance(content or {}, dict):
        raise ConfigError(f"{path}: expected names and their blocks, found {content!r:.60}")
    return content or {}


def check(model, value, where):
    """Make a model of a block, which messages call `where`, such as ``"config: own.studies.tiny"``.

    A ConfigError is about the first mistake; misspelt keys come before wrong values.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        # Of a union's complaints, the one about a fixed list of values says most.
        order = {"unknown_key": 0, "literal_error": 1}
        first = min(error.errors(), key=lambda item: order.get(item["type"], 2))
    path = _path(first["loc"], value)
    place = where + (": " if where == "config" else ".") * bool(path) + ".".join(path)
    raise ConfigError(f"{place}: {_text(first)}")


def _path(location, value):
    """The keys and indices on the way to a mistake, without the names that pydantic gives to a union's members."""
    path = []
    for step in location:
        inside = isinstance(value, dict) and step in value
        inside |= isinstance(value, list) and isinstance(step, int) and step < len(value)
        if inside:
            value = value[step]
            path.append(str(step))
    return path


def _text(error):
    given = error["input"]
    if error["type"] == "literal_error":
        known = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        return f"{given!r} is not one of its values; {suggestion(given, known)}"
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    if error["type"] == "unknown_key":
        return error["msg"]
    if error["type"] == "model_type":
        return f"expected a block of keys, found {given!r:.60}"
    if error["type"] == "missing":
        return f"the key {error['loc'][-1]!r} is missing"
    if error["type"] == "too_short":
        return f"at least {error['ctx']['min_length']} is needed, found {len(given) or 'none'}"
    if error["type"] == "string_pattern_mismatch" and "smhd" in error["ctx"]["pattern"]:
        return f"{given!r} is not a duration such as 90s, 30m, 24h or 2d"
    if error["type"] == "string_pattern_mismatch":
        return f"{given!r} cannot name files; letters, digits, '.', '_' and '-' can"
    return f"{error['msg'].removeprefix('Input ')}, found {given!r:.60}"


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
