// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/golden/golden_records.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/utf8.h"
#include "fovea/linkage/columns/column_expression.h"
#include "fovea/linkage/similarity/normalise.h"
#include "fovea/linkage/similarity/numbers.h"

namespace fovea::linkage {
namespace {

using enum GoldenRule::Kind;

constexpr const char* kSize = "cluster_size";

/// Days since 1970-01-01; a date that is known in part only counts as its beginning.
double day_number(const Date& date) {
  const std::chrono::month month = date.month.ok() ? date.month : std::chrono::January;
  const std::chrono::day day = date.is_complete() ? date.day : std::chrono::day{1};
  return static_cast<double>(std::chrono::sys_days(date.year / month / day).time_since_epoch().count());
}

/// The order of a column's cells in time or size: [row], NaN for cells that are missing or cannot be read. All cells
/// are dates, or all are numbers, whichever reads more of them.
class Order {
 public:
  Order(const io::Table& table, std::size_t column, const DateFormat& dates) : table_(table), column_(column) {
    UnreadableCells no_dates, no_numbers;
    std::vector<double> days(table.row_count(), kUnknown), numbers(table.row_count(), kUnknown);
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      if (table.is_missing(row, column)) continue;
      const std::string_view cell = table.cell(row, column);
      const auto date = dates.read(cell);
      const auto number = parse_number(cell);
      if (date) days[row] = day_number(*date);
      if (number) numbers[row] = *number;
      no_dates.add(row, date.has_value());
      no_numbers.add(row, number.has_value());
    }
    has_dates_ = no_dates.count < no_numbers.count;
    unreadable_ = has_dates_ ? no_dates : no_numbers;
    keys_ = std::move(has_dates_ ? days : numbers);
  }

  bool is_known(std::size_t row) const { return !std::isnan(keys_[row]); }

  /// Times of the same day are in the order of their texts, as they are where hours have two digits.
  bool is_before(std::size_t a, std::size_t b) const {
    if (keys_[a] != keys_[b]) return keys_[a] < keys_[b];
    return has_dates_ && table_.cell(a, column_) < table_.cell(b, column_);
  }

  /// A warning, or "" if all cells can be read.
  std::string check() const {
    if (unreadable_.count == 0) return "";
    const std::string_view name = table_.columns()[column_];
    const InputError error(
        table_.location(unreadable_.first_row),
        fmt::format("'{}': {} of {} cells are not {}, the first '{}'; option 'golden' chooses by them", name,
                    unreadable_.count, unreadable_.filled, has_dates_ ? "dates" : "numbers",
                    table_.cell(unreadable_.first_row, column_)),
        "Say how dates are written by option 'date-format', or name missing values by option 'missing'");
    if (2 * unreadable_.count > unreadable_.filled) throw error;
    return error.what();
  }

 private:
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  const io::Table& table_;
  std::size_t column_;
  bool has_dates_ = false;
  UnreadableCells unreadable_;
  std::vector<double> keys_;
};

/// Rows that have the same first row, in the order of first rows.
class ClusterRows {
 public:
  explicit ClusterRows(std::span<const std::uint32_t> clusters) : numbers_(clusters.size()), begins_{0} {
    for (std::uint32_t row = 0; row < clusters.size(); ++row) {
      if (clusters[row] == row) first_.push_back(row);
      numbers_[row] = clusters[row] == row ? static_cast<std::uint32_t>(first_.size() - 1) : numbers_[clusters[row]];
    }
    begins_.resize(first_.size() + 1);
    for (const std::uint32_t number : numbers_) ++begins_[number + 1];
    for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    rows_.resize(clusters.size());
    std::vector<std::size_t> next = begins_;
    for (std::uint32_t row = 0; row < clusters.size(); ++row) rows_[next[numbers_[row]]++] = row;
  }

  std::size_t size() const { return first_.size(); }
  std::uint32_t number(std::size_t row) const { return numbers_[row]; }
  const std::vector<std::uint32_t>& first() const { return first_; }
  std::span<const std::uint32_t> operator[](std::size_t c) const {
    return std::span(rows_).subspan(begins_[c], begins_[c + 1] - begins_[c]);
  }

 private:
  std::vector<std::uint32_t> numbers_, first_, rows_;
  std::vector<std::size_t> begins_;
};

using Rows = std::span<const std::uint32_t>;  // those of a cluster that have a cell in the column

std::uint32_t most_frequent(const io::Table& table, std::size_t column, Rows rows) {
  const auto is_first = [&](std::uint32_t row) { return table.cell(row, column) == table.cell(rows.front(), column); };
  if (std::ranges::all_of(rows, is_first)) return rows.front();
  // The value that most records have, then its most frequent spelling.
  std::map<std::string, std::size_t> values;
  std::map<std::string_view, std::size_t> spellings;
  const auto value_of_row = [&](std::uint32_t row) {
    std::string value = normalised(table.cell(row, column));
    return value.empty() ? std::string(table.cell(row, column)) : value;
  };
  std::vector<std::string> value(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    value[i] = value_of_row(rows[i]);
    ++values[value[i]];
    ++spellings[table.cell(rows[i], column)];
  }
  std::size_t best = 0;
  const auto counts = [&](std::size_t i) {
    return std::pair(values.at(value[i]), spellings.at(table.cell(rows[i], column)));
  };
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (value[i] == value[best] ? counts(i).second > counts(best).second : counts(i).first > counts(best).first)
      best = i;
  return rows[best];
}

/// Chooses by rules.
class Chooser {
 public:
  Chooser(const io::Table& table, std::span<const GoldenRule> rules, const DateFormat& dates) : table_(table) {
    for (const GoldenRule& rule : rules)
      if (is_ordered(rule) && !orders_.contains(rule.by)) orders_.try_emplace(rule.by, table, rule.by, dates);
  }

