"""The recipe of a ranking: how its table was read and which options it has, to rank a later table likewise."""

import dataclasses
import json
from importlib.metadata import version
from pathlib import Path

from sslrank.core.errors import DataError
from sslrank.core.messages import listed
from sslrank.tabular.fits.settings import RankingSettings
from sslrank.tabular.output.json_fields import SCHEMA
from sslrank.tabular.schema.roles import ARGUMENTS, COLUMN_LISTS, ColumnRoles
from sslrank.tabular.schema.row_columns import DATE_ORDERS
from sslrank.tabular.schema.texts import NAME
from sslrank.tabular.schema.values import ORDERED, READ_DATES

#: Attributes of roles and settings that have another name as parameters of :func:`sslrank.rank`.
PARAMETERS = {"weights": ARGUMENTS["weights"], "seed": "random_state"}
#: Options about a target, which do not hold for another one.
OF_TARGET = {"task", "hierarchy", "event", "entry", "positives_only"}
#: Default values of parameters.
DEFAULTS = {
    PARAMETERS.get(field.name, field.name): field.default
    for part in (ColumnRoles, RankingSettings)
    for field in dataclasses.fields(part)
}
#: Attributes that are no parameters, and the one that changes no result.
_LEFT_OUT = {"event_code", "conditional", "n_jobs"}


def recipe_of(table, settings):
    """Make the recipe of a ranking.

    Parameters
    ----------
    table : sslrank.tabular.schema.table.OwnTable
    settings : sslrank.tabular.fits.settings.RankingSettings
        As they were given.

    Returns
    -------
    dict
        target; unlabeled and reader, the options of a file; options, the parameters of :func:`sslrank.rank` that are
        not None, false or empty; values, the parameters that are arrays or rankers and cannot be saved; converted,
        what columns were read as (see :attr:`sslrank.tabular.schema.features.FeatureColumns.converted`); levels, the
        classes, and the categories of each nominal feature, in their order, unless most rows have one of their own.
    """
    options, values = {}, []
    for part in (table.roles, settings):
        for field in dataclasses.fields(part):
            name, value = PARAMETERS.get(field.name, field.name), getattr(part, field.name)
            value = part.event_name if field.name == "event" and isinstance(value, str) else value
            value = list(value) if field.name in COLUMN_LISTS else value
            try:
                json.dumps(value)
            except TypeError:
                values.append(name)
            else:
                if field.name not in _LEFT_OUT and value not in (field.default, []):
                    options[name] = value
    orders = {order for text in table.features.converted.values() for order in DATE_ORDERS if text.endswith(order)}
    if "dates" not in options and len(orders) == 1:  # later dates may not show it
        options["dates"] = orders.pop()
    nominal = [name for name in table.X.columns[table.nominal] if name not in table.features.possible_identifiers]
    return {
        "target": list(table.target.columns),
        "unlabeled": [],
        "reader": {},
        **table.reading,
        "options": options,
        "values": values,
        "converted": table.features.converted,
        "levels": {name: list(map(str, table.X[name].cat.categories)) for name in nominal} | _classes(table),
    }


def _classes(table):
    is_class = table.task == "classification"
    return {table.target.columns[0]: sorted({text for text in table.y if text is not None})} if is_class else {}


def read_fields(path):
    """Read the fields of a saved ranking from its folder or its JSON file; raises DataError if it is another file."""
    path = Path(path) / "ranking.json" if Path(path).is_dir() else Path(path)
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        is_known = fields["schema"] == SCHEMA and {"features", "recipe", "table"} <= fields.keys()
    except FileNotFoundError:
        raise DataError("there is no such ranking", file=path, advice="Name a folder of 'sslrank rank --out'") from None
    except (OSError, ValueError, TypeError, KeyError):
        is_known = False
    if not is_known and path.suffix != ".json":
        advice = "Name its folder or ranking.json; a ranking written as one .csv, .parquet or .html has no recipe"
        raise DataError("not the ranking.json of a ranking", file=path, advice=advice)
    if not is_known:
        advice = f"Rank again; sslrank {version('sslrank')} reads version {SCHEMA} of its fields"
        raise DataError("not a file written by 'sslrank rank --out' of this version", file=path, advice=advice)
    return fields


