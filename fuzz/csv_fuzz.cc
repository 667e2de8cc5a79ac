// SPDX-License-Identifier: Apache-2.0
// Any bytes either are a table, which survives being written, or an InputError.
#include <cstdint>
#include <string>
#include <string_view>

#include "fovea/base/error.h"
#include "fovea/io/codec.h"
#include "fovea/io/csv.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    fovea::CsvReader reader(fovea::ByteSource::from_memory({reinterpret_cast<const char*>(data), size}, "<fuzz>"));
    std::string bytes;
    fovea::OutputFile output = fovea::OutputFile::to_memory(bytes);
    fovea::write_csv_row(reader.columns(), output);
    output.finish();
    if (fovea::compression_of_data(bytes) != fovea::Compression::kNone) return 0;  // names that look like packed data
    const fovea::CsvReader again(fovea::ByteSource::from_memory(bytes, "<again>"));
    fovea::fuzz::require(again.columns() == reader.columns());
    while (reader.next()) fovea::fuzz::require(reader.cells().size() == reader.columns().size());
  } catch (const fovea::InputError&) {
  }
  return 0;
}
