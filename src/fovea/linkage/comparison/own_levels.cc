// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/own_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/string_distance.h"
#include "fovea/base/text.h"
#include "fovea/linkage/comparison/date_sketch.h"
#include "fovea/linkage/comparison/prepared_comparer.h"
#include "fovea/linkage/comparison/set_comparer.h"
#include "fovea/linkage/comparison/sketched_comparer.h"
#include "fovea/linkage/comparison/text_sketch.h"
#include "fovea/linkage/similarity/date_format.h"
#include "fovea/linkage/similarity/geo.h"
#include "fovea/linkage/similarity/normalise.h"
#include "fovea/linkage/similarity/numbers.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kMostBounds = 20;

/// Sorts bounds, and refuses lists that make no levels.
template <class Bound, class Key>
void put_in_order(std::vector<Bound>& bounds, Key key) {
  std::ranges::sort(bounds, {}, key);
  if (bounds.empty()) throw UsageError("a bound is missing");
  if (bounds.size() > kMostBounds) throw UsageError(fmt::format("there may be {} bounds at most", kMostBounds));
  const auto twice = std::ranges::adjacent_find(bounds, {}, key);
  if (twice != bounds.end()) throw UsageError("a bound comes twice");
}

/// Reads bounds within [least, most], in increasing order.
std::vector<double> parse_bounds(std::span<const std::string_view> arguments, double least, double most) {
  std::vector<double> bounds;
  for (const std::string_view argument : arguments) {
    double bound = 0;
    const auto [end, error] = std::from_chars(argument.data(), argument.data() + argument.size(), bound);
    if (error != std::errc() || end != argument.data() + argument.size() || !(least <= bound && bound <= most))
      throw UsageError(fmt::format("the bound '{}' is not a number from {} to {}", argument, least, most));
    bounds.push_back(bound);
  }
  put_in_order(bounds, std::identity());
  return bounds;
}

/// Names the levels of increasing bounds that a similarity reaches.
std::vector<std::string> names_of_similarities(std::span<const double> bounds) {
  std::vector<std::string> names = {"missing", fmt::format("below {}", bounds.front())};
  for (const double bound : bounds) names.push_back(fmt::format("{} or more", bound));
  names.emplace_back("equal");
  return names;
}

/// Names the levels of increasing bounds within which two values are; texts[i]: the bound in words.
std::vector<std::string> names_of_distances(const std::vector<std::string>& texts) {
  std::vector<std::string> names = {"missing", fmt::format("over {}", texts.back())};
  for (std::size_t i = texts.size(); i-- > 0;) names.push_back(fmt::format("within {}", texts[i]));
  return names;
}

/// Number of the increasing bounds that are at least `distance`.
Level bounds_around(double distance, std::span<const double> bounds) {
  return static_cast<Level>(std::ranges::count_if(bounds, [&](double bound) { return distance <= bound; }));
}

std::string counted(double count, std::string_view unit) {
  return fmt::format("{} {}{}", count, unit, count == 1 ? "" : "s");
}

}  // namespace

void set_similarity_levels(ComparisonKind& kind, std::span<const std::string_view> arguments) {
  const std::vector<double> bounds = parse_bounds(arguments, 0.01, 0.999);
  kind.levels = names_of_similarities(bounds);
  const auto compare = [bounds](const std::string& a, const std::string& b) -> Level {
    if (a.empty() || b.empty()) return kMissingLevel;
    if (a == b) return static_cast<Level>(bounds.size() + 2);
    const double similarity = jaro_winkler(a, b);
    return static_cast<Level>(1 + std::ranges::count_if(bounds, [&](double bound) { return similarity >= bound; }));
  };
  kind.make = prepare_sketch_and_compare(beginning_normalised, SimilaritySketcher(bounds), compare);
}

