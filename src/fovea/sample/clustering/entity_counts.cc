// SPDX-License-Identifier: Apache-2.0
#include "fovea/sample/clustering/entity_counts.h"

#include <algorithm>

namespace fovea {

EntityCounts::EntityCounts(const AttributePairs& model, const Partition& partition)
    : model_(&model), counts_(partition.mention_count() * model.attribute_count()), sizes_(partition.mention_count()) {
  for (MentionId m = 0; m < partition.mention_count(); ++m) add(m, partition.entity(m));
}

void EntityCounts::add(MentionId m, EntityId e) {
  ++sizes_[e];
  for (std::size_t a = 0; a < model_->attribute_count(); ++a) {
    Counts& all = counts(e, a);
    const auto at = std::ranges::find(all, model_->value(a, m), &ValueCount::value);
    if (at == all.end()) all.push_back({model_->value(a, m), 1});
    else ++at->count;
  }
}

void EntityCounts::remove(MentionId m, EntityId e) {
  --sizes_[e];
  for (std::size_t a = 0; a < model_->attribute_count(); ++a) {
    Counts& all = counts(e, a);
    const auto at = std::ranges::find(all, model_->value(a, m), &ValueCount::value);
    if (--at->count > 0) continue;
    *at = all.back();
    all.pop_back();
  }
}

double EntityCounts::sum_of_scores(MentionId m, EntityId e) const {
  double sum = model_->bias() * sizes_[e];
  for (std::size_t a = 0; a < model_->attribute_count(); ++a) {
    const std::span<const float> scores = model_->scores(a, model_->value(a, m));
    for (const ValueCount& held : counts(e, a)) sum += double{scores[held.value]} * held.count;
  }
  return sum;
}

std::size_t EntityCounts::lookups(EntityId e) const {
  std::size_t lookups = 0;
  for (std::size_t a = 0; a < model_->attribute_count(); ++a) lookups += counts(e, a).size();
  return lookups;
}

}  // namespace fovea
