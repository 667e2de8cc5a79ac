// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fovea/sequence/model/label_ngrams.h"
#include "fovea/sequence/model/label_sequences.h"

namespace fovea::tagging {

/// Rules for label sequences that mark entities correctly, by IOB2 (B I O) or, if there are E or S labels, by IOBES:
///
///   I-X, E-X    only after B-X or I-X, so never first
///   IOBES       B-X and I-X are followed by I-X or E-X, so never last
class LabelRules {
 public:
  /// Throws UsageError unless every label marks entities (entities.h), and some label begins those of each type.
  explicit LabelRules(std::span<const std::string> labels);

  bool may_start(Value label) const { return may_start_[label]; }
  bool may_end(Value label) const { return may_end_[label]; }
  bool may_follow(Value left, Value right) const { return may_follow_[left * may_start_.size() + right]; }

  /// The impossible pairs, as label pairs that score -inf.
  std::vector<sequence::LabelNgram> forbidden_pairs() const;
  /// A warning about these label pairs, seen in training, that are impossible: then the labels follow another scheme,
  /// such as IOB1, or were not always right. Empty if all are possible.
  std::string warning(std::span<const sequence::LabelNgram> seen) const;
  /// Makes impossible first and last labels score -inf.
  void apply_to_ends(sequence::LabelSequences& label_sequences) const;

 private:
  std::vector<std::string> names_;
  std::vector<bool> may_start_, may_end_, may_follow_;
};

}  // namespace fovea::tagging
