"""Runs CLUS on nominal targets and collects its trees and rankings: python tests/oracles/clus/nominal.py clus.jar

The jar is the one of the package pyclus 1.0.2, and needs Java 17. It writes trees_nominal.csv.gz and
forests_nominal.csv.gz beside this file. The tests take the data from here.
"""

import gzip
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits

HERE = Path(__file__).parent
PACKAGES = ["io", "lang", "net", "text", "util", "util.concurrent", "util.concurrent.atomic", "util.regex"]
SEEDS = (1, 2)
SETTINGS = """[General]
RandomSeed = {seed}
[Data]
File = x.arff
[Attributes]
Descriptive = 1-{n_features}
Target = {target}
[Hierarchical]
Type = Tree
HSeparator = /
WType = ExpAvgParentWeight
WParam = 0.75
[Tree]
Heuristic = VarianceReduction
MissingClusteringAttrHandling = EstimateFromParentNode
MissingTargetAttrHandling = ParentNode
[Ensemble]
EnsembleMethod = {ensemble}
Iterations = {trees}
SelectRandomSubspaces = {subspaces}
FeatureRanking = [Genie3, Symbolic]
SymbolicWeight = 0.5
[SemiSupervised]
SemiSupervisedMethod = PCT
PossibleWeights = {w}
[Output]
ShowModels = [Default, Original, Pruned]
TrainErrors = No
TestErrors = No
WriteModelFile = No
"""


def read_multitarget():
    """Features and targets of `multitarget_ssl`: 20 continuous features, 200 of 1500 rows labelled."""
    with gzip.open(HERE / "data" / "multitarget_ssl.arff.gz", "rt") as file:
        rows = file.read().lower().split("@data\n")[1].split()
    table = np.array([[np.nan if v == "?" else float(v) for v in row.split(",")] for row in rows])
    return table[:, :20], table[:, 20:]


def load(data, task):
    """Features and targets with NaN for rows that are not labelled.

    Classes, labels and a hierarchy of three labels with one child each are made from the numbers of `multitarget` and
    from the digit. A row without any label of the hierarchy is unlabelled, as CLUS has it.
    """
    if data == "multitarget":
        X, numbers = read_multitarget()
        labeled = ~np.isnan(numbers[:, 0])
        classes = np.searchsorted(np.nanquantile(numbers[:, 0], [1 / 3, 2 / 3]), numbers[:, 0])
        labels = numbers > np.nanquantile(numbers, 0.5, axis=0)
        children = numbers > np.nanquantile(numbers, 0.75, axis=0)
    else:
        X, classes = load_digits(return_X_y=True)
        labeled = np.arange(len(X)) < 200
        labels = np.column_stack([classes % 2 == 1, classes >= 5, np.isin(classes, [0, 6, 8, 9])])
        children = labels & np.column_stack([np.isin(classes, [3, 5, 7]), classes >= 8, classes == 8])
    if task == "classification":
        return X, np.where(labeled, classes, np.nan)
    y = labels
    if task == "hierarchical":
        y = np.hstack([labels, children])
        labeled &= labels.any(axis=1)
    return X, np.where(labeled[:, None], y, np.nan)


PARENTS = [[], [], [], [0], [1], [2]]
CLASS_NAMES = ["1", "2", "3", "1/1", "2/1", "3/1"]


def write_arff(path, X, y, task):
    """What CLUS reads of a table."""
    header = [f"@attribute x{j + 1} numeric" for j in range(X.shape[1])]
    if task == "classification":
        header.append("@attribute y {" + ",".join(f"{k:.0f}" for k in np.unique(y[~np.isnan(y)])) + "}")
    elif task == "multilabel":
        header += [f"@attribute y{j + 1} {{1,0}}" for j in range(y.shape[1])]
    else:
        header.append("@attribute y hierarchical " + ",".join(CLASS_NAMES))
    rows = []
    for x, of_row in zip(X, y.reshape(len(X), -1), strict=True):
        if task == "hierarchical":
            target = ["@".join(name for name, v in zip(CLASS_NAMES, of_row, strict=True) if v == 1) or "?"]
        else:
            target = ["?" if np.isnan(v) else f"{v:.0f}" for v in of_row]
        rows.append(",".join([*(repr(float(v)) for v in x), *target]))
    path.write_text("\n".join(["@relation r", *header, "@data", *rows, ""]))


