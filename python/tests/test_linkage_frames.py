# SPDX-License-Identifier: Apache-2.0
"""Kinds of tables that fovea.linkage takes and gives back, and what is wrong with tables, for each kind."""

import datetime
import decimal
import enum
import subprocess
import sys
import uuid

import numpy as np
import pytest
from fovea._records import cell_text, table_of

import fovea
from fovea import _core
from fovea.linkage import Dedupe, Link, Table

BASE = {
    "name": ["Ann", "Ann", "Bo", "Bo", "Cy", "Di"],
    "born": ["1980", "1980", "1990", "1990", "2000", "2001"],
}
OPTIONS = {"compare": "name, born", "block": "name"}
CLUSTERS = [0, 0, 1, 1, 2, 3]
UTC = datetime.timezone.utc
EAST = datetime.timezone(datetime.timedelta(hours=2))
MOMENT = datetime.datetime(2020, 1, 1, 13, 5, 0, 250000)
pytestmark = pytest.mark.filterwarnings("ignore:.*too few to learn from")


def module(name):
    return pytest.importorskip(name)


def frame(kind, columns):
    """The columns as a table of a kind."""
    if kind == "dict":
        return columns
    if kind == "dicts":
        return [dict(zip(columns, row)) for row in zip(*columns.values())]
    if kind == "Table":
        return Table(columns)
    if kind == "duckdb":
        records = module("pyarrow").table(columns)  # noqa: F841, which duckdb finds by its name
        return module("duckdb").sql("select * from records")
    if kind == "lazy":
        return module("polars").LazyFrame(columns)
    make = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}[kind]
    return getattr(module(kind), make)(columns, **({"strict": False} if kind == "polars" else {}))


def cells_of(result, column):
    if isinstance(result, list):
        return [row[column] for row in result]
    if hasattr(result, "collect"):
        result = result.collect()
    if hasattr(result, "fetchall"):
        return [row[0] for row in result.select(column).fetchall()]
    cells = result[column]
    return cells.to_pylist() if hasattr(cells, "to_pylist") else list(cells)


KINDS = ["pandas", "polars", "pyarrow", "dict", "dicts"]


@pytest.mark.parametrize("kind", [*KINDS, "lazy", "duckdb", "Table"])
def test_the_same_comes_back_with_one_column_more(kind):
    given = frame(kind, BASE)
    model = Dedupe(**OPTIONS, cluster_column="who")
    for result in (model.fit_predict(given), model.predict(given)):
        assert type(result) is type(given)
        assert cells_of(result, "who") == CLUSTERS
        assert cells_of(result, "name") == BASE["name"]
    if kind != "lazy":  # whose columns take long to tell
        assert "who" not in (given[0] if kind == "dicts" else getattr(given, "columns", given))


def test_pandas_keeps_its_index_and_types():
    pandas = module("pandas")
    given = pandas.DataFrame({**BASE, "n": pandas.array([1, None, 3, 4, 5, 6], dtype="Int64")}, index=list("zzyxwv"))
    given["kind"] = given["name"].astype("category")
    given.index = pandas.interval_range(0, 6)  # which has no text, and is not looked at
    result = Dedupe(**OPTIONS).fit_predict(given)
    pandas.testing.assert_frame_equal(result.drop(columns="cluster"), given)
    assert result["cluster"].tolist() == CLUSTERS and result["cluster"].dtype == np.int64
    assert "cluster" not in given


def test_polars_keeps_its_types():
    polars = module("polars")
    given = polars.DataFrame(BASE).with_columns(
        polars.col("name").cast(polars.Enum(["Ann", "Bo", "Cy", "Di"])), polars.col("born").cast(polars.Categorical)
    )
    result = Dedupe(**OPTIONS).fit_predict(given)
    assert result.drop("cluster").equals(given) and result["cluster"].to_list() == CLUSTERS


def test_a_reader_of_batches_comes_back_as_a_table_of_texts():
    pa = module("pyarrow")
    reader = pa.table({**BASE, "n": [1, None, 3, 4, 5, 6]}).to_reader(max_chunksize=2)
    result = Dedupe(**OPTIONS).fit_predict(reader)
    assert isinstance(result, Table) and result["cluster"].tolist() == CLUSTERS
    assert result["n"].tolist() == ["1", None, "3", "4", "5", "6"]