void set_edit_levels(ComparisonKind& kind, std::span<const std::string_view> arguments) {
  constexpr double kMostEdits = 20;  // in texts of 100,000 letters these take milliseconds
  const std::vector<double> bounds = parse_bounds(arguments, 1, kMostEdits);
  std::vector<std::string> texts;
  for (const double bound : bounds) {
    if (bound != std::floor(bound)) throw UsageError(fmt::format("the bound '{}' is not a whole number", bound));
    texts.push_back(counted(bound, "edit"));
  }
  kind.levels = names_of_distances(texts);
  kind.levels.emplace_back("equal");
  const auto compare = [bounds](const std::string& a, const std::string& b) -> Level {
    if (a.empty() || b.empty()) return kMissingLevel;
    if (a == b) return static_cast<Level>(bounds.size() + 2);
    const std::size_t edits = damerau(a, b, static_cast<std::size_t>(bounds.back()));
    return static_cast<Level>(1 + bounds_around(static_cast<double>(edits), bounds));
  };
  kind.make = prepare_sketch_and_compare(normalised, EditSketcher({bounds.rbegin(), bounds.rend()}), compare);
}

void set_word_levels(ComparisonKind& kind, std::span<const std::string_view> arguments) {
  const std::vector<double> bounds = parse_bounds(arguments, 0.01, 0.99);
  kind.levels = names_of_similarities(bounds);
  kind.make = [bounds](std::span<const std::string_view> values, const ValueStatistics* statistics) {
    return make_word_comparer(values, statistics, bounds);
  };
}

void set_distance_levels(ComparisonKind& kind, std::span<const std::string_view> arguments) {
  constexpr double kLeastKm = 0.001, kMostKm = 20000;
  const std::vector<double> bounds = parse_bounds(arguments, kLeastKm, kMostKm);
  std::vector<std::string> texts;
  for (const double bound : bounds) texts.push_back(fmt::format("{} km", bound));
  kind.levels = names_of_distances(texts);
  kind.make = prepare_and_compare(
      parse_coordinates, [bounds](const std::optional<Coordinates>& a, const std::optional<Coordinates>& b) -> Level {
        if (!a || !b) return kMissingLevel;
        return static_cast<Level>(1 + bounds_around(distance_in_km(*a, *b), bounds));
      });
}

void set_number_levels(ComparisonKind& kind, std::span<const std::string_view> arguments) {
  constexpr double kMost = 1e300, kMostShare = 2;
  constexpr double kRounding = 1e-12;  // 1.1 and 1 are within 0.1
  const std::string_view first = arguments.front();
  const std::string_view word = first.substr(0, first.find(' '));
  const bool is_absolute = word == "absolute";
  if (!is_absolute && word != "relative")
    throw UsageError("begin with the word absolute or relative, as in number(absolute 1, 5)");
  std::vector<std::string_view> numbers(arguments.begin(), arguments.end());
  numbers.front() = trimmed(first.substr(word.size()));
  std::vector<double> bounds = parse_bounds(numbers, 0, is_absolute ? kMost : kMostShare);
  if (bounds.front() == 0) bounds.erase(bounds.begin());
  if (bounds.empty()) throw UsageError("a bound above 0 is missing");
  std::vector<std::string> texts;
  for (const double bound : bounds)
    texts.push_back(is_absolute ? fmt::format("{}", bound) : fmt::format("{:.6g} %", 100 * bound));
  kind.levels = names_of_distances(texts);
  kind.levels.emplace_back("equal");
  kind.make = prepare_and_compare(
      parse_number, [bounds, is_absolute](const std::optional<double>& a, const std::optional<double>& b) -> Level {
        if (!a || !b) return kMissingLevel;
        if (*a == *b) return static_cast<Level>(bounds.size() + 2);
        const double scale = std::max(std::abs(*a), std::abs(*b));
        const double distance = std::abs(*a - *b) - kRounding * scale;
        return static_cast<Level>(1 + bounds_around(is_absolute ? distance : distance / scale, bounds));
      });
}

namespace {

namespace chrono = std::chrono;

/// A number of days, weeks, months or years.
struct DateSpan {
  int count = 0;
  char unit = 'd';