def run(jar, folder, options, X, y, task, **settings):
    """One run in an empty folder; the settings that are not given are those of a random forest."""
    n_features = X.shape[1]
    target = f"{n_features + 1}-{n_features + y.shape[1]}" if task == "multilabel" else n_features + 1
    write_arff(folder / "x.arff", X, y, task)
    values = {"seed": 1, "ensemble": "RForest", "trees": 100, "subspaces": "SQRT", "w": 0.5} | settings
    text = SETTINGS.format(n_features=n_features, target=target, **values)
    if task != "hierarchical":
        text = re.sub(r"\[Hierarchical\].*?(?=\[Tree\])", "", text, flags=re.DOTALL)
    (folder / "x.s").write_text(text)
    opens = [f"--add-opens=java.base/java.{p}=ALL-UNNAMED" for p in PACKAGES]
    subprocess.run(["java", *opens, "-jar", jar, *options, "x.s"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def read_tree(text):
    """Nodes in the order node, rows that pass, the others: feature and threshold, or -1 and the leaf's weight.

    The weight is that of the labelled rows for a hierarchy, of all rows otherwise.
    """
    nodes = []
    for line in text.split("Original Model\n**************\n\n")[1].split("\n\n")[0].splitlines():
        test = re.search(r"x(\d+) > (\S+)$", line)
        nodes.append((int(test[1]) - 1, float(test[2])) if test else (-1, float(line.rsplit(": ", 1)[1])))
    return pd.DataFrame(nodes, columns=["feature", "value"])


def read_ranking(path):
    """The importance of every feature; ranks are in brackets as well."""
    found = re.findall(r"^\d+\tx(\d+)\t\[\d+\]\t\[(\S+)\]$", path.read_text(), flags=re.MULTILINE)
    table = pd.DataFrame({"feature": [int(j) - 1 for j, _ in found], "importance": [float(v) for _, v in found]})
    return table.sort_values("feature")


def main(jar):
    """Run everything and write the two tables."""
    trees, forests = [], []
    for data in ("multitarget", "digits"):
        for task in ("classification", "multilabel", "hierarchical"):
            X, y = load(data, task)
            labeled = ~np.isnan(y.reshape(len(X), -1)[:, 0])
            for w in (0.0, 0.1, 0.5, 1.0):
                with TemporaryDirectory() as folder:
                    run(jar, Path(folder), ["-ssl"], X, y, task, w=w, trees=1)
                    nodes = read_tree((Path(folder) / "x.out").read_text())
                trees.append(nodes.assign(data=data, task=task, w=w))
            for mode, options, rows in (("ssl", ["-forest", "-ssl"], slice(None)), ("sup", ["-forest"], labeled)):
                for ensemble, subspaces in (("RForest", "SQRT"), ("Bagging", X.shape[1])):
                    for seed in SEEDS:
                        with TemporaryDirectory() as folder:
                            settings = {"seed": seed, "ensemble": ensemble, "subspaces": subspaces}
                            run(jar, Path(folder), options, X[rows], y[rows], task, **settings)
                            for score in ("Genie3", "Symbolic"):
                                table = read_ranking(Path(folder) / f"xTrees100{score}.fimp")
                                of_run = {"data": data, "task": task, "mode": mode, "ensemble": ensemble}
                                forests.append(table.assign(**of_run, score=score, seed=seed))
            print(data, task, flush=True)
    pd.concat(trees).to_csv(HERE / "trees_nominal.csv.gz", index=False)
    forests = pd.concat(forests).pivot_table(
        index=["data", "task", "mode", "ensemble", "score", "feature"], columns="seed", values="importance"
    )
    forests.to_csv(HERE / "forests_nominal.csv.gz", float_format="%.6g")


if __name__ == "__main__":
    main(str(Path(sys.argv[1]).resolve()))
