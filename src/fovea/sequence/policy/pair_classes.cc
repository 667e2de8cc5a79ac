// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/pair_classes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fovea/base/log_math.h"

namespace fovea::sequence {
namespace {

constexpr std::uint32_t kNoNeighbour = 0;

/// `all`: log sum of the scores of all labels with the same neighbour.
std::uint32_t surprise_class(double all, double score) {
  constexpr double kHighest = PairClasses::kSurprises - 2;
  if (!(score > kImpossible)) return 1 + static_cast<std::uint32_t>(kHighest);
  return 1 + static_cast<std::uint32_t>(std::min(2 * std::sqrt(std::max(all - score, 0.0)), kHighest));
}

}  // namespace

PairClasses PairClasses::of_labels(std::size_t label_count) {
  const std::size_t pairs = (label_count + 1) * (label_count + 1);
  PairClasses classes{.count = pairs, .left = std::vector<std::uint32_t>(pairs), .right = {}};
  std::iota(classes.left.begin(), classes.left.end(), 0u);
  classes.right = classes.left;
  return classes;
}

PairClasses PairClasses::of_surprise(const LabelNgrams& ngrams) {
  const auto labels = static_cast<std::size_t>(ngrams.label_count()), base = labels + 1;
  PairClasses classes{.count = kSurprises, .left = std::vector<std::uint32_t>(base * base, kNoNeighbour), .right = {}};
  classes.right = classes.left;
  if (ngrams.factor_size() < 2) return classes;
  std::vector<double> scores(labels * labels), all_after(labels, kImpossible), all_before = all_after;
  std::vector<Value> window(static_cast<std::size_t>(ngrams.factor_size()), ngrams.pad());  // 2-grams alone
  for (std::size_t a = 0; a < labels; ++a)
    for (std::size_t b = 0; b < labels; ++b) {
      window[window.size() - 2] = static_cast<Value>(a);
      window.back() = static_cast<Value>(b);
      const double score = scores[a * labels + b] = double{ngrams.window_score(window.data())};
      all_after[a] = add_logs(all_after[a], score);
      all_before[b] = add_logs(all_before[b], score);
    }
  for (std::size_t a = 0; a < labels; ++a)
    for (std::size_t b = 0; b < labels; ++b) {
      classes.left[a * base + b] = surprise_class(all_after[a], scores[a * labels + b]);
      classes.right[a * base + b] = surprise_class(all_before[b], scores[a * labels + b]);
    }
  return classes;
}

}  // namespace fovea::sequence
