// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/value_comparer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "fovea/base/dictionary.h"
#include "fovea/base/string_distance.h"
#include "fovea/linkage/comparison/set_comparer.h"
#include "fovea/linkage/similarity/dates.h"
#include "fovea/linkage/similarity/geo.h"
#include "fovea/linkage/similarity/names.h"
#include "fovea/linkage/similarity/normalise.h"

namespace fovea::linkage {
namespace {

/// Compares prepared values by kCompare(a, b).
template <class Prepared, Level (*kCompare)(const Prepared&, const Prepared&)>
class PreparedComparer : public ValueComparer {
 public:
  explicit PreparedComparer(std::vector<Prepared> values) : values_(std::move(values)) {}
  Level compare(std::uint32_t a, std::uint32_t b) const override { return kCompare(values_[a], values_[b]); }

 private:
  std::vector<Prepared> values_;
};

template <auto kPrepare, auto kCompare>
std::unique_ptr<ValueComparer> make(std::span<const std::string_view> values, const ValueStatistics*) {
  using Prepared = decltype(kPrepare(std::string_view()));
  std::vector<Prepared> prepared;
  prepared.reserve(values.size());
  for (const std::string_view value : values) prepared.push_back(kPrepare(value));
  return std::make_unique<PreparedComparer<Prepared, kCompare>>(std::move(prepared));
}

/// Level of `value`: 1 plus the number of the (increasing) bounds that it reaches.
Level level_of(double value, std::span<const double> bounds) {
  return static_cast<Level>(1 + std::ranges::count_if(bounds, [&](double bound) { return value >= bound; }));
}

/// Normalises a value and keeps only the beginning of a long one: Jaro's similarity takes time in proportion to the
/// product of the two lengths, and is not meant for long texts.
std::string beginning_normalised(std::string_view value) {
  constexpr std::size_t kMostBytes = 1000;
  std::string text = normalised(value);
  if (text.size() <= kMostBytes) return text;
  std::size_t end = kMostBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // do not cut a character
  text.resize(end);
  return text;
}

Level compare_by_jaro_winkler(const std::string& a, const std::string& b) {
  static constexpr double kBounds[] = {0.7, 0.8, 0.88, 0.94};
  if (a.empty() || b.empty()) return kMissingLevel;
  return a == b ? 6 : level_of(jaro_winkler(a, b), kBounds);
}

Level compare_by_edits(const std::string& a, const std::string& b) {
  constexpr std::size_t kMost = 2;
  if (a.empty() || b.empty()) return kMissingLevel;
  return static_cast<Level>(4 - damerau(a, b, kMost));
}

Level compare_as_authors(const GivenNames& a, const GivenNames& b) {
  return static_cast<Level>(compare_author_names(a, b));
}

Level compare_names(const std::string& a, const std::string& b) {
  const NameAgreement agreement = compare_given_names(a, b);
  return agreement == NameAgreement::kMissing ? kMissingLevel : static_cast<Level>(6 - static_cast<int>(agreement));
}

std::optional<Date> prepared_date(std::string_view value) { return parse_date(value); }

Level compare_as_dates(const std::optional<Date>& a, const std::optional<Date>& b) {
  switch (compare_dates(a, b)) {
    case DateAgreement::kMissing:
      return kMissingLevel;
    case DateAgreement::kConflict:
      return 1;
    case DateAgreement::kSameMonthDay:
    case DateAgreement::kSameYear:
      return 2;
    case DateAgreement::kOneDigit:
    case DateAgreement::kSwapped:
      return 3;
    case DateAgreement::kCompatible:
      return 4;
    case DateAgreement::kEqual:
      return 5;
  }
  return kMissingLevel;
}

std::optional<double> prepared_number(std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

Level compare_as_numbers(const std::optional<double>& a, const std::optional<double>& b) {
  static constexpr double kBounds[] = {-0.1, -0.02, 0};
  if (!a || !b) return kMissingLevel;
  const double scale = std::max(std::abs(*a), std::abs(*b));
  return level_of(scale > 0 ? -std::abs(*a - *b) / scale : 0, kBounds);
}

Level compare_as_places(const std::optional<Coordinates>& a, const std::optional<Coordinates>& b) {
  static constexpr double kBounds[] = {-100, -10, -1};
  if (!a || !b) return kMissingLevel;
  return level_of(-distance_in_km(*a, *b), kBounds);
}

std::unique_ptr<ValueComparer> make_equality_comparer(std::span<const std::string_view> values,
                                                      const ValueStatistics*) {
  return std::make_unique<EqualityComparer>(values);
}

}  // namespace

std::optional<SparseLevels> ValueComparer::compare_all(std::span<const std::uint32_t>) const { return std::nullopt; }

std::span<const ComparisonKind> comparison_kinds() {
  static const std::vector<ComparisonKind> kKinds = {
      {"exact",
       "equal or not, ignoring case, accents and punctuation",
       {"missing", "different", "equal"},
       make_equality_comparer},
      {"jaro_winkler",
       "similarity of short texts, such as names (first 1000 bytes)",
       {"missing", "below .7", ".7", ".8", ".88", ".94", "equal"},
       make<beginning_normalised, compare_by_jaro_winkler>},
      {"edits",
       "insertions, deletions, replacements and swaps of letters",
       {"missing", "three or more", "two edits", "one edit", "equal"},
       make<normalised, compare_by_edits>},
      {"given_name",
       "given names: initials, prefixes, one edit",
       {"missing", "conflict", "same initial", "one edit", "prefix", "initial", "equal"},
       make<normalised, compare_names>},
      {"author_name",
       "first and middle names, in full or as initials",
       {"missing", "conflict", "similar first names", "initial, middle names of one", "initial",
        "initial, middle names agree", "first name, middle names of one", "first name",
        "first name, middle names agree"},
       make<tokens, compare_as_authors>},
      {"words",
       "words in any order; rare words count more (TF-IDF)",
       {"missing", "below .2", ".2", ".45", ".7", ".9", "equal"},
       make_word_comparer,
       tokens},
      {"topic",
       "words in any order, without frequent words",
       {"missing", "none shared", "below .05", ".05", ".1", ".15", ".2", ".3", ".5", "equal"},
       make_topic_comparer,
       tokens,
       kFrequentTopicWords},
      {"elements", "elements separated by |, by how many are shared; rare ones count more", element_levels(),
       make_element_comparer, elements_of},
      {"date",
       "dates; one digit off, day and month swapped, or only the year",
       {"missing", "conflict", "same year, or same day of the year", "one digit off or swapped", "compatible", "equal"},
       make<prepared_date, compare_as_dates>},
      {"number",
       "numbers, by their relative difference",
       {"missing", "over 10 %", "10 %", "2 %", "equal"},
       make<prepared_number, compare_as_numbers>},
      {"place",
       "latitude,longitude in degrees, by distance",
       {"missing", "over 100 km", "100 km", "10 km", "1 km"},
       make<parse_coordinates, compare_as_places>},
  };
  return kKinds;
}

namespace {

constexpr Level kDifferent = 1, kEqual = 2;

}  // namespace

EqualityComparer::EqualityComparer(std::span<const std::string_view> values) {
  Dictionary texts;
  for (const std::string_view value : values) {
    const std::string text = normalised(value);
    texts_.push_back(text.empty() ? kNoId : texts.add(text));
  }
}

Level EqualityComparer::compare(std::uint32_t a, std::uint32_t b) const {
  if (texts_[a] == kNoId || texts_[b] == kNoId) return kMissingLevel;
  return texts_[a] == texts_[b] ? kEqual : kDifferent;
}

std::optional<SparseLevels> EqualityComparer::compare_all(std::span<const std::uint32_t> values) const {
  SparseLevels levels{.common = kDifferent, .others = {}};
  std::vector<std::uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto text = [&](std::uint32_t place) { return texts_[values[place]]; };
  std::ranges::stable_sort(order, {}, text);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size() && text(order[i]) == text(order[j]); ++j)
      levels.others.push_back({order[i], order[j], kEqual});
  return levels;
}

}  // namespace fovea::linkage
