"""``sslrank study new``: write a study of your own table as an editable configuration file."""

import re
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from sslrank.core.errors import DataError
from sslrank.core.messages import counted
from sslrank.datasets.readers import format_of
from sslrank.tabular.command.options import print_now, read_own_table, reading_options
from sslrank.tabular.fits.folds import FOLDS, n_repeats
from sslrank.tabular.fits.methods import MAX_QUADRATIC_ROWS
from sslrank.tabular.output.files import check_output, write, write_table
from sslrank.tabular.output.recipe import read_fields
from sslrank.tabular.schema.roles import ARGUMENTS
from sslrank.tabular.trust.stability.feature_curve import reason_without_curve, usual_neighbors
from sslrank.tabular.trust.stability.measures import choose_measure

#: Valid names of a study, which also name its folder of results.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
#: Methods of workflow/methods.yaml in addition to a forest and relief.
MORE_METHODS = {
    "classification": ["information_gain"],
    "regression": ["ssl_laplacian"],
    "survival": ["f_score", "cox_score"],
}
#: Parameters as in the study demo: a tenth of the time of a study for publication.
PARAMS = {
    "forest_rf": {"n_estimators": 50, "cv_levels": [0.0, 0.5, 1.0], "cv_folds": 3, "cv_n_estimators": 10},
    "relief": {"n_neighbors": 15, "w0": 0.5, "w1": 0.5},
    "oracle": {"n_estimators": 50},
}

_HEAD = """\
# Study {name} of {file}, written by `sslrank study new`. Edit it; src/sslrank/benchmark/config/models.py
# explains every key. Run it in the folder of the Snakefile; its page is results/{name}/report.html:
#
#   snakemake --cores 2 --configfile {path} -- {name}

"""


def study_text(name, table, path, file, reader):
    """Write the configuration of a study of one table as YAML with comments; `path` is the file that it is written to.

    `file` is what the study reads, and `reader` how. Raises DataError if the table has too few labelled rows to
    evaluate rankings.
    """
    if reason := reason_without_curve(table):
        raise DataError(reason.replace("estimate how many features suffice", "compare rankings"), file=table.path)
    event = table.target.event
    task = table.task if event is None else "survival"
    columns = {"target": table.target.columns if len(table.target.columns) > 1 else table.target.columns[0]}
    if event is not None:
        columns["event"] = event
    if table.task == "hierarchical":
        columns["hierarchy"] = table.target.form
        columns |= {"drop": list(table.dropped)} if table.dropped else {}
    if not table.complete.all():
        columns["missing_targets"] = True
    title = f"{table.path.name}, {counted(len(table.X), 'row')}"
    dataset = {"title": title, "task": task, "file": _seen_from_clone(file), "reader": reader, "columns": columns}
    coded = table.coded()
    measure, neighbors = choose_measure(coded)[0], usual_neighbors(len(coded.labeled) * (FOLDS - 1) // FOLDS)
    relief = ["relief"] * (len(table.X) <= MAX_QUADRATIC_ROWS)
    methods = ["sslrank", "forest_rf", *relief, *MORE_METHODS.get(task, [])]
    repetitions = max(2, n_repeats(len(coded.labeled)))
    study = {
        "title": f"Rankings of {table.path.name}",
        "scale": "small",
        "changes": "Forests of 50 trees, one setting of relief; folds, measure and neighbours of `sslrank rank`",
        "seed": 0,
        "datasets": [name],
        "methods": methods,
        "controls": ["equal_weights", "random_ranking", "oracle"],
        "params": {name: value for name, value in PARAMS.items() if name in (*methods, "oracle")},
        "modes": ["ssl", "sl"],
        "splits": {"scheme": "labeled-cross-validation", "folds": FOLDS, "repetitions": repetitions, "L": ["all"]},
        "evaluators": [f"{name}-knn"],
        "comparison": {"k": neighbors},
        "figures": {"k": [neighbors]},
    }
    evaluator = {"like": "knn", "params": {"n_neighbors": [neighbors], "measures": [measure]}}
    own = {"datasets": {name: dataset}, "evaluators": {f"{name}-knn": evaluator}, "studies": {name: study}}
    text = yaml.safe_dump({"own": own}, sort_keys=False, allow_unicode=True, width=100, default_flow_style=None)
    return _HEAD.format(name=name, file=table.path.name, path=path) + text


def copied_table(table):
    """Return features, target and event of a table as they were read, for a file that a study can read as it is."""
    target, columns = table.target, dict(table.X.items())
    if table.row_columns.entry is not None:
        raise DataError("a study takes no time of entry", file=table.path)
    for name, values in zip(target.columns, target.values.reshape(len(table.X), -1).T, strict=True):
        columns[name] = pd.Series(values, dtype=object if table.task == "classification" else np.float64)
    if target.event is not None:
        columns[target.columns[0]] = table.target.null.time
        columns[target.event] = table.target.null.event
    return pd.DataFrame(columns)


def _seen_from_clone(file):
    """Return the path of a file from the folder of the Snakefile; relative within a clone, which may move."""
    file, folder = Path(file).resolve(), Path.cwd()
    return str(file.relative_to(folder)) if Path("Snakefile").is_file() and file.is_relative_to(folder) else str(file)


def run(arguments):
    """Run the command."""
    if not NAME.fullmatch(arguments.name):
        problem = f"{arguments.name!r} is not a valid name of a study"
        raise DataError(problem, advice="Use letters, digits, '.', '-' and '_'")
    for file in sorted(Path("workflow/studies").glob("*.yaml")):
        if re.search(f"^{re.escape(arguments.name)}:", file.read_text(encoding="utf-8"), re.MULTILINE):
            raise DataError(f"there is a study {arguments.name!r} already", file=file, advice="Choose another name")
    path = Path(arguments.out or f"{arguments.name}.yaml")
    if path.exists():
        raise DataError("the file exists already", file=path, advice="Remove it, or name another one with --out")
    fields = None if arguments.like is None else read_fields(arguments.like)
    for role in (*ARGUMENTS.values(), "adjust", "positives_only") if fields else ():
        if role != "event" and role in fields["recipe"]["options"]:
            raise DataError(f"the ranking has the option {role}, which a study does not take", file=arguments.like)
    table = read_own_table(arguments, fields, arguments.like)
    if table.task == "hierarchical":
        file, reader = table.path, {"format": format_of(table.path)}
        if fields or table.features.converted or reader["format"] != "arff":
            raise DataError("a study takes a hierarchical target only as an ARFF file declares it", file=file)
        reader |= {key: value for key, value in reading_options(arguments).items() if key in ("encoding", "duplicates")}
    else:
        is_given = path.with_suffix(".parquet").resolve() == table.path.resolve()
        file, reader = path.with_name(f"{path.stem}{'-copy' * is_given}.parquet"), {"format": "parquet"}
        check_output(file, (".parquet",), inputs=[arguments.file])
    text = study_text(arguments.name, table, path, file, reader)
    if file != table.path:
        write_table(file, copied_table(table))
        print_now(f"wrote {file}: the table as it was read, for the study")
    write(path, text)
    is_here = Path("Snakefile").is_file()
    where = "" if is_here else " in a clone of the repository (with pip install '.[workflow]')"
    print_now(f"wrote {path}; edit it, then run{where}:")
    path = path if is_here else path.resolve()
    print_now(f"  snakemake --cores 2 --configfile {shlex.quote(str(path))} -- {arguments.name}")
