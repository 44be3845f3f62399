"""From raw files to datasets: targets, parts, hierarchies, fingerprints, recipes, errors."""

import gzip
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from sslrank.datasets.catalogue import Shape, make_entry, own_entry
from sslrank.datasets.dataset import DataError
from sslrank.datasets.fingerprint import fingerprint
from sslrank.datasets.prepare import prepare
from sslrank.datasets.recipes import RECIPES

ARFF = """@relation r
@attribute id string
@attribute x numeric
@attribute c {z,b,a,unused}
@attribute y {no,yes,maybe}
@data
r1,1,b,yes
r2,2.50,a,no
r3,?,?,yes
r4,-0.0,a,no
"""
CSV = "id,x,c,y\nr1,1.0,b,yes\nr2,2.5,a,no\nr3,,?,yes\nr4,0,a,no\n"


def entry_of(*files, task="classification", reader=None, recipe=None, **columns):
    """An entry of (name, role) pairs or names."""
    files = [(item, "ingredient" if recipe else "full") if isinstance(item, str) else item for item in files]
    sources = [{"file": name, "sha256": "0" * 64, "role": role} for name, role in files]
    about = {"title": "Toy", "task": task, "home": "home", "recipe": recipe}
    return make_entry("toy", about | {"files": sources, "reader": reader or {}, "columns": columns})


def write(folder, **files):
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def prepare_text(folder, text, name="a.arff", task="classification", check=True, **columns):
    (folder / name).write_text(text)
    return prepare(entry_of(name, task=task, **columns), folder, check=check)


def test_fingerprint_does_not_depend_on_format(tmp_path):
    dataset = prepare_text(tmp_path, ARFF, target="y", drop=["id"])
    again = prepare_text(tmp_path, CSV, "a.csv", target="y", drop=["id"])
    assert dataset.provenance["fingerprint"] == again.provenance["fingerprint"] == fingerprint(dataset)
    assert list(dataset.X["c"].cat.categories) == ["a", "b"]
    pd.testing.assert_frame_equal(dataset.X, again.X)
    assert dataset.y.tolist() == ["yes", "no", "yes", "no"]
    assert dataset.provenance["files"][0]["file"] == "a.arff"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("r2,2.5,a,no", "r2,2.5000001,a,no"),
        ("r2,2.5,a,no", "r2,2.5,b,no"),
        ("r2,2.5,a,no", "r2,2.5,a,yes"),
        ("r2,2.5,a,no", "r2,,a,no"),
        ("id,x,c,y", "id,x2,c,y"),
        ("r2,2.5,a,no\nr3,,?,yes", "r3,,?,yes\nr2,2.5,a,no"),
    ],
)
def test_changed_content_is_refused_with_fingerprints(old, new, tmp_path):
    good = prepare_text(tmp_path, CSV, "a.csv", target="y", drop=["id"]).provenance["fingerprint"]
    (tmp_path / "a.csv").write_text(CSV.replace(old, new))
    entry = entry_of("a.csv", target="y", drop=["id"]).model_copy(update={"fingerprint": good})
    other = prepare(entry, tmp_path, check=False).provenance["fingerprint"]
    with pytest.raises(DataError, match=f"fingerprint is {other}, expected {good}"):
        prepare(entry, tmp_path)


def test_fingerprint_includes_types_parts_and_hierarchy(tmp_path):
    text = "x,y\n1,u\n2,v\n"
    numeric = prepare_text(tmp_path, text, "a.csv", target="y")
    nominal = prepare(entry_of("a.csv", reader={"nominal": ["x"]}, target="y"), tmp_path)
    assert fingerprint(numeric) != fingerprint(nominal)
    parts = replace(numeric, parts={"train": np.array([0]), "test": np.array([1])})
    swapped = replace(numeric, parts={"train": np.array([1]), "test": np.array([0])})
    assert len({fingerprint(item) for item in (numeric, parts, swapped)}) == 3
    flat = hierarchical(tmp_path, "a,b", ["a@b", "a"])
    assert fingerprint(flat) != fingerprint(replace(flat, hierarchy=[[], [0]]))


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("rows", 5, "has rows 4, expected 5"),
        ("features", 3, "has features 2, expected 3"),
        ("targets", 3, "has targets 2, expected 3"),
        ("class_counts", {"yes": 3, "no": 1}, "has class_counts"),
        ("parts", {"train": 2, "test": 2}, "has parts None"),
    ],
)
def test_unexpected_shape_is_refused(key, value, message, tmp_path):
    write(tmp_path, a__csv=CSV)
    entry = entry_of("a.csv", target="y", drop=["id"]).model_copy(update={"shape": Shape(**{key: value})})
    with pytest.raises(DataError, match=rf"a\.csv: dataset 'toy' {message}.*get it again"):
        prepare(entry, tmp_path)


