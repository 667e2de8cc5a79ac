# SPDX-License-Identifier: Apache-2.0
"""Tables of records: from every kind of data frame to the library's table, and back with one column more."""

import datetime
import decimal
import enum
import numbers
import uuid

from fovea import _core
from fovea._errors import InputError, UsageError
from fovea._table import Table

_NEEDED = "needs a data frame (anything with __arrow_c_stream__), a list of dicts or a dict of lists"
_REMEDY = "Give text, numbers, dates or lists of these, or leave the column out"
_SEPARATOR = "|"  # of the elements of a list, as the library has it


def table_of(X, name, missing=()):
    """The library's table of a data frame, whose cells are texts; `name` is the argument's, for messages. `missing`: the
    texts that count as missing, in addition to None, NaN and empty ones."""
    if isinstance(X, _core.Table):
        return X
    if isinstance(X, dict):
        return _of_columns({c: _listed(values, name, c) for c, values in X.items()}, name, missing)
    if isinstance(X, (list, tuple)):
        return _of_dicts(X, name, missing)
    if _is(X, "pandas"):
        return _of_pandas(X, name, missing)
    if _is(X, "polars"):
        return _of_polars(X, name, missing)
    if hasattr(X, "__arrow_c_stream__"):
        return _of_stream(X, name, missing)
    if hasattr(X, "__next__"):
        raise UsageError(f"argument {name}: {_NEEDED}; of {type(X).__name__}, make a list first: list(...)")
    raise UsageError(f"argument {name}: {_NEEDED}, not {type(X).__name__}")


def settled(X, name):
    """What can be read twice with its rows in the same order: a lazy frame is collected, a relation is fetched."""
    if _is(X, "polars") and hasattr(X, "collect"):
        return X.collect()
    if _is(X, "duckdb") and hasattr(X, "to_arrow_table"):
        try:
            return X.to_arrow_table()
        except ImportError:
            raise UsageError(
                f"argument {name}: a relation of duckdb comes back only with pyarrow: install it, or give "
                "a data frame, as .pl() or .df() make it"
            ) from None
    return X


def with_column(X, name, values, given, table):
    """`X` with one column more, in the form of `given`, of which it is the settled() form; `table`: its cells as read."""
    cells = values if isinstance(values, list) else values.tolist()
    if isinstance(X, dict):
        return {**X, name: cells}
    if isinstance(X, (list, tuple)):
        return type(X)([{**row, name: cell} for row, cell in zip(X, cells)])
    if _is(X, "pandas"):
        return X.assign(**{name: values})
    if _is(X, "polars"):
        import polars

        frame = X.with_columns(polars.Series(name, values))
        return frame.lazy() if given is not X else frame
    if _is(X, "pyarrow") and hasattr(X, "append_column"):
        import pyarrow

        whole = X.append_column(name, pyarrow.array(values))
        return given.query("fovea_records", "SELECT * FROM whole") if given is not X else whole
    # Something else that streams: its cells as they were read, since a stream is read only once.
    columns = {c: [cell or None for cell in table.column(i)] for i, c in enumerate(table.columns)}
    return Table({**columns, name: values})


def check_new_column(table, column, name):
    """Refuses a name for a new column that the table has already."""
    if not isinstance(column, str) or not column:
        raise UsageError(f"argument cluster_column={column!r}: needs a name")
    if column in table.columns:
        raise UsageError(
            f"argument {name} has a column '{column}' already: leave it out, or give cluster_column=, the "
            "name of the new one"
        )


