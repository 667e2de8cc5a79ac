// SPDX-License-Identifier: Apache-2.0
// Tables of records, from everything that has __arrow_c_stream__: pandas, polars, pyarrow, duckdb.
#include <fovea/linkage.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

namespace fovea::python {
namespace nb = nanobind;
namespace {

/// The table that `frame` streams; `name` stands for it in messages.
io::Table read(nb::handle frame, const std::string& name, const std::vector<std::string>& missing) {
  const nb::object capsule = frame.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (!stream) nb::raise_python_error();
  return io::read_arrow_stream(stream, name, missing);
}

/// A table of columns of texts, None for a missing cell.
io::Table from_columns(const std::string& name, const std::vector<std::string>& names,
                       const std::vector<nb::list>& columns) {
  io::Table table(name, names, io::RowNumbers::kRows);
  const std::size_t rows = columns.empty() ? 0 : nb::len(columns[0]);
  std::vector<std::string_view> cells(columns.size());
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const nb::object cell = columns[c][row];
      Py_ssize_t size = 0;
      const char* text = cell.is_none() ? "" : PyUnicode_AsUTF8AndSize(cell.ptr(), &size);
      if (!text) nb::raise_python_error();
      cells[c] = {text, static_cast<std::size_t>(size)};
    }
    table.add_row(cells, static_cast<std::int64_t>(row) + 1);
  }
  return table;
}

nb::list column(const io::Table& table, std::size_t number) {
  nb::list cells;
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    const std::string_view cell = table.cell(row, number);
    cells.append(nb::str(cell.data(), cell.size()));
  }
  return cells;
}

}  // namespace

void bind_table(nb::module_& module) {
  nb::class_<io::Table>(module, "Table")
      .def(nb::new_(&read))
      .def_static("from_columns", &from_columns)
      .def_prop_ro("columns", &io::Table::columns)
      .def_prop_ro("row_count", &io::Table::row_count)
      .def("column", &column);
}

}  // namespace fovea::python