def test_validation_rows_join_train_with_listed_labels(tmp_path):
    head = "@relation r\n@attribute x real\n@attribute L1 {0,1}\n@attribute n {u,v}\n"
    head += "@attribute L2 {0,1}\n@data\n"
    write(
        tmp_path,
        train__arff=head + "1,0,u,1\n2,1,u,1\n",
        valid__arff=head + "3,0,v,0\n",
        test__arff=head + "4,1,u,0\n",
        names__xml="<labels><label name='L2'/><label name='L1'/></labels>",
    )
    roles = [("test.arff", "test"), ("valid.arff", "valid"), ("train.arff", "train"), ("names.xml", "labels")]
    dataset = prepare(entry_of(*roles, task="multilabel"), tmp_path)
    assert dataset.target_names == ["L1", "L2"]
    assert dataset.X["x"].tolist() == [1, 2, 3, 4]
    assert dataset.X["n"].tolist() == ["u", "u", "v", "u"]
    assert {part: rows.tolist() for part, rows in dataset.parts.items()} == {"train": [0, 1, 2], "test": [3]}
    assert dataset.y.tolist() == [[0, 1], [1, 1], [0, 0], [1, 0]]
    write(tmp_path, names__xml="<labels><label name='L3'/></labels>")
    with pytest.raises(DataError, match=r"names\.xml: label 'L3' is not an attribute of the table"):
        prepare(entry_of(*roles, task="multilabel"), tmp_path)


def test_parts_with_different_columns_are_refused(tmp_path):
    write(tmp_path, a__csv="x,y\n1,2\n", b__csv="x,z\n1,2\n", c__csv="x,y,z\n1,2,3\n")
    for other in ("b.csv", "c.csv"):
        entry = entry_of(("a.csv", "train"), (other, "test"), task="regression", target="y")
        with pytest.raises(DataError, match=rf"{other[0]}\.csv: its \d columns are not the 2 of .*a\.csv"):
            prepare(entry, tmp_path)


def test_targets_by_position_and_by_name(tmp_path):
    text = "a,b,c,d\n1,2,3,4\n5,6,7,8\n"
    assert prepare_text(tmp_path, text, "a.csv", task="multitarget", target="first 2").target_names == ["a", "b"]
    assert prepare_text(tmp_path, text, "a.csv", task="multitarget", target="last 3").target_names == ["b", "c", "d"]
    dataset = prepare_text(tmp_path, text, "a.csv", task="multitarget", target=["d", "a"])
    assert dataset.y.tolist() == [[4, 1], [8, 5]]
    assert prepare_text(tmp_path, text, "a.csv", task="regression", target="c").y.tolist() == [3, 7]


def test_integer_classes_are_equal_text_in_all_formats(tmp_path):
    text = "x,y\n1,-1\n2,1\n3,1\n"
    assert prepare_text(tmp_path, text, "a.csv", target="y").y.tolist() == ["-1", "1", "1"]


def test_tab_file_header_gives_the_target(tmp_path):
    text = "a\tk\nc\td\n\tclass\n1\tu\n2\tv\n"
    assert prepare_text(tmp_path, text, "a.tab").target_names == ["k"]


def test_numeric_option_converts_nominal_columns(tmp_path):
    text = "@relation r\n@attribute a {1,2}\n@attribute b {x,z}\n@attribute c real\n@attribute y real\n@data\n"
    dataset = prepare_text(
        tmp_path, text + "1,x,7,0\n2,x,7,1\n", task="regression", target="y", drop=["b", "c"], numeric=["a"]
    )
    assert list(dataset.X.columns) == ["a"]
    assert dataset.X["a"].tolist() == [1, 2]
    with pytest.raises(DataError, match=r"column 'b': expected numbers only"):
        prepare_text(
            tmp_path, text + "1,x,7,0\n2,x,7,1\n", task="regression", target="y", drop=["c"], numeric=["a", "b"]
        )


HMLC = "@relation r\n@attribute x numeric\n@attribute class hierarchical {nodes}\n@data\n{rows}"


def hierarchical(folder, nodes, rows, **columns):
    text = HMLC.format(nodes=nodes, rows="".join(f"{i},{row}\n" for i, row in enumerate(rows)))
    return prepare_text(folder, text, task="hierarchical", target="class", **columns)