def cell_text(value):
    """The text of a cell, spelled as the library spells Arrow's values; None if it is missing. TypeError without text."""
    if isinstance(value, str):
        return value
    if value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return None
    kind = value.dtype.kind if hasattr(value, "dtype") and hasattr(value.dtype, "kind") else ""
    if isinstance(value, bool) or (kind == "b" and value.ndim == 0):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, decimal.Decimal):
        return None if value.is_nan() else format(value, "f")
    if isinstance(value, numbers.Real):
        text = str(value)
        return None if value != value else text.removesuffix(".0")
    if isinstance(value, datetime.datetime):
        return _moment(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return _without_zeros(value.isoformat())
    if kind == "M" and value.ndim == 0:
        text = str(value)
        return None if text == "NaT" else _without_zeros(text)
    if isinstance(value, (list, tuple)) or (kind and value.ndim == 1):
        return _joined(value)
    if isinstance(value, enum.Enum):
        return cell_text(value.value)
    if isinstance(value, uuid.UUID) or type(value).__name__ == "Period":
        return str(value)
    raise TypeError(f"values of type {type(value).__name__} have no text")


def _is(X, package):
    """Whether the class of X, or one that it derives from, is one of the package's."""
    return any(c.__module__.partition(".")[0].lstrip("_") == package for c in type(X).__mro__)


def _moment(value):
    zone = "" if value.tzinfo is None else "Z"
    if zone:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return _without_zeros(value.isoformat()) + zone


def _without_zeros(text):
    return text.rstrip("0").rstrip(".") if "." in text else text


def _joined(values):
    texts = [text for text in map(cell_text, values) if text]
    for text in texts:
        if _SEPARATOR in text:
            raise TypeError(f"an element of a list holds the separator '{_SEPARATOR}'")
    return _SEPARATOR.join(texts)


def _listed(values, name, column):
    """The cells of a column of a dict."""
    if hasattr(values, "to_pylist"):
        return values.to_pylist()
    if not isinstance(values, (str, bytes, dict)):
        try:
            return list(values)
        except TypeError:
            pass
    raise UsageError(f"argument {name}: column '{column}' needs a list of cells, not {type(values).__name__}")


def _of_dicts(rows, name, missing):
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise UsageError(f"argument {name}, row {number}: needs a dict, not {type(row).__name__}; {name} {_NEEDED}")
    columns = list(dict.fromkeys(c for row in rows for c in row))
    return _of_columns({c: [row.get(c) for row in rows] for c in columns}, name, missing)


def _of_columns(columns, name, missing):
    sizes = {len(values) for values in columns.values()}
    if len(sizes) > 1:
        raise UsageError(f"argument {name}: its columns have {' and '.join(map(str, sorted(sizes)))} cells")
    texts = [_texts(values, name, c) for c, values in columns.items()]
    return _core.Table.from_columns(name, [str(c) for c in columns], texts, missing)


def _texts(values, name, column):
    texts = []
    for row, value in enumerate(values, 1):
        try:
            texts.append(cell_text(value))
        except (TypeError, ValueError) as error:
            raise InputError(f"{name}, row {row}, column '{column}': {error}. {_REMEDY}") from None
    return texts


def _of_pandas(X, name, missing):
    if not hasattr(X, "columns"):
        raise UsageError(f"argument {name}: {_NEEDED}; of {type(X).__name__}, make one by .to_frame()")
    if not X.columns.is_unique:
        twice = X.columns[X.columns.duplicated()][0]
        raise InputError(f"{name}: two columns are called '{twice}'. Give every column its own name")
    if not any(str(dtype).startswith(("period", "interval", "timedelta")) for dtype in X.dtypes):
        try:
            return _core.Table(X.reset_index(drop=True), name, missing)
        except InputError:
            raise
        except Exception:  # without pyarrow, or by a column of objects that have no common type in Arrow
            pass
    return _of_columns({c: X.iloc[:, i].tolist() for i, c in enumerate(X.columns)}, name, missing)


def _of_polars(X, name, missing):
    if hasattr(X, "collect"):
        return _of_polars(X.collect(), name, missing)
    if not hasattr(X, "columns"):
        raise UsageError(f"argument {name}: {_NEEDED}; of {type(X).__name__}, make one by .to_frame()")
    if any(str(dtype) in ("Object", "Int128", "UInt128", "Float16") for dtype in X.dtypes):
        return _of_columns({c: X[c].to_list() for c in X.columns}, name, missing)
    return _of_stream(X, name, missing)


def _of_stream(X, name, missing):
    try:
        return _core.Table(X, name, missing)
    except (InputError, UsageError):
        raise
    except Exception as error:
        raise InputError(f"{name}: its stream of records cannot be read: {error}") from error
