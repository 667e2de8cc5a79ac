// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/stages/link_forest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fovea/base/dictionary.h"

namespace fovea::linkage {

std::uint32_t LinkForest::find(std::uint32_t record) {
  for (;;) {
    const auto place = parents_.try_emplace(record, record).first;
    if (place->second == record) return record;
    const std::uint32_t above = parents_.at(place->second);
    place.value() = above;  // path halving
    record = above;
  }
}

bool LinkForest::add(std::uint32_t first, std::uint32_t second) {
  const auto [kept, other] = std::minmax({find(first), find(second)});
  if (kept == other) return false;
  parents_[other] = kept;
  return true;
}

void RecordForest::add(std::span<const std::uint32_t> first, std::span<const std::uint32_t> second) {
  FOVEA_CHECK(first.size() == second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (const std::uint32_t last = std::max(first[i], second[i]); last >= records_)
      throw InputError({.file = "the links"}, fmt::format("record {} of {} records", last, records_),
                       "Number the records from 0 on, once, and keep the numbers");
    const auto [kept, other] = std::minmax({sets_.find(first[i]), sets_.find(second[i])});
    sets_.unite(kept, other);
  }
}

std::vector<std::uint32_t> RecordForest::components() {
  std::vector<std::uint32_t> first = std::exchange(sets_, DisjointSets(0)).representatives();
  std::vector<bool> is_joined(first.size());
  for (std::uint32_t record = 0; record < first.size(); ++record)
    if (first[record] != record) is_joined[record] = is_joined[first[record]] = true;
  for (std::uint32_t record = 0; record < first.size(); ++record)
    if (!is_joined[record]) first[record] = kNoId;
  return first;
}

}  // namespace fovea::linkage
