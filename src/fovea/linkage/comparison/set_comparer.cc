// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/set_comparer.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "fovea/base/text.h"
#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

/// Number of the (increasing) bounds that `value` reaches.
template <std::size_t kBounds>
Level bounds_reached(double value, const std::array<double, kBounds>& bounds) {
  return static_cast<Level>(std::ranges::count_if(bounds, [&](double bound) { return value >= bound; }));
}

Level word_level(const SetAgreement& agreement) {
  static constexpr std::array kBounds = {0.2, 0.45, 0.7, 0.9, 0.999};
  return static_cast<Level>(1 + bounds_reached(agreement.cosine, kBounds));
}

Level topic_level(const SetAgreement& agreement) {
  static constexpr std::array kBounds = {0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.999};
  return static_cast<Level>(agreement.shared == 0 ? 1 : 2 + bounds_reached(agreement.cosine, kBounds));
}

constexpr std::size_t kMostShared = 3;
constexpr std::array kElementBounds = {0.15, 0.3, 0.45, 0.6, 0.8};

Level element_level(const SetAgreement& agreement) {
  if (agreement.shared == 0) return 1;
  const std::size_t group = std::min(agreement.shared, kMostShared) - 1;
  return static_cast<Level>(2 + group * (kElementBounds.size() + 1) + bounds_reached(agreement.cosine, kElementBounds));
}

std::vector<std::string> elements_of(std::string_view value) {
  std::vector<std::string> elements;
  for (const std::string_view element : split_text(value, '|')) elements.push_back(normalised(element));
  std::erase(elements, "");
  return elements;
}

}  // namespace

SetComparer::SetComparer(std::vector<TokenSet> sets, std::vector<double> weights, LevelOf level_of)
    : sets_(std::move(sets)), weights_(std::move(weights)), level_of_(level_of) {
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

std::optional<SparseLevels> SetComparer::compare_all(std::span<const std::uint32_t> values) const {
  SparseLevels levels{.common = level_of_({}), .others = {}};
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
      const Level found = level(values[other], values[place], shared[other], products[other]);
      if (found != levels.common) levels.others.push_back({other, place, found});
      shared[other] = 0;
      products[other] = 0;
    }
    touched.clear();
  }
  return levels;
}

std::unique_ptr<ValueComparer> make_word_comparer(std::span<const std::string_view> values) {
  TokenVocabulary vocabulary;
  std::vector<TokenSet> sets;
  for (const std::string_view value : values) sets.push_back(vocabulary.add(value));
  return std::make_unique<SetComparer>(std::move(sets), vocabulary.inverse_document_frequencies(), word_level);
}

std::unique_ptr<ValueComparer> make_topic_comparer(std::span<const std::string_view> values) {
  constexpr double kFrequent = 0.03;
  constexpr double kNeverFrequent = 2;  // texts; otherwise all words of a few texts would count as frequent
  TokenVocabulary vocabulary;
  std::vector<TokenSet> sets;
  for (const std::string_view value : values) sets.push_back(vocabulary.add(value));
  const double most = std::max(kNeverFrequent, kFrequent * static_cast<double>(vocabulary.text_count()));
  for (TokenSet& set : sets) std::erase_if(set, [&](std::uint32_t word) { return vocabulary.text_count(word) > most; });
  return std::make_unique<SetComparer>(std::move(sets), vocabulary.inverse_document_frequencies(), topic_level);
}

std::unique_ptr<ValueComparer> make_element_comparer(std::span<const std::string_view> values) {
  TokenVocabulary vocabulary;
  std::vector<TokenSet> sets;
  for (const std::string_view value : values) sets.push_back(vocabulary.add(elements_of(value)));
  return std::make_unique<SetComparer>(std::move(sets), vocabulary.inverse_document_frequencies(), element_level);
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
