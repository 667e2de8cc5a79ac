// SPDX-License-Identifier: Apache-2.0
// Column files that are read and written read the same again, and their cells are pieces of their lines.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/tagging/format/conll.h"
#include "fuzz/require.h"

namespace {

using Cells = std::vector<std::vector<std::string>>;  // of all sequences, an empty row after each

Cells read(std::string_view bytes, std::string* rewritten) {
  fovea::tagging::ConllReader reader(fovea::io::ByteSource::from_memory(bytes, "fuzz"));
  std::string ignored;
  std::string& output = rewritten != nullptr ? *rewritten : ignored;
  Cells cells;
  for (fovea::tagging::ItemSequence sequence; reader.next(sequence); cells.emplace_back()) {
    fovea::fuzz::require(!sequence.empty() && sequence.column_count() == reader.column_count());
    for (std::size_t t = 0; t < sequence.size(); ++t) {
      cells.emplace_back();
      for (std::size_t c = 0; c < sequence.column_count(); ++c) cells.back().emplace_back(sequence.cell(t, c));
    }
    fovea::tagging::ConllWriter(output, reader.format()).write(sequence, {});
  }
  fovea::tagging::ConllWriter(output, reader.format()).write_blank_lines(reader.blank_lines_after());
  return cells;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    std::string rewritten, again;
    const Cells cells = read({reinterpret_cast<const char*>(data), size}, &rewritten);
    fovea::fuzz::require(read(rewritten, &again) == cells);
    fovea::fuzz::require(again == rewritten);
  } catch (const fovea::InputError&) {
  }
  return 0;
}
