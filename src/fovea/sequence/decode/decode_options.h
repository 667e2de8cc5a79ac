// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "fovea/base/options.h"
#include "fovea/base/words.h"
#include "fovea/sequence/policy/decode_method.h"

namespace fovea::sequence {

/// Order in which a sweep visits its sites.
enum class SweepOrder { kColour, kLeftToRight };
constexpr auto words_of(SweepOrder) {
  using enum SweepOrder;
  return std::array{Word{kColour, "colour"}, Word{kLeftToRight, "left-to-right"}};
}

/// Rule by which a learned schedule selects sites.
enum class LearnedSchedule { kRounds, kHeap, kBuckets };
constexpr auto words_of(LearnedSchedule) {
  using enum LearnedSchedule;
  return std::array{Word{kRounds, "rounds"}, Word{kHeap, "heap"}, Word{kBuckets, "buckets"}};
}

/// Options for decoding a set of label sequences. The words are those of the command line.
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
                     .description = "Share of the best tuned quality that a method must reach; auto takes the cheapest "
                                    "method that does.",
                     .min = 0,
                     .max = 1});
  }

 private:
  template <class V>
  static void describe_start(V&& visit) {
    using O = DecodeOptions;
    visit(&O::method,
          OptionInfo{.name = "method",
                     .description = "Decoding method; auto takes the cheapest one that meets the request."});
    visit(&O::start,
          OptionInfo{.name = "start",
                     .description =
                         "Labels from which icm, gibbs and learned start: random ones, the best by each token alone, "
                         "or the answer of a chain of label pairs (needs a policy above factor size 2)."});
    visit(&O::start_prune,
          OptionInfo{.name = "start-prune",
                     .description = "The chain start leaves out labels that are less likely, by their token alone, "
                                    "than this share of its likeliest label. 0 keeps all labels, and so does a model "
                                    "of at most 16 labels.",
                     .min = 0,
                     .max = 1});
    visit(&O::answer,
          OptionInfo{.name = "answer",
                     .description =
                         "Answer of gibbs and learned: the best-scoring labels seen, the last sample, or each token's "
                         "likeliest label by averages (gibbs, after burn-in) or by sums (joint visits)."});
  }

  template <class V>
  static void describe_sweeps(V&& visit) {
    using O = DecodeOptions;
    visit(&O::beam_width,
          OptionInfo{
              .name = "beam-width", .description = "Number of histories that beam keeps.", .min = 1, .max = 1 << 20});
    visit(&O::sweeps, OptionInfo{.name = "sweeps",
                                 .description = "Number of sweeps of icm and gibbs, unless option 'budget' is smaller.",
                                 .min = 0,
                                 .max = 1e9});
    visit(&O::burn_in, OptionInfo{.name = "burn-in",
                                  .description = "Initial share of sweeps that marginals leave out, 0 <= share < 1.",
                                  .min = 0,
                                  .max = 0.999});
    visit(&O::order, OptionInfo{.name = "order",
                                .description = "Order of a sweep; colour overlaps independent visits and is faster."});
  }

  template <class V>
  static void describe_learned(V&& visit) {
    using O = DecodeOptions;
    visit(&O::visit, OptionInfo{.name = "visit",
                                .description = "Action of learned at a site: set it to its best label, sample it, or "
                                               "decide all doubtful sites of a stretch jointly, over the "
                                               "labels left open."});
    visit(&O::prune,
          OptionInfo{.name = "prune",
                     .description = "Joint visits leave out labels that are less likely, by the start, than this share "
                                    "of the token's likeliest label.",
                     .min = 0,
                     .max = 1});
    visit(&O::schedule,
          OptionInfo{.name = "schedule",
                     .description = "Selection of sites by learned: rounds above a threshold (almost free), or the "
                                    "paper's priority queue, exact (heap) or quantised (buckets). Queues always "
                                    "sample."});
    visit(&O::threshold, OptionInfo{.name = "threshold",
                                    .description = "Expected gain, in nats, above which learned visits a site.",
                                    .min = -1e9,
                                    .max = 1e9});
    visit(
        &O::max_rounds,
        OptionInfo{.name = "max-rounds", .description = "Maximum number of rounds of learned.", .min = 1, .max = 1e6});
  }

  template <class V>
  static void describe_doeblin(V&& visit) {
    using O = DecodeOptions;
    visit(&O::restart_rate,
          OptionInfo{.name = "restart-rate",
                     .description = "Probability that method doeblin restarts from the chain of label pairs; on "
                                    "average, 1 / rate - 1 Gibbs sweeps follow a restart. 0 takes the model's rate.",
                     .min = 0,
                     .max = 1});
    visit(&O::runs, OptionInfo{.name = "runs",
                               .description = "Restarts of a sequence by method doeblin; every step after them counts.",
                               .min = 1,
                               .max = 1e6});
    visit(&O::settled,
          OptionInfo{.name = "settled",
                     .description = "Method doeblin no longer restarts a sequence once the likeliest label of each of "
                                    "its items leads by this many standard errors. 0 makes all runs.",
                     .min = 0,
                     .max = 1e6});
  }
};

}  // namespace fovea::sequence
