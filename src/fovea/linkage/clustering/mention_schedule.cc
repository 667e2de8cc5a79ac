// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/mention_schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace fovea::linkage {
namespace {

constexpr float kLowest = -16, kHighest = 4;  // log gains that the queue tells apart
constexpr std::size_t kFew = 8;               // members that are told what happened to their entity

}  // namespace

MentionSchedule::MentionSchedule(const MentionRule& rule, const Partition& partition, std::vector<MentionMemory> memory)
    : memory_(std::move(memory)), queue_(partition.mention_count(), kLowest, kHighest) {
  const std::size_t mentions = partition.mention_count();
  const double crowd = std::log2(static_cast<double>(mentions));
  for_each_mention_features([&](const MentionFeatures& features) {
    log_gains_[features.index()] = static_cast<float>(rule.log_gain(features, crowd));
  });
  memory_.resize(mentions);
  for (MentionId m = 0; m < mentions; ++m) queue_.push(m, log_gain(m, partition));
}

MentionFeatures MentionSchedule::features(MentionId m, const Partition& partition) const {
  return {.age = MentionFeatures::age_class(memory_[m].refusals),
          .size = MentionFeatures::size_class(partition.size(partition.entity(m))),
          .news = memory_[m].news};
}

void MentionSchedule::visited(MentionId m, bool accepted, const Partition& partition) {
  MentionMemory& memory = memory_[m];
  memory.news = MentionFeatures::News::kNone;
  if (!accepted && memory.refusals < std::numeric_limits<std::uint16_t>::max()) ++memory.refusals;
  queue_.remove(m);  // and not only updated: to the end of its bucket
  queue_.push(m, log_gain(m, partition));
}

void MentionSchedule::moved(MentionId m, EntityId from, EntityId to, const Partition& partition) {
  memory_[m].refusals = 0;
  tell(from, MentionFeatures::News::kLost, partition);
  tell(to, MentionFeatures::News::kGained, partition);
  queue_.update(m, log_gain(m, partition));
}

void MentionSchedule::tell(EntityId e, MentionFeatures::News news, const Partition& partition) {
  if (partition.size(e) > kFew) return;
  for (const MentionId n : partition.members(e)) {
    memory_[n].news = std::max(memory_[n].news, news);
    queue_.update(n, log_gain(n, partition));
  }
}

}  // namespace fovea::linkage