  double days() const {
    constexpr double kWeek = 7, kYear = 365.2425, kMonth = kYear / 12;
    return count * (unit == 'd' ? 1 : unit == 'w' ? kWeek : unit == 'm' ? kMonth : kYear);
  }
  std::string text() const {
    return counted(count, unit == 'd' ? "day" : unit == 'w' ? "week" : unit == 'm' ? "month" : "year");
  }
  /// The day that is later by this span. The 31st of a short month is its last day.
  chrono::sys_days after(chrono::sys_days day) const {
    if (unit == 'd' || unit == 'w') return day + chrono::days(count * (unit == 'd' ? 1 : 7));
    const chrono::year_month_day from = day;
    const chrono::year_month_day to = from + chrono::months(count * (unit == 'm' ? 1 : 12));
    return to.ok() ? chrono::sys_days(to) : chrono::sys_days(to.year() / to.month() / chrono::last);
  }
};

DateSpan parse_span(std::string_view text) {
  constexpr int kMost = 10000;
  DateSpan span;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), span.count);
  const bool has_unit = error == std::errc() && end + 1 == text.data() + text.size();
  if (!has_unit || std::string_view("dwmy").find(*end) == std::string_view::npos || span.count < 0 ||
      span.count > kMost)
    throw UsageError(
        fmt::format("'{}' is neither a span such as 1d, 2w, 6m or 1y nor a date format: dmy, mdy, ymd or a pattern of "
                    "%Y, %m and %d",
                    text));
  span.unit = *end;
  return span;
}

chrono::sys_days first_day(const Date& date) {
  return date.year / std::max(date.month, chrono::month(1)) / std::max(date.day, chrono::day(1));
}

chrono::sys_days last_day(const Date& date) {
  if (date.is_complete()) return first_day(date);
  return date.year / (date.month.ok() ? date.month : chrono::December) / chrono::last;
}

/// Level of two dates by the increasing spans within which they are.
Level span_level(const Date& a, const Date& b, std::span<const DateSpan> spans) {
  if (a == b) return static_cast<Level>(spans.size() + 2);
  const Date& earlier = first_day(a) <= first_day(b) ? a : b;
  const Date& later = &earlier == &a ? b : a;
  return static_cast<Level>(1 + std::ranges::count_if(spans, [&](const DateSpan& span) {
                              return first_day(later) <= span.after(last_day(earlier));
                            }));
}

}  // namespace

Level date_level(const std::optional<Date>& a, const std::optional<Date>& b) {
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

void set_date_levels(ComparisonKind& kind, std::span<const std::string_view> arguments) {
  DateFormat format;
  std::vector<DateSpan> spans;
  for (const std::string_view argument : arguments) {
    const std::string text = unquoted(argument).value_or(std::string(argument));
    if (!DateFormat::looks_like_one(text)) spans.push_back(parse_span(text));
    else if (format.text().empty()) format = DateFormat(text);
    else throw UsageError(fmt::format("there are two date formats, '{}' and '{}'", format.text(), text));
  }
  std::erase_if(spans, [](const DateSpan& span) { return span.count == 0; });  // the level of equal dates
  const auto prepare = [format](std::string_view value) { return format.read(value); };
  if (spans.empty()) {
    kind.make = prepare_sketch_and_compare(prepare, DateSketcher(), date_level);
    return;
  }
  put_in_order(spans, [](const DateSpan& span) { return span.days(); });
  std::vector<std::string> texts;
  for (const DateSpan& span : spans) texts.push_back(span.text());
  kind.levels = names_of_distances(texts);
  kind.levels.emplace_back("equal");
  kind.make =
      prepare_and_compare(prepare, [spans](const std::optional<Date>& a, const std::optional<Date>& b) -> Level {
        return a && b ? span_level(*a, *b, spans) : kMissingLevel;
      });
}

}  // namespace fovea::linkage
