// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "fovea/base/log_math.h"
#include "fovea/mcmc/target_law.h"
#include "fovea/sequence/model/label_sequences.h"
#include "fovea/sequence/policy/value_function.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {

/// Doubt 1 - p on a logarithmic scale: bucket 0 holds doubts below 2^-16, then come two buckets per octave. It is read
/// from the bits of the float, which costs one shift.
inline constexpr std::size_t kDoubtBuckets = 33;
inline std::size_t doubt_bucket(float doubt) {
  constexpr std::int32_t kLowest = (127 - 16) * 2;  // 2^-16: biased exponent, and the top bit of the mantissa
  const std::int32_t scale = std::bit_cast<std::int32_t>(doubt) >> 22;
  return static_cast<std::size_t>(std::clamp(scale - kLowest, 0, static_cast<std::int32_t>(kDoubtBuckets) - 1));
}

/// Gains of visits at the scores of a policy, on sequences that its weights were not learned from.
struct GainCalibration {
  struct Knot {
    float score = 0, gain = 0;  ///< a score, and the mean gain of visits around it, nats
  };
  std::vector<Knot> knots;  ///< scores ascend, gains are positive and do not fall
  /// Mean square over mean of gains where small ones are expected, nats: such gains are nothing or about this much.
  float jump = 1;
};

/// Fits a calibration to the scores and the gains of some visits: means over runs of neighbouring scores, short ones at
/// the top, where gains are, made monotone by pooling (isotonic regression). Fewer than 100 visits give no knots.
GainCalibration calibrate(std::vector<GainCalibration::Knot> visits);

/// A value function that is evaluated in nanoseconds: after a cheap start, the expected gain of visiting a site is
///
///   gain = w sigma(s) + b,   s = doubt[bucket of 1 - p(y_p)] + left[y_{p-1}][y_p] + right[y_p][y_{p+1}] + changed * c,
///
/// where p(y_p) is the probability of the present label when the site was last scored, and c is the number of blanket
/// neighbours that have changed since. These are the paper's meta-features in their cheapest form: 1 - p(y_p) is free
/// where a label distribution was computed, and it orders sites as the entropy does; the pair tables are `nb`; c is
/// `vary`; and a bound on rounds takes the place of `sp`.
///
/// As learned, w sigma(s) + b orders sites well but predicts small gains far too large. So scores are calibrated: the
/// gain at a score is what visits at such scores did gain, on sequences that the weights were not learned from.
struct RoundPolicy {
  explicit RoundPolicy(std::size_t labels = 0) : label_count(labels), left((labels + 1) * (labels + 1)), right(left) {}

  float score(float doubt_of_site, Value before, Value own, Value after) const {
    const std::size_t base = label_count + 1;
    return doubt[doubt_bucket(doubt_of_site)] + left[before * base + own] + right[own * base + after];
  }
  /// The expected gain at a score, in nats: between knots, along straight lines for its logarithm; beyond them, as at
  /// the nearest one. Without knots, w sigma(s) + b.
  float gain(float s) const;
  /// The score above which the expected gain exceeds `gain_threshold`; -inf (+inf) if all (none) do. Without knots and
  /// with w <= 0, which learning avoids, -inf if any score does.
  float score_threshold(float gain_threshold) const;

  std::size_t label_count;
  std::array<float, kDoubtBuckets> doubt{};
  std::vector<float> left, right;  ///< [label][next label], the pad label included
  float changed = 0;
  float w = 0;
  float b = 0;
  GainCalibration calibration;
};

struct RoundOptions {
  float threshold = 0;  ///< on the expected gain of a visit, nats
  /// In place of the threshold, if positive: the gain that may be left, in nats a site. The first round leaves out the
  /// sites of least expected gain, as long as what they would gain stays below this 19 times in 20; the later rounds go
  /// on with its threshold.
  float regret = 0;
  int max_rounds = 8;
  /// Maximum number of sites in the first round: of more, those with the highest gain are kept, in position order.
  std::uint64_t max_visits = std::numeric_limits<std::uint64_t>::max();
  /// List a site again while that is worth it: for samples, which leave a site in doubt; best labels settle it.
  bool revisit = false;
  bool gains = false;  ///< whether the kernel reports the gains of each batch
};

/// Visits sites in rounds. The first round lists, colour by colour, every site whose expected gain is above the
/// threshold; each later round lists those sites around a change that still are and then, with `revisit`, those sites
/// of the round before that still are, so that neighbours can follow a change before it is undone. Settles when a round
/// is empty or after `max_rounds`. Selecting costs about two nanoseconds a site, so it pays even for the cheapest
/// kernel.
class RoundSchedule {
 public:
  using TargetLaw = mcmc::Heuristic;

  /// `labels` (the labeling being sampled), `doubt` ([position], from the start; visits update it) and `policy` must
  /// outlive the schedule.
  RoundSchedule(const LabelSequences& sequences, const RoundPolicy& policy, const Assignment& labels,
                std::span<float> doubt, const RoundOptions& options);

  template <class Random>
  std::optional<std::span<const VariableId>> next(Random&) {
    if (round_ >= options_.max_rounds) return std::nullopt;
    if (round_++ == 0) list_all();
    else list_again();
    if (sites_.empty()) return std::nullopt;
    return std::span<const VariableId>(sites_);
  }

  mcmc::VisitRecord detail(std::span<const VariableId>) {
    return {.doubt = doubt_.data(), .changed = changed_.data(), .gains = options_.gains ? gains_.data() : nullptr};
  }

  void observe(std::span<const VariableId>, const mcmc::StepInfo& info) { change_count_ = info.changes; }

 private:
  void list_all();
  float score_for_regret() const;
  void keep_best(std::uint64_t count);
  void list_again();
  void add_candidate(VariableId position);
  void make_room();

  const LabelSequences* sequences_;
  const RoundPolicy* policy_;
  const Assignment* labels_;
  std::span<float> doubt_;
  RoundOptions options_;
  float least_score_;  // of sites worth a visit
  int round_ = 0;
  std::size_t change_count_ = 0;
  std::vector<VariableId> sites_, changed_, candidates_;
  std::vector<float> gains_;
  struct News {
    std::uint8_t listed = 0, changed_neighbours = 0;
  };
  std::vector<News> news_;  // [position] of candidates of the present round
};

}  // namespace fovea::sequence