WITHOUT_PYARROW = """
import sys, warnings
sys.modules["pyarrow"] = None
warnings.simplefilter("ignore")
from fovea.linkage import Dedupe
model = Dedupe(compare="name, born", block="name")
columns = {"name": ["Ann", "Ann", "Bo", "Bo", "Cy", "Di"], "born": [1980, 1980, 1990, 1990, 2000, 2001]}
clusters = [0, 0, 1, 1, 2, 3]
import importlib
for name in ("pandas", "polars"):
    try:
        frame = importlib.import_module(name).DataFrame(columns)
    except ImportError:
        continue
    assert list(model.fit_predict(frame)["cluster"]) == clusters, name
    assert list(getattr(model.clusters_, "to_" + name)()["cluster"]) == clusters
try:
    import duckdb
except ImportError:
    sys.exit()
rows = "('Ann', 1980), ('Ann', 1980), ('Bo', 1990), ('Bo', 1990), ('Cy', 2000), ('Di', 2001)"
relation = duckdb.sql(f"select * from (values {rows}) t(name, born)")
assert model.fit(relation).labels_.tolist() == clusters
try:
    model.fit_predict(relation)
except ValueError as error:
    assert "comes back only with pyarrow" in str(error), error
else:
    assert False
"""


def test_pyarrow_is_not_needed():
    run = subprocess.run([sys.executable, "-c", WITHOUT_PYARROW], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


class Colour(enum.Enum):
    RED = "red"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "x"),
        (np.str_("x"), "x"),
        (None, None),
        (float("nan"), None),
        (np.float32("nan"), None),
        (np.datetime64("NaT"), None),
        (np.ma.masked, None),
        (decimal.Decimal("nan"), None),
        (True, "true"),
        (np.bool_(False), "false"),
        (7, "7"),
        (np.int8(-7), "-7"),
        (2**70, str(2**70)),
        (1.0, "1"),
        (0.1, "0.1"),
        (np.float32(0.1), "0.1"),
        (1e20, "1e+20"),
        (-2.5e-7, "-2.5e-07"),
        (float("inf"), "inf"),
        (decimal.Decimal("-12.340"), "-12.340"),
        (decimal.Decimal("1E+3"), "1000"),
        (Colour.RED, "red"),
        (datetime.date(2020, 1, 2), "2020-01-02"),
        (datetime.time(13, 5, 9, 500), "13:05:09.0005"),
        (MOMENT, "2020-01-01T13:05:00.25"),
        (MOMENT.replace(tzinfo=EAST), "2020-01-01T11:05:00.25Z"),
        (np.datetime64("2020-01-02"), "2020-01-02"),
        (np.datetime64("2020-01-02T03:04:05.500"), "2020-01-02T03:04:05.5"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        ([], ""),
        (["a", None, "b"], "a|b"),
        ((1, 2.0), "1|2"),
        (np.array(["a", "b"]), "a|b"),
    ],
    ids=repr,
)
def test_values_of_python_have_the_texts_that_arrow_has(value, text):
    assert cell_text(value) == text
    try:
        array = module("pyarrow").array([value.item() if isinstance(value, np.generic) else value])
    except Exception:
        return  # Arrow has no such values
    if str(array.type) not in ("null", "extension<arrow.uuid>"):
        read = _core.Table(module("pyarrow").table({"x": array}), "x", [])
        float32 = isinstance(value, np.float32)  # a double once Arrow has it
        assert float32 or read.column(0) == [text or ""]


