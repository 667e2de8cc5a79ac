// SPDX-License-Identifier: Apache-2.0
// Tables: of records, from everything that has __arrow_c_stream__ (pandas, polars, pyarrow, duckdb), and of results,
// for all of these.
#include "table.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "long_call.h"

namespace fovea::python {
namespace nb = nanobind;
namespace {

constexpr const char* kStreamName = "arrow_array_stream";

/// The table that `frame` streams; `name` stands for it in messages.
io::Table read(nb::handle frame, const std::string& name, const std::vector<std::string>& missing) {
  const nb::object capsule = frame.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), kStreamName));
  if (!stream) nb::raise_python_error();
  const nb::gil_scoped_release no_gil;  // whoever wrote the stream takes it where it is needed
  return io::read_arrow_stream(stream, name, missing);
}

/// The text of a str, or "" for None. `location`: returns the place of the cell, for messages.
template <class Location>
std::string_view text_of(nb::handle cell, const Location& location) {
  if (cell.is_none()) return {};
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(cell.ptr(), &size);
  if (text) return {text, static_cast<std::size_t>(size)};
  if (PyErr_ExceptionMatches(PyExc_UnicodeError) == 0) nb::raise_python_error();
  PyErr_Clear();
  throw InputError(location(), "holds half of a surrogate pair, which UTF-8 does not have",
                   "Leave such characters out");
}

/// A table of columns of texts, None for a missing cell.
io::Table from_columns(const std::string& name, const std::vector<std::string>& names,
                       const std::vector<nb::list>& columns, const std::vector<std::string>& missing) {
  io::Table table(name, names, io::RowNumbers::kRows, missing);
  const std::size_t rows = columns.empty() ? 0 : nb::len(columns[0]);
  std::vector<std::string_view> cells(columns.size());
  LongLoop loop;
  for (std::size_t row = 0; row < rows; ++row) {
    loop.step();
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const auto location = [&] {
        return InputLocation{.file = fmt::format("{}, row {}, column '{}'", name, row + 1, names[c])};
      };
      const nb::object cell = columns[c][row];
      cells[c] = text_of(cell, location);
      if (const char* fault = io::fault_of_cell(cells[c])) throw InputError(location(), fault);
    }
    table.add_row(cells, static_cast<std::int64_t>(row) + 1);
  }
  return table;
}

nb::object text_object(std::string_view text) { return nb::str(text.data(), text.size()); }

nb::list column(const io::Table& table, std::size_t number) {
  nb::list cells;
  LongLoop loop;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    loop.step();
    cells.append(text_object(table.cell(row, number)));
  }
  return cells;
}

std::optional<std::size_t> row_of_id(const io::Table& table, const std::string& id_column, const std::string& id) {
  return io::unique_ids(table, table.column(id_column)).find(id);
}

InputLocation place_of(const std::string& column, std::size_t row) {
  return {.file = fmt::format("row {}, column '{}'", row + 1, column)};
}

/// A column of truth values if there is one among the cells, else of texts; None where a cell is missing.
io::ArrowColumn column_of_list(const std::string& name, const nb::list& cells) {
  io::ArrowTexts texts;
  io::ArrowBits truths, valid;
  bool is_truth = false;
  for (const nb::handle cell : cells) is_truth = is_truth || nb::isinstance<nb::bool_>(cell);
  LongLoop loop;
  for (std::size_t row = 0; row < nb::len(cells); ++row) {
    loop.step();
    const nb::object cell = cells[row];
    valid.append(!cell.is_none());
    if (is_truth) truths.append(cell.is(nb::handle(Py_True)));
    else texts.append(text_of(cell, [&] { return place_of(name, row); }));
  }
  if (is_truth) return {name, std::move(truths), std::move(valid)};
  return {name, std::move(texts), std::move(valid)};
}

template <class T>
std::vector<T> numbers_of(const Row<T>& array) {
  return {array.data(), array.data() + array.size()};
}

