"""Recipes that build datasets from several files that can be downloaded.

A recipe is a function ``recipe(files) -> [(role, ParsedTable)]``; `files` maps names to paths.
"""

import io
import re
import zipfile
import zlib

import numpy as np
import pandas as pd

from sslrank.core.errors import DataError, errors_in
from sslrank.datasets.readers import read
from sslrank.datasets.readers.source import DOWNLOAD_AGAIN, decode
from sslrank.datasets.readers.table import ParsedTable


def coil2000(files):
    """Join the training rows of CoIL 2000, and the evaluation rows with the targets that came later."""
    names = [f"V{j}" for j in range(1, 86)]
    nominal = ["V1", "V5"]

    def table(file, columns, nominal=()):
        return read(files[file], "csv", delimiter="\t", header=False, names=columns, nominal=nominal)

    train = table("ticdata2000.txt", [*names, "CARAVAN"], nominal)
    test = table("ticeval2000.txt", names, nominal)
    targets = table("tictgts2000.txt", ["CARAVAN"])
    if len(targets.frame) != len(test.frame):
        raise DataError(f"expected {len(test.frame)} targets, found {len(targets.frame)}", file=targets.path)
    test.frame["CARAVAN"] = targets.frame["CARAVAN"]
    # Both are rows of one table here: the challenge's parts are not the paper's folds.
    return [("full", train), ("full", test)]


def dis(files):
    """Join the features of sick.arff with the class of PMLB's dis.

    PMLB recoded every column by the order of its strings. Both files list the same patients in the same order, which is
    checked: the values of each feature correspond one to one.
    """
    features = read(files["thyroid_sick.arff"], "arff")
    recoded = read(files["dis_pmlb.tsv.gz"], "csv", delimiter="\t")
    frame = features.frame.drop(columns="Class")
    codes = recoded.frame.drop(columns="target")
    if frame.shape != codes.shape:
        raise DataError(f"is {codes.shape}, {features.path} is {frame.shape}", file=recoded.path)
    for name, code in zip(frame, codes, strict=True):
        left, right = pd.factorize(frame[name])[0], pd.factorize(codes[code])[0]
        pairs = len(set(zip(left.tolist(), right.tolist(), strict=True)))
        if pairs != len(np.unique(left)) or pairs != len(np.unique(right)):
            raise DataError(f"column {code!r} does not match {name!r} of {features.path}", file=recoded.path)
    target = recoded.frame["target"].to_numpy()
    values, counts = np.unique(target, return_counts=True)
    frame["Class"] = pd.Categorical(np.where(target == values[np.argmax(counts)], "negative", "discordant"))
    return [("full", ParsedTable(frame, {}, features.path, features.numbers))]


def soil_quality(files):
    """Convert all rows of ecogen.arff to the columns of soil_qualityTrain.arff.

    ecogen lacks CAC_1 to CAC_3, which are always 0, and caps actsit_mo at 10; its first rows are the train rows in
    order, which is checked, and actsit_mo is restored from them.
    """
    train, ecogen = read(files["soil_qualityTrain.arff"], "arff"), read(files["ecogen.arff.zip"], "arff")
    frame = ecogen.frame.assign(CAC_1=0.0, CAC_2=0.0, CAC_3=0.0)
    columns = [*train.frame.columns[:142], "acari", "coll", "H"]
    frame = frame[columns].copy()
    rows = len(train.frame)
    others = [name for name in columns if name != "actsit_mo"]
    if not np.array_equal(frame[others].to_numpy()[:rows], train.frame[others].to_numpy()):
        raise DataError(f"its first {rows} rows are not those of {train.path}", file=ecogen.path)
    frame.loc[: rows - 1, "actsit_mo"] = train.frame["actsit_mo"].to_numpy()
    return [("full", ParsedTable(frame, {}, ecogen.path, ecogen.numbers))]


def gasdrift(files):
    """Join the ten batches of UCI's archive, in order: rows ``class 1:v 2:v ...``, perhaps ``class;dose 1:v``."""
    from sklearn.datasets import load_svmlight_file  # scikit-learn takes a second, and every job reads the catalogue

    (path,) = files.values()
    tables, labels = [], []
    for batch in range(1, 11):
        rows = re.sub(r"^([^ ;]*);\S*", r"\1", _batch(path, f"batch{batch}.dat"), flags=re.MULTILINE)
        try:
            values, classes = load_svmlight_file(io.BytesIO(rows.encode()), n_features=128)
        except ValueError as error:
            raise DataError(f"batch{batch}.dat: {error}", file=path, advice=DOWNLOAD_AGAIN) from None
        tables.append(values.toarray())
        labels += [f"{label:g}" for label in classes]
    frame = pd.DataFrame(np.concatenate(tables), columns=[f"V{j}" for j in range(1, 129)])
    frame["Class"] = pd.Categorical(labels)
    return [("full", ParsedTable(frame, {}, path))]


def _batch(path, name):
    """Read the text of one batch, in any folder of the archive."""
    try:
        with errors_in(path), zipfile.ZipFile(path) as archive:
            members = [item for item in archive.namelist() if item.rpartition("/")[2] == name]
            if not members:
                raise DataError(f"the archive has no {name}")
            return decode(archive.read(members[0]))
    except (OSError, RuntimeError, NotImplementedError, zlib.error, zipfile.BadZipFile) as error:
        raise DataError(f"cannot be unpacked: {error}", file=path, advice=DOWNLOAD_AGAIN) from None


def hiva(files):
    """Join the rows of the data (bits, as numbers) with the labels, which have a file of their own."""
    rows = read(files["hiva_train.data"], "csv", delimiter=" ", header=False)
    labels = read(files["hiva_train.labels"], "csv", header=False, names=["active"], nominal=["active"])
    if len(labels.frame) != len(rows.frame):
        raise DataError(f"expected {len(rows.frame)} labels, found {len(labels.frame)}", file=labels.path)
    frame = pd.concat([rows.frame, labels.frame], axis=1)
    return [("full", ParsedTable(frame, {}, rows.path, rows.numbers))]


def yeast(files):
    """Split river's table into Mulan's parts: 917 rows of the test part, then the training part."""
    table = read(files["yeast.csv.gz"], "csv")
    parts = {"train": slice(917, None), "test": slice(917)}
    return [
        (role, ParsedTable(table.frame[rows].reset_index(drop=True), {}, table.path, table.numbers[rows]))
        for role, rows in parts.items()
    ]


#: Name in the catalogue -> recipe.
RECIPES = {recipe.__name__: recipe for recipe in (coil2000, dis, gasdrift, hiva, soil_quality, yeast)}
