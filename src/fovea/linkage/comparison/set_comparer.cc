// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/set_comparer.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "fovea/base/dictionary.h"
#include "fovea/base/text.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

/// Number of the (increasing) bounds that `value` reaches.
Level bounds_reached(double value, std::span<const double> bounds) {
  return static_cast<Level>(std::ranges::count_if(bounds, [&](double bound) { return value >= bound; }));
}

constexpr double kEqualSets = 0.999;  // their cosine, with room for rounding

Level topic_level(const SetAgreement& agreement) {
  static constexpr std::array kBounds = {0.05, 0.1, 0.15, 0.2, 0.3, 0.5, kEqualSets};
  return static_cast<Level>(agreement.shared == 0 ? 1 : 2 + bounds_reached(agreement.cosine, kBounds));
}

constexpr std::size_t kMostShared = 3;
constexpr std::array kElementBounds = {0.15, 0.3, 0.45, 0.6, 0.8};

Level element_level(const SetAgreement& agreement) {
  if (agreement.shared == 0) return 1;
  const std::size_t group = std::min(agreement.shared, kMostShared) - 1;
  return static_cast<Level>(2 + group * (kElementBounds.size() + 1) + bounds_reached(agreement.cosine, kElementBounds));
}

/// In how many texts each token of a vocabulary occurs.
struct TokenTexts {
  TokenTexts(const TokenVocabulary& vocabulary, const ValueStatistics* statistics)
      : texts(statistics != nullptr ? statistics->texts : vocabulary.text_count()) {
    for (std::uint32_t token = 0; token < vocabulary.size(); ++token)
      counts.push_back(statistics != nullptr ? statistics->token_texts.count(hash_text(vocabulary.token(token)))
                                             : vocabulary.text_count(token));
  }

  /// Numbers the tokens anew, those of most texts first. Sums over the tokens of a set are rounded after every term, so
  /// their order must not depend on the table at hand; tokens with equal counts have equal weights.
  void order(std::span<TokenSet> sets) {
    std::vector<std::uint32_t> by_count(counts.size()), numbers(counts.size());
    std::iota(by_count.begin(), by_count.end(), 0U);
    std::ranges::stable_sort(by_count, std::ranges::greater(), [&](std::uint32_t token) { return counts[token]; });
    for (std::uint32_t number = 0; number < by_count.size(); ++number) numbers[by_count[number]] = number;
    for (TokenSet& set : sets) {
      for (std::uint32_t& token : set) token = numbers[token];
      std::ranges::sort(set);
    }
    std::ranges::sort(counts, std::ranges::greater());
  }

  /// As TokenVocabulary::inverse_document_frequencies().
  std::vector<double> weights() const {
    std::vector<double> weights;
    for (const std::uint64_t count : counts)
      weights.push_back(std::log1p(static_cast<double>(texts) / static_cast<double>(count)));
    return weights;
  }

  std::uint64_t texts;
  std::vector<std::uint64_t> counts;  // [token]
};

/// Makes a comparer of sets of tokens. Those in more than `frequent_share` of the texts do not count.
std::unique_ptr<ValueComparer> make_set_comparer(std::vector<TokenSet> sets, const TokenVocabulary& vocabulary,
                                                 double frequent_share, const SetComparer::LevelOf& level_of,
                                                 const ValueStatistics* statistics) {
  TokenTexts texts(vocabulary, statistics);
  const double most = ValueStatistics{.frequent_share = frequent_share, .texts = texts.texts}.most_texts();
  for (TokenSet& set : sets)
    std::erase_if(set, [&](std::uint32_t token) { return static_cast<double>(texts.counts[token]) > most; });
  if (statistics != nullptr) texts.order(sets);
  return std::make_unique<SetComparer>(std::move(sets), texts.weights(), level_of);
}

}  // namespace

SetComparer::SetComparer(std::vector<TokenSet> sets, std::vector<double> weights, LevelOf level_of)
    : sets_(std::move(sets)), weights_(std::move(weights)), level_of_(std::move(level_of)) {
  for (const TokenSet& set : sets_) {
    squared_norms_.push_back(0);
    for (const std::uint32_t token : set) squared_norms_.back() += squared_weight(token);
  }
}

Level SetComparer::level(std::uint32_t a, std::uint32_t b, std::size_t shared, double product) const {
  return level_of_({shared, product / std::sqrt(squared_norms_[a] * squared_norms_[b])});
}

