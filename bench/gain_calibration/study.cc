// SPDX-License-Identifier: Apache-2.0
// How far the expected gains of rounds can be trusted. For each start: the expected and the realised gains of visits to
// test sequences, by octave of the expectation; and how often --regret is kept on files of some sequences, where ICM
// shows how much gain the rounds have left. One JSON line each.
#include <array>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/support/problem.h"
#include "fovea/sequence/decode/pair_chain_start.h"
#include "fovea/sequence/decode/sequence_decoder.h"
#include "fovea/sequence/decode/tune.h"
#include "fovea/sequence/sample/orders.h"

namespace fovea::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLeast = .005;  // nats; octaves go on from here
constexpr std::size_t kOctaves = 9, kFileSequences = 50;
constexpr std::array kRegrets = {.001, .003, .01, .03};

struct Octave {
  std::uint64_t visits = 0;
  double expected = 0, gained = 0;
};

/// Labels and doubts of the start.
struct Start {
  Assignment labels;
  std::vector<float> doubt;
};

Start start_of(const sequence::LabelSequences& sequences, const sequence::Policy& policy, sequence::DecodeStart kind) {
  Start start{sequences.make_labeling(), std::vector<float>(sequences.position_count())};
  if (kind == sequence::DecodeStart::kUnigram) {
    unary_start(sequences, start.labels, start.doubt.data(), policy.unary_law);
  } else {
    const sequence::LabelNgrams pairs =
        policy.pair_chain_start.empty() ? sequences.ngrams() : policy.pair_chain_start_ngrams();
    sequence::PairChainStart(pairs, policy.unary_law, sequence::DecodeOptions().start_prune)
        .decode(sequences, start.labels, start.doubt.data());
  }
  return start;
}

Json octaves_of(const sequence::LabelSequences& sequences, const sequence::RoundPolicy& rounds, const Start& start) {
  const sequence::SequenceIcm kernel(sequences);
  Assignment y = start.labels;
  Random unused(0);
  std::array<Octave, kOctaves> octaves{};
  double below = 0, all = 0;
  for (const VariableId p : sequence::left_to_right_order(sequences)) {
    const float expected = rounds.gain(rounds.score(start.doubt[p], y[p - 1], y[p], y[p + 1]));
    const Value before = y[p];
    float gained = 0;
    kernel.step(y, {&p, 1}, unused, mcmc::VisitRecord{.gains = &gained});
    y[p] = before;
    all += double{gained};
    const double octave = std::floor(std::log2(double{expected} / kLeast));
    if (octave < 0) {
      below += double{gained};
      continue;
    }
    Octave& found = octaves[std::min(static_cast<std::size_t>(octave), kOctaves - 1)];
    ++found.visits;
    found.expected += double{expected};
    found.gained += double{gained};
  }
  Json json = Json::array();
  for (std::size_t i = 0; i < kOctaves; ++i)
    json.push_back({{"from", kLeast * std::exp2(i)},
                    {"visits", octaves[i].visits},
                    {"expected", octaves[i].expected},
                    {"gained", octaves[i].gained}});
  return {{"octaves", json}, {"gained_below", below}, {"gained", all}};
}

/// The gain of visits to best labels until nothing changes.
double remaining(const sequence::LabelSequences& sequences, Assignment y) {
  const sequence::SequenceIcm kernel(sequences);
  const std::vector<VariableId> order = sequence::colour_order(sequences);
  const double before = sequences.log_score(y);
  Random unused(0);
  for (int sweep = 0; sweep < 100; ++sweep) {
    const Assignment old = y;
    for (const VariableId p : order) kernel.step(y, {&p, 1}, unused, std::span<mcmc::SiteInfo>());
    if (y == old) break;
  }
  return sequences.log_score(y) - before;
}

sequence::LabelSequences file_of(const sequence::LabelSequences& all, std::size_t first, std::size_t last) {
  sequence::LabelSequences file(all.ngrams());
  std::vector<std::uint32_t> lengths;
  for (std::size_t s = first; s < last; ++s) lengths.push_back(static_cast<std::uint32_t>(all.end(s) - all.begin(s)));
  file.reset(lengths);
  for (std::size_t s = first; s < last; ++s)
    std::copy(all.unary(all.begin(s)), all.unary(all.end(s)), file.unary(file.begin(s - first)));
  return file;
}

Json regrets_of(const Problem& test, const sequence::Policy& policy, sequence::DecodeStart start) {
  Json json = Json::array();
  for (const double regret : kRegrets) {
    std::uint64_t files = 0, kept = 0;
    double left = 0, items = 0, visits = 0;
    for (std::size_t s = 0; s + kFileSequences <= test.sequences().sequence_count(); s += kFileSequences) {
      const sequence::LabelSequences file = file_of(test.sequences(), s, s + kFileSequences);
      sequence::DecodeResult result;
      sequence::SequenceDecoder(test.ngrams(), &policy,
                                {.method = sequence::DecodeMethod::kLearned, .start = start, .regret = regret})
          .decode(file, {}, result);
      const double still = remaining(file, result.labels), allowed = regret * static_cast<double>(file.token_count());
      ++files;
      kept += still <= allowed;
      left += still;
      items += static_cast<double>(file.token_count());
      visits += static_cast<double>(result.work.transitions);
    }
    json.push_back(
        {{"regret", regret}, {"files", files}, {"kept", kept}, {"left", left / items}, {"visits", visits / items}});
  }
  return json;
}

}  // namespace
}  // namespace fovea::bench

int main(int argc, char** argv) {
  using namespace fovea;
  using namespace fovea::bench;
  if (argc != 5) {
    std::cerr << "usage: gain_calibration_study MODEL TUNING-DATA TEST-DATA f1|accuracy\n";
    return 2;
  }
  const Problem tuning(argv[1], argv[2], argv[4]), test(argv[1], argv[3], argv[4]);
  sequence::TuneOptions options;
  options.measure = false;
  options.choice.seeds = 1;
  const sequence::Policy policy = sequence::tune(tuning.sequences(), tuning.gold(), options);
  for (const auto kind : {sequence::DecodeStart::kUnigram, sequence::DecodeStart::kChain}) {
    const bool from_chain = kind == sequence::DecodeStart::kChain;
    const sequence::RoundPolicy& rounds = from_chain ? policy.best_from_chain : policy.best_from_unigram;
    Json record = octaves_of(test.sequences(), rounds, start_of(test.sequences(), policy, kind));
    record["start"] = word_of(kind);
    record["tokens"] = test.tokens();
    record["regrets"] = regrets_of(test, policy, kind);
    std::cout << record.dump() << '\n';
  }
}
