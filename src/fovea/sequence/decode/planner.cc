// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/decode/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fovea/base/error.h"
#include "fovea/sequence/exact/viterbi.h"

namespace fovea::sequence {
namespace {

constexpr double kSecondsPerFlop = 1.0e-10;    // order of magnitude on one core; only compared with the limits
constexpr double kAffordable = 5e-6;           // seconds per token that exact decoding may take by default
constexpr double kAffordableMarginals = 1e-4;  // the same for exact marginals, which have no cheap rival
constexpr std::size_t kTypicalLength = 25;

Plan make_plan(const DecodeOptions& options, const MethodProfile& profile, std::string reason) {
  return {.options = with_profile(options, profile),
          .seconds_per_token = profile.seconds_per_token,
          .quality = profile.quality,
          .reason = std::move(reason)};
}

/// Difference in quality below which all is noise: a quarter of the standard error of a share, because the methods
/// compared mostly err on the same tokens. (For an F1 of entities their number is taken for that of the share.)
double quality_noise(const Policy& policy, double quality) {
  return policy.quality_units == 0
             ? 0
             : 0.25 * std::sqrt(quality * (1 - quality) / static_cast<double>(policy.quality_units));
}

Plan plan_with_profile(const Policy& policy, const DecodeOptions& options, const PlanRequest& request) {
  double best_quality = 0;
  for (const MethodProfile& p : policy.profile) best_quality = std::max(best_quality, p.quality);
  const double least_quality = options.quality * best_quality - quality_noise(policy, best_quality);
  const MethodProfile* cheapest = nullptr;      // of those that are good enough
  const MethodProfile* best_in_time = nullptr;  // if none of those fits the limit
  for (const MethodProfile& p : policy.profile) {
    if (p.quality >= least_quality && (!cheapest || p.seconds_per_token < cheapest->seconds_per_token)) cheapest = &p;
    if (p.seconds_per_token <= request.seconds_per_token && (!best_in_time || p.quality > best_in_time->quality))
      best_in_time = &p;
  }
  if (cheapest && cheapest->seconds_per_token <= request.seconds_per_token)
    return make_plan(options, *cheapest,
                     fmt::format("cheapest with at least {:.4g} of the best tuned quality", options.quality));
  if (best_in_time) return make_plan(options, *best_in_time, "best tuned quality that fits the time limit");
  const auto fastest = std::min_element(policy.profile.begin(), policy.profile.end(), [](const auto& a, const auto& b) {
    return a.seconds_per_token < b.seconds_per_token;
  });
  return make_plan(options, *fastest, "fastest there is: the time limit is shorter than any method needs");
}

/// Seconds per token of exact decoding, which is cheap only at low orders.
double exact_seconds(const LabelNgrams& ngrams) {
  return viterbi_flops(ngrams, kTypicalLength) / kTypicalLength * kSecondsPerFlop;
}

/// Plans exact marginals where they are affordable, else averages over Gibbs samples. `exact` is the plan for the
/// former.
Plan plan_marginals(Plan exact) {
  exact.reason = "marginals are exact";
  if (exact.seconds_per_token <= kAffordableMarginals) return exact;
  exact.options.method = DecodeMethod::kGibbs;
  exact.options.answer = DecodeAnswer::kMarginal;
  exact.seconds_per_token = 0;
  exact.reason = "exact marginals are too expensive at this factor size; averages over Gibbs samples instead";
  return exact;
}

}  // namespace

DecodeOptions with_profile(DecodeOptions options, const MethodProfile& profile) {
  options.method = profile.method;
  options.start = profile.start;
  options.answer = profile.answer;
  options.visit = profile.visit;
  if (profile.method == DecodeMethod::kBeam) options.beam_width = profile.beam_width;
  if (profile.method == DecodeMethod::kLearned) {
    options.schedule = LearnedSchedule::kRounds;
    options.threshold = profile.threshold;
    if (profile.visit == VisitKind::kJoint) options.prune = profile.prune;
  } else if (visits_sites(profile.method)) {
    options.sweeps = profile.sweeps;
  }
  return options;
}

Plan plan(const LabelNgrams& ngrams, const Policy* policy, const DecodeOptions& options, const PlanRequest& request) {
  if (options.method == DecodeMethod::kLearned && !policy)
    return {.options = options, .reason = "as asked; without a policy, by what was learned of other labels"};
  if (options.method != DecodeMethod::kAuto) return {.options = options, .reason = "as asked"};
  if (options.regret > 0)
    throw UsageError("option 'regret' says how far method learned goes: give option 'method learned' with it");
  Plan fallback{.options = options, .seconds_per_token = exact_seconds(ngrams), .reason = "exact is affordable"};
  fallback.options.method = DecodeMethod::kExact;
  if (request.marginals) return plan_marginals(std::move(fallback));
  if (policy && !policy->profile.empty()) return plan_with_profile(*policy, options, request);
  if (fallback.seconds_per_token <= std::min(kAffordable, request.seconds_per_token)) return fallback;
  fallback.options.method = DecodeMethod::kBeam;
  fallback.seconds_per_token = 0;
  fallback.reason = "exact is too expensive and no policy was given; `fovea tune` makes one";
  return fallback;
}

}  // namespace fovea::sequence
