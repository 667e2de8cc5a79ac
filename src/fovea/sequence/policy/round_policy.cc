// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/round_policy.h"

#include <cmath>

#include "fovea/base/log_math.h"

namespace fovea::sequence {

float RoundPolicy::score_threshold(float gain_threshold) const {
  if (gain_threshold >= std::max(b, w + b)) return kInfinityF;
  if (!(w > 0) || gain_threshold <= b) return -kInfinityF;
  const float share = (gain_threshold - b) / w;
  return std::log(share / (1 - share));
}

RoundSchedule::RoundSchedule(const LabelSequences& sequences, const RoundPolicy& policy, const Assignment& labels,
                             std::span<float> doubt, const RoundOptions& options)
    : sequences_(&sequences),
      policy_(&policy),
      labels_(&labels),
      doubt_(doubt),
      options_(options),
      least_score_(policy.score_threshold(options.threshold)) {}

void RoundSchedule::list_all() {
  sites_.resize(sequences_->token_count() + 1);
  const Assignment& y = *labels_;
  const RoundPolicy& policy = *policy_;
  const std::size_t colours = sequences_->ngrams().factor_size();
  const Value pad = sequences_->ngrams().pad();
  std::size_t count = 0;
  // Without branches: every position is written, but the cursor moves only past those that are wanted.
  for (std::size_t colour = 0; colour < colours; ++colour)
    for (std::size_t p = colour > 0 ? colour : colours; p + 1 < y.size(); p += colours) {
      sites_[count] = static_cast<VariableId>(p);
      const bool is_wanted = policy.score(doubt_[p], y[p - 1], y[p], y[p + 1]) > least_score_;
      count += static_cast<std::size_t>(y[p] != pad) & static_cast<std::size_t>(is_wanted);
    }
  sites_.resize(count);
  if (count > options_.max_visits) keep_best(options_.max_visits);
  make_room();
  news_.resize(y.size());
}

void RoundSchedule::make_room() {
  changed_.resize(sites_.size() + 1);
  if (options_.gains) gains_.resize(sites_.size());
}

void RoundSchedule::keep_best(std::uint64_t count) {
  const Assignment& y = *labels_;
  const auto score = [&](VariableId p) { return policy_->score(doubt_[p], y[p - 1], y[p], y[p + 1]); };
  std::nth_element(sites_.begin(), sites_.begin() + static_cast<std::ptrdiff_t>(count), sites_.end(),
                   [&](VariableId a, VariableId b) {
                     const float score_a = score(a), score_b = score(b);
                     return score_a != score_b ? score_a > score_b : a < b;
                   });
  sites_.resize(count);
  std::sort(sites_.begin(), sites_.end());
}

void RoundSchedule::add_candidate(VariableId position) {
  if (news_[position].listed++ == 0) candidates_.push_back(position);
}

void RoundSchedule::list_again() {
  const Assignment& y = *labels_;
  const int reach = sequences_->ngrams().order();
  const Value pad = sequences_->ngrams().pad();
  candidates_.clear();
  for (std::size_t i = 0; i < change_count_; ++i)
    for (int d = -reach; d <= reach; ++d) {
      const auto p = static_cast<VariableId>(static_cast<std::int64_t>(changed_[i]) + d);
      if (d == 0 || y[p] == pad) continue;
      ++news_[p].changed_neighbours;
      add_candidate(p);
    }
  if (options_.revisit)
    for (const VariableId p : sites_) add_candidate(p);
  sites_.clear();
  for (const VariableId p : candidates_) {
    const float score = policy_->score(doubt_[p], y[p - 1], y[p], y[p + 1]) +
                        policy_->changed * static_cast<float>(news_[p].changed_neighbours);
    if (score > least_score_) sites_.push_back(p);
    news_[p] = {};
  }
  make_room();
}

}  // namespace fovea::sequence
