// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/sequence/model/label_ngrams.h"
#include "fovea/sequence/policy/decode_method.h"
#include "fovea/sequence/policy/meta_features.h"
#include "fovea/sequence/policy/round_policy.h"
#include "fovea/sequence/policy/value_function.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {

/// Settings of a method, and what tuning measured for them.
struct MethodProfile {
  DecodeMethod method = DecodeMethod::kExact;
  DecodeStart start = DecodeStart::kUnigram;
  DecodeAnswer answer = DecodeAnswer::kBest;
  VisitKind visit = VisitKind::kBest;
  double prune = 0;  ///< of joint visits
  int beam_width = 0;
  double sweeps = 0;
  double threshold = 0;          ///< of learned rounds, nats
  double quality = 0;            ///< on the tuning data, from 0 to 1
  double seconds_per_token = 0;  ///< on one thread, not counting the features
  double visits_per_token = 0;
};

/// Everything that `fovea tune` learns about one model. The model itself never changes.
struct Policy {
  int label_count = 0;
  int factor_size = 0;
  std::vector<std::string> label_names;
  std::uint64_t model_fingerprint = 0;  ///< of the model it was tuned for; 0: any model with these labels

  MetaFeatureOptions features;  ///< that `value` uses
  ValueFunction value;          ///< the paper's, for priority queues
  int value_horizon = 0;        ///< with which it was learned
  double order_gain = 0;        ///< of its order over cyclic order, nats a token (policy_choice.h)
  double order_gain_error = 0;  ///< its standard error

  UnaryLaw unary_law;  ///< of single tokens, behind the unigram start
  std::vector<float>
      pair_chain_start;  ///< [label][next label] log scores of the label pairs behind the start, or empty
  RoundPolicy sample_from_unigram, sample_from_chain;
  RoundPolicy best_from_unigram, best_from_chain;

  std::vector<MethodProfile> profile;
  std::string quality_measure = "accuracy";  ///< that the qualities of the profile are: "accuracy", "entity F1"
  std::uint64_t quality_units = 0;           ///< from which they come: tokens, entities

  /// The label pairs of the start. Throws UsageError if the policy has none.
  LabelNgrams pair_chain_start_ngrams() const;

  /// Container of kind "policy". Throws InputError as Container does; load() refuses non-finite weights.
  void save(const ContainerTarget& target) const;
  static Policy load(const ContainerSource& source);

  /// Describes in plain words what was learned: which meta-features speak for a visit, and how strongly.
  std::string describe() const;
  /// The same as a JSON object.
  std::string to_json() const;
};

}  // namespace fovea::sequence
