// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/metrics/paired_bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "fovea/base/error.h"
#include "fovea/base/parallel.h"

namespace fovea::tagging {
namespace {

std::vector<double> sorted_replicates(std::span<const SentenceCounts> first, std::span<const SentenceCounts> second,
                                      TaggingScore score, int count, const Random& random, int threads) {
  std::vector<double> differences(count);
  parallel_for(count, 64, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> drawn;
    for (std::size_t r = begin; r < end; ++r) {
      Random stream = random.child("replicate", r);
      differences[r] = resampled_difference(first, second, score, stream, drawn);
    }
  });
  std::sort(differences.begin(), differences.end());
  return differences;
}

}  // namespace

std::string PairedDifference::brief() const {
  return fmt::format("difference {:+.2f} [{:+.2f}, {:+.2f}] ({:g} % interval, {} resamplings of the sentences)",
                     100 * difference, 100 * lower, 100 * upper, 100 * confidence, replicates);
}

std::string PairedDifference::json() const {
  const nlohmann::ordered_json json = {{"first", first},          {"second", second}, {"difference", difference},
                                       {"lower", lower},          {"upper", upper},   {"confidence", confidence},
                                       {"replicates", replicates}};
  return json.dump();
}

PairedDifference paired_bootstrap(std::span<const SentenceCounts> first, std::span<const SentenceCounts> second,
                                  TaggingScore score, const BootstrapOptions& options, const Random& random,
                                  int threads) {
  FOVEA_CHECK(first.size() == second.size());
  validate(options);
  std::vector<std::uint32_t> all(first.size());
  std::iota(all.begin(), all.end(), 0u);
  PairedDifference result{.first = score_of(first, all, score), .second = score_of(second, all, score)};
  result.difference = result.second - result.first;
  result.confidence = options.confidence;
  result.replicates = options.replicates;
  if (first.empty()) return result;
  const auto sorted = sorted_replicates(first, second, score, options.replicates, random, threads);
  const auto outside = static_cast<std::size_t>((1 - options.confidence) / 2 * options.replicates);
  result.lower = sorted[outside];
  result.upper = sorted[sorted.size() - 1 - outside];
  return result;
}

}  // namespace fovea::tagging
