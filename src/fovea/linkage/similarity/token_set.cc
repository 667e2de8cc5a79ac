// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/token_set.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

std::size_t common_count(TokenSetView a, TokenSetView b) {
  std::size_t count = 0;
  for_each_common(a, b, [&](std::uint32_t) { ++count; });
  return count;
}

/// part / whole, with 1 for nothing of nothing: two empty sets are equal.
double ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

TokenSet TokenVocabulary::add(std::string_view text) { return add(tokens(text)); }

TokenSet TokenVocabulary::add(std::span<const std::string> tokens) {
  TokenSet set;
  for (const std::string& token : tokens) set.push_back(dictionary_.add(token));
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  text_counts_.resize(dictionary_.size());
  for (std::uint32_t id : set) ++text_counts_[id];
  ++text_count_;
  return set;
}

std::vector<double> TokenVocabulary::inverse_document_frequencies() const {
  std::vector<double> weights;
  for (std::uint32_t count : text_counts_) weights.push_back(std::log1p(static_cast<double>(text_count_) / count));
  return weights;
}

double jaccard(TokenSetView a, TokenSetView b) {
  const std::size_t common = common_count(a, b);
  return ratio(common, a.size() + b.size() - common);
}

double overlap_coefficient(TokenSetView a, TokenSetView b) {
  if (a.empty() != b.empty()) return 0;
  return ratio(common_count(a, b), std::min(a.size(), b.size()));
}

double weighted_cosine(TokenSetView a, TokenSetView b, std::span<const double> weights) {
  if (a.empty() || b.empty()) return a.empty() == b.empty() ? 1 : 0;
  const auto squared_norm = [&](TokenSetView set) {
    double sum = 0;
    for (std::uint32_t id : set) sum += weights[id] * weights[id];
    return sum;
  };
  double common = 0;
  for_each_common(a, b, [&](std::uint32_t id) { common += weights[id] * weights[id]; });
  return common / std::sqrt(squared_norm(a) * squared_norm(b));
}

}  // namespace fovea::linkage
