// SPDX-License-Identifier: Apache-2.0
// Buckets of records as stages carry them about: whatever the bytes are, either they are refused with an InputError, or
// each record is in a window once for each of its groups.
#include <cstdint>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/linkage/stages/record_bucket.h"
#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string_view> parts = {bytes.substr(0, size / 2), bytes.substr(size / 2), bytes};
  try {
    const fovea::linkage::RecordGroups groups(parts, {"name", "city"});
    std::size_t rows = 0, rows_of_windows = 0;
    for (std::size_t group = 0; group < groups.size(); ++group) rows += groups.rows(group);
    groups.for_each_window([](std::size_t) { return true; },
                           [](std::size_t group, std::size_t) { return group % 3 == 0; },
                           [&](const fovea::linkage::RecordWindow& window) {
                             rows_of_windows += window.groups.rows.size();
                             fovea::fuzz::require(window.records.row_count() == window.numbers.size());
                           });
    fovea::fuzz::require(rows == rows_of_windows);
  } catch (const fovea::InputError&) {
  }
  return 0;
}
