// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "fovea/base/budget.h"
#include "fovea/sequence/exact/forward_backward.h"
#include "fovea/tagging/model/item_scorer.h"
#include "fovea/tagging/model/label_rules.h"
#include "fovea/tagging/stream/tag_output.h"
#include "fovea/tagging/stream/tag_stream.h"

namespace fovea::tagging::internal {

/// State that all threads share once the method is fixed.
struct TagPlan {
  sequence::Plan plan;
  Budget budget;
  sequence::LabelNgrams ngrams;                        ///< of the model, with the rules' forbidden pairs
  std::optional<LabelRules> rules;                     ///< with --valid-bio
  std::optional<sequence::LabelNgrams> restart_pairs;  ///< of the strong Doeblin family
  sequence::DecodeRequest request;
};

/// Some consecutive sequences on their way through the tagger.
template <class Sequence>
struct TagBlock {
  explicit TagBlock(const sequence::LabelNgrams& ngrams) : label_sequences(ngrams) {}

  std::uint64_t number = 0;
  std::vector<Sequence> sequences;  ///< the first `count` are in use
  std::size_t count = 0;
  std::size_t items = 0;
  double seconds_left = Budget::kUnlimited;  ///< for decoding
  sequence::LabelSequences label_sequences;
  sequence::DecodeResult result;
  std::vector<std::vector<RankedTagging>> n_best;
  double score_seconds = 0;

  std::span<const Sequence> used() const { return {sequences.data(), count}; }
};

/// Scores and decodes blocks; one per thread.
class TagWorker {
 public:
  TagWorker(const TagJob& job, const Run& run, const TagPlan& plan);

  template <class Sequence>
  void run(TagBlock<Sequence>& block);

 private:
  void find_n_best(const sequence::LabelSequences& label_sequences, std::vector<std::vector<RankedTagging>>& n_best);

  const TagJob& job_;
  const Run& run_;
  const TagPlan& plan_;
  ItemScorer scorer_;
  sequence::SequenceDecoder decoder_;
  std::optional<sequence::ForwardBackward> sums_;  // for n-best
};

}  // namespace fovea::tagging::internal
