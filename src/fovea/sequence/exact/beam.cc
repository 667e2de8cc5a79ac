// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/exact/beam.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"

namespace fovea::sequence {

BeamSearch::BeamSearch(const LabelNgrams& ngrams, int width) : states_(ngrams), width_(width) {
  if (width < 1 || width > kMaxWidth)
    throw UsageError(fmt::format("beam width {} is outside [1, {}]", width, kMaxWidth));
  transitions_.bind(states_);
  last_seen_.resize(states_.count());
}

void BeamSearch::rebind(const LabelNgrams& ngrams) {
  if (states_.rebind(ngrams)) return;
  transitions_.bind(states_);
  last_seen_.resize(states_.count());
}

double BeamSearch::decode(const LabelSequences& sequences, std::size_t sequence, Assignment& labeling) {
  FOVEA_CHECK(sequences.ngrams().label_count() == states_.ngrams().label_count());
  FOVEA_CHECK(labeling.size() == sequences.position_count());
  const std::size_t begin = sequences.begin(sequence), end = sequences.end(sequence);
  token_begin_.assign(1, 0);
  hypotheses_.assign(1, Hypothesis());
  for (std::size_t p = begin; p < end; ++p) {
    const std::size_t first_before = token_begin_.back();
    token_begin_.push_back(hypotheses_.size());
    extend(sequences.unary(p), first_before);
  }
  return trace_back(sequences, sequence, labeling);
}

double BeamSearch::decode_all(const LabelSequences& sequences, Assignment& labeling) {
  double score = 0;
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s) score += decode(sequences, s, labeling);
  return score;
}

void BeamSearch::extend(const float* unary, std::size_t first_before) {
  const std::size_t first = hypotheses_.size();
  rows_.clear();
  for (std::size_t h = first_before; h < first; ++h)
    rows_.push_back({states_.row(hypotheses_[h].state), hypotheses_[h].score});
  candidates_.expand(unary, states_.ngrams().stride(), rows_.data(), rows_.size());
  // Several of the best candidates may lead to the same state; then look further down.
  for (std::size_t enough = width_;; enough *= 2) {
    const internal::BeamCandidates::List candidates = candidates_.best(enough);
    hypotheses_.resize(first);
    recombine(candidates, first_before);
    if (candidates.all || hypotheses_.size() >= first + width_) break;
  }
  prune(first);
}

/// Appends, for each state that candidates lead to, the best of them (among equal ones the first).
void BeamSearch::recombine(const internal::BeamCandidates::List& candidates, std::size_t first_before) {
  constexpr std::uint32_t kLabelMask = (1u << internal::kBeamLabelBits) - 1;
  ++round_;
  for (std::size_t i = 0; i < candidates.numbers.size(); ++i) {
    const std::uint32_t before = candidates.numbers[i] >> internal::kBeamLabelBits;
    const std::uint32_t label = candidates.numbers[i] & kLabelMask;
    const std::uint32_t state = transitions_.next(hypotheses_[first_before + before].state, label);
    const Hypothesis hypothesis = {state, before, candidates.scores[i]};
    LastSeen& seen = last_seen_[state];
    if (seen.round != round_) {
      seen = {round_, hypotheses_.size()};
      hypotheses_.push_back(hypothesis);
    } else if (hypothesis.score > hypotheses_[seen.hypothesis].score) {
      hypotheses_[seen.hypothesis] = hypothesis;
    }
  }
}

/// Keeps the best `width` hypotheses of the last token, best first.
void BeamSearch::prune(std::size_t first) {
  const auto better = [](const Hypothesis& a, const Hypothesis& b) {
    return a.score != b.score ? a.score > b.score : a.state < b.state;
  };
  std::sort(hypotheses_.begin() + first, hypotheses_.end(), better);
  if (hypotheses_.size() > first + width_) hypotheses_.resize(first + width_);
  for (std::size_t h = hypotheses_.size(); h-- > first;) hypotheses_[h].score -= hypotheses_[first].score;
}

double BeamSearch::trace_back(const LabelSequences& sequences, std::size_t sequence, Assignment& labeling) const {
  const std::size_t begin = sequences.begin(sequence), end = sequences.end(sequence);
  if (hypotheses_.size() == token_begin_.back()) {
    std::fill(labeling.begin() + begin, labeling.begin() + end, 0);
    return kImpossibleF;
  }
  double score = 0;
  std::size_t h = 0;
  for (std::size_t t = end - begin; t > 0; --t) {
    const Hypothesis& hypothesis = hypotheses_[token_begin_[t] + h];
    const Value label = states_.last(hypothesis.state);
    labeling[begin + t - 1] = label;
    h = hypothesis.before;
    const std::uint32_t before = hypotheses_[token_begin_[t - 1] + h].state;
    score += double{sequences.unary(begin + t - 1)[label]} + double{states_.row(before)[label]};
  }
  return score;
}

}  // namespace fovea::sequence
