// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/model/entity_spans.h"

#include <fmt/format.h>

#include <cmath>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

std::vector<EntityLabel> entity_labels(std::span<const std::string> names) {
  std::vector<EntityLabel> labels;
  for (const std::string& name : names) {
    const auto label = parse_entity_label(name);
    if (!label)
      throw UsageError(
          fmt::format("entities need labels that mark them, as B-X, I-X and O do: the label '{}' does not", name));
    labels.push_back(*label);
  }
  return labels;
}

/// The event "an entity of this type". The last of `labels` is the outside of a sequence.
sequence::StretchEvent entity_event(std::span<const EntityLabel> labels, std::string_view type) {
  const std::size_t count = labels.size();
  sequence::StretchEvent event;
  for (sequence::AllowedPairs* pairs : {&event.enter, &event.inside, &event.leave}) pairs->assign(count * count, false);
  for (std::size_t left = 0; left < count; ++left)
    for (std::size_t right = 0; right < count; ++right) {
      const EntityLabel &l = labels[left], &r = labels[right];
      const auto is_one = [&](const EntityLabel& label) {
        return label.role != EntityRole::kOutside && label.type == type;
      };
      const bool splits = l.role == EntityRole::kOutside || r.role == EntityRole::kOutside || splits_entity(l, r);
      const std::size_t pair = left * count + right;
      event.enter[pair] = is_one(r) && splits;
      event.inside[pair] = is_one(l) && is_one(r) && !splits;
      event.leave[pair] = is_one(l) && splits;
    }
  return event;
}

}  // namespace

EntitySpans::EntitySpans(std::span<const std::string> labels, const sequence::LabelNgrams& ngrams)
    : labels_(entity_labels(labels)), sums_(ngrams) {
  labels_.push_back({});
}

std::vector<EntitySpan> EntitySpans::find(const sequence::LabelSequences& sequences, std::size_t sequence,
                                          std::span<const Value> labeling) {
  std::vector<EntityLabel> labels;
  for (const Value label : labeling) labels.push_back(labels_[label]);
  std::vector<Entity> entities;
  find_entities(labels, entities);
  std::vector<EntitySpan> spans;
  if (entities.empty()) return spans;
  sums_.bind(sequences, sequence);
  for (const Entity& entity : entities)
    spans.push_back({.begin = entity.begin,
                     .end = entity.end,
                     .label = std::string(entity.type),
                     .probability = std::exp(sums_.log_probability(entity.begin, entity.end, event_of(entity.type)))});
  return spans;
}

const sequence::StretchEvent& EntitySpans::event_of(std::string_view type) {
  const auto found = events_.find(type);
  return found != events_.end() ? found->second
                                : events_.emplace(std::string(type), entity_event(labels_, type)).first->second;
}

void require_entity_labels(std::span<const std::string> labels) { (void)entity_labels(labels); }

}  // namespace fovea::tagging
