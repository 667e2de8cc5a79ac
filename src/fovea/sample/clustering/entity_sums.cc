// SPDX-License-Identifier: Apache-2.0
#include "fovea/sample/clustering/entity_sums.h"

#include <algorithm>

namespace fovea {

EntitySums::EntitySums(const AttributePairs& model, const Partition& partition)
    : model_(&model), row_(partition.mention_count(), kNoRow) {
  for (std::size_t a = 0; a < model.attribute_count(); ++a) begin_.push_back(begin_.back() + model.value_count(a));
  for (std::size_t i = 0; i < partition.entity_count(); ++i)
    if (const EntityId e = partition.nth_entity(i); partition.size(e) >= kMembers) open_row(e, partition);
}

GroupedSum EntitySums::sum_of_scores(MentionId m, EntityId e, const Partition& partition) const {
  const bool is_member = partition.entity(m) == e;
  GroupedSum grouped;
  if (row_[e] == kNoRow) {
    for (const MentionId n : partition.members(e))
      if (n != m) grouped.sum += model_->pair_score(m, n);
    grouped.factors = partition.size(e) - is_member;
    return grouped;
  }
  grouped.sum = model_->bias() * static_cast<double>(partition.size(e));
  const double* const row = sums_.data() + row_[e] * begin_.back();
  for (std::size_t a = 0; a < model_->attribute_count(); ++a) grouped.sum += row[begin_[a] + model_->value(a, m)];
  if (is_member) grouped.sum -= model_->pair_score(m, m);
  grouped.lookups = model_->attribute_count();
  return grouped;
}

void EntitySums::moved(MentionId m, EntityId from, EntityId to, const Partition& partition) {
  if (row_[from] != kNoRow) {
    if (2 * partition.size(from) > kMembers) add(m, from, -1);
    else close_row(from);
  }
  if (row_[to] != kNoRow) add(m, to, 1);
  else if (partition.size(to) >= kMembers) open_row(to, partition);
}

void EntitySums::open_row(EntityId e, const Partition& partition) {
  if (free_rows_.empty()) {
    free_rows_.push_back(static_cast<std::uint32_t>(sums_.size() / begin_.back()));
    sums_.resize(sums_.size() + begin_.back());
  }
  row_[e] = free_rows_.back();
  free_rows_.pop_back();
  std::fill_n(sums_.begin() + static_cast<std::ptrdiff_t>(row_[e] * begin_.back()), begin_.back(), 0.0);
  for (const MentionId m : partition.members(e)) add(m, e, 1);
}

void EntitySums::close_row(EntityId e) {
  free_rows_.push_back(row_[e]);
  row_[e] = kNoRow;
}

void EntitySums::add(MentionId m, EntityId e, double sign) {
  for (std::size_t a = 0; a < model_->attribute_count(); ++a) {
    const std::span<const float> scores = model_->scores(a, model_->value(a, m));
    double* const sums = sums_.data() + row_[e] * begin_.back() + begin_[a];
    for (std::size_t v = 0; v < scores.size(); ++v) sums[v] += sign * double{scores[v]};
  }
}

}  // namespace fovea
