"""Accuracy of the nearest labelled row by the best features: replace this by your own program, in any language."""

import csv
import json
import sys
from pathlib import Path

folder, n_top = Path(sys.argv[1]), int(sys.argv[4])
about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
splits = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
with (folder / "rows.csv").open(encoding="utf-8", newline="") as stream:
    rows = list(csv.DictReader(stream))
rankings = {}
with Path(sys.argv[3]).open(encoding="utf-8", newline="") as stream:
    for line in csv.DictReader(stream):
        names = line["L"], line["fold"], line["mode"], line["ranking"]
        rankings.setdefault(names, []).append((-float(line["importance"]), line["feature"]))
if about["task"] != "classification":
    sys.exit(f"cannot evaluate {about['task']}")
(target,) = about["targets"]
folds = {str(fold["fold"]): fold for fold in splits["folds"]}


def distance(first, second, features):
    """Count the categories and missing values that differ, and add the differences of numbers."""
    total = 0
    for name in features:
        a, b = first[name], second[name]
        total += a != b if name in about["nominal"] or "" in (a, b) else abs(float(a) - float(b))
    return total


out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["L", "fold", "mode", "ranking", "measure", "k", "value"])
for (L, number, mode, ranking), features in rankings.items():
    best, fold = [name for _, name in sorted(features)[:n_top]], folds[number]
    right = 0
    for test in fold["test"]:
        nearest = min(fold["labeled"][L], key=lambda row: distance(rows[row], rows[test], best))
        right += rows[nearest][target] == rows[test][target]
    out.writerow([L, number, mode, ranking, "accuracy", n_top, right / len(fold["test"])])