  /// Throws InputError for a column of which most cells cannot be read.
  std::vector<std::string> warnings() const {
    std::vector<std::string> warnings;
    for (const auto& [column, order] : orders_)
      if (std::string warning = order.check(); !warning.empty()) warnings.push_back(std::move(warning));
    return warnings;
  }

  /// The row whose cell is chosen. `rows`: those that have a cell, at least one.
  std::uint32_t choose(const GoldenRule& rule, std::size_t column, Rows rows) const {
    const auto length = [&](std::uint32_t row) { return count_characters(table_.cell(row, column)); };
    switch (rule.kind) {
      case kMostFrequent:
        return most_frequent(table_, column, rows);
      case kLongest:
        return *std::ranges::max_element(rows, {}, length);
      case kShortest:
        return *std::ranges::min_element(rows, {}, length);
      case kLast:
        return rows.back();
      case kLatest:
      case kMax:
        return extreme(rule, rows, true);
      case kEarliest:
      case kMin:
        return extreme(rule, rows, false);
      case kFirst:
      case kJoin:
        break;
    }
    return rows.front();
  }

  std::string join(const GoldenRule& rule, std::size_t column, Rows rows) const {
    std::vector<std::string_view> cells;
    std::set<std::string_view> seen;
    for (const std::uint32_t row : rows)
      if (seen.insert(table_.cell(row, column)).second) cells.push_back(table_.cell(row, column));
    std::string joined = fmt::format("{}", fmt::join(cells, rule.separator));
    if (joined.size() > io::TextColumn::kMaxCellBytes)
      throw InputError(table_.location(rows.front()),
                       fmt::format("the {} different cells '{}' of its cluster joined are longer than {} bytes",
                                   cells.size(), table_.columns()[column], io::TextColumn::kMaxCellBytes),
                       "Choose one of them by another rule of option 'golden'");
    return joined;
  }

 private:
  static bool is_ordered(const GoldenRule& rule) {
    return rule.kind == kLatest || rule.kind == kEarliest || rule.kind == kMax || rule.kind == kMin;
  }

  /// Rows of which the order is not known are chosen only where that of none is.
  std::uint32_t extreme(const GoldenRule& rule, Rows rows, bool is_latest) const {
    const Order& order = orders_.at(rule.by);
    std::optional<std::uint32_t> best;
    for (const std::uint32_t row : rows) {
      if (!order.is_known(row)) continue;
      if (!best || (is_latest ? order.is_before(*best, row) : order.is_before(row, *best))) best = row;
    }
    return best.value_or(rows.front());
  }

  const io::Table& table_;
  std::map<std::size_t, Order> orders_;  // by column
};

}  // namespace

io::Table golden_header(const io::Table& table) {
  std::vector<std::string> columns = table.columns();
  columns.emplace_back(kSize);
  return io::Table(table.name(), std::move(columns), io::RowNumbers::kRows);
}

void check_golden_rules(const io::Table& table, std::span<const GoldenRule> rules, const DateFormat& dates) {
  (void)Chooser(table, rules, dates).warnings();
}

GoldenRecords golden_records(const io::Table& table, std::span<const std::uint32_t> clusters,
                             std::span<const GoldenRule> rules, const DateFormat& dates) {
  const ClusterRows rows_of(clusters);
  const Chooser chooser(table, rules, dates);
  GoldenRecords golden{.table = golden_header(table), .first = rows_of.first(), .warnings = chooser.warnings()};
  std::vector<std::string> joined(table.column_count());
  std::vector<std::string_view> cells, json;
  std::vector<std::uint32_t> filled;
  for (std::size_t c = 0; c < rows_of.size(); ++c) {
    cells.assign(table.column_count(), "");
    json.assign(table.column_count(), "");
    for (std::size_t column = 0; column < table.column_count(); ++column) {
      filled.clear();
      std::ranges::copy_if(rows_of[c], std::back_inserter(filled),
                           [&](std::uint32_t row) { return !table.is_missing(row, column); });
      if (filled.empty()) continue;
      const std::uint32_t row = chooser.choose(rules[column], column, filled);
      cells[column] = table.cell(row, column);
      json[column] = table.json(row, column);
      if (rules[column].kind != kJoin || filled.size() == 1) continue;
      joined[column] = chooser.join(rules[column], column, filled);
      if (joined[column] == cells[column]) continue;  // it keeps its type
      cells[column] = joined[column];
      json[column] = {};
    }
    const std::string size = std::to_string(rows_of[c].size());
    cells.push_back(size);
    json.push_back(size);
    golden.table.add_row(cells, static_cast<std::int64_t>(c + 1), json);
  }
  return golden;
}

std::vector<double> least_confidence(std::span<const std::uint32_t> clusters, std::span<const double> confidence) {
  if (confidence.empty()) return {};
  const ClusterRows rows_of(clusters);
  std::vector<double> least(rows_of.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < clusters.size(); ++row)
    least[rows_of.number(row)] = std::fmin(least[rows_of.number(row)], confidence[row]);
  return least;
}

}  // namespace fovea::linkage