def test_class_paths_make_a_tree_with_ancestors(tmp_path):
    dataset = hierarchical(tmp_path, "1/1/0,2,1/2/5", ["1/1/0@2", "1/2/5 %  gene", "1@1/2"])
    assert dataset.target_names == ["1", "2", "1/1", "1/2", "1/1/0", "1/2/5"]
    assert dataset.hierarchy == [[], [], [0], [0], [2], [3]]
    assert dataset.y.tolist() == [[1, 1, 1, 0, 1, 0], [1, 0, 0, 1, 0, 1], [1, 0, 0, 1, 0, 0]]


def test_class_pairs_make_a_dag(tmp_path):
    dataset = hierarchical(tmp_path, "root/b,root/a,a/c,b/c,c/d", ["d", "a", "root@b"], hierarchy="dag")
    assert dataset.target_names == ["b", "a", "c", "d"]
    assert dataset.hierarchy == [[], [], [1, 0], [2]]
    assert dataset.y.tolist() == [[1, 1, 1, 1], [0, 1, 0, 0], [1, 0, 0, 0]]


def test_classes_are_mapped_to_paths(tmp_path):
    paths = {"1": "up/left", "2": "up/right", "3": "down"}
    dataset = prepare_text(
        tmp_path, "x,y\n5,1\n6,3\n7,2\n", "a.csv", task="hierarchical", target="y", class_paths=paths
    )
    assert dataset.target_names == ["up", "down", "up/left", "up/right"]
    assert dataset.y.tolist() == [[1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 1]]
    with pytest.raises(DataError, match="class '2' has no path"):
        prepare_text(tmp_path, "x,y\n5,1\n7,2\n", "a.csv", task="hierarchical", target="y", class_paths={"1": "up"})


@pytest.mark.parametrize(
    ("nodes", "rows", "columns", "message"),
    [
        ("a,a/b", ["a/b", "a/c"], {}, r"a\.arff, line 6: class 'a/c' is not declared; did you mean 'a/b'"),
        ("a,a/b", ["a/b", "?"], {}, r"a\.arff, line 6, column 'a': the target is empty"),
        ("a,a/b", ["?", "?"], {}, "the target is empty in every row"),
        ("root/a,a/b/c", ["a"], {"hierarchy": "dag"}, "pairs parent/child, found 'a/b/c'"),
        ("root/a,a/b,b/c,c/b", ["a"], {"hierarchy": "dag"}, "cycle through b, c"),
    ],
)
def test_invalid_hierarchies_are_refused(nodes, rows, columns, message, tmp_path):
    with pytest.raises(DataError, match=message):
        hierarchical(tmp_path, nodes, rows, **columns)


def test_missing_targets_option_keeps_unlabelled_rows(tmp_path):
    dataset = hierarchical(tmp_path, "a,a/b", ["a/b", "?"], missing_targets=True)
    np.testing.assert_array_equal(dataset.y, [[1, 1], [np.nan, np.nan]])
    dataset = prepare_text(tmp_path, "x,y\n1,u\n2,\n", "a.csv", target="y", missing_targets=True)
    assert dataset.y.tolist() == ["u", None]


Y, TWO, THREE = {"target": "y"}, "x,y\n1,0\n2,3\n", "x,y,e\n1,3,0\n2,3,1\n"


@pytest.mark.parametrize(
    ("text", "task", "columns", "message"),
    [
        ("x,y\n1,a\n2,\n", "classification", Y, "line 3, column 'y': the target is empty.*missing_targets"),
        ("x,y\n1,\n2,\n", "regression", Y, "the target is empty in every row"),
        ("x,y\n1,a\n2,b\n", "regression", Y, "column 'y': expected numbers only"),
        (TWO, "multilabel", Y, "line 3, column 'y': 3 is not a label, expected 0 or 1"),
        (TWO, "regression", {"target": "z"}, "no column 'z' for the target"),
        (TWO, "regression", {"target": "last 9"}, "'last 9' columns are not there, the table has 2"),
        (THREE, "regression", {"target": "last 2"}, "needs one target, found 2"),
        (THREE, "hierarchical", {"target": "last 2"}, "task 'hierarchical' needs one target, found 2: y, e"),
        (TWO, "hierarchical", Y, "column 'y': the attribute is not hierarchical"),
        (TWO, "regression", {}, "the entry names no target"),
        (TWO, "regression", Y | {"drop": ["xx"]}, "no column 'xx' to drop; did you mean 'x'"),
        (TWO, "regression", Y | {"drop": ["x"]}, "there are no features"),
        (THREE.replace("2,3", "2,-3"), "survival", Y | {"event": "e"}, "times must be at least 0"),
        (THREE + "3,1,2\n", "survival", Y | {"event": "e"}, "competing events"),
        (THREE, "survival", Y | {"event": "f"}, "no column 'f'"),
        (THREE, "survival", Y, "the key 'event' is needed"),
        (THREE, "regression", Y | {"event": "e"}, "the key 'event' is needed"),
    ],
)
def test_invalid_targets_are_refused(text, task, columns, message, tmp_path):
    with pytest.raises(DataError, match=message):
        prepare_text(tmp_path, text, "a.csv", task=task, **columns)