def apply_recipe(given, fields, path, target=None):
    """Fill in parameters of :func:`sslrank.rank` that are not given; lists of columns are joined.

    Parameters
    ----------
    given : dict of str to object
        Parameters; those with their default value are not given.
    fields : dict
        See :func:`read_fields`.
    path : path-like
        Where it is from, for messages.
    target : sequence of str, optional
        The given target; options of another target are not taken.

    Returns
    -------
    dict
    """
    recipe, is_same = fields["recipe"], not target or list(target) == fields["recipe"]["target"]
    options = {name: value for name, value in recipe["options"].items() if is_same or name not in OF_TARGET}
    is_given = {name for name, value in given.items() if not _is_default(value, DEFAULTS.get(name))}
    if lacking := [name for name in recipe["values"] if name in given and name not in is_given]:
        problem = f"{listed(lacking)}: given as values, which cannot be saved"
        raise DataError(problem, file=path, advice="Pass them again")
    asked_columns = {*(target or ()), *(given[role] for role in ARGUMENTS.values() if isinstance(given.get(role), str))}
    asked_columns |= {name for key in COLUMN_LISTS for name in given.get(key, ())}
    from_recipe = {}
    for name in given.keys() & options.keys():
        if name in COLUMN_LISTS and not (name == "adjust" and name in is_given):  # other columns replace these
            from_recipe[name] = [*given[name], *(column for column in options[name] if column not in asked_columns)]
        elif name not in is_given:
            from_recipe[name] = options[name]
    return given | from_recipe


def given_settings(fields, path, **given):
    """Make the settings that are given, the others by the recipe of a saved ranking, if there is one."""
    if fields:
        names = {PARAMETERS.get(field.name, field.name): field.name for field in dataclasses.fields(RankingSettings)}
        parameters = {name: DEFAULTS[name] for name in names}
        parameters |= {PARAMETERS.get(name, name): value for name, value in given.items()}
        given = {names[name]: value for name, value in apply_recipe(parameters, fields, path).items()}
    return RankingSettings(**given).checked()


def _is_default(value, default):
    return value is default or (isinstance(value, str | int | list | tuple) and value in (default, [], ()))


def check_columns(table, fields, path):
    """Compare the columns of a table with those of an earlier ranking.

    Parameters
    ----------
    table : sslrank.tabular.schema.table.OwnTable
    fields : dict
        See :func:`read_fields`.
    path : path-like
        Where it is from, for messages.

    Returns
    -------
    list of str
        A note on columns that are missing, and on new columns and categories; empty if there is none.

    Raises
    ------
    DataError
        If a feature changed its kind, unless `roles` of the table has the new kind.
    """
    recipe = fields["recipe"]
    kinds = {row["feature"]: row["kind"] for row in fields["features"]}
    here = dict(zip(map(str, table.X.columns), table.nominal, strict=True))
    others = {*table.dropped, *table.target.columns}
    before = {*kinds, *fields["table"]["dropped"], *recipe["target"]}
    asked_columns = {*table.roles.nominal, *table.roles.numeric}
    scales = [*map(list, table.roles.ordinal)] != recipe["options"].get("ordinal", [])
    may_differ = (READ_DATES, ORDERED) if scales else (READ_DATES,)
    changed, levels = [], []
    for name, classes in _classes(table).items():
        new = [text for text in classes if text not in recipe["levels"].get(name, classes)]
        levels += [f"{name} ({listed(new, NAME)})"] if new else []
    for name in [name for name in here if name in kinds]:
        converted = [columns.get(name, "") for columns in (recipe["converted"], table.features.converted)]
        texts = [next(filter(text.startswith, may_differ), text) for text in converted]
        kind = kinds[name], "nominal" if here[name] else "numeric"
        if (kind[0] != kind[1] or texts[0] != texts[1]) and table.X[name].nunique() > 1:
            was, now = (text or one for text, one in zip(texts, kind, strict=True))
            changed += [] if name in asked_columns else [f"{name} ({was}; here: {now})"]
        elif (
            here[name]
            and name in recipe["levels"]
            and (new := [*{*table.X[name].cat.categories} - {*recipe["levels"][name]}])
        ):
            levels.append(f"{name} ({listed(sorted(map(str, new)), NAME)})")
    parts = {
        "missing": [name for name in kinds if name not in here and name not in others],
        "new": [name for name in [*here, *table.dropped] if name not in before],
        "of another kind": changed,
        "with new categories": levels,
    }
    text = "; ".join(
        f"{words}: {listed(names, None if names is changed else NAME)}" for words, names in parts.items() if names
    )
    text = f"columns compared with {path}: {text}"
    if changed:
        advice = "Correct these columns, or say what they are: --nominal, --numeric, --ordinal (in Python nominal= ...)"
        raise DataError(text, file=table.path, advice=advice)
    return [text] if any(parts.values()) else []


def columns_named(fields):
    """Return the columns without which a recipe cannot be followed, and those that only its options name."""
    recipe, options = fields["recipe"], fields["recipe"]["options"]
    roles = [options[role].rpartition("=")[0] or options[role] for role in ARGUMENTS.values() if role in options]
    needed = [*recipe["target"], *(name for name in roles if name != "none"), *options.get("adjust", ())]
    return needed, [name for key in COLUMN_LISTS if key != "adjust" for name in options.get(key, ())]