/// Each of `cells` is an array of int64 or float64, or a list of str, bool and None.
Columns columns_of(const std::vector<std::string>& names, const nb::list& cells) {
  std::vector<io::ArrowColumn> columns;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const nb::object column = cells[c];
    Row<std::int64_t> integers;
    Row<double> numbers;
    if (nb::isinstance<nb::list>(column)) columns.push_back(column_of_list(names[c], nb::cast<nb::list>(column)));
    else if (nb::try_cast(column, integers, false)) columns.push_back({names[c], numbers_of(integers)});
    else columns.push_back({names[c], numbers_of(nb::cast<Row<double>>(column))});
  }
  return Columns(std::move(columns));
}

/// The numbers of a column, which its owner keeps.
template <class T>
nb::object shared_array(const std::vector<T>& numbers, nb::handle owner) {
  if (numbers.empty()) return array_of(std::vector<T>());
  const std::size_t size = numbers.size();
  return nb::cast(nb::ndarray<nb::numpy, const T>(numbers.data(), 1, &size, owner));
}

/// An array of numbers; a list of str, bool and None; or a list of int and None.
nb::object cells_of(nb::handle self, const std::string& name) {
  const io::ArrowColumn* column = nb::cast<const Columns&>(self).table->find(name);
  if (!column) throw UsageError(fmt::format("no column is called '{}'", name));
  const auto* integers = std::get_if<std::vector<std::int64_t>>(&column->cells);
  if (integers && column->valid.zeros() == 0) return shared_array(*integers, self);
  if (const auto* numbers = std::get_if<std::vector<double>>(&column->cells)) {
    if (column->valid.zeros() == 0) return shared_array(*numbers, self);
    std::vector<double> with_gaps = *numbers;
    for (std::size_t row = 0; row < with_gaps.size(); ++row)
      if (column->is_missing(row)) with_gaps[row] = std::numeric_limits<double>::quiet_NaN();
    return array_of(std::move(with_gaps));
  }
  nb::list list;
  LongLoop loop;
  for (std::size_t row = 0; row < column->size(); ++row) {
    loop.step();
    if (column->is_missing(row)) list.append(nb::none());
    else if (integers) list.append((*integers)[row]);
    else if (const auto* truths = std::get_if<io::ArrowBits>(&column->cells)) list.append(bool{(*truths)[row]});
    else list.append(text_object(std::get<io::ArrowTexts>(column->cells)[row]));
  }
  return list;
}

/// A capsule as __arrow_c_stream__ returns it. Whoever takes the stream out releases it; else the capsule does.
nb::object stream_of(const Columns& columns) {
  auto stream = std::make_unique<ArrowArrayStream>();
  io::export_arrow_stream(columns.table, stream.get());
  PyObject* capsule = PyCapsule_New(stream.get(), kStreamName, [](PyObject* self) {
    const std::unique_ptr<ArrowArrayStream> owned(
        static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(self, kStreamName)));
    if (owned && owned->release) owned->release(owned.get());
  });
  if (!capsule) {
    stream->release(stream.get());
    nb::raise_python_error();
  }
  stream.release();
  return nb::steal(capsule);
}

}  // namespace

std::vector<std::string> Columns::names() const {
  std::vector<std::string> names;
  for (const io::ArrowColumn& column : table->columns()) names.push_back(column.name);
  return names;
}

void bind_table(nb::module_& module) {
  nb::class_<io::Table>(module, "Table")
      .def(nb::new_(&read))
      .def_static("from_columns", &from_columns)
      .def_prop_ro("columns", &io::Table::columns)
      .def_prop_ro("row_count", &io::Table::row_count)
      .def("column", &column)
      .def("row_of_id", &row_of_id);
  nb::class_<Columns>(module, "Columns")
      .def(nb::new_(&columns_of))
      .def_prop_ro("names", &Columns::names)
      .def_prop_ro("row_count", [](const Columns& self) { return self.table->row_count(); })
      .def("column", [](nb::handle_t<Columns> self, const std::string& name) { return cells_of(self, name); })
      .def("stream", &stream_of);
}

}  // namespace fovea::python
