// SPDX-License-Identifier: Apache-2.0
// Any bytes are either a table that survives being written, or an InputError. The first byte picks the delimiter.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "fovea/base/error.h"
#include "fovea/io/output_file.h"
#include "fovea/io/table/delimited_reader.h"
#include "fovea/io/table/table_writer.h"
#include "fuzz/require.h"

namespace {

using fovea::io::DelimitedFormat;
using fovea::io::DelimitedReader;

DelimitedReader reader_of(std::string_view bytes, const DelimitedFormat& format) {
  return DelimitedReader(fovea::io::LineReader(fovea::io::ByteSource::from_memory(bytes, "<fuzz>")), format);
}

void check(std::string_view bytes, const DelimitedFormat& format) {
  std::string rewritten;
  DelimitedReader reader = reader_of(bytes, format);
  const auto writer = fovea::io::make_delimited_writer(fovea::io::OutputFile::to_memory(rewritten), reader.columns(),
                                                       reader.delimiter());
  while (reader.next()) {
    fovea::fuzz::require(reader.cells().size() == reader.columns().size());
    for (const std::string_view cell : reader.cells())
      fovea::fuzz::require(fovea::io::find_invalid_utf8(cell) == cell.npos && cell.find('\0') == cell.npos);
    writer->add_row(reader.cells());
  }
  writer->finish();
  DelimitedReader first = reader_of(bytes, format),
                  second = reader_of(rewritten, {.delimiter = reader.delimiter(), .encoding = "utf-8"});
  fovea::fuzz::require(first.columns() == second.columns());
  while (first.next()) {
    fovea::fuzz::require(second.next());
    fovea::fuzz::require(std::ranges::equal(first.cells(), second.cells()));
  }
  fovea::fuzz::require(!second.next());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static const DelimitedFormat formats[] = {{}, {.delimiter = '\t'}, {.delimiter = ';'}, {.encoding = "latin1"}};
  try {
    check(bytes.substr(1), formats[data[0] % 4]);
  } catch (const fovea::InputError&) {
  }
  return 0;
}
