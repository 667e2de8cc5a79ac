// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
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
  std::optional<double> threshold = {};  ///< of rounds kThreshold, and of queues none, if not given
  double regret = 0;
  int max_rounds = 8;
  double restart_rate = 0;
  int runs = 16;
  double settled = 0;
  double quality = 0.999;

  static constexpr double kThreshold = 0.05;

  static void describe(auto&& visit) {
    describe_start(visit);
    describe_sweeps(visit);
    describe_learned(visit);
    describe_doeblin(visit);
    visit(&DecodeOptions::quality,
          number_in(
              0, 1, "quality",
              "Share of the best tuned quality that a method must reach; auto takes the cheapest method that does."));
  }

 private:
  static void describe_start(auto&& visit) {
    using O = DecodeOptions;
    visit(&O::method, option("method",
                             "Decoding method; auto takes the cheapest one that meets the request. learned visits the "
                             "items where a policy expects a gain; without option 'policy', one learned of other "
                             "labels."));
    visit(&O::start, option("start",
                            "Labels from which icm, gibbs and learned start: random ones, the best by each token "
                            "alone, or the answer of a chain of label pairs (needs a policy above factor size 2)."));
    visit(&O::start_prune,
          number_in(0, 1, "start-prune",
                    "The chain start leaves out labels that are less likely, by their token alone, than this share of "
                    "its likeliest label. 0 keeps all labels, and so does a model of at most 16 labels."));
    visit(&O::answer, option("answer",
                             "Answer of gibbs and learned: the best-scoring labels seen, the last sample, or each "
                             "token's likeliest label by averages (gibbs, after burn-in) or by sums (joint visits)."));
  }

  static void describe_sweeps(auto&& visit) {
    using O = DecodeOptions;
    visit(&O::beam_width, number_in(1, 1 << 20, "beam-width", "Number of histories that beam keeps."));
    visit(&O::sweeps,
          number_in(0, 1e9, "sweeps", "Number of sweeps of icm and gibbs, unless option 'budget' is smaller."));
    visit(&O::burn_in,
          number_in(0, 0.999, "burn-in", "Initial share of sweeps that marginals leave out, 0 <= share < 1."));
    visit(&O::order, option("order", "Order of a sweep; colour overlaps independent visits and is faster."));
  }

  static void describe_learned(auto&& visit) {
    using O = DecodeOptions;
    visit(&O::visit, option("visit",
                            "Action of learned at a site: set it to its best label, sample it, or decide all doubtful "
                            "sites of a stretch jointly, over the labels left open."));
    visit(&O::prune, number_in(0, 1, "prune",
                               "Joint visits leave out labels that are less likely, by the start, than this share of "
                               "the token's likeliest label."));
    visit(&O::schedule, option("schedule",
                               "Selection of sites by learned: rounds above a threshold (almost free), or the paper's "
                               "priority queue, exact (heap) or quantised (buckets). Queues always sample."));
    visit(&O::threshold,
          number_in(-1e9, 1e9, "threshold",
                    "Expected gain above which learned visits a site, in nats: for rounds, calibrated on tuning text. "
                    "0.05 for rounds if not given; queues, as in the paper, then go on to option 'sweeps' or option "
                    "'budget'."));
    visit(&O::regret,
          number_in(0, 1e6, "regret",
                    "Expected gain that rounds may leave, in nats an item, in place of a threshold: they leave "
                    "out the sites of least expected gain up to this sum; 0: use the threshold."));
    visit(&O::max_rounds, number_in(1, 1e6, "max-rounds", "Maximum number of rounds of learned."));
  }

  static void describe_doeblin(auto&& visit) {
    using O = DecodeOptions;
    visit(&O::restart_rate,
          number_in(0, 1, "restart-rate",
                    "Probability that method doeblin restarts from the chain of label pairs; on average, 1 / rate - 1 "
                    "Gibbs sweeps follow a restart. 0 takes the model's rate."));
    visit(&O::runs,
          number_in(1, 1e6, "runs", "Restarts of a sequence by method doeblin; every step after them counts."));
    visit(&O::settled, number_in(0, 1e6, "settled",
                                 "Method doeblin no longer restarts a sequence once the likeliest label of each of its "
                                 "items leads by this many standard errors. 0 makes all runs."));
  }
};

}  // namespace fovea::sequence
