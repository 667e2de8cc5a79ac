# SPDX-License-Identifier: Apache-2.0
"""Tables of results through Arrow's C stream interface, with pyarrow, polars, pandas and duckdb as the other side."""

import gc
import pickle

import numpy as np
import pytest
from flat_memory import growth

import fovea
from fovea import _core
from fovea.linkage import Table

COLUMNS = {
    "row": np.array([-(2**63), 0, 2**63 - 1]),
    "share": [0.5, float("nan"), -1e300],
    "sure": [True, None, False],
    "plain": [True, False, True],
    "id": ["Zoë", None, ""],
    "none": [None, None, None],
}


def plain(values):
    return [None if isinstance(v, float) and v != v else v for v in values]


def expected():
    return {name: plain(values.tolist() if hasattr(values, "tolist") else values) for name, values in COLUMNS.items()}


def test_pyarrow_takes_every_type_and_gives_it_back():
    pa = pytest.importorskip("pyarrow")
    table = pa.table(Table(COLUMNS))
    table.validate(full=True)
    assert [str(f.type) for f in table.schema] == ["int64", "double", "bool", "bool", "large_string", "large_string"]
    assert {name: plain(table[name].to_pylist()) for name in COLUMNS} == expected()
    assert table["sure"].null_count == 1 and table["plain"].null_count == 0 and table["none"].null_count == 3
    read = _core.Table(Table(COLUMNS), "back", [])
    assert [read.column(i) for i in range(6)] == [
        ["-9223372036854775808", "0", "9223372036854775807"],
        ["0.5", "", "-1e+300"],
        ["true", "", "false"],
        ["true", "false", "true"],
        ["Zoë", "", ""],
        ["", "", ""],
    ]


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 1000])
def test_random_columns_come_through_arrow_as_they_are(size):
    pa = pytest.importorskip("pyarrow")
    rng = np.random.default_rng(size)
    columns = {
        "i": rng.integers(-(2**62), 2**62, size),
        "f": rng.normal(size=size),
        "b": [[True, False, None][k] for k in rng.integers(3, size=size)],
        "t": [None if k == 0 else "ä" * k for k in rng.integers(40, size=size).tolist()],
    }
    table = pa.table(Table(columns))
    table.validate(full=True)
    assert table.num_rows == size
    for name, values in columns.items():
        assert table[name].to_pylist() == (values if isinstance(values, list) else values.tolist()), name


def test_data_frames_take_it():
    table = Table(COLUMNS)
    polars = pytest.importorskip("polars")
    for frame in (polars.DataFrame(table), table.to_polars()):
        assert {name: plain(frame[name].to_list()) for name in COLUMNS} == expected()
    pandas = pytest.importorskip("pandas")
    frames = [table.to_pandas()]
    if hasattr(pandas.DataFrame, "from_arrow"):
        frames.append(pandas.DataFrame.from_arrow(table))
    for frame in frames:
        assert list(frame.columns) == list(COLUMNS)
        assert frame["row"].tolist() == COLUMNS["row"].tolist() and frame["id"].isna().tolist() == [False, True, False]


def test_duckdb_queries_it():
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")  # without which duckdb looks at no Python object
    results = Table(COLUMNS)  # noqa: F841, which duckdb finds by its name
    assert duckdb.sql("select max(row), count(id), bool_or(plain) from results").fetchall() == [(2**63 - 1, 2, True)]


def test_columns_are_arrays_by_name():
    table = Table(COLUMNS)
    assert len(table) == 3 and list(table) == table.columns == list(table.keys()) == list(COLUMNS)
    assert "row" in table and "rows" not in table and set(dict(table)) == set(COLUMNS)
    assert table["row"].dtype == np.int64 and table["share"].dtype == np.float64 and table["plain"].dtype == bool
    assert table["sure"].tolist() == [True, None, False] and table["id"].tolist() == ["Zoë", None, ""]
    with pytest.raises(KeyError, match="no column is called 'rows'; the columns are row, share"):
        table["rows"]
    share = table["share"]
    with pytest.raises(ValueError):
        share[0] = 1  # Arrow's readers share it
    del table
    gc.collect()
    assert share[0] == 0.5  # the array keeps the numbers alive


def test_it_is_shown_copied_and_pickled():
    table = Table({"n": range(1000), "text": ["<b>" + "x" * 100] * 1000})
    assert "1000 rows, of which the first 10 are shown" in repr(table) and len(repr(table).splitlines()) == 12
    assert "&lt;b&gt;" in table._repr_html_() and "<b>" not in table._repr_html_()
    again = pickle.loads(pickle.dumps(table))
    assert again["n"].tolist() == table["n"].tolist() and again["text"].tolist() == table["text"].tolist()
    assert repr(Table({})) == "\n(0 rows)" and len(Table({})) == 0


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ({"a": [1], "b": [1.0, 2.0]}, "column 'b' has 2 cells, and 'a' has 1"),
        ({1: ["x"], "1": ["y"]}, "two columns are called '1'"),
        ({"a": [{}]}, "column 'a': needs numbers, texts or truth values, not \\['dict'\\]"),
        ({"a": ["x", 1]}, "not \\['int', 'str'\\]"),
        ({"a": ["\ud800"]}, "row 1, column 'a': holds half of a surrogate pair"),
    ],
)
def test_what_is_no_column_is_refused(columns, text):
    with pytest.raises(ValueError, match=text):
        Table(columns)


def test_ten_thousand_exports_leave_nothing():
    pytest.importorskip("pyarrow")
    program = """
import numpy as np
import pyarrow as pa
from fovea.linkage import Table
table = Table({"n": np.arange(1000), "text": [f"text {i}" for i in range(1000)]})
def step(i):
    pa.table(table)
    table.__arrow_c_stream__()  # nobody takes this one
    if i % 30 == 0: pa.table(Table({"n": np.arange(10_000)}))
"""
    assert growth(program, times=10_100, warm_up=100) < 2e6


def test_errors_of_the_library_are_those_of_the_package():
    with pytest.raises(fovea.InputError):
        Table({"a": [1], "b": [1.0, 2.0]})
