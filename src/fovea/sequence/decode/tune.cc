// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/decode/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"
#include "fovea/sequence/decode/pair_chain_start.h"
#include "fovea/sequence/decode/planner.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "fovea/sequence/exact/beam.h"
#include "fovea/sequence/exact/viterbi.h"
#include "fovea/sequence/sample/sequence_kernel.h"

namespace fovea::sequence {
namespace {

/// Labels and doubts from which a cheap method starts.
struct StartState {
  Assignment labels;
  std::vector<float> doubt;
};

StartState unigram_state(const LabelSequences& sequences, const UnaryLaw& law) {
  StartState state{sequences.make_labeling(), std::vector<float>(sequences.position_count())};
  unary_start(sequences, state.labels, state.doubt.data(), law);
  return state;
}

StartState chain_state(const LabelSequences& sequences, const LabelNgrams& pairs, const UnaryLaw& law) {
  StartState state{sequences.make_labeling(), std::vector<float>(sequences.position_count())};
  PairChainStart(pairs, law, DecodeOptions().start_prune).decode(sequences, state.labels, state.doubt.data());
  return state;
}

/// Labels that the starts imitate.
Assignment beam_answer(const LabelSequences& sequences) {
  constexpr int kWidth = 8;
  Assignment labels = sequences.make_labeling();
  BeamSearch(sequences.ngrams(), kWidth).decode_all(sequences, labels);
  return labels;
}

/// Every setting worth measuring, from cheap to expensive.
std::vector<MethodProfile> candidates(const LabelNgrams& ngrams, bool has_pair_chain_start) {
  std::vector<MethodProfile> all;
  constexpr double kExactFlopsPerToken = 1e5;  // beyond this, exact decoding is never the cheapest
  if (viterbi_flops(ngrams, 25) / 25 <= kExactFlopsPerToken) all.push_back({.method = DecodeMethod::kExact});
  if (ngrams.factor_size() < 2) return all;
  for (const DecodeStart start : {DecodeStart::kUnigram, DecodeStart::kChain}) {
    if (start == DecodeStart::kChain && !has_pair_chain_start) continue;
    for (const double sweeps : {0.0, 1.0, 2.0})
      all.push_back({.method = DecodeMethod::kIcm, .start = start, .sweeps = sweeps});
    for (const double threshold : {1.0, .5, .2, .1, .05, .02, .01, .005, .002})
      all.push_back({.method = DecodeMethod::kLearned, .start = start, .threshold = threshold});
    for (const DecodeAnswer answer : {DecodeAnswer::kBest, DecodeAnswer::kMarginal})
      for (const double prune : {.05, .02, .005})
        for (const double threshold : {.1, .02})
          all.push_back({.method = DecodeMethod::kLearned,
                         .start = start,
                         .answer = answer,
                         .visit = VisitKind::kJoint,
                         .prune = prune,
                         .threshold = threshold});
  }
  for (const double sweeps : {4.0, 16.0}) all.push_back({.method = DecodeMethod::kGibbs, .sweeps = sweeps});
  if (ngrams.factor_size() > 2)
    for (const int width : {1, 2, 4, 8, 16}) all.push_back({.method = DecodeMethod::kBeam, .beam_width = width});
  return all;
}

class Profiler {
 public:
  Profiler(const LabelSequences& sequences, const TuningQuality& quality, Policy& policy, const Random& random)
      : sequences_(sequences), quality_(quality), policy_(policy), random_(random) {}

  /// Interleaves the repetitions, so that a slow moment of the machine affects all settings alike; the fastest counts.
  /// Ends at the deadline; keeps a profile only if every setting has been measured once.
  void measure(const ProgressFunction& progress, const Stop& stop) {
    constexpr int kRepetitions = 7;
    const bool has_chain = !policy_.pair_chain_start.empty() && sequences_.ngrams().factor_size() > 2;
    policy_.profile = candidates(sequences_.ngrams(), has_chain);
    policy_.quality_measure = quality_.measure;
    policy_.quality_units = quality_.units;
    const auto start = std::chrono::steady_clock::now();
    for (int repetition = 0; repetition < kRepetitions; ++repetition)
      for (std::size_t i = 0; i < policy_.profile.size(); ++i) {
        if (stop.cancel && stop.cancel->cancelled()) return policy_.profile.clear();
        if (stop.is_late()) return repetition == 0 ? policy_.profile.clear() : void();
        measure_once(policy_.profile[i], repetition);
        if (progress)
          progress({.phase = "measuring methods",
                    .done = static_cast<double>(repetition * policy_.profile.size() + i + 1),
                    .total = static_cast<double>(kRepetitions * policy_.profile.size()),
                    .seconds = seconds_since(start),
                    .figure = quality_.measure,
                    .value = policy_.profile[i].quality});
      }
  }