def test_identifier_column_must_be_dropped(tmp_path):
    with pytest.raises(DataError, match=r"column 'id': text .* cannot be a feature.*'drop'"):
        prepare_text(tmp_path, ARFF, target="y")


def test_missing_raw_file_error_names_the_command(tmp_path):
    with pytest.raises(DataError, match=r"a\.csv: the file is missing. Run 'sslrank download toy'"):
        prepare(entry_of("a.csv"), tmp_path)


def test_own_file_is_prepared(tmp_path):
    write(tmp_path, mine__csv=CSV, other__txt=CSV.replace(",", ";"))
    entry = entry_of("a.arff", reader={"format": "arff"}, target="y", drop=["id"])
    entry = entry.model_copy(update={"available": False, "reason": "x"})
    dataset = prepare(entry, path=tmp_path / "mine.csv")
    columns, reader = {"target": "y", "drop": ["id"]}, {"format": "csv", "delimiter": ";"}
    other = own_entry("toy", "other.txt", "classification", reader=reader, columns=columns)
    assert fingerprint(dataset) == fingerprint(prepare(other, path=tmp_path / "other.txt"))
    columns = {"target": "x", "drop": ["id"], "missing_targets": True}
    regression = prepare(own_entry("toy", "mine.csv", "regression", columns=columns), path=tmp_path / "mine.csv")
    assert regression.target_names == ["x"]
    with pytest.raises(DataError, match="unknown key 'targe'"):
        own_entry("toy", "mine.csv", "classification", columns={"targe": "x"})


def test_coil2000_joins_train_and_evaluation_rows(tmp_path):
    rng = np.random.default_rng(0)
    rows, targets = rng.integers(0, 9, (5, 85)), [0, 1, 0, 1, 0]
    np.savetxt(tmp_path / "ticdata2000.txt", np.column_stack([rows, targets])[:3], "%d", "\t")
    np.savetxt(tmp_path / "ticeval2000.txt", rows[3:], "%d", "\t")
    np.savetxt(tmp_path / "tictgts2000.txt", targets[3:], "%d")
    files = ("ticdata2000.txt", "ticeval2000.txt", "tictgts2000.txt")
    dataset = prepare(entry_of(*files, recipe="coil2000", target="CARAVAN"), tmp_path)
    frame = pd.DataFrame(rows, columns=[f"V{j + 1}" for j in range(85)]).assign(CARAVAN=targets)
    frame.to_csv(tmp_path / "coil2000.csv", index=False)
    whole = prepare(entry_of("coil2000.csv", reader={"nominal": ["V1", "V5"]}, target="CARAVAN"), tmp_path)
    assert fingerprint(dataset) == fingerprint(whole)
    assert dataset.parts is None
    (tmp_path / "tictgts2000.txt").write_text("1\n")
    with pytest.raises(DataError, match="expected 2 targets, found 1"):
        RECIPES["coil2000"]({file: tmp_path / file for file in files})


def test_hiva_reads_labels_from_second_file(tmp_path):
    (tmp_path / "hiva_train.data").write_text("0 1 \n1 1 \n0 0 \n")
    (tmp_path / "hiva_train.labels").write_text("-1\n1\n-1\n")
    dataset = prepare(entry_of("hiva_train.data", "hiva_train.labels", recipe="hiva", target="active"), tmp_path)
    np.testing.assert_array_equal(dataset.X, [[0, 1], [1, 1], [0, 0]])
    assert dataset.y.tolist() == ["-1", "1", "-1"]
    (tmp_path / "hiva_train.labels").write_text("-1\n")
    with pytest.raises(DataError, match="expected 3 labels, found 1"):
        RECIPES["hiva"]({name: tmp_path / name for name in ("hiva_train.data", "hiva_train.labels")})


