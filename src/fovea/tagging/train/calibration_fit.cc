// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/train/calibration_fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fovea/base/parallel.h"
#include "fovea/sequence/decode/planner.h"
#include "fovea/sequence/decode/sequence_decoder.h"

namespace fovea::tagging {
namespace {

constexpr double kMost = 20;          // temperature, and 1 / temperature
constexpr double kPrecision = .01;    // relative
constexpr double kLeastMass = 1e-12;  // a probability of 0 costs 28 nats

struct Loss {
  double sum = 0;
  std::size_t items = 0;
};

/// -log p over the known labels of one part.
Loss loss_of(const LeftOutPart& part, double temperature) {
  const sequence::CrfWeights weights = part.weights.divided_by(temperature);
  const sequence::LabelNgrams ngrams = weights.label_ngrams(), pairs = weights.label_pairs();
  sequence::LabelSequences label_sequences(ngrams);
  score_encoded(part.data.set.items, weights, label_sequences);
  const bool restarts = part.restart_rate > 0;
  const sequence::DecodeOptions options{
      .method = restarts ? sequence::DecodeMethod::kDoeblin : sequence::DecodeMethod::kAuto,
      .restart_rate = part.restart_rate};
  const sequence::DecodeRequest request{.marginals = true};
  sequence::SequenceDecoder decoder(ngrams, nullptr,
                                    sequence::plan(ngrams, nullptr, options, {.marginals = true}).options, request,
                                    restarts ? &pairs : nullptr);
  sequence::DecodeResult result;
  decoder.decode(label_sequences, {.random = Random()}, result);  // the same draws at every temperature
  const Assignment gold = gold_labeling(part.data, label_sequences);
  Loss loss;
  const auto labels = static_cast<Value>(ngrams.label_count());
  for (std::size_t s = 0; s < label_sequences.sequence_count(); ++s)
    for (std::size_t at = label_sequences.begin(s); at < label_sequences.end(s); ++at) {
      if (gold[at] >= labels) continue;
      const double p = double{result.marginals[at * ngrams.stride() + gold[at]]};
      loss.sum -= std::log(std::max(p, kLeastMass));
      ++loss.items;
    }
  return loss;
}

Loss loss_of(const std::vector<LeftOutPart>& parts, double temperature, const Run& run) {
  std::vector<Loss> losses(parts.size());
  parallel_for(parts.size(), 1, run.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) losses[i] = loss_of(parts[i], temperature);
  });
  Loss all;
  for (const Loss& loss : losses) {
    all.sum += loss.sum;
    all.items += loss.items;
  }
  return all;
}

}  // namespace

LeftOutScore fit_temperature(const std::vector<LeftOutPart>& parts, const Run& run) {
  const Loss without = loss_of(parts, 1, run);
  if (without.items == 0) return {};
  const auto mean_at = [&](double log_temperature) {
    return loss_of(parts, std::exp(log_temperature), run).sum / static_cast<double>(without.items);
  };
  constexpr double kGolden = 1 / std::numbers::phi;
  double low = -std::log(kMost), high = std::log(kMost);
  double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
  double at_left = mean_at(left), at_right = mean_at(right);
  while (high - low > kPrecision) {
    if (run.stop.requested()) return {};
    if (run.progress)
      run.progress({.phase = "temperature", .figure = "log loss", .value = std::min(at_left, at_right)});
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      at_left = mean_at(left = high - kGolden * (high - low));
    } else {
      low = left;
      left = right;
      at_left = at_right;
      at_right = mean_at(right = low + kGolden * (high - low));
    }
  }
  const double log_temperature = (low + high) / 2;
  return {.temperature = std::exp(log_temperature),
          .log_loss = mean_at(log_temperature),
          .log_loss_without = without.sum / static_cast<double>(without.items),
          .items = without.items};
}

}  // namespace fovea::tagging
