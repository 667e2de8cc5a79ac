// SPDX-License-Identifier: Apache-2.0
// What `--method auto` picks, beside every setting that it could have picked: one JSON line for each setting with its
// quality and seconds per token over interleaved rounds of jobs of at least 100 ms, then one line for each requested
// quality with the pick. Planning is part of auto's time.
#include <chrono>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/support/measure.h"
#include "bench/support/problem.h"
#include "fovea/sequence/decode/planner.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "fovea/sequence/decode/tune.h"

namespace fovea::bench {
namespace {

constexpr double kJobSeconds = 0.1;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Setting {
  sequence::DecodeOptions options;
  std::unique_ptr<sequence::SequenceDecoder> decoder = {};
  double quality = 0;
  int repetitions = 1;
  std::vector<double> seconds = {};
};

class Contest {
 public:
  Contest(const Problem& problem, const sequence::Policy& policy) : problem_(problem), policy_(policy) {
    for (const sequence::MethodProfile& profile : policy.profile)
      settings_.push_back({sequence::with_profile({}, profile)});
    for (Setting& setting : settings_) prepare(setting);
  }

  void run(int rounds) {
    for (int round = 0; round < rounds; ++round)
      for (Setting& setting : settings_) setting.seconds.push_back(job(setting));
  }

  void write_settings() const {
    for (const Setting& setting : settings_) {
      nlohmann::ordered_json record = {{"options", nlohmann::json::parse(options_json(setting.options))},
                                       {"quality", setting.quality},
                                       {"seconds", setting.seconds}};
      std::cout << record.dump() << '\n';
    }
  }

  /// The pick is named by its options, since planning may choose what is in no profile.
  void write_pick(double quality) const {
    sequence::DecodeOptions asked{.method = sequence::DecodeMethod::kAuto};
    asked.quality = quality;
    const auto start = std::chrono::steady_clock::now();
    const sequence::Plan chosen = sequence::plan(problem_.ngrams(), &policy_, asked);
    nlohmann::ordered_json record = {{"requested", quality},
                                     {"options", nlohmann::json::parse(options_json(chosen.options))},
                                     {"planning_seconds", seconds_since(start)},
                                     {"predicted_seconds", chosen.seconds_per_token},
                                     {"reason", chosen.reason}};
    std::cout << record.dump() << '\n';
  }

 private:
  void prepare(Setting& setting) {
    setting.decoder = std::make_unique<sequence::SequenceDecoder>(problem_.ngrams(), &policy_, setting.options);
    const double once = job(setting) * problem_.tokens();
    setting.repetitions = static_cast<int>(std::ceil(kJobSeconds / once));
    setting.quality = problem_.quality(result_.labels);
  }

  double job(Setting& setting) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < setting.repetitions; ++i)
      setting.decoder->decode(problem_.sequences(), {.random = Random(1)}, result_);
    return seconds_since(start) / setting.repetitions / problem_.tokens();
  }

  const Problem& problem_;
  const sequence::Policy& policy_;
  std::vector<Setting> settings_;
  sequence::DecodeResult result_;
};

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  using namespace fovea;
  using namespace fovea::bench;
  if (!has_arguments(argc, 5, "auto_auto MODEL TUNING-DATA TEST-DATA f1|accuracy ROUNDS")) return 2;
  const Problem tuning(argv[1], argv[2], argv[4]), test(argv[1], argv[3], argv[4]);
  const sequence::Policy policy = sequence::tune(tuning.sequences(), tuning.tuning_quality(), {});
  Contest contest(test, policy);
  contest.run(std::stoi(argv[5]));
  contest.write_settings();
  for (int percent = 90; percent <= 100; ++percent) contest.write_pick(percent / 100.0);
}
