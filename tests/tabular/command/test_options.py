"""Every option of every command about a table changes what is said or written, or is refused."""

import argparse
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import sslrank
from sslrank.cli import make_parser
from sslrank.tabular.command.options import reading_options

#: Two options change results only together with another one, or none.
RANK, CURVE, REDUCE, STUDY = (
    tuple(shlex.split(words))
    for words in (
        "rank d.csv --target y --methods f_score --effort order --drop cost --out o.csv",
        "curve d.csv r.csv --target y --drop cost --out o.csv",
        "reduce d.csv r.csv --n-features 2 --out o.csv",
        "study new mine --data d.csv --target y --drop cost --out o.yaml",
    )
)


def typed(text):
    """Options, and what is typed after each."""
    return {option: tuple(words) for option, *words in map(shlex.split, text.split("|"))}


TABLE = """--target = f3 | --task regression | --reader missing=dark | --nominal code | --numeric shade |
    --ordinal dark,grey,light | --drop f1 | --dates day-first | """
ROWS = """--unlabeled 2 | --groups patient | --time week | --strata centre | --event f3 | --entry f2 --event f3 |
    --positives-only | --measure accuracy | --seed 1 | --jobs 0 | """
#: Command -> option -> what is typed instead of, and in addition to, the words above. A changed word is given by "=".
#: Refused are --numeric, of texts; --positives-only, for three classes; --measure of rank, which judges nothing here;
#: --jobs, on which no result depends; and --like of rank, without a folder of rank (test_recipe.py).
OPTIONS = {
    RANK: typed(f"""{TABLE} {ROWS} --keep id | --weights weight | --adjust f1 | --methods = relief | --effort = quick |
        --blocks b.csv | --like r.csv | --out = o.json"""),
    CURVE: typed(f"{TABLE} {ROWS} --adjust f2 | --column q | --out = o.tsv | --predictor tree"),
    REDUCE: typed("""--column q | --n-features = 1 | --related | --conditional | --keep-duplicates |
        --keep-columns patient | --reader delimiter=";" | --out = o.tsv"""),
    ("methods",): {"--task": ("regression",)},
    STUDY: typed(f"{TABLE} --keep id | --like r.csv | --event f3 | --data = e.csv | --out = other.yaml"),
}


def commands(parser=None, words=()):
    """Each command that an option can be typed after, and its parser."""
    for action in (parser or make_parser())._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield (*words, name), below
                yield from commands(below, (*words, name))


def options(parser):
    return {action.option_strings[-1] for action in parser._actions if action.option_strings} - {"--help"}


def named(words):
    return words[:2] if words[0] == "study" else words[:1]


@pytest.mark.parametrize("words", OPTIONS, ids=lambda words: " ".join(named(words)))
def test_every_option_is_listed(words):
    assert set(OPTIONS[words]) == options(dict(commands())[named(words)])


def test_every_argument_has_a_help_text():
    arguments = {(*words, a.dest): a for words, parser in commands() for a in parser._actions}
    assert not [name for name, a in arguments.items() if a.nargs != argparse.PARSER and not a.help]


@pytest.fixture(scope="module")
def files():
    """A table in which each column is of another use, a ranking of it, and blocks."""
    rng = np.random.default_rng(7)
    n = 60
    frame = pd.DataFrame(rng.normal(size=(n, 4)).round(3), columns=["f0", "f1", "f2", "f3"])
    frame["f3"] = (frame["f3"] > 0) + 0
    frame["shade"] = rng.choice(["dark", "light", "grey"], n)
    frame["code"] = rng.integers(1, 6, n)
    frame["cost"] = [f"\u20ac{value},000" for value in rng.integers(1, 80, n)]
    frame["seen"] = [f"{value}/4/2022" for value in rng.integers(1, 12, n)]
    frame["y"] = np.digitize(frame["f1"] + frame["f2"], [-0.6, 0.6])
    frame["id"], frame["patient"], frame["week"] = np.arange(n), np.arange(n) // 3, np.arange(n)[::-1] // 2
    frame["weight"], frame["centre"] = rng.integers(1, 5, n), rng.integers(1, 4, n)
    ranking = pd.DataFrame({"feature": ["f0", "f2", "f1", "code"], "rank": [1, 2, 3, 4]})
    ranking = ranking.assign(
        q=[0.3, 0.01, 0.001, 0.002], conditional_q=[0.5, 0.9, 0.01, 0.9], copy_of=["", "f0", "", ""]
    )
    blocks = pd.DataFrame({"feature": ["f0", "f1"], "block": "b"})
    return {"d.csv": frame, "e.csv": frame.iloc[:45], "r.csv": ranking, "b.csv": blocks}


