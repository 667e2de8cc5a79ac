// SPDX-License-Identifier: Apache-2.0
// The setting of Shi, Steinhardt and Liang (2015): random labels to begin with (or the first label everywhere), one
// sweep from left to right, then the variable of highest Q over all instances from an exact heap without a threshold;
// what is reported is the best-scoring sample so far. Writes one JSON line for each schedule and seed, which is that of
// learning and of the run: quality by transitions per token.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/support/problem.h"
#include "fovea/mcmc/fixed_schedule.h"
#include "fovea/mcmc/run.h"
#include "fovea/sequence/policy/policy_choice.h"
#include "fovea/sequence/policy/queue_schedule.h"
#include "fovea/sequence/sample/best_so_far.h"
#include "fovea/sequence/sample/orders.h"

namespace fovea::bench {
namespace {

constexpr std::array kSweeps = {1.0, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0};

constexpr int kRuns = 3;

/// What both schedules begin with.
enum class Start { kRandom, kFirstLabel };

/// A way to learn where to sample. `seeds`: of choose_policy().
struct Variant {
  std::string name;
  sequence::MetaFeatureOptions features = {};
  sequence::PolicyLearnerOptions learner = {};
  int seeds = 1;
};

/// The learner as printed: rate 1, sampled rewards, and roll-outs to the variable of highest Q.
sequence::PolicyLearnerOptions printed(int horizon) {
  return {.horizon = horizon, .rate = 1, .delta = 1e-4, .expected_rewards = false};
}
/// The learner as in the authors' code: roll-outs to a random variable of the blanket.
sequence::PolicyLearnerOptions coded() {
  sequence::PolicyLearnerOptions options = printed(1);
  options.rollout = sequence::RolloutAction::kRandomNeighbour;
  return options;
}

std::vector<Variant> variants(bool with_ablation) {
  const sequence::MetaFeatureOptions text = {.as_printed = true};
  std::vector<Variant> all = {
      {"as printed, H=1", text, printed(1)}, {"as printed, H=0", text, printed(0)},
      {"as coded, H=1", {}, coded()},        {"lower rate, H=0", {}, {.horizon = 0}},
      {"lower rate, H=1", {}, {}},           {"lower rate, best of 6 by tuning text", {}, {}, 3}};
  if (!with_ablation) return all;
  for (const bool low : {false, true}) {
    const std::string name = low ? "lower rate, H=1, without " : "as printed, H=1, without ";
    const sequence::PolicyLearnerOptions learner = low ? sequence::PolicyLearnerOptions() : printed(1);
    for (const auto& [feature, field] :
         std::initializer_list<std::pair<const char*, bool sequence::MetaFeatureOptions::*>>{
             {"vary", &sequence::MetaFeatureOptions::vary},
             {"nb", &sequence::MetaFeatureOptions::nb},
             {"cond-ent", &sequence::MetaFeatureOptions::cond_ent},
             {"unigram-ent", &sequence::MetaFeatureOptions::unigram_ent},
             {"sp", &sequence::MetaFeatureOptions::sp}}) {
      Variant variant{name + feature, {.as_printed = !low}, learner};
      variant.features.*field = false;
      all.push_back(variant);
    }
  }
  return all;
}

/// Quality at each of kSweeps, of the best sample so far and of the current one.
struct Curve {
  std::array<double, kSweeps.size()> best{}, current{};
  double seconds = 0;

