// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/linkage/comparison/value_comparer.h"
#include "fovea/linkage/similarity/token_set.h"
#include "fovea/linkage/statistics/value_statistics.h"

namespace fovea::linkage {

/// Agreement of two sets of tokens.
struct SetAgreement {
  std::size_t shared = 0;  ///< number of common tokens
  double cosine = 0;       ///< of the vectors of their weights
};

/// Compares sets of tokens; rare tokens weigh more. All pairs that share nothing have the same level, so the other
/// pairs are found through the tokens that they share.
class SetComparer : public ValueComparer {
 public:
  using LevelOf = std::function<Level(const SetAgreement&)>;

  /// weights[token] > 0. An empty set counts as missing.
  SetComparer(std::vector<TokenSet> sets, std::vector<double> weights, LevelOf level_of);

  Level compare(std::uint32_t a, std::uint32_t b) const override;
  std::optional<SparseLevels> compare_all(std::span<const std::uint32_t> values, const Stop& stop) const override;
  std::optional<std::vector<SparseLevels::Pair>> alike(std::span<const std::uint32_t> values, Level least,
                                                       const Stop& stop) const override;

 private:
  /// Calls visit(pair) for each pair of values that share a token.
  template <class Visit>
  void for_each_sharing(std::span<const std::uint32_t> values, const Stop& stop, Visit&& visit) const;
  double squared_weight(std::uint32_t token) const { return weights_[token] * weights_[token]; }
  Level level(std::uint32_t a, std::uint32_t b, std::size_t shared, double product) const;

  std::vector<TokenSet> sets_;  // [value]
  std::vector<double> weights_;
  std::vector<double> squared_norms_;  // [value]
  LevelOf level_of_;
};

/// Cosines that begin the levels of make_word_comparer.
inline constexpr std::array kWordBounds = {0.2, 0.45, 0.7, 0.9};

/// Compares words in any order, by the cosine of TF-IDF vectors: for texts that are nearly equal. `bounds`, increasing,
/// begin its levels; the highest is for equal sets of words. Here and below, words are as frequent as in the table of
/// the statistics, if given.
std::unique_ptr<ValueComparer> make_word_comparer(std::span<const std::string_view> values,
                                                  const ValueStatistics* statistics = nullptr,
                                                  std::span<const double> bounds = kWordBounds);

/// Share of the values above which make_topic_comparer takes a word for frequent.
inline constexpr double kFrequentTopicWords = 0.03;

/// Does the same for texts on one topic: words that occur in more than 3 % of the values do not count.
std::unique_ptr<ValueComparer> make_topic_comparer(std::span<const std::string_view> values,
                                                   const ValueStatistics* statistics = nullptr);

/// Compares elements separated by '|' (such as a paper's authors), by the number of common ones and the cosine.
std::unique_ptr<ValueComparer> make_element_comparer(std::span<const std::string_view> values,
                                                     const ValueStatistics* statistics = nullptr);

/// The elements of a value, normalised.
std::vector<std::string> elements_of(std::string_view value);

/// The levels of make_element_comparer in words.
std::vector<std::string> element_levels();

}  // namespace fovea::linkage
