// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fovea/tagging/feature/attribute_sequence.h"
#include "fovea/tagging/feature/item_sequence.h"
#include "fovea/tagging/model/tagger_model.h"

namespace fovea::tagging {

/// Why an item has its label rather than another, the other items' labels being what they are. The differences of all
/// terms add up to the log score of the labeling minus that of the labeling with the other label.
struct LabelExplanation {
  /// An attribute of the item: value * (weight - other_weight).
  struct AttributeTerm {
    std::string name = "";
    double value = 1;
    double weight = 0;        ///< of the label
    double other_weight = 0;  ///< of the other label
    double difference = 0;
  };
  /// The label n-grams of one size that begin at one item: weight - other_weight.
  struct NgramTerm {
    std::size_t begin = 0;                       ///< first item
    std::vector<std::string> labels = {};        ///< with the label
    std::vector<std::string> other_labels = {};  ///< with the other label
    double weight = 0;
    double other_weight = 0;
    double difference = 0;
  };

  std::string label = "", other = "";
  double difference = 0;                       ///< of the log scores, > 0 if the label is the better one
  std::vector<AttributeTerm> attributes = {};  ///< the largest differences first, without those of 0
  std::vector<NgramTerm> ngrams = {};          ///< likewise
};

/// Explains the label of `item` under `labels`, one per item. `other`: the label to compare it with; none: the best one
/// among the others, which are compared with the rest of the labeling unchanged. Throws UsageError for an item beyond
/// the sequence, for the same label twice, and if the model has one label only. The overload must suit the model.
LabelExplanation explain_label(const TaggerModel& model, const ItemSequence& sequence, std::span<const Value> labels,
                               std::size_t item, std::optional<Value> other = {});
LabelExplanation explain_label(const TaggerModel& model, const AttributeSequence& sequence,
                               std::span<const Value> labels, std::size_t item, std::optional<Value> other = {});

}  // namespace fovea::tagging
