// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/similarity/token_set.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
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

}  // namespace fovea::linkage