CASES = [
    pytest.param(words, option, id=" ".join([*named(words), option])) for words in OPTIONS for option in OPTIONS[words]
]
SEEN = {}


@pytest.mark.parametrize(("words", "option"), CASES)
def test_every_option_has_effect_or_is_refused(run, tmp_path, files, words, option):
    for name, frame in files.items():
        frame.to_csv(name, index=False)
    given = set(files)

    def done(typed):
        """What is said and written."""
        try:
            code, stdout, stderr = run(*typed)
        except SystemExit as stopped:
            return stopped.code
        written = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.name not in given}
        for name in written:
            Path(name).unlink()
        return code, stdout.replace(shlex.join(["sslrank", *typed]), "COMMAND"), stderr, written

    if words not in SEEN:
        SEEN[words] = done(words)
        assert SEEN[words][0] == 0, SEEN[words]
    value = OPTIONS[words][option]
    if value[:1] == ("=",):
        position = words.index(option) + 1
        typed = (*words[:position], value[1], *words[position + 1 :])
    else:
        typed = (*words, option, *value)
    found = done(typed)
    assert found != SEEN[words]
    if isinstance(found, tuple) and found[0]:
        assert found[2].count("\n") == 1  # one message


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("rank p.parquet --target y --effort order --reader delimiter=;", "parquet reader has no option 'delimiter'"),
        ("rank d.csv --target y --effort order --methods f_score,f_score", "two methods are f_score"),
        ("methods boruta --task multilabel", "--task selects methods of the list"),
        ("reduce d.csv z.csv --out o.csv", "none of its features is a column of d.csv"),
        ("reduce d.csv r.csv --n-features 1 --reader sheet=a --out o.csv", "the csv reader has no option 'sheet'"),
        ("rank d.csv --target y --drop z*", "there is no column 'z*'"),
        ("rank d.csv --target f3 --methods f_score --effort order --drop f*,c*,seen", "requested: f0, f1, f2, c"),
        ("reduce d.csv r.csv --n-features 1 --keep-columns cod* --out o.csv", "the best feature of 4 and code"),
        ("rank p.parquet --target y --methods f_score --effort order --reader missing=dark --drop cost", "'grey'"),
    ],
)  # fmt: skip
def test_no_option_is_ignored_in_silence(run, files, words, said):
    for name, frame in files.items():
        frame.to_csv(name, index=False)
    pd.DataFrame({"feature": ["q"], "rank": [1]}).to_csv("z.csv", index=False)
    files["d.csv"].replace({"shade": {"light": "grey"}}).to_parquet("p.parquet")
    assert said in "".join(run(*shlex.split(words))[1:])


def test_predictor_without_a_curve_is_refused(files):
    with pytest.raises(ValueError, match="predictor tree has no effect without a curve"):
        sslrank.rank(files["d.csv"][["f0", "f1"]], files["d.csv"]["f3"], effort="order", predictor="tree")


def test_lines_to_skip_are_those_of_all_reader_options():
    words = "rank d.csv --target y --reader skip_lines=5 --reader skip_lines=21,66"  # as the advice of C16 appends it
    assert reading_options(make_parser().parse_args(shlex.split(words))) == {"skip_lines": "5,21,66"}
