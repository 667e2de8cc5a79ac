// SPDX-License-Identifier: Apache-2.0
// What every decoding method gives for its seconds: one JSON line for each setting with quality, transitions per token
// and seconds per token (start included, scoring of features not), over interleaved rounds; and the quality on the
// tuning text, by which settings are to be picked.
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/support/measure.h"
#include "bench/support/problem.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "fovea/sequence/decode/tune.h"

namespace fovea::bench {
namespace {

struct Setting {
  std::string group;  ///< settings of one group differ in effort alone
  sequence::DecodeOptions options;
  std::vector<double> seconds = {}, quality = {};
  double transitions = 0;
  double tuning_quality = 0;
};

std::vector<Setting> settings(const Problem& problem, const sequence::Policy& policy) {
  std::vector<Setting> all;
  const bool long_factors = problem.ngrams().factor_size() > 2;
  const auto add = [&](std::string group, const sequence::DecodeOptions& options) {
    all.push_back({std::move(group), options});
  };
  if (!long_factors || problem.ngrams().context_count() < 10000)
    add("exact", {.method = sequence::DecodeMethod::kExact});
  if (long_factors)
    for (const int width : {1, 2, 4, 8, 16})
      add("beam", {.method = sequence::DecodeMethod::kBeam, .beam_width = width});
  std::vector<sequence::DecodeStart> starts = {sequence::DecodeStart::kUnigram};
  if (!policy.pair_chain_start.empty()) starts.push_back(sequence::DecodeStart::kChain);
  for (const sequence::DecodeStart start : starts) {
    const std::string from(word_of(start));
    for (const double sweeps : {0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 64.0})
      add("gibbs from " + from, {.method = sequence::DecodeMethod::kGibbs, .start = start, .sweeps = sweeps});
    for (const double sweeps : {1.0, 2.0, 4.0})
      add("icm from " + from, {.method = sequence::DecodeMethod::kIcm, .start = start, .sweeps = sweeps});
    for (const bool sampling : {true, false})
      for (const int rounds : sampling ? std::vector<int>{1, 2, 4, 8, 16, 32, 64} : std::vector<int>{1, 2, 4, 8})
        for (const double threshold : {2.0, 1.0, .7, .5, .35, .2, .1, .05, .02, .01, .005, .002, .001})
          add((sampling ? "learned sampling from " : "learned decoding from ") + from,
              {.method = sequence::DecodeMethod::kLearned,
               .start = start,
               .visit = sampling ? sequence::VisitKind::kSample : sequence::VisitKind::kBest,
               .threshold = threshold,
               .max_rounds = rounds});
    for (const auto answer : {sequence::DecodeAnswer::kBest, sequence::DecodeAnswer::kMarginal})
      for (const double prune : {.1, .05, .02, .01, .005, .002})
        for (const double threshold : {.2, .1, .05, .02, .01})
          add("joint decoding from " + from, {.method = sequence::DecodeMethod::kLearned,
                                              .start = start,
                                              .answer = answer,
                                              .visit = sequence::VisitKind::kJoint,
                                              .prune = prune,
                                              .threshold = threshold});
  }
  for (const double sweeps : {1.0, 2.0, 4.0, 8.0, 16.0})
    add("gibbs left to right from random", {.method = sequence::DecodeMethod::kGibbs,
                                            .start = sequence::DecodeStart::kRandom,
                                            .sweeps = sweeps,
                                            .order = sequence::SweepOrder::kLeftToRight});
  return all;
}

void measure(const Problem& problem, const sequence::Policy& policy, Setting& setting, int round) {
  sequence::SequenceDecoder decoder(problem.ngrams(), &policy, setting.options);
  sequence::DecodeResult result;
  decoder.decode(problem.sequences(), {.random = Random(1 + round)}, result);
  setting.seconds.push_back((result.start_seconds + result.decode_seconds) / problem.tokens());
  setting.transitions = static_cast<double>(result.work.transitions) / problem.tokens();
  setting.quality.push_back(problem.quality(result.labels));
}

void measure_on_tuning(const Problem& problem, const sequence::Policy& policy, Setting& setting) {
  constexpr int kRuns = 2;
  sequence::SequenceDecoder decoder(problem.ngrams(), &policy, setting.options);
  sequence::DecodeResult result;
  for (int run = 0; run < kRuns; ++run) {
    decoder.decode(problem.sequences(), {.random = Random(1 + run)}, result);
    setting.tuning_quality += problem.quality(result.labels) / kRuns;
  }
}

void write(const Setting& setting) {
  nlohmann::ordered_json record = {{"group", setting.group},
                                   {"options", nlohmann::json::parse(options_json(setting.options))},
                                   {"transitions", setting.transitions},
                                   {"quality", setting.quality},
                                   {"tuning_quality", setting.tuning_quality},
                                   {"seconds", setting.seconds}};
  std::cout << record.dump() << '\n';
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  using namespace fovea;
  using namespace fovea::bench;
  if (!has_arguments(argc, 5, "where_to_sample_methods MODEL TUNING-DATA TEST-DATA f1|accuracy ROUNDS")) return 2;
  const Problem tuning(argv[1], argv[2], argv[4]), test(argv[1], argv[3], argv[4]);
  sequence::TuneOptions options;
  options.measure = false;
  const sequence::Policy policy = sequence::tune(tuning.sequences(), tuning.gold(), options);
  std::vector<Setting> all = settings(test, policy);
  for (Setting& setting : all) measure_on_tuning(tuning, policy, setting);
  for (int round = 0; round < std::stoi(argv[5]); ++round)
    for (Setting& setting : all) measure(test, policy, setting, round);
  for (const Setting& setting : all) write(setting);
}
