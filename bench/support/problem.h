// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fovea/sequence/decode/tune.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/policy/policy.h"
#include "fovea/tagging/model/tagger_model.h"
#include "fovea/tagging/model/tagging_data.h"

namespace fovea::bench {

/// A data set under a trained model: unary scores ready, gold labels to score answers with. Not movable (parts refer to
/// each other).
class Problem {
 public:
  /// `score`: "f1" (entities) or "accuracy".
  Problem(const std::string& model_path, const std::string& data_path, std::string score);
  Problem(const Problem&) = delete;

  const sequence::LabelNgrams& ngrams() const { return ngrams_; }
  const sequence::LabelSequences& sequences() const { return sequences_; }
  const Assignment& gold() const { return gold_; }
  const std::vector<std::string>& label_names() const { return model_.labels; }
  double tokens() const { return static_cast<double>(sequences_.token_count()); }

  /// The measure by which `fovea tune` compares methods.
  sequence::TuningQuality tuning_quality() const;
  /// F1 or accuracy of a labeling, in [0, 1].
  double quality(const Assignment& labeling) const;

 private:
  tagging::TaggerModel model_;
  sequence::LabelNgrams ngrams_;
  tagging::TaggingData data_;
  sequence::LabelSequences sequences_;
  Assignment gold_;
  std::string score_;
};

/// Uniform labels.
Assignment random_labeling(const sequence::LabelSequences& sequences, Random& random);

}  // namespace fovea::bench
