// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/clustering/record_schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace fovea::linkage {
namespace {

constexpr float kLowest = -16, kHighest = 4;  // range of log gains that the queue tells apart
constexpr std::size_t kFew = 8;               // largest cluster whose members get its news

}  // namespace

RecordSchedule::RecordSchedule(const RecordRule& rule, const Partition& partition, std::vector<RecordMemory> memory)
    : memory_(std::move(memory)), queue_(partition.record_count(), kLowest, kHighest) {
  const std::size_t records = partition.record_count();
  const double crowd = std::log2(static_cast<double>(records));
  for_each_record_features([&](const RecordFeatures& features) {
    log_gains_[features.index()] = static_cast<float>(rule.log_gain(features, crowd));
  });
  memory_.resize(records);
  for (RecordId m = 0; m < records; ++m) queue_.push(m, log_gain(m, partition));
}

RecordFeatures RecordSchedule::features(RecordId m, const Partition& partition) const {
  return {.age = RecordFeatures::age_class(memory_[m].refusals),
          .size = RecordFeatures::size_class(partition.size(partition.cluster(m))),
          .news = memory_[m].news};
}

void RecordSchedule::visited(RecordId m, bool accepted, const Partition& partition) {
  RecordMemory& memory = memory_[m];
  memory.news = RecordFeatures::News::kNone;
  if (!accepted && memory.refusals < std::numeric_limits<std::uint16_t>::max()) ++memory.refusals;
  queue_.remove(m);  // and push again, not update: to the end of its bucket
  queue_.push(m, log_gain(m, partition));
}

void RecordSchedule::moved(RecordId m, ClusterId from, ClusterId to, const Partition& partition) {
  memory_[m].refusals = 0;
  note_news(from, RecordFeatures::News::kLost, partition);
  note_news(to, RecordFeatures::News::kGained, partition);
  queue_.update(m, log_gain(m, partition));
}

void RecordSchedule::note_news(ClusterId e, RecordFeatures::News news, const Partition& partition) {
  if (partition.size(e) > kFew) return;
  for (const RecordId n : partition.members(e)) {
    memory_[n].news = std::max(memory_[n].news, news);
    queue_.update(n, log_gain(n, partition));
  }
}

}  // namespace fovea::linkage