ODD = {
    "mixed": [1, "a", 2.5, None, True, "z"],
    "zones": [MOMENT.replace(tzinfo=UTC), MOMENT.replace(tzinfo=EAST), None, None, None, None],
    "null": [None] * 6,
    "huge": [2**70, -(2**70), 1, 2, 3, None],
    "numbers": [float("nan"), 1.0, 2.0, 3.0, 1e20, float("inf")],
    "lists": [["a", "b"], ["a"], [], None, ["c"], ["d"]],
    "decimals": [decimal.Decimal("1.50")] * 6,
    "dates": [datetime.date(2020, 1, 1)] * 5 + [None],
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("odd", ODD)
def test_odd_columns_work_and_count_as_their_texts(kind, odd):
    if kind == "pyarrow" and odd in ("mixed", "huge"):
        pytest.skip("pyarrow has no such columns")
    given = frame(kind, {**BASE, "x": ODD[odd]})
    result = Dedupe(compare="name, born, x", block="name").fit_predict(given)
    assert type(result) is type(given) and len(cells_of(result, "cluster")) == 6
    texts = [cell_text(v) or "" for v in ODD[odd]]
    if kind != "polars" or odd not in ("mixed", "huge"):  # polars itself makes them texts, or missing
        table = table_of(given, "X")
        assert table.column(table.columns.index("x")) == texts


WITHOUT_TEXT = {
    "bytes": ([b"x"] * 6, "column 'x': .*has no text|type bytes have no text"),
    "records": ([{"a": 1}] * 6, r"column 'x': .*has no text \(records\)|type dict have no text"),
    "durations": ([datetime.timedelta(1)] * 6, "column 'x': .*(durations|Timedelta|timedelta)"),
    "separators": ([["a|b"]] * 6, r"row 1, column 'x': an element of a list holds the separator '\|'"),
    "nul": (["a", "b\0"] * 3, "row 2, column 'x': holds a NUL"),
    "long": (["a" * (2**22 + 1)] * 6, "row 1, column 'x': longer than 4 MiB"),
    "objects": ([object()] * 6, "row 1, column 'x': values of type object have no text"),
    "surrogates": (["\ud800"] * 6, "row 1, column 'x': holds half of a surrogate pair"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", WITHOUT_TEXT)
def test_columns_without_text_are_refused_by_name(kind, what):
    values, text = WITHOUT_TEXT[what]
    try:
        given = frame(kind, {**BASE, "x": values})
    except Exception:
        pytest.skip(f"{kind} has no such columns")
    with pytest.raises(fovea.InputError, match=f"^X.*({text})"):
        Dedupe(compare="name, born, x", block="name").fit(given)


def pandas_frame(**more):
    return module("pandas").DataFrame({**BASE, **more})


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (lambda: frame("pandas", {}), "X: a table without records. Give at least one record"),
        (lambda: pandas_frame().iloc[:0], "without records"),
        (lambda: frame("polars", {}), "without records"),
        (lambda: frame("polars", BASE).head(0), "without records"),
        (lambda: frame("pyarrow", BASE).slice(0, 0), "without records"),
        (lambda: {}, "without records"),
        (lambda: [], "without records"),
        (lambda: [{}], "without records"),
        (lambda: {"name": [], "born": []}, "without records"),
        (lambda: module("pandas").concat([pandas_frame()] * 2, axis=1), "two columns are called 'name'.*its own name"),
        (lambda: module("pyarrow").table([["a"], ["b"]], names=["n", "n"]), "two columns are called 'n'"),
        (lambda: {1: ["a"], "1": ["b"]}, "two columns are called '1'"),
        (lambda: (row for row in [{"name": "Ann"}]), "argument X: needs a data frame.*generator, make a list first"),
        (lambda: pandas_frame()["name"], r"of Series, make one by .to_frame\(\)"),
        (lambda: frame("polars", BASE)["name"], r"of Series, make one by .to_frame\(\)"),
        (lambda: frame("pyarrow", BASE)["name"], "not a stream of records. Give a data frame"),
        (lambda: np.array([["a"]]), "not ndarray"),
        (lambda: "people.csv", "not str"),
        (lambda: None, "not NoneType"),
        (lambda: [["Ann", "1980"]], "argument X, row 1: needs a dict, not list"),
        (lambda: [{"name": "a", "born": "b"}, 3], "argument X, row 2: needs a dict, not int"),
        (lambda: {"name": "abc", "born": ["1"]}, "column 'name' needs a list of cells, not str"),
        (lambda: {"name": 3, "born": ["1"]}, "column 'name' needs a list of cells, not int"),
        (lambda: {"name": ["a", "b"], "born": ["1"]}, "its columns have 1 and 2 cells"),
        (lambda: pandas_frame(cluster=1), "argument X has a column 'cluster' already.*cluster_column="),
        (lambda: pandas_frame().drop(columns="born"), "no column is called 'born'. The columns are name"),
    ],
)
def test_what_is_no_table_of_these_records_is_refused(given, text):
    with pytest.raises(ValueError, match=text) as error:
        Dedupe(**OPTIONS).fit_predict(given())
    assert isinstance(error.value, (fovea.InputError, fovea.UsageError))


def test_a_broken_stream_is_named():
    class Broken:
        def __arrow_c_stream__(self, requested_schema=None):
            raise RuntimeError("the disk is on fire")

    with pytest.raises(fovea.InputError, match="X: its stream of records cannot be read: the disk is on fire"):
        Dedupe(**OPTIONS).fit(Broken())


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"id": "name"}, "X, row 2: the id 'Ann' is also that of 'X, row 1'. Give every row its own id"),
        ({"id": "i"}, "X, row 3: no id in the column 'i'"),
        ({"id": "q"}, "no column is called 'q'"),
        ({"id": 3}, "argument id=3: needs a str"),
        (
            {"id": "cluster", "compare": "name, cluster"},
            "argument cluster_column='cluster': is the column of ids|already",
        ),
        ({"compare": 3}, "argument compare=3"),
        ({"compare": [3]}, r"argument compare=\[3\]: needs a str or a list of str"),
        ({"labels": "q"}, "no column is called 'q'"),
        ({"cluster_column": 3}, "argument cluster_column=3: needs a name"),
        ({"statistics": 3}, "argument statistics=3: needs"),
        ({"statistics": "no such file"}, "no such file: cannot be opened"),
        ({"draw_by": "cell"}, "argument draw_by='cell': needs one of row, id"),
        ({"labelled_pairs": [(1, 2)]}, r"argument labelled_pairs, row 1: needs \(id, id, True or False\)"),
        ({"labelled_pairs": [(0, 99, True)]}, "labelled_pairs, row 1: '99' is not a row of a table of 6"),
        ({"labelled_pairs": [(0, 1, "perhaps")]}, "the label 'perhaps' says neither yes nor no"),
        ({"labelled_pairs": [(0, 1, True), (1, 0, False)]}, "row 2: the pair is labelled otherwise in .*, row 1"),
        ({"labelled_pairs": [(0, 0, True)]}, "paired with itself"),
        ({"labelled_pairs": 5}, "argument labelled_pairs: needs a data frame"),
        ({"labelled_pairs": {"a": [1]}}, "no column is called 'first'"),
        ({"labelled_pairs": [(0, 1, True)], "labels": "name"}, "exclude each other"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(options, text):
    given = {**BASE, "i": [1, 2, None, 4, 5, 6]}
    with pytest.raises(ValueError, match=text):
        Dedupe(**{**OPTIONS, **options}).fit_predict(given)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: Link(**OPTIONS).fit({"name": []}, BASE), "first: a table without records"),
        (lambda: Link(**OPTIONS).fit(BASE, []), "second: a table without records"),
        (lambda: Link(**OPTIONS, id="name").fit(BASE, BASE), "first, row 2: the id 'Ann'"),
        (lambda: Link(**OPTIONS, id="i", second_id="born").fit({**BASE, "i": range(6)}, BASE), "row 2: the id '1980'"),
        (lambda: Link(**OPTIONS, second_id="name").fit(BASE, BASE), "needs id="),
        (lambda: Link(**OPTIONS).fit(BASE, {"name": ["a"]}), "second: no column is called 'born'"),
        (lambda: Link(**OPTIONS).predict(BASE, BASE), "not fitted"),
        (lambda: Link(**OPTIONS).explain(0, 0), "not fitted"),
        (lambda: Link(**OPTIONS).fit(BASE, BASE).explain(0, 0, BASE), "both tables or neither"),
    ],
)
def test_links_of_what_cannot_be_linked_are_refused(call, text):
    with pytest.raises(ValueError, match=text):
        call()
