// SPDX-License-Identifier: Apache-2.0
// Files of match statistics: one section of a good file is replaced, with matching checksums. Whatever it holds, either
// the file is refused with an InputError, or it is written as it was read, merges if it is complete, and scores pairs.
// The input is the number of the section, then its bytes.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fovea/base/error.h"
#include "fovea/linkage/comparison/collect_statistics.h"
#include "fovea/linkage/matching/record_matching.h"
#include "fuzz/changed_section.h"
#include "fuzz/require.h"

namespace {

using namespace fovea::linkage;

constexpr const char* kCompare = "name, title:words, title:topic, name:edits@size(name)";

const fovea::io::Table& papers() {
  static const fovea::io::Table table = [] {
    fovea::io::Table made("papers", {"name", "title"}, fovea::io::RowNumbers::kRows);
    const std::string_view rows[][2] = {{"Meyer", "on words"}, {"Meyer", "on other words"}, {"Vogel", "on words"}};
    std::int64_t number = 0;
    for (const auto& row : rows) made.add_row(row, ++number);
    return made;
  }();
  return table;
}

void write_good(const std::string& path) { collect_statistics(kCompare, papers()).save(path); }

std::string bytes_of(const MatchStatistics& statistics) {
  std::string bytes;
  statistics.save(fovea::ContainerTarget::memory(bytes));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fovea::fuzz::ChangedSection good("matching counts", 1, write_good);
  if (size == 0) return 0;
  const std::string path = good.with(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  try {
    MatchStatistics read = MatchStatistics::load(path);
    const std::string bytes = bytes_of(read);
    fovea::fuzz::require(bytes_of(MatchStatistics::load(fovea::ContainerSource::memory(bytes))) == bytes);
    const auto reduced = std::make_shared<const MatchStatistics>(read.reduced());
    const RecordMatching matching(papers(), {.compare = kCompare, .block = "name"}, {}, reduced);
    const MatchModel model(matching.comparisons(), matching.nothing_known());
    fovea::fuzz::require(model.score({0, 1}) == model.score({0, 1}));
    read.merge(collect_statistics(kCompare, papers()));
  } catch (const fovea::InputError&) {
  }
  return 0;
}
