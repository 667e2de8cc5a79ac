// SPDX-License-Identifier: Apache-2.0
#include "fovea/exact/beam.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "fovea/base/error.h"

namespace fovea {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

}  // namespace

BeamSearch::BeamSearch(const LabelNgrams& ngrams, int width) : states_(ngrams), width_(width) {
  if (width < 1) throw UsageError(fmt::format("beam width {} is not at least 1", width));
}

double BeamSearch::decode(const Chains& chains, std::size_t sequence, Assignment& labeling) {
  FOVEA_CHECK(chains.ngrams().label_count() == states_.ngrams().label_count());
  FOVEA_CHECK(labeling.size() == chains.position_count());
  const std::size_t begin = chains.begin(sequence), end = chains.end(sequence);
  last_seen_.resize(states_.count(), 0);
  token_begin_.assign(1, 0);
  hypotheses_.assign(1, Hypothesis());
  for (std::size_t p = begin; p < end; ++p) {
    const std::size_t first = token_begin_.back(), count = hypotheses_.size() - first;
    expand(chains.unary(p), hypotheses_.data() + first, count);
    token_begin_.push_back(hypotheses_.size());
    select(first, count);
  }
  return trace_back(chains, sequence, labeling);
}

double BeamSearch::decode_all(const Chains& chains, Assignment& labeling) {
  double score = 0;
  for (std::size_t s = 0; s < chains.sequence_count(); ++s) score += decode(chains, s, labeling);
  return score;
}

void BeamSearch::expand(const float* unary, const Hypothesis* before, std::size_t count) {
  const std::size_t stride = states_.ngrams().stride();
  candidates_.resize(std::max(candidates_.size(), count * stride));
  best_.resize(std::max(best_.size(), count));
  for (std::size_t h = 0; h < count; ++h) {
    float* candidates = candidates_.data() + h * stride;
    const float* row = states_.row(before[h].state);
    for (std::size_t k = 0; k < stride; ++k) candidates[k] = before[h].score + (unary[k] + row[k]);
    best_[h] = *std::max_element(candidates, candidates + stride);
  }
}

// Of two candidates that lead to one state the better comes first; the other is dropped.
void BeamSearch::select(std::size_t first_before, std::size_t count) {
  const std::size_t stride = states_.ngrams().stride();
  const std::size_t first = hypotheses_.size();
  ++token_number_;
  while (hypotheses_.size() < first + width_) {
    const std::size_t h = std::max_element(best_.begin(), best_.begin() + count) - best_.begin();
    if (best_[h] == kMinusInfinity) break;
    float* candidates = candidates_.data() + h * stride;
    const std::size_t k = std::find(candidates, candidates + stride, best_[h]) - candidates;
    const std::uint32_t state = states_.next(hypotheses_[first_before + h].state, static_cast<Value>(k));
    if (last_seen_[state] != token_number_) {
      last_seen_[state] = token_number_;
      hypotheses_.push_back({state, static_cast<std::uint32_t>(h), best_[h]});
    }
    candidates[k] = kMinusInfinity;
    best_[h] = *std::max_element(candidates, candidates + stride);
  }
  for (std::size_t i = hypotheses_.size(); i-- > first;) hypotheses_[i].score -= hypotheses_[first].score;
}

double BeamSearch::trace_back(const Chains& chains, std::size_t sequence, Assignment& labeling) const {
  const std::size_t begin = chains.begin(sequence), end = chains.end(sequence);
  if (hypotheses_.size() == token_begin_.back()) {
    std::fill(labeling.begin() + begin, labeling.begin() + end, 0);
    return kMinusInfinity;
  }
  double score = 0;
  std::size_t h = 0;
  for (std::size_t t = end - begin; t > 0; --t) {
    const Hypothesis& hypothesis = hypotheses_[token_begin_[t] + h];
    const Value label = states_.last(hypothesis.state);
    labeling[begin + t - 1] = label;
    h = hypothesis.before;
    const std::uint32_t before = hypotheses_[token_begin_[t - 1] + h].state;
    score += double{chains.unary(begin + t - 1)[label]} + double{states_.row(before)[label]};
  }
  return score;
}

}  // namespace fovea
