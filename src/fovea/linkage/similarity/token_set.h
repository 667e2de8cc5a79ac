// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/dictionary.h"
#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {

/// Ids of distinct tokens, ascending.
using TokenSet = std::vector<std::uint32_t>;
using TokenSetView = std::span<const std::uint32_t>;

/// The tokens of a collection of texts, numbered, with the number of texts that contain each.
class TokenVocabulary {
 public:
  /// Returns the set of tokens(text), and counts it as one more text.
  TokenSet add(std::string_view text);
  /// Does the same for a text that was cut into tokens in some other way.
  TokenSet add(std::span<const std::string> tokens);

  std::size_t text_count() const { return text_count_; }
  std::size_t size() const { return dictionary_.size(); }
  std::string_view token(std::uint32_t id) const { return dictionary_.text(id); }
  /// Number of texts that contain the token.
  std::uint32_t text_count(std::uint32_t id) const { return text_counts_[id]; }

  /// By id: ln(1 + text_count() / text_count(id)), larger for rarer tokens, always above 0. Valid for the texts so far.
  std::vector<double> inverse_document_frequencies() const;

 private:
  Dictionary dictionary_;
  std::vector<std::uint32_t> text_counts_;  // by token
  std::size_t text_count_ = 0;
};

inline TokenSet TokenVocabulary::add(std::string_view text) { return add(tokens(text)); }

inline TokenSet TokenVocabulary::add(std::span<const std::string> tokens) {
  TokenSet set;
  for (const std::string& token : tokens) set.push_back(dictionary_.add(token));
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  text_counts_.resize(dictionary_.size());
  for (std::uint32_t id : set) ++text_counts_[id];
  ++text_count_;
  return set;
}

inline std::vector<double> TokenVocabulary::inverse_document_frequencies() const {
  std::vector<double> weights;
  for (std::uint32_t count : text_counts_) weights.push_back(std::log1p(static_cast<double>(text_count_) / count));
  return weights;
}

/// Calls visit(id) for every token of both, ascending.
template <class Visit>
void for_each_common(TokenSetView a, TokenSetView b, Visit&& visit) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const std::uint32_t x = a[i], y = b[j];
    if (x == y) visit(x);
    i += x <= y;
    j += y <= x;
  }
}

}  // namespace fovea::linkage
