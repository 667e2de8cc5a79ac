# SPDX-License-Identifier: Apache-2.0
"""Tables through Arrow's C stream interface, against pyarrow's own reading of the same values."""

import datetime
import decimal
import time

import pytest
from flat_memory import growth

import fovea
from fovea import _core

pa = pytest.importorskip("pyarrow")


def cells(array, missing=()):
    table = pa.table({"x": array})
    read = _core.Table(table, "df", list(missing))
    assert read.columns == ["x"] and read.row_count == len(array)
    return read.column(0)


UTC = datetime.timezone.utc
MOMENT = datetime.datetime(2026, 11, 26, 13, 5, 0, 250000)


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (pa.array(["a", None, "", "Zoë", "x" * 40]), ["a", "", "", "Zoë", "x" * 40]),
        (pa.array(["a", None, "b" * 100], pa.large_utf8()), ["a", "", "b" * 100]),
        (
            pa.array(["short", None, "longer than twelve bytes", "twelve bytes"], pa.string_view()),
            ["short", "", "longer than twelve bytes", "twelve bytes"],
        ),
        (pa.array(["x", "y", None, "x"]).dictionary_encode(), ["x", "y", "", "x"]),
        *(
            (pa.array([1, None, 100], t), ["1", "", "100"])
            for t in (pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64())
        ),
        (pa.array([-(2**63), 2**63 - 1]), ["-9223372036854775808", "9223372036854775807"]),
        (pa.array([2**64 - 1], pa.uint64()), ["18446744073709551615"]),
        (pa.array([1.0, 0.1, float("nan"), None, -2.5e-7]), ["1", "0.1", "", "", "-2.5e-07"]),
        (pa.array([0.5, None], pa.float32()), ["0.5", ""]),
        (pa.array([0.5, None, -2.0, float("inf")], pa.float16()), ["0.5", "", "-2", "inf"]),
        (pa.array([True, None, False]), ["true", "", "false"]),
        (pa.array([datetime.date(1969, 12, 31), None, datetime.date(2026, 11, 26)]), ["1969-12-31", "", "2026-11-26"]),
        (pa.array([datetime.date(1969, 12, 31)], pa.date64()), ["1969-12-31"]),
        (pa.array([MOMENT, None], pa.timestamp("us")), ["2026-11-26T13:05:00.25", ""]),
        (pa.array([MOMENT.replace(tzinfo=UTC)], pa.timestamp("ns", "UTC")), ["2026-11-26T13:05:00.25Z"]),
        (pa.array([datetime.datetime(1960, 1, 1)], pa.timestamp("s")), ["1960-01-01T00:00:00"]),
        (
            pa.array([-(2**63), 2**63 - 1], pa.timestamp("ns")),
            ["1677-09-21T00:12:43.145224192", "2262-04-11T23:47:16.854775807"],
        ),
        (pa.array([datetime.datetime(1960, 1, 1, 0, 0, 0, 1000)], pa.timestamp("ms")), ["1960-01-01T00:00:00.001"]),
        *(
            (pa.array([datetime.time(13, 5, 9)], t), ["13:05:09"])
            for t in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"))
        ),
        (
            pa.array([decimal.Decimal("-12.340"), None, decimal.Decimal("0.005")], pa.decimal128(10, 3)),
            ["-12.340", "", "0.005"],
        ),
        (pa.array([decimal.Decimal("7")], pa.decimal128(3, 0)), ["7"]),
        (pa.array([["a", "b"], [], None, ["c", None]]), ["a|b", "", "", "c"]),
        (pa.array([["a", "b"], ["c"]], pa.large_list(pa.string())), ["a|b", "c"]),
        (pa.array([[1, 2], [3, None]], pa.list_(pa.int32(), 2)), ["1|2", "3"]),
        (pa.nulls(2), ["", ""]),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else "",
)
def test_each_type_has_its_text(array, expected):
    assert cells(array) == expected
    assert cells(array.slice(1)) == expected[1:]  # a slice begins within the buffers
    assert cells(pa.chunked_array([array, array])) == expected + expected


def test_markers_are_missing():
    assert cells(pa.array(["a", "n/a"]), missing=["n/a"]) == ["a", ""]


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (pa.table({"x": pa.array([b"raw"])}), r"df, column 'x': .*'z' has no text"),
        (pa.table({"x": pa.array([{"a": 1}])}), "has no text"),
        (pa.table({"x": pa.array([datetime.timedelta(1)])}), "has no text"),
        (pa.table({"x": ["a", "b\0c"]}), "df, row 2, column 'x': holds a NUL"),
        (pa.table({"x": [["a|b"]]}), r"separator '\|'"),
        (pa.table([pa.array([1]), pa.array([2])], names=["x", "x"]), "x"),
        (pa.table({"x": ["a" * (2**22 + 1)]}), "longer than 4 MiB"),
        (pa.table({"x": pa.array([2**62], pa.timestamp("s"))}), "30,000 years"),
        (
            pa.table(
                {
                    "x": pa.array([b"\xff\xfe"]).view(pa.binary()).cast(pa.string(), safe=False)
                    if False
                    else pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff\xfe"]).buffers())
                }
            ),
            "not UTF-8",
        ),
    ],
)
def test_what_has_no_text_is_refused_by_row_and_column(table, text):
    with pytest.raises(fovea.InputError, match=text):
        _core.Table(table, "df", [])


def test_what_the_stream_says_is_passed_on():
    def batches():
        yield pa.record_batch({"x": ["a"]})
        raise OSError("disk on fire")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"x": pa.string()}), batches())
    with pytest.raises(fovea.InputError, match="disk on fire"):
        _core.Table(reader, "df", [])


def test_pandas_and_polars():
    frames = {
        "pandas": lambda m: m.DataFrame({"n": ["a", None], "y": [1, 2]}),
        "polars": lambda m: m.DataFrame({"n": ["a", None], "y": [1, 2]}),
    }
    for name, make in frames.items():
        module = pytest.importorskip(name)
        table = _core.Table(make(module), "df", [])
        assert [table.column(c) for c in range(2)] == [["a", ""], ["1", "2"]], name


def test_memory_is_given_back():
    program = """
import pyarrow as pa
from fovea import _core
table = pa.table({"x": [f"text number {i} of many" for i in range(20000)]})
def step(i):
    _core.Table(table, "df", [])
"""
    assert growth(program, times=105, warm_up=5) < 2e6


def test_reading_is_fast():
    rows = 300_000
    table = pa.table({name: [f"{name} {i % 1000}" for i in range(rows)] for name in "abcde"})
    started = time.perf_counter()
    _core.Table(table, "df", [])
    rate = 5 * rows / (time.perf_counter() - started)
    print(f"{rate / 1e6:.1f}M cells/s")
    assert rate > 1e6  # an order of magnitude below what an idle machine does
