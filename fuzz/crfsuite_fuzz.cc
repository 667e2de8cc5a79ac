// SPDX-License-Identifier: Apache-2.0
// Files of CRFsuite's attributes that are read and written read the same again.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/tagging/format/crfsuite.h"
#include "fuzz/require.h"

namespace {

/// Labels (with value 0) and attributes of all sequences, an empty name after each sequence.
using Names = std::vector<std::pair<std::string, float>>;

Names read(std::string_view bytes, std::string& rewritten) {
  fovea::tagging::CrfsuiteReader reader(fovea::io::ByteSource::from_memory(bytes, "fuzz"));
  Names names;
  for (fovea::tagging::AttributeSequence sequence; reader.next(sequence); names.emplace_back("", 0.0f)) {
    for (std::size_t t = 0; t < sequence.size(); ++t) {
      names.emplace_back(sequence.label(t), 0.0f);
      for (std::size_t a = 0; a < sequence.attribute_count(t); ++a) {
        const auto [name, value] = sequence.attribute(t, a);
        fovea::fuzz::require(!name.empty() && std::isfinite(value));
        names.emplace_back(name, value);
      }
    }
    fovea::tagging::append_crfsuite(sequence, rewritten);
  }
  return names;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // The writer forbids carriage returns in names: at the end of a line one would become part of the line end.
  if (bytes.find('\r') != bytes.npos) return 0;
  try {
    std::string rewritten, again;
    const Names names = read(bytes, rewritten);
    fovea::fuzz::require(read(rewritten, again) == names);
    fovea::fuzz::require(again == rewritten);
  } catch (const fovea::InputError&) {
  }
  return 0;
}
