// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/words.h"
#include "fovea/sequence/policy/decode_method.h"

namespace fovea::sequence {

/// The order of a sweep.
enum class SweepOrder { kColour, kLeftToRight };
constexpr auto words_of(SweepOrder) {
  using enum SweepOrder;
  return std::array{Word{kColour, "colour"}, Word{kLeftToRight, "left-to-right"}};
}

/// How a learned schedule selects sites.
enum class LearnedSchedule { kRounds, kHeap, kBuckets };
constexpr auto words_of(LearnedSchedule) {
  using enum LearnedSchedule;
  return std::array{Word{kRounds, "rounds"}, Word{kHeap, "heap"}, Word{kBuckets, "buckets"}};
}

/// How to find labels for a set of label sequences. The words are those of the command line.
struct DecodeOptions {
  DecodeMethod method = DecodeMethod::kAuto;
  DecodeStart start = DecodeStart::kUnigram;
  double start_prune = 0.02;
  DecodeAnswer answer = DecodeAnswer::kBest;
  int beam_width = 8;
  double sweeps = 8;
  double burn_in = 0;
  SweepOrder order = SweepOrder::kColour;
  VisitKind visit = VisitKind::kBest;
  double prune = 0.02;
  LearnedSchedule schedule = LearnedSchedule::kRounds;
  double threshold = 0.05;
  int max_rounds = 8;
  double restart_rate = 0;
  int runs = 16;
  double settled = 0;
  double quality = 0.999;

  template <class V>
  static void describe(V&& visit) {
    describe_start(visit);
    describe_sweeps(visit);
    describe_learned(visit);
    describe_doeblin(visit);
    visit(&DecodeOptions::quality,
          OptionInfo{.name = "quality",
                     .description = "auto takes the cheapest method whose tuned quality >= this share of the best",
                     .min = 0,
                     .max = 1});
  }

 private:
  template <class V>
  static void describe_start(V&& visit) {
    using O = DecodeOptions;
    visit(&O::method,
          OptionInfo{.name = "method", .description = "how to decode; auto takes the cheapest that meets the request"});
    visit(&O::start,
          OptionInfo{.name = "start",
                     .description =
                         "labels that icm, gibbs and learned begin with: random; the best by each token alone; "
                         "or the answer of a chain of label pairs (needs a policy above factor size 2)"});
    visit(&O::start_prune,
          OptionInfo{.name = "start-prune",
                     .description = "the chain start leaves out labels that their token alone finds less likely than "
                                    "this share of its likeliest label; 0 keeps all, and so do 16 labels or fewer",
                     .min = 0,
                     .max = 1});
    visit(&O::answer,
          OptionInfo{.name = "answer",
                     .description =
                         "what gibbs and learned report: the best-scoring labels seen, the last sample, or each "
                         "token's likeliest label by averages (gibbs, after burn-in) or sums (joint visits)"});
  }

  template <class V>
  static void describe_sweeps(V&& visit) {
    using O = DecodeOptions;
    visit(&O::beam_width,
          OptionInfo{.name = "beam-width", .description = "histories that beam keeps", .min = 1, .max = 1 << 20});
    visit(&O::sweeps, OptionInfo{.name = "sweeps",
                                 .description = "sweeps of icm and gibbs, unless option 'budget' is smaller",
                                 .min = 0,
                                 .max = 1e9});
    visit(&O::burn_in, OptionInfo{.name = "burn-in",
                                  .description = "share of the sweeps left out of marginals, 0 <= share < 1",
                                  .min = 0,
                                  .max = 0.999});
    visit(&O::order, OptionInfo{.name = "order",
                                .description = "order of a sweep: colour overlaps independent visits and is faster"});
  }

  template <class V>
  static void describe_learned(V&& visit) {
    using O = DecodeOptions;
    visit(&O::visit, OptionInfo{.name = "visit",
                                .description = "what learned does: set a site to its best label, sample it, or decide "
                                               "all doubtful sites of a stretch jointly, over the labels left open"});
    visit(&O::prune,
          OptionInfo{.name = "prune",
                     .description = "joint visits leave out labels that the start finds less likely than this "
                                    "share of the token's likeliest label",
                     .min = 0,
                     .max = 1});
    visit(
        &O::schedule,
        OptionInfo{.name = "schedule",
                   .description = "how learned selects: rounds above a threshold (near-free), or the paper's priority "
                                  "queue, exact (heap) or quantised (buckets); queues always sample"});
    visit(&O::threshold, OptionInfo{.name = "threshold",
                                    .description = "learned visits sites while their expected gain exceeds this, nats",
                                    .min = -1e9,
                                    .max = 1e9});
    visit(&O::max_rounds,
          OptionInfo{
              .name = "max-rounds", .description = "rounds before learned stops at the latest", .min = 1, .max = 1e6});
  }

  template <class V>
  static void describe_doeblin(V&& visit) {
    using O = DecodeOptions;
    visit(&O::restart_rate,
          OptionInfo{.name = "restart-rate",
                     .description = "doeblin: the probability of a restart from the chain of label pairs, after which "
                                    "1 / rate - 1 sweeps of Gibbs follow in the mean; 0: the model's",
                     .min = 0,
                     .max = 1});
    visit(&O::runs, OptionInfo{.name = "runs",
                               .description = "doeblin: restarts of each sequence; every step after them counts",
                               .min = 1,
                               .max = 1e6});
    visit(&O::settled,
          OptionInfo{.name = "settled",
                     .description = "doeblin: a sequence is restarted no more once the likeliest label of each of its "
                                    "items leads by this many standard errors; 0: all runs",
                     .min = 0,
                     .max = 1e6});
  }
};

}  // namespace fovea::sequence