def test_dis_uses_class_of_recoded_file(tmp_path):
    (tmp_path / "thyroid_sick.arff").write_text(
        "@relation sick\n@attribute age real\n@attribute sex {F,M}\n@attribute Class {negative,sick}\n@data\n"
        "40,F,sick\n9,M,negative\n?,M,negative\n40,?,sick\n"
    )
    codes = "age\tsex\ttarget\n0\t1\t1\n2\t2\t0\n1\t2\t1\n0\t0\t1\n"
    (tmp_path / "dis_pmlb.tsv.gz").write_bytes(gzip.compress(codes.encode()))
    entry = entry_of("dis_pmlb.tsv.gz", "thyroid_sick.arff", recipe="dis", target="Class")
    dataset = prepare(entry, tmp_path)
    assert dataset.y.tolist() == ["negative", "discordant", "negative", "negative"]
    np.testing.assert_array_equal(dataset.X["age"], [40, 9, np.nan, 40])
    (tmp_path / "dis_pmlb.tsv.gz").write_bytes(gzip.compress(codes.replace("1\t2\t1", "0\t2\t1").encode()))
    with pytest.raises(DataError, match="column 'age' does not match 'age'"):
        prepare(entry, tmp_path)
    (tmp_path / "dis_pmlb.tsv.gz").write_bytes(gzip.compress(codes[:-8].encode()))
    with pytest.raises(DataError, match=r"is \(3, 2\), .* is \(4, 2\)"):
        prepare(entry, tmp_path)


def test_gasdrift_reads_the_uci_archive(tmp_path):
    rng = np.random.default_rng(1)
    values, labels = rng.normal(size=(20, 128)).round(6), rng.integers(1, 7, 20)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for batch in range(10):
            lines = [
                f"{labels[row]}{';5.0' if batch else ''} "
                + " ".join(f"{j}:{value:.6f}" for j, value in enumerate(values[row], 1))
                for row in (2 * batch, 2 * batch + 1)
            ]
            archive.writestr(f"Dataset/batch{batch + 1}.dat", "\n".join(lines) + " \n")
    dataset = prepare(entry_of("a.zip", recipe="gasdrift", target="Class"), tmp_path)
    np.testing.assert_array_equal(dataset.X, values)
    assert dataset.y.tolist() == [str(label) for label in labels]
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("readme", "x")
    with pytest.raises(DataError, match=r"has no batch1\.dat"):
        RECIPES["gasdrift"]({"c.zip": tmp_path / "c.zip"})
    (tmp_path / "d.zip").write_text("plain")
    with pytest.raises(DataError, match="not a zip file"):
        RECIPES["gasdrift"]({"d.zip": tmp_path / "d.zip"})


def test_soil_quality_restores_values_capped_in_ecogen(tmp_path):
    names = ["actsit_mo", *(f"f{j}" for j in range(138)), "CAC_1", "CAC_2", "CAC_3", "acari", "coll", "x", "H"]
    rng = np.random.default_rng(2)
    train = pd.DataFrame(rng.integers(0, 9, (3, 146)).astype(float), columns=names)
    train[["CAC_1", "CAC_2", "CAC_3"]] = 0.0
    train["actsit_mo"] = [12.0, 4.0, 30.0]
    every = pd.concat([train, train.iloc[:2]], ignore_index=True).assign(actsit_mo=[10.0, 4.0, 10.0, 10.0, 3.0])
    every = every.drop(columns=["CAC_1", "CAC_2", "CAC_3"])

    def arff(frame):
        head = "".join(f"@attribute {name} numeric\n" for name in frame)
        return f"@relation r\n{head}@data\n{frame.to_csv(index=False, header=False)}"

    def save(table):
        (tmp_path / "soil_qualityTrain.arff").write_text(arff(train))
        with zipfile.ZipFile(tmp_path / "ecogen.arff.zip", "w") as archive:
            archive.writestr("ecogen.arff", arff(table))

    save(every)
    files = {name: tmp_path / name for name in ("soil_qualityTrain.arff", "ecogen.arff.zip")}
    frame = RECIPES["soil_quality"](files)[0][1].frame
    assert list(frame.columns) == [*names[:142], "acari", "coll", "H"]
    assert frame["actsit_mo"].tolist() == [12, 4, 30, 10, 3]
    assert (frame["CAC_2"] == 0).all()
    save(every.assign(H=0.5))
    with pytest.raises(DataError, match="first 3 rows are not those of"):
        RECIPES["soil_quality"](files)
