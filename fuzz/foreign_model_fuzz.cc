// SPDX-License-Identifier: Apache-2.0
// Any bytes are either a model of CRFsuite or CRF++ that tags, and is the same tagger once it is saved, or an
// InputError.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fovea/base/error.h"
#include "fovea/tagging.h"
#include "fuzz/require.h"

namespace {

using fovea::fuzz::require;

/// Models that the file is too small to spoil memory with, but a test need not tag by.
constexpr std::size_t kMostLabels = 100;

std::vector<std::vector<std::string>> labels_of(const fovea::tagging::Tagger& tagger) {
  const std::size_t columns =
      tagger.reads_columns() ? tagger.vocabulary().feature_template->column_count() : std::size_t{1};
  if (columns > 1000) return {};
  const fovea::tagging::TagItem item(std::max<std::size_t>(columns, 1), "a");
  const std::vector<fovea::tagging::TagItems> sequences = {{item, item, item}};
  std::vector<std::vector<std::string>> labels;
  for (const auto& tags : fovea::tagging::tag(tagger, sequences, {}, {.threads = 1}).sequences) {
    require(tags.labels.size() == 3);
    labels.push_back(tags.labels);
  }
  return labels;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto source = fovea::ContainerSource::memory({reinterpret_cast<const char*>(data), size}, "a model");
  if (!fovea::tagging::Tagger::is_foreign(source)) return 0;
  try {
    const auto tagger = fovea::tagging::Tagger::load(source);
    if (tagger.labels().size() > kMostLabels) return 0;
    std::string bytes;
    tagger.save(fovea::ContainerTarget::memory(bytes));
    const auto saved = fovea::tagging::Tagger::load(fovea::ContainerSource::memory(bytes));
    require(saved.labels() == tagger.labels() && labels_of(saved) == labels_of(tagger));
  } catch (const fovea::InputError&) {
  }
  return 0;
}
