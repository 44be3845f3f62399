"""YAML files as validated models: one message per mistake, with its location and a suggestion."""

import re
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from sslrank.core.errors import DataError
from sslrank.core.messages import suggestion


class CheckedBlock(BaseModel):
    """Base of validated YAML blocks; unknown keys are errors. The text below a key describes it."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _keys_are_known(cls, value):
        for key in value if isinstance(value, dict) else ():
            if key not in cls.model_fields:
                text = f"unknown key {key!r}; {suggestion(key, cls.model_fields)}"
                raise PydanticCustomError("unknown_key", "{text}", {"text": text})
        return value


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """YAML loader that reports duplicated keys; plain YAML silently keeps the last one."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value if isinstance(node, yaml.MappingNode) else ():
            if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
                problem = f"the key {key.value!r} is duplicated"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(path):
    """Read the mapping in a YAML file; an error states the line of the mistake."""
    try:
        content = yaml.load(Path(path).read_text(encoding="utf-8"), Loader=_Loader)
    except OSError as error:
        advice = "Name another file, or run the command in a checkout of sslrank"
        raise DataError(f"cannot be read: {error.strerror}", file=path, advice=advice) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        position = {"line": mark.line + 1, "column": mark.column + 1} if mark else {}
        raise DataError(str(getattr(error, "problem", None) or error), file=path, **position) from None
    if not isinstance(content or {}, dict):
        raise DataError(f"expected names and their blocks, found {content!r:.60}", file=path)
    return content or {}


def check(model, value, where):
    """Validate a block as a model; messages call it `where`, such as ``"config: own.studies.tiny"``.

    The error is about the first mistake; misspelt keys come before wrong values.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        # Of the errors of a union, the one about a fixed list of values is the most informative.
        order = {"unknown_key": 0, "literal_error": 1}
        first = min(error.errors(), key=lambda item: order.get(item["type"], 2))
    path = _path(first["loc"], value)
    key = where + (": " + path[1:] if where == "config" and path else path)
    raise DataError(f"{key}: {_text(first)}")


def _path(location, value):
    """Write the path of keys and indices to a mistake, without pydantic's names for members of a union."""
    path = ""
    for step in location:
        if isinstance(value, dict) and step in value:
            path += f".{step}"
        elif isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
            path += f"[{step}]"
        else:
            continue
        value = value[step]
    return path


def _text(error):
    value = error["input"]
    if error["type"] == "literal_error":
        choices = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        return f"{value!r} is not one of its values; {suggestion(value, choices)}"
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    if error["type"] == "unknown_key":
        return error["msg"]
    if error["type"] == "model_type":
        return f"expected a block of keys, found {value!r:.60}"
    if error["type"] == "missing":
        return f"the key {error['loc'][-1]!r} is missing"
    if error["type"] == "too_short":
        return f"at least {error['ctx']['min_length']} is needed, found {len(value) or 'none'}"
    if error["type"] == "string_pattern_mismatch" and "smhd" in error["ctx"]["pattern"]:
        return f"{value!r} is not a duration such as 90s, 30m, 24h or 2d"
    if error["type"] == "string_pattern_mismatch" and "A-Z" in error["ctx"]["pattern"]:
        return f"{value!r} cannot name files; letters, digits, '.', '_' and '-' can"
    return f"{error['msg'].removeprefix('Input ')}, found {value!r:.60}"
