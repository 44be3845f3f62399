"""Every message that offers an option: typed, the option leads to a result, or to a different message."""

import argparse
import ast
import re
from pathlib import Path

import numpy as np
import pandas as pd

import sslrank
from sslrank.cli import make_parser

RNG = np.random.default_rng(3)
N = 40
Y = np.where(RNG.random(N) < 0.5, "yes", "no")
BASE = pd.DataFrame({"a": RNG.normal(size=N).round(2), "b": RNG.normal(size=N).round(2), "y": Y})
QUICK = ("--methods", "f_score", "--effort", "order")
R = "rank d.csv --target y"
#: For placeholders in messages.
FILL = {"N": "2", "SIZE": "2G", "NAME": "csv"}


def csv(text="", **columns):
    return text or BASE.assign(**columns).to_csv(index=False)


def semicolons(**columns):
    return BASE.assign(**columns).to_csv(index=False, sep=";", decimal=",")


def amounts(form):
    return [form.format(j) for j in range(100, 100 + N)]


def many(values):
    return [values[j % len(values)] for j in range(N)]


#: Words, and the content of d.csv, or of files by name; a table is written as a workbook.
CASES = [
    (R, csv(a=amounts("1,{}"))),
    (R, semicolons(a=many(["1.5", "2,5"]))),
    (R, semicolons(a=[*amounts("{},5")[1:], "two"])),
    (R, csv(a=amounts("<{}")[:3] + amounts("{}")[3:])),
    (R, csv(a=many(["1.5 €", "$2"]))),
    (f"{R} --reader decimal=,", semicolons(a=many(["1,5", "2.25"]))),
    ("methods l1 --task multilabel", csv()),
    ("rank d.xlsx --target y", {"d.xlsx": BASE.assign(a=amounts("1,{}"))}),
    (R, csv().replace("a,b,y", "a,a,y")),
    (R, "a title\n" + csv()),
    (R, csv() + "1,2\n"),
    (R, csv(a=[str(2**60 + j) for j in range(N)])),
    (R, csv(a=many([1e300, 1.0]))),
    (R, csv(y=many(["NA", "EU"]))),
    (R, csv(y=np.where(Y == "yes", -1, 1))),
    (f"{R} --task classification", csv(y=RNG.normal(size=N))),
    (R, csv(y=[f"name {j}" for j in range(N)])),
    (R, csv(y=None)),
    ("rank d.csv --target y", csv("a,b,y\n" + "x,x,yes\nx,x,no\n" * 9)),
    ("rank d.csv", csv()),
    ("rank d.abc --target y", {"d.abc": csv()}),
    (f"{R} --time seen", csv(seen=many(["1/2/2020", "3/4/2020"]))),
    (R, csv(seen=many([f"{j}/4/2020" for j in range(1, 9)]))),
    (R, csv(a=many([-99, 2.5, 3.5, 1.25]), b=many(["dark", "unknown", "light"]))),
    (f"{R} --event died", csv(y=RNG.exponential(size=N), died=many([0, 1, 2]))),
    (f"{R} --groups a", csv(a=1)),
    (f"{R} --numeric a", csv(a=many(["inf", 1.5, 2.5]))),
    (f"{R} --methods ml_mi", csv()),
    (f"{R} --reader max_size=9", csv()),
    ("study new s --data d.csv --target y", {"d.csv": csv(), "s.yaml": ""}),
    ("reduce d.csv r.csv --out o.csv", {"d.csv": csv(), "r.csv": "feature,rank\na,1\nb,2\n"}),
    ("reduce d.csv r.csv --related --out o.csv", {"d.csv": csv(), "r.csv": "feature,rank\na,1\nb,2\n"}),
    ("reduce d.csv r.csv --related --out o.csv", {"d.csv": csv(), "r.csv": "feature,rank,q\na,1,1\nb,2,1\n"}),
    ("reduce d.csv r.csv --n-features 2 --out o.csv", {"d.csv": csv(), "r.csv": "feature,rank,copy_of\na,1,\nb,2,a\n"}),
    ("reduce d.csv r.csv --n-features 1 --out o.csv", {"d.csv": csv(), "r.csv": "feature,size,weight\na,1,2\nb,2,1\n"}),
    ("curve d.csv r.csv --target y", {"d.csv": csv(a=amounts("1,{}")), "r.csv": "feature\na\nb\n"}),
]  # fmt: skip


def option_names(words):
    """Return the options of a command, and whether they take a value."""
    parser = make_parser()
    while subparsers := [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]:
        parser = subparsers[0].choices[words[0]]
        words = words[1:]
    return {action.option_strings[-1]: action.nargs != 0 for action in parser._actions if action.option_strings}


def offers(text, known, typed):
    """List the options with values, or without one if they take none, that a text offers for a command."""
    value = r"(?:[a-z_]+=)?(?:'[^']*'|\"[^\"]*\"|,(?=[.;)\s]|$)|[^\s;,()]*[^\s;,().]|(?<==))"
    for option, word in re.findall(rf"(--[a-z][a-z-]+)(?:[ =]({value}))?", re.sub("'sslrank [^']*'", "", text)):
        word = re.sub(r"\b[A-Z]{1,7}\b", lambda match: FILL.get(match[0], match[0]), word.replace("'", ""))
        if option in typed:
            continue
        if option in known and not known[option]:
            yield (option,)
        elif option in known and word and word.split("=")[-1] not in ("if", "to", "has", "takes", "in", "leaves"):
            yield (f"{option}={word}",)


def test_advice_leads_to_a_result_or_another_message(run, tmp_path):
    loops, seen = [], ""
    for case, files in CASES:
        words = tuple(case.split())

        def said(typed, files=files):
            for path in tmp_path.iterdir():
                path.unlink()
            for name, content in (files if isinstance(files, dict) else {"d.csv": files}).items():
                content.to_excel(name, index=False) if name.endswith("xlsx") else Path(name).write_text(content)
            try:
                code, stdout, stderr = run(*typed, *(QUICK if typed[0] == "rank" and "--methods" not in typed else ()))
            except SystemExit as stopped:
                return str(stopped), []
            notes = [line for line in stdout.splitlines() if line.startswith(("note: ", "left out"))]
            return ("", notes) if code == 0 else (stderr, notes)

        error, notes = said(words)
        seen += error + "\n".join(notes)
        for message in [error] if error else notes:
            for option in offers(message, option_names(words), words):
                kept = [
                    word for word in words if "instead" not in message or word not in ("--related", "--conditional")
                ]
                after, later = said((*kept, *option))
                if after == "2" or (after == error and error) or (not error and message in later):
                    loops.append(f"{' '.join((*words, *option))}: {message.strip()}")
    assert loops == [], "\n".join(loops)
    not_seen = [text for text in advice() if not all(part in seen for part in text)]
    assert not_seen == [], "\n".join(map(str, not_seen))


def advice():
    """Find the messages in the code that offer an option, as the longest constant part of each."""
    folder = Path(sslrank.__file__).parent
    for path in [*folder.glob("tabular/**/*.py"), *folder.glob("datasets/readers/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise):
                parts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
                offered = [
                    part for part in parts if isinstance(part, str) and re.search(r"(?<!sslrank rank )--[a-z]", part)
                ]
                if offered:
                    yield [max(offered, key=len)]
