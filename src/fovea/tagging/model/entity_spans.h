// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/sequence/exact/stretch_sums.h"
#include "fovea/tagging/metrics/entities.h"

namespace fovea::tagging {

/// An entity of a labeling, and how likely it is.
struct EntitySpan {
  std::size_t begin = 0, end = 0;  ///< items begin .. end - 1
  std::string label = {};          ///< its type: PER for B-PER
  double probability = 0;          ///< that these items, no more and no fewer, are an entity of this type
};

/// Finds the entities of labelings, as conlleval reads them (find_entities), and their probabilities under a model of
/// label n-grams, by exact sums over all labelings. A reusable workspace: one per thread.
class EntitySpans {
 public:
  /// `labels` and `ngrams` must outlive it. Throws UsageError for a label that marks no entity.
  EntitySpans(std::span<const std::string> labels, const sequence::LabelNgrams& ngrams);

  /// The entities of `labeling`, one label per item of the sequence, in order. Throws LimitError as StretchSums does.
  std::vector<EntitySpan> find(const sequence::LabelSequences& sequences, std::size_t sequence,
                               std::span<const Value> labeling);

 private:
  const sequence::StretchEvent& event_of(std::string_view type);

  std::vector<EntityLabel> labels_;
  sequence::StretchSums sums_;
  std::map<std::string, sequence::StretchEvent, std::less<>> events_;  // by type
};

/// Throws UsageError for a label that marks no entity.
void require_entity_labels(std::span<const std::string> labels);

}  // namespace fovea::tagging
