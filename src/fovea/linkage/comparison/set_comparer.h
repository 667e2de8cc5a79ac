// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/linkage/comparison/value_comparer.h"
#include "fovea/linkage/similarity/token_set.h"

namespace fovea::linkage {

/// How two sets of tokens agree.
struct SetAgreement {
  std::size_t shared = 0;  ///< tokens of both
  double cosine = 0;       ///< of the vectors of their weights
};

/// Compares sets of tokens, of which rare ones weigh more. Sets that share nothing have one level, so pairs of other
/// levels are found through the tokens that they share.
class SetComparer : public ValueComparer {
 public:
  using LevelOf = Level (*)(const SetAgreement&);

  /// weights[token] > 0. An empty set is missing.
  SetComparer(std::vector<TokenSet> sets, std::vector<double> weights, LevelOf level_of);

  Level compare(std::uint32_t a, std::uint32_t b) const override;
  std::optional<SparseLevels> compare_all(std::span<const std::uint32_t> values) const override;

 private:
  double squared_weight(std::uint32_t token) const { return weights_[token] * weights_[token]; }
  Level level(std::uint32_t a, std::uint32_t b, std::size_t shared, double product) const;

  std::vector<TokenSet> sets_;  // [value]
  std::vector<double> weights_;
  std::vector<double> squared_norms_;  // [value]
  LevelOf level_of_;
};

/// Words in any order, by the cosine of TF-IDF vectors: texts that are nearly equal.
std::unique_ptr<ValueComparer> make_word_comparer(std::span<const std::string_view> values);

/// The same for texts on one topic: words that more than 3 % of the values hold do not count.
std::unique_ptr<ValueComparer> make_topic_comparer(std::span<const std::string_view> values);

/// Elements separated by '|' (a paper's authors): how many are shared, and the cosine.
std::unique_ptr<ValueComparer> make_element_comparer(std::span<const std::string_view> values);

/// The levels of make_element_comparer in words.
std::vector<std::string> element_levels();

}  // namespace fovea::linkage
