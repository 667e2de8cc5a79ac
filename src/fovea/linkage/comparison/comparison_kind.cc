// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/comparison_kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "fovea/base/error.h"
#include "fovea/base/string_distance.h"
#include "fovea/base/text.h"
#include "fovea/linkage/comparison/date_sketch.h"
#include "fovea/linkage/comparison/own_levels.h"
#include "fovea/linkage/comparison/prepared_comparer.h"
#include "fovea/linkage/comparison/set_comparer.h"
#include "fovea/linkage/comparison/sketched_comparer.h"
#include "fovea/linkage/comparison/text_sketch.h"
#include "fovea/linkage/similarity/dates.h"
#include "fovea/linkage/similarity/geo.h"
#include "fovea/linkage/similarity/names.h"
#include "fovea/linkage/similarity/normalise.h"
#include "fovea/linkage/similarity/numbers.h"

namespace fovea::linkage {

std::string beginning_normalised(std::string_view value) {
  // Jaro's similarity takes time in proportion to the product of the two lengths, and is not meant for long texts.
  constexpr std::size_t kMostBytes = 1000;
  std::string text = normalised(value);
  if (text.size() <= kMostBytes) return text;
  std::size_t end = kMostBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // do not cut a character
  text.resize(end);
  return text;
}

namespace {

/// Level of `value`: 1 plus the number of the (increasing) bounds that it reaches.
Level level_of(double value, std::span<const double> bounds) {
  return static_cast<Level>(1 + std::ranges::count_if(bounds, [&](double bound) { return value >= bound; }));
}

constexpr double kSimilarityBounds[] = {0.7, 0.8, 0.88, 0.94};

Level compare_by_jaro_winkler(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return kMissingLevel;
  return a == b ? 6 : level_of(jaro_winkler(a, b), kSimilarityBounds);
}

constexpr std::size_t kMostCounted = 2;

Level compare_by_edits(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return kMissingLevel;
  return static_cast<Level>(4 - damerau(a, b, kMostCounted));
}

Level compare_as_authors(const GivenNames& a, const GivenNames& b) {
  return static_cast<Level>(compare_author_names(a, b));
}

Level compare_names(const GivenNames& a, const GivenNames& b) {
  const NameAgreement agreement = compare_given_names(a, b);
  return agreement == NameAgreement::kMissing ? kMissingLevel : static_cast<Level>(6 - static_cast<int>(agreement));
}

std::optional<Date> prepared_date(std::string_view value) { return parse_date(value); }

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

std::unique_ptr<ValueComparer> make_usual_word_comparer(std::span<const std::string_view> values,
                                                        const ValueStatistics* statistics) {
  return make_word_comparer(values, statistics);
}

/// Kinds that compare any texts.
std::vector<ComparisonKind> kinds_of_texts() {
  return {
      {.name = "exact",
       .description = "equal or not, ignoring case, accents and punctuation",
       .levels = {"missing", "different", "equal"},
       .make = make_equality_comparer,
       .cost = 1},
      {"jaro_winkler",
       "similarity of short texts, such as names (first 1000 bytes); own levels: jaro_winkler(0.85, 0.95)",
       {"missing", "below .7", ".7", ".8", ".88", ".94", "equal"},
       prepare_sketch_and_compare(beginning_normalised, SimilaritySketcher(kSimilarityBounds), compare_by_jaro_winkler),
       set_similarity_levels},
      {"edits",
       "insertions, deletions, replacements and swaps of letters; own levels: edits(1, 3, 5)",
       {"missing", "three or more", "two edits", "one edit", "equal"},
       prepare_sketch_and_compare(normalised, EditSketcher({kMostCounted, 1}), compare_by_edits),
       set_edit_levels},
      {"given_name",
       "given names: initials, prefixes, one edit",
       {"missing", "conflict", "same initial", "one edit", "prefix", "initial", "equal"},
       prepare_and_compare(tokens, compare_names)},
      {"author_name",
       "first and middle names, in full or as initials",
       {"missing", "conflict", "similar first names", "initial, middle names of one", "initial",
        "initial, middle names agree", "first name, middle names of one", "first name",
        "first name, middle names agree"},
       prepare_and_compare(tokens, compare_as_authors)},
      {"words",
       "words in any order; rare words count more (TF-IDF); own levels: words(0.5, 0.9)",
       {"missing", "below .2", ".2", ".45", ".7", ".9", "equal"},
       make_usual_word_comparer,
       set_word_levels,
       tokens},
      {"topic",
       "words in any order, without frequent words",
       {"missing", "none shared", "below .05", ".05", ".1", ".15", ".2", ".3", ".5", "equal"},
       make_topic_comparer,
       nullptr,
       tokens,
       kFrequentTopicWords},
      {"elements", "elements separated by |, by how many are shared; rare ones count more", element_levels(),
       make_element_comparer, nullptr, elements_of}};
}

/// Kinds whose cells must have a meaning.
std::vector<ComparisonKind> kinds_of_cells() {
  return {
      {.name = "date",
       .description = "dates; one digit off, day and month swapped, or only the year; own levels: date(1d, 1m, 1y)",
       .levels = {"missing", "conflict", "same year, or same day of the year", "one digit off or swapped", "compatible",
                  "equal"},
       .make = prepare_sketch_and_compare(prepared_date, DateSketcher(), date_level),
       .set_arguments = set_date_levels,
       .cells_are = "dates",
       .cost = 2},
      {.name = "number",
       .description = "numbers, by their difference as a share of the larger; own levels: number(relative 0.05)",
       .levels = {"missing", "over 10 %", "within 10 %", "within 2 %", "equal"},
       .make = prepare_and_compare(parse_number, compare_as_numbers),
       .set_arguments = set_number_levels,
       .cells_are = "numbers",
       .cost = 1},
      {.name = "place",
       .description = "latitude,longitude in degrees, by distance; own levels in km: place(0.1, 5)",
       .levels = {"missing", "over 100 km", "within 100 km", "within 10 km", "within 1 km"},
       .make = prepare_and_compare(parse_coordinates, compare_as_places),
       .set_arguments = set_distance_levels,
       .cells_are = "places"},
  };
}

std::vector<ComparisonKind> all_kinds() {
  std::vector<ComparisonKind> kinds = kinds_of_texts();
  std::ranges::move(kinds_of_cells(), std::back_inserter(kinds));
  return kinds;
}

}  // namespace

std::span<const ComparisonKind> comparison_kinds() {
  static const std::vector<ComparisonKind> kKinds = all_kinds();
  return kKinds;
}

ComparisonKind comparison_kind_of(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::string_view name = trimmed(text.substr(0, open));
  const auto kinds = comparison_kinds();
  const auto at = std::ranges::find_if(kinds, [&](const ComparisonKind& known) { return known.name == name; });
  if (at == kinds.end()) {
    std::vector<std::string> names;
    for (const ComparisonKind& known : kinds) names.push_back(known.name);
    throw UsageError(fmt::format("no comparison is called '{}'.{} There are {}", name, suggestion(name, names),
                                 fmt::join(names, ", ")));
  }
  ComparisonKind kind = *at;
  if (open == text.npos) return kind;
  if (text.back() != ')') throw UsageError(fmt::format("'{}': a ')' is missing", text));
  if (kind.set_arguments == nullptr) throw UsageError(fmt::format("'{}': {} takes nothing in parentheses", text, name));
  const auto arguments = split_expression(text.substr(open + 1, text.size() - open - 2), ',');
  try {
    kind.set_arguments(kind, arguments);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("'{}': {}", text, error.what()));
  }
  return kind;
}

}  // namespace fovea::linkage