  Curve& operator+=(const Curve& other) {
    for (std::size_t i = 0; i < kSweeps.size(); ++i) best[i] += other.best[i], current[i] += other.current[i];
    seconds += other.seconds;
    return *this;
  }
};

Assignment make_start(const Problem& problem, Start start, Random& random) {
  if (start == Start::kRandom) return random_labeling(problem.sequences(), random);
  Assignment labels = problem.sequences().make_labeling();
  for (std::size_t s = 0; s < problem.sequences().sequence_count(); ++s)
    std::fill(labels.begin() + static_cast<std::ptrdiff_t>(problem.sequences().begin(s)),
              labels.begin() + static_cast<std::ptrdiff_t>(problem.sequences().end(s)), Value{0});
  return labels;
}

/// Runs one schedule in pieces, from checkpoint to checkpoint; scoring is not timed.
template <class Schedule>
Curve trace(const Problem& problem, Assignment& labels, Schedule& schedule, Random& random) {
  const sequence::SequenceGibbs kernel(problem.sequences());
  sequence::BestSoFar best(problem.sequences(), labels);
  Curve curve;
  std::uint64_t done = 0;
  for (std::size_t i = 0; i < kSweeps.size(); ++i) {
    const auto target = static_cast<std::uint64_t>(kSweeps[i] * problem.tokens());
    const RunSummary summary = mcmc::run(
        labels, schedule, kernel, {.budget = {.transitions = static_cast<double>(target - done)}}, random,
        [&](std::span<const VariableId> batch, const mcmc::StepInfo& info) { best.observe(batch, info, labels); });
    done = target;
    curve.seconds += summary.seconds;
    curve.best[i] = problem.quality(best.labeling());
    curve.current[i] = problem.quality(labels);
  }
  return curve;
}

Curve gibbs_curve(const Problem& problem, Start start, Random random) {
  Assignment labels = make_start(problem, start, random);
  mcmc::FixedSchedule schedule(sequence::left_to_right_order(problem.sequences()), kSweeps.back(), 1 << 14, true);
  return trace(problem, labels, schedule, random);
}

Curve learned_curve(const Problem& problem, Start start, const sequence::ValueFunction& value,
                    const sequence::MetaFeatureOptions& features, Random random) {
  Assignment labels = make_start(problem, start, random);
  const sequence::SiteNetwork network(problem.sequences());
  sequence::HeapSchedule schedule(network, labels, value, features, sequence::left_to_right_order(problem.sequences()));
  return trace(problem, labels, schedule, random);
}

sequence::ValueFunction learn(const Problem& tuning, const Variant& variant, Random random) {
  return sequence::choose_policy(tuning.sequences(), variant.features, variant.learner, {.seeds = variant.seeds},
                                 {.random = random})
      .value;
}

/// Mean over kRuns runs, so that what is seen is the policy more than the luck of a run.
template <class Run>
Curve mean_curve(int seed, const Run& run) {
  Curve sum;
  for (int r = 0; r < kRuns; ++r) sum += run(Random(seed).child("evaluate", r));
  for (std::size_t i = 0; i < kSweeps.size(); ++i) sum.best[i] /= kRuns, sum.current[i] /= kRuns;
  sum.seconds /= kRuns;
  return sum;
}

void write(const Problem& problem, const std::string& name, int seed, const Curve& curve, double learning_seconds) {
  nlohmann::ordered_json record = {{"schedule", name},
                                   {"seed", seed},
                                   {"tokens", problem.tokens()},
                                   {"sequences", problem.sequences().sequence_count()},
                                   {"sweeps", kSweeps},
                                   {"best", curve.best},
                                   {"current", curve.current},
                                   {"seconds", curve.seconds},
                                   {"learning_seconds", learning_seconds}};
  std::cout << record.dump() << std::endl;
}

void study(const Problem& tuning, const Problem& test, Start start, int seeds, bool with_ablation) {
  for (int seed = 1; seed <= seeds; ++seed)
    write(test, "cyclic Gibbs", seed, mean_curve(seed, [&](Random random) { return gibbs_curve(test, start, random); }),
          0);
  for (const Variant& variant : variants(with_ablation))
    for (int seed = 1; seed <= seeds; ++seed) {
      const auto began = std::chrono::steady_clock::now();
      const sequence::ValueFunction value = learn(tuning, variant, Random(seed).child("learn"));
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      const auto run = [&](Random random) { return learned_curve(test, start, value, variant.features, random); };
      write(test, variant.name, seed, mean_curve(seed, run), seconds);
    }
}

/// Figure 4 (b), (c): how strongly each meta-feature pulls towards a visit when the expected immediate reward is one of
/// them. Of the label pairs, the mean size is given.
void study_oracle(const Problem& tuning) {
  sequence::MetaFeatureOptions features;
  features.oracle = true;
  for (const int horizon : {0, 1}) {
    const sequence::ValueFunction value = learn(tuning, {"", features, printed(horizon)}, Random(1).child("oracle"));
    nlohmann::ordered_json weights;
    const float sign = value.w < 0 ? -1.0f : 1.0f;
    for (const sequence::MetaFeature f :
         {sequence::kOracle, sequence::kCondEnt, sequence::kUnigramEnt, sequence::kVary, sequence::kSp})
      weights[sequence::meta_feature_name(f, tuning.label_names())] = sign * value.alpha[f];
    double pairs = 0;
    for (std::size_t i = sequence::kScalarFeatures; i < value.alpha.size(); ++i) pairs += std::abs(value.alpha[i]);
    weights["nb (mean size)"] = pairs / static_cast<double>(value.alpha.size() - sequence::kScalarFeatures);
    std::cout << nlohmann::ordered_json{{"oracle", true}, {"horizon", horizon}, {"weights", weights}}.dump()
              << std::endl;
  }
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  const std::string start = argc > 6 ? argv[6] : "random", ablation = argc > 7 ? argv[7] : "";
  if (argc < 6 || argc > 8 || (start != "random" && start != "first-label") || (argc > 7 && ablation != "ablation")) {
    std::cerr << "usage: paper_sampling_study MODEL TUNING-DATA TEST-DATA f1|accuracy SEEDS "
                 "[random|first-label] [ablation]\n";
    return 2;
  }
  const fovea::bench::Problem tuning(argv[1], argv[2], argv[4]), test(argv[1], argv[3], argv[4]);
  fovea::bench::study(tuning, test, start == "random" ? fovea::bench::Start::kRandom : fovea::bench::Start::kFirstLabel,
                      std::stoi(argv[5]), !ablation.empty());
  fovea::bench::study_oracle(tuning);
}
