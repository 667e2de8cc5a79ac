// SPDX-License-Identifier: Apache-2.0
// Any bytes are either a table that survives being written, or an InputError.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/io/table/json_lines_reader.h"
#include "fovea/io/table/table_writer.h"
#include "fovea/io/table/text_encoding.h"
#include "fuzz/require.h"

namespace {

fovea::io::Table read(std::string_view bytes) {
  return fovea::io::read_json_lines(fovea::io::LineReader(fovea::io::ByteSource::from_memory(bytes, "<fuzz>")));
}

std::vector<std::string_view> row_of(const fovea::io::Table& table, std::size_t row) {
  std::vector<std::string_view> cells;
  for (std::size_t c = 0; c < table.column_count(); ++c) cells.push_back(table.cell(row, c));
  return cells;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const fovea::io::Table table = read({reinterpret_cast<const char*>(data), size});
    std::string bytes;
    const auto writer = fovea::io::make_json_lines_writer(fovea::io::OutputFile::to_memory(bytes), table.columns());
    for (std::size_t row = 0; row < table.row_count(); ++row) writer->add_row(row_of(table, row));
    writer->finish();
    const fovea::io::Table again = read(bytes);
    fovea::fuzz::require(again.columns() == table.columns() && again.row_count() == table.row_count());
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      fovea::fuzz::require(row_of(again, row) == row_of(table, row));
      for (const std::string_view cell : row_of(table, row))
        fovea::fuzz::require(fovea::io::find_invalid_utf8(cell) == cell.npos && cell.find('\0') == cell.npos);
    }
  } catch (const fovea::InputError&) {
  }
  return 0;
}
