// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/evaluate/running_b_cubed.h"

#include <algorithm>

#include "fovea/base/error.h"

namespace fovea::linkage {

RunningBCubed::RunningBCubed(std::span<const std::uint32_t> predicted, std::span<const std::uint32_t> gold) {
  FOVEA_CHECK(predicted.size() == gold.size());
  number_entities(gold);
  overlaps_.max_load_factor(0.75f);  // from singletons there are as many overlaps as records
  if (!predicted.empty()) clusters_.resize(std::size_t{*std::ranges::max_element(predicted)} + 1);
  for (std::size_t m = 0; m < gold.size(); ++m)
    if (entities_[m] != kUnlabelled) change(predicted[m], entities_[m], 1);
}

void RunningBCubed::number_entities(std::span<const std::uint32_t> gold) {
  tsl::robin_map<std::uint32_t, std::uint32_t> numbers;
  entities_.reserve(gold.size());
  for (const std::uint32_t label : gold) {
    if (label == kUnlabelled) {
      entities_.push_back(kUnlabelled);
      continue;
    }
    const auto [found, is_new] = numbers.try_emplace(label, static_cast<std::uint32_t>(entity_sizes_.size()));
    if (is_new) entity_sizes_.push_back(0);
    entities_.push_back(found->second);
    ++entity_sizes_[found->second];
    ++records_;
  }
}

void RunningBCubed::move(std::uint32_t record, std::uint32_t from, std::uint32_t to) {
  const std::uint32_t entity = entities_[record];
  if (entity == kUnlabelled || from == to) return;
  change(from, entity, -1);
  change(to, entity, 1);
}

void RunningBCubed::change(std::uint32_t cluster, std::uint32_t entity, int step) {
  if (cluster >= clusters_.size()) clusters_.resize(std::size_t{cluster} + 1);
  const auto overlap = overlaps_.try_emplace(pair_key(cluster, entity), 0).first;
  const std::int64_t before = overlap->second, after = before + step, growth = after * after - before * before;
  FOVEA_CHECK(after >= 0);
  overlap.value() = static_cast<std::uint32_t>(after);
  if (after == 0) overlaps_.erase(overlap);

  Cluster& c = clusters_[cluster];
  precision_sum_ -= c.share();
  c.squares += growth;
  c.records += step;
  precision_sum_ += c.share();
  recall_sum_ += static_cast<double>(growth) / entity_sizes_[entity];
}

BCubed RunningBCubed::score() const {
  if (records_ == 0) return {};
  const auto records = static_cast<double>(records_);
  return {precision_sum_ / records, recall_sum_ / records};
}

}  // namespace fovea::linkage