Level SetComparer::compare(std::uint32_t a, std::uint32_t b) const {
  if (sets_[a].empty() || sets_[b].empty()) return kMissingLevel;
  std::size_t shared = 0;
  double product = 0;
  for_each_common(sets_[a], sets_[b], [&](std::uint32_t token) {
    ++shared;
    product += squared_weight(token);
  });
  return level(a, b, shared, product);
}

template <class Visit>
void SetComparer::for_each_sharing(std::span<const std::uint32_t> values, const Stop& stop, Visit&& visit) const {
  ComparisonMeter meter(stop, "comparing values");
  tsl::robin_map<std::uint32_t, std::vector<std::uint32_t>> holders;  // [token]: earlier places that hold it
  std::vector<std::size_t> shared(values.size(), 0);                  // number of tokens shared with this place
  std::vector<double> products(values.size(), 0);
  std::vector<std::uint32_t> touched;
  for (std::uint32_t place = 0; place < values.size(); ++place) {
    for (const std::uint32_t token : sets_[values[place]]) {
      std::vector<std::uint32_t>& earlier = holders[token];
      for (const std::uint32_t other : earlier) {
        if (shared[other]++ == 0) touched.push_back(other);
        products[other] += squared_weight(token);
      }
      earlier.push_back(place);
    }
    for (const std::uint32_t other : touched) {
      meter.count();
      visit({other, place, level(values[other], values[place], shared[other], products[other])});
      shared[other] = 0;
      products[other] = 0;
    }
    touched.clear();
  }
}

std::optional<SparseLevels> SetComparer::compare_all(std::span<const std::uint32_t> values, const Stop& stop) const {
  SparseLevels levels{.common = level_of_({}), .others = {}};
  for_each_sharing(values, stop, [&](const SparseLevels::Pair& pair) {
    if (pair.level != levels.common) levels.others.push_back(pair);
  });
  return levels;
}

std::optional<std::vector<SparseLevels::Pair>> SetComparer::alike(std::span<const std::uint32_t> values, Level least,
                                                                  const Stop& stop) const {
  if (level_of_({}) >= least) return std::nullopt;
  std::vector<SparseLevels::Pair> pairs;
  for_each_sharing(values, stop, [&](const SparseLevels::Pair& pair) {
    if (pair.level >= least) pairs.push_back(pair);
  });
  return pairs;
}

std::unique_ptr<ValueComparer> make_word_comparer(std::span<const std::string_view> values,
                                                  const ValueStatistics* statistics, std::span<const double> bounds) {
  TokenVocabulary vocabulary;
  std::vector<TokenSet> sets;
  for (const std::string_view value : values) sets.push_back(vocabulary.add(value));
  std::vector<double> levels(bounds.begin(), bounds.end());
  levels.push_back(kEqualSets);
  const auto level = [levels](const SetAgreement& agreement) {
    return static_cast<Level>(1 + bounds_reached(agreement.cosine, levels));
  };
  return make_set_comparer(std::move(sets), vocabulary, 1, level, statistics);
}

std::unique_ptr<ValueComparer> make_topic_comparer(std::span<const std::string_view> values,
                                                   const ValueStatistics* statistics) {
  TokenVocabulary vocabulary;
  std::vector<TokenSet> sets;
  for (const std::string_view value : values) sets.push_back(vocabulary.add(value));
  return make_set_comparer(std::move(sets), vocabulary, kFrequentTopicWords, topic_level, statistics);
}

std::unique_ptr<ValueComparer> make_element_comparer(std::span<const std::string_view> values,
                                                     const ValueStatistics* statistics) {
  TokenVocabulary vocabulary;
  std::vector<TokenSet> sets;
  for (const std::string_view value : values) sets.push_back(vocabulary.add(elements_of(value)));
  return make_set_comparer(std::move(sets), vocabulary, 1, element_level, statistics);
}

std::vector<std::string> elements_of(std::string_view value) {
  std::vector<std::string> elements;
  for (const std::string_view element : split_text(value, '|')) elements.push_back(normalised(element));
  std::erase(elements, "");
  return elements;
}

std::vector<std::string> element_levels() {
  std::vector<std::string> levels = {"missing", "none"};
  const auto number = [](double bound) { return fmt::format("{}", bound).substr(1); };  // .15
  for (const char* shared : {"one", "two", "more"}) {
    levels.push_back(fmt::format("{}, below {}", shared, number(kElementBounds.front())));
    for (const double bound : kElementBounds) levels.push_back(fmt::format("{}, {}", shared, number(bound)));
  }
  return levels;
}

}  // namespace fovea::linkage