 private:
  /// Measures one setting. The first run is not timed, because the caches are still full of another method's data. Fast
  /// methods run several times, because a single millisecond says little.
  void measure_once(MethodProfile& profile, int repetition) {
    constexpr double kLeastSeconds = 10e-3, kMostRuns = 10;
    SequenceDecoder decoder(sequences_.ngrams(), &policy_, with_profile({}, profile));
    DecodeResult result;
    decoder.decode(sequences_, {.random = random_.child("profile")}, result);
    double total_seconds = 0, runs = 0;
    for (; total_seconds < kLeastSeconds && runs < kMostRuns; ++runs) {
      decoder.decode(sequences_, {.random = random_.child("profile")}, result);
      total_seconds += result.start_seconds + result.decode_seconds;
    }
    const auto tokens = static_cast<double>(sequences_.token_count());
    const double seconds = total_seconds / runs / tokens;
    profile.seconds_per_token = repetition == 0 ? seconds : std::min(profile.seconds_per_token, seconds);
    profile.visits_per_token = static_cast<double>(result.work.transitions) / tokens;
    profile.quality = quality_.of(result.labels);
  }

  const LabelSequences& sequences_;
  const TuningQuality& quality_;
  Policy& policy_;
  Random random_;
};

/// Fills in what priority queues need.
void learn_order(const LabelSequences& sequences, const TuneOptions& options, const Run& run, Policy& policy) {
  ChosenPolicy chosen =
      choose_policy(sequences, options.features, options.learner, options.choice, run.child("explore"));
  policy.features = options.features;
  policy.value = std::move(chosen.value);
  policy.value_horizon = chosen.horizon;
  policy.order_gain = chosen.gain.mean;
  policy.order_gain_error = chosen.gain.error;
  if (!run.is_cancelled() && sequences.ngrams().factor_size() > 1 && !(chosen.gain.mean > 0))
    run.warn_of(
        fmt::format("the learned order of visits is no better than cyclic order ({:+.4f} nats a token on the tuning "
                    "sequences): use "
                    "option 'method gibbs' or icm where you would use a queue",
                    chosen.gain.mean));
}

TuneOptions with_recipe(TuneOptions options) {
  if (options.recipe == PaperRecipe::kNone) return options;
  set_default(options.learner, &PolicyLearnerOptions::rate, 1.0);
  set_default(options.learner, &PolicyLearnerOptions::delta, 1e-4);
  set_default(options.learner, &PolicyLearnerOptions::expected_rewards, false);
  set_default(options.choice, &PolicyChoiceOptions::seeds, 1);
  if (options.recipe == PaperRecipe::kHeteroSampler)
    set_default(options.features, &MetaFeatureOptions::as_printed, true);
  else set_default(options.learner, &PolicyLearnerOptions::rollout, RolloutAction::kRandomNeighbour);
  return options;
}

}  // namespace

TuningQuality label_accuracy(const LabelSequences& sequences, const Assignment& gold) {
  const auto is_known = [&](Value label) { return label < sequences.ngrams().label_count(); };
  const auto accuracy = [&gold, is_known](const Assignment& labels) {
    double right = 0, known = 0;
    for (std::size_t p = 0; p < labels.size(); ++p) {
      if (!is_known(gold[p])) continue;
      ++known;
      right += labels[p] == gold[p];
    }
    return known > 0 ? right / known : 0;
  };
  return {.of = accuracy, .units = static_cast<std::uint64_t>(std::ranges::count_if(gold, is_known))};
}

Policy tune(const LabelSequences& sequences, const Assignment& gold, const TuneOptions& options, const Run& run) {
  return tune(sequences, label_accuracy(sequences, gold), options, run);
}

Policy tune(const LabelSequences& sequences, const TuningQuality& quality, const TuneOptions& options, const Run& run) {
  if (sequences.token_count() == 0) throw UsageError("there is nothing to tune on: the sequences have no items");
  const LabelNgrams& ngrams = sequences.ngrams();
  Policy policy;
  policy.label_count = ngrams.label_count();
  policy.factor_size = ngrams.factor_size();
  learn_order(sequences, with_recipe(options), run, policy);
  Random rounds = run.random.child("rounds");

  if (ngrams.factor_size() >= 2 && !run.is_cancelled()) {
    const Assignment answer = beam_answer(sequences);
    policy.unary_law = fit_unary_law(sequences, answer);
    const StartState unigram = unigram_state(sequences, policy.unary_law);
    const auto learn = [&](const StartState& from, VisitReward reward) {
      return learn_round_policy({&sequences, &from.labels, from.doubt}, reward, options.rounds, rounds,
                                run.stop.cancel);
    };
    policy.sample_from_unigram = learn(unigram, VisitReward::kSample);
    policy.best_from_unigram = learn(unigram, VisitReward::kBest);
    if (ngrams.factor_size() > 2) policy.pair_chain_start = fit_pair_chain_start(sequences, answer);
    const LabelNgrams pairs = policy.pair_chain_start.empty() ? ngrams : policy.pair_chain_start_ngrams();
    const StartState chain = chain_state(sequences, pairs, policy.unary_law);
    policy.sample_from_chain = learn(chain, VisitReward::kSample);
    policy.best_from_chain = learn(chain, VisitReward::kBest);
  }
  if (options.measure) Profiler(sequences, quality, policy, run.random).measure(run.progress, run.stop);
  return policy;
}

}  // namespace fovea::sequence
