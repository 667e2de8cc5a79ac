// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/round_policy.h"

#include <cmath>

#include "fovea/base/log_math.h"

namespace fovea::sequence {
namespace {

constexpr float kLeastGain = 1e-12f;  // of a knot, so that it has a logarithm
constexpr float kSmallGain = .3f;     // nats

using Knot = GainCalibration::Knot;

/// The x at which the line through (x0, y0) and (x1, y1) has the height y.
float along(float y, float y0, float y1, float x0, float x1) {
  return y1 > y0 ? x0 + (y - y0) / (y1 - y0) * (x1 - x0) : x0;
}

}  // namespace

GainCalibration calibrate(std::vector<Knot> visits) {
  constexpr std::size_t kLeastVisits = 100, kTopRun = 20;
  constexpr double kGrowth = 1.25;  // of the runs, from the top down
  if (visits.size() < kLeastVisits) return {};
  std::ranges::sort(visits, std::ranges::greater(), &Knot::score);
  struct Run {
    double score = 0, gain = 0, count = 0;
    void add(const Run& other) {
      const double share = other.count / (count += other.count);
      score += share * (other.score - score);
      gain += share * (other.gain - gain);
    }
  };
  std::vector<Run> runs;  // scores fall
  double size = kTopRun;
  for (const Knot& visit : visits) {
    if (runs.empty() || runs.back().count >= size) {
      if (!runs.empty()) size *= kGrowth;
      runs.emplace_back();
    }
    runs.back().add({visit.score, visit.gain, 1});
  }
  std::vector<Run> pooled;
  for (Run run : runs) {
    for (; !pooled.empty() && pooled.back().gain < run.gain; pooled.pop_back()) run.add(pooled.back());
    pooled.push_back(run);
  }
  GainCalibration result;
  for (auto run = pooled.rbegin(); run != pooled.rend(); ++run)
    result.knots.push_back({static_cast<float>(run->score), std::max(kLeastGain, static_cast<float>(run->gain))});
  double sum = 0, squares = 0;
  RoundPolicy policy;
  policy.calibration.knots = result.knots;
  for (const Knot& visit : visits)
    if (policy.gain(visit.score) < kSmallGain)
      sum += double{visit.gain}, squares += double{visit.gain} * double{visit.gain};
  if (sum > 0) result.jump = static_cast<float>(squares / sum);
  return result;
}

float RoundPolicy::gain(float s) const {
  if (calibration.knots.empty()) return w * sigmoid(s) + b;
  const auto above = std::ranges::lower_bound(calibration.knots, s, {}, &Knot::score);
  if (above == calibration.knots.begin()) return above->gain;
  if (above == calibration.knots.end()) return calibration.knots.back().gain;
  const auto below = above - 1;
  return std::exp(along(s, below->score, above->score, std::log(below->gain), std::log(above->gain)));
}

float RoundPolicy::score_threshold(float gain_threshold) const {
  if (!calibration.knots.empty()) {
    if (gain_threshold < calibration.knots.front().gain) return -kInfinityF;
    const auto above = std::ranges::upper_bound(calibration.knots, gain_threshold, {}, &Knot::gain);
    if (above == calibration.knots.end()) return kInfinityF;
    const auto below = above - 1;
    return along(std::log(gain_threshold), std::log(below->gain), std::log(above->gain), below->score, above->score);
  }
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

/// The score up to which sites can be left out. Their gains are taken for jumps that come at random, so that a sum of
/// mean m has the variance m times the jump. Exact to one of kBins parts of the range of scores.
float RoundSchedule::score_for_regret() const {
  constexpr std::size_t kBins = 1024;
  const Assignment& y = *labels_;
  const Value pad = sequences_->ngrams().pad();
  std::vector<float> scores;
  scores.reserve(sequences_->token_count());
  for (std::size_t p = 1; p + 1 < y.size(); ++p)
    if (y[p] != pad) scores.push_back(policy_->score(doubt_[p], y[p - 1], y[p], y[p + 1]));
  if (scores.empty()) return kInfinityF;
  const auto [low, high] = std::ranges::minmax(scores);
  const float width = std::max((high - low) / kBins, 1e-6f);
  std::array<double, kBins + 1> gains{};
  for (const float score : scores)
    gains[std::min(static_cast<std::size_t>((score - low) / width), kBins)] += double{policy_->gain(score)};
  constexpr double kDeviations = 1.645;  // one-sided, 19 in 20
  const double allowed = double{options_.regret} * static_cast<double>(scores.size());
  double sum = 0;
  for (std::size_t bin = 0; bin <= kBins; ++bin) {
    sum += gains[bin];
    if (sum + kDeviations * std::sqrt(double{policy_->calibration.jump} * sum) > allowed)
      return bin == 0 ? -kInfinityF : low + static_cast<float>(bin) * width;
  }
  return kInfinityF;
}

void RoundSchedule::list_all() {
  if (options_.regret > 0) least_score_ = score_for_regret();
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
