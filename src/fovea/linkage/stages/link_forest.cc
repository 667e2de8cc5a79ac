// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/stages/link_forest.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace fovea::linkage
