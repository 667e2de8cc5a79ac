# SPDX-License-Identifier: Apache-2.0
"""Columns of results by name, which every data frame can take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fovea import _core, _html
from fovea._errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np

_SHOWN = 10  # rows


class Table:
    """Columns by name: table["score"] is a read-only array of NumPy, without a copy; of texts, an array of str or None.

    A data frame takes it through Arrow's C stream interface: polars.DataFrame(table), pyarrow.table(table),
    duckdb.sql("select * from table"). len() is the number of rows, and as in a data frame, iterating gives the names of
    the columns; dict(table) gives the columns by name.

        >>> from fovea.linkage import Table
        >>> table = Table({"row": [0, 1], "share": [0.5, 1.0], "id": ["a", None]})
        >>> len(table), list(table), table["share"].tolist(), table["id"].tolist()
        (2, ['row', 'share', 'id'], [0.5, 1.0], ['a', None])
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        if isinstance(columns, _core.Columns):
            self._columns = columns
            return
        self._columns = _core.Columns([str(c) for c in columns], [_typed(c, v) for c, v in columns.items()])

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._columns.names

    def keys(self) -> list[str]:
        """The same: what dict(table) asks for."""
        return self._columns.names

    def __getitem__(self, name: str) -> np.ndarray:
        import numpy as np

        if name not in self.columns:
            raise KeyError(f"no column is called {name!r}; the columns are {', '.join(self.columns)}")
        cells = self._columns.column(name)
        if not isinstance(cells, list):
            return cells
        is_truth = any(isinstance(cell, bool) for cell in cells) and None not in cells
        return np.array(cells, dtype=bool if is_truth else object)

    def __len__(self) -> int:
        return self._columns.row_count

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def __reduce__(self):
        return Table, ({name: self[name] for name in self.columns},)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A capsule with a stream of the rows: large_utf8, int64, float64 and bool, whatever schema is asked for."""
        return self._columns.stream()

    def to_pandas(self) -> Any:
        """A pandas.DataFrame."""
        import pandas

        return pandas.DataFrame({name: self[name] for name in self.columns})

    def to_polars(self) -> Any:
        """A polars.DataFrame, without a copy of the numbers."""
        import polars

        return polars.DataFrame(self)

    def _rows(self, count):
        columns = [self[name][:count].tolist() for name in self.columns]
        return [[_shown(cell) for cell in row] for row in zip(*columns)]

    def _more(self):
        return f"{len(self)} rows" + (f", of which the first {_SHOWN} are shown" if len(self) > _SHOWN else "")

    def __repr__(self) -> str:
        rows = [self.columns, *self._rows(_SHOWN)]
        widths = [max(map(len, cells)) for cells in zip(*rows)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        return "\n".join([*lines, f"({self._more()})"])

    def _repr_html_(self) -> str:
        return _html.table("Table", self.columns, self._rows(_SHOWN), self._more())


def _shown(cell):
    if isinstance(cell, float):
        return f"{cell:.6g}"
    text = "" if cell is None else str(cell)
    return text if len(text) <= 40 else text[:39] + "…"


def _typed(name, values):
    """An array of int64 or float64, or a list of str, bool or None."""
    import numpy as np

    array = values if isinstance(values, np.ndarray) else None
    if array is None:
        values = list(values)
        array = np.array(values) if values and all(type(v) in (int, float) for v in values) else None
    if array is not None and array.ndim == 1 and array.dtype.kind in "iuf":
        return np.ascontiguousarray(array, dtype=np.int64 if array.dtype.kind in "iu" else np.float64)
    cells = array.tolist() if array is not None and array.ndim == 1 else values
    kinds = {type(cell) for cell in cells} - {type(None)} if isinstance(cells, list) else {dict}
    if kinds not in (set(), {str}, {bool}):
        names = sorted(kind.__name__ for kind in kinds)
        raise UsageError(f"column {name!r}: needs numbers, texts or truth values, not {names}")
    return cells
