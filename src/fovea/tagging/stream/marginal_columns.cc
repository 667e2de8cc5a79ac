// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/stream/marginal_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace fovea::tagging {
namespace {

using Cells = std::span<const std::string_view>;
using LabelShare = ItemMarginals::Share;

constexpr const char* kMarginalsRemedy =
    "Give the output of 'fovea tag' with option 'marginals' or option 'all-marginals'; if these are labels, use option "
    "'marginals no'";
constexpr std::size_t kWrittenDigits = 6;

/// Columns after the probabilities of a Gaussian process, in this order, with the least value of each.
struct Statistic {
  std::string_view name;
  double least;
};
constexpr std::array<Statistic, 3> kStatistics = {
    {{"mean", -std::numeric_limits<double>::infinity()}, {"variance", 0}, {"entropy", 0}}};
constexpr std::size_t kEntropy = 2;

/// A cell cut at its last colon.
struct NamedCell {
  std::string_view name, number;
};

std::optional<NamedCell> cut_at_colon(std::string_view cell) {
  const std::size_t colon = cell.rfind(':');
  if (colon == cell.npos) return std::nullopt;
  return NamedCell{cell.substr(0, colon), cell.substr(colon + 1)};
}

std::optional<double> parsed_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// True if a number is written as 'fovea tag' writes it. Its value does not matter: one outside [0, 1], or nan, is a
/// mistake, not a label.
bool has_written_digits(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  if (number == "nan" || number == "inf") return true;
  const std::size_t point = number.find('.');
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return point != number.npos && point > 0 && number.size() == point + 1 + kWrittenDigits &&
         std::all_of(number.begin(), number.begin() + point, is_digit) &&
         std::all_of(number.begin() + point + 1, number.end(), is_digit);
}

bool is_any_share(std::string_view cell) {
  const auto cut = cut_at_colon(cell);
  return cut && parsed_number(cut->number);
}

bool is_written_by_us(std::string_view cell) {
  return is_any_share(cell) && has_written_digits(cut_at_colon(cell)->number);
}

bool ends_with_statistics(Cells cells) {
  if (cells.size() < kStatistics.size()) return false;
  const Cells last = cells.last(kStatistics.size());
  return std::equal(last.begin(), last.end(), kStatistics.begin(),
                    [](std::string_view cell, const Statistic& statistic) {
                      const auto cut = cut_at_colon(cell);
                      return cut && cut->name == statistic.name;
                    });
}

/// Index of the first of the last cells up to `end` that are all alike.
std::size_t run_begin(Cells cells, std::size_t end, bool (*is_alike)(std::string_view)) {
  while (end > 0 && is_alike(cells[end - 1])) --end;
  return end;
}

/// True if the cells can be the probabilities of labels that include `predicted`.
bool could_be_shares(Cells cells, std::string_view predicted) {
  bool has_predicted = false;
  double sum = 0;
  for (const std::string_view cell : cells) {
    const NamedCell cut = *cut_at_colon(cell);
    has_predicted = has_predicted || cut.name == predicted;
    sum += *parsed_number(cut.number);
  }
  return has_predicted && (cells.size() == 1 || std::abs(sum - 1) <= MarginalColumns::kSumTolerance);
}

/// The first share among cells [begin, end), which all look like shares (see MarginalColumns::find). If no reading
/// makes sense, it is `begin`: reading the line will say why.
std::size_t first_share(Cells cells, std::size_t begin, std::size_t end) {
  for (std::size_t first = end; first > std::max<std::size_t>(begin, 1); --first)
    if (could_be_shares(cells.subspan(first - 1, end - first + 1), cells[first - 2])) return first - 1;
  return begin;
}

double entropy_of(std::span<const LabelShare> shares) {
  double sum = 0;
  for (const LabelShare& share : shares)
    if (share.probability > 0) sum -= share.probability * std::log(share.probability);
  return sum;
}

InputLocation column_at(const InputLocation& line, std::size_t column) {
  return {.file = line.file, .line = line.line, .column = column + 1};
}

void require_distinct(Cells cells, std::size_t begin, std::size_t end, const InputLocation& line) {
  std::set<std::string_view> labels;
  for (std::size_t column = begin; column < end; ++column)
    if (!labels.insert(cut_at_colon(cells[column])->name).second)
      throw InputError(column_at(line, column), fmt::format("'{}' is a second probability of its label", cells[column]),
                       kMarginalsRemedy);
}

}  // namespace

const LabelShare& ItemMarginals::likeliest(std::string_view predicted) const {
  FOVEA_CHECK(!shares.empty());
  const auto rank = [&](const LabelShare& share) { return std::pair(share.probability, share.label == predicted); };
  return *std::max_element(shares.begin(), shares.end(),
                           [&](const LabelShare& a, const LabelShare& b) { return rank(a) < rank(b); });
}

double ItemMarginals::probability_of(std::string_view label) const {
  const auto found =
      std::find_if(shares.begin(), shares.end(), [&](const LabelShare& share) { return share.label == label; });
  return found == shares.end() ? 0 : found->probability;
}

double ItemMarginals::squared_error(std::string_view gold) const {
  double sum = 1;  // for a gold label without a share
  for (const auto& [label, p] : shares) sum += label == gold ? (p - 1) * (p - 1) - 1 : p * p;
  return sum;
}

MarginalColumns::MarginalColumns(Cells cells, std::size_t begin, std::size_t end)
    : begin_(begin), end_(end), has_statistics_(end < cells.size()) {
  if (has_all_labels())
    for (const std::string_view cell : cells.subspan(begin, end - begin))
      labels_.emplace_back(cut_at_colon(cell)->name);
}

std::optional<MarginalColumns> MarginalColumns::find(Cells cells, MarginalsIn which, const InputLocation& line) {
  if (which == MarginalsIn::kNo || cells.empty()) return std::nullopt;
  const std::size_t end = cells.size() - (ends_with_statistics(cells) ? kStatistics.size() : 0);
  std::size_t begin = run_begin(cells, end, is_written_by_us);
  if (begin == end && which == MarginalsIn::kYes) begin = run_begin(cells, end, is_any_share);
  if (begin == end) {
    if (which == MarginalsIn::kAuto && end == cells.size()) return std::nullopt;
    const std::size_t column = std::max<std::size_t>(end, 1) - 1;
    throw InputError(column_at(line, column), fmt::format("'{}' is not of the form label:probability", cells[column]),
                     kMarginalsRemedy);
  }
  begin = first_share(cells, begin, end);
  require_distinct(cells, begin, end, line);
  if (begin == 0) throw InputError(line, "no predicted label comes before the probabilities", kMarginalsRemedy);
  return MarginalColumns(cells, begin, end);
}

void MarginalColumns::read(Cells cells, const InputLocation& line, ItemMarginals& item) const {
  item.shares.clear();
  for (std::size_t column = begin_; column < end_; ++column)
    item.shares.push_back(read_share(cells[column], column_at(line, column)));
  if (has_all_labels()) check_sum(item, line);
  item.entropy = has_all_labels() ? std::optional(entropy_of(item.shares)) : std::nullopt;
  if (!has_statistics_) return;
  for (std::size_t which = 0; which < kStatistics.size(); ++which) {
    const double value = read_statistic(cells[end_ + which], which, column_at(line, end_ + which));
    if (which == kEntropy) item.entropy = value;
  }
}

LabelShare MarginalColumns::read_share(std::string_view cell, const InputLocation& where) const {
  const auto cut = cut_at_colon(cell);
  const auto number = cut ? parsed_number(cut->number) : std::nullopt;
  if (!number)
    throw InputError(where, fmt::format("'{}' is not of the form label:probability", cell), kMarginalsRemedy);
  if (!(*number >= 0 && *number <= 1))
    throw InputError(where, fmt::format("'{}': a probability must lie in [0, 1]", cell), kMarginalsRemedy);
  if (labels_.empty()) return {cut->name, *number};
  if (const std::string& expected = labels_[where.column - 1 - begin_]; cut->name != expected)
    throw InputError(where,
                     fmt::format("'{}', but the first line has the probability of {} in this column", cell, expected),
                     "Every line needs the same labels in the same order");
  return {cut->name, *number};
}

void MarginalColumns::check_sum(const ItemMarginals& item, const InputLocation& line) const {
  double sum = 0;
  for (const LabelShare& share : item.shares) sum += share.probability;
  if (std::abs(sum - 1) > kSumTolerance)
    throw InputError(column_at(line, begin_),
                     fmt::format("the probabilities of the {} labels sum to {:.6g}, not to 1", item.shares.size(), sum),
                     kMarginalsRemedy);
}

double MarginalColumns::read_statistic(std::string_view cell, std::size_t which, const InputLocation& where) const {
  const Statistic& statistic = kStatistics[which];
  const auto cut = cut_at_colon(cell);
  if (!cut || cut->name != statistic.name)
    throw InputError(where, fmt::format("'{}', but the first line has {}:number in this column", cell, statistic.name),
                     kMarginalsRemedy);
  const auto number = parsed_number(cut->number);
  if (!number || !std::isfinite(*number) || *number < statistic.least)
    throw InputError(where,
                     fmt::format("'{}' needs a number{}", cell, std::isfinite(statistic.least) ? " of at least 0" : ""),
                     kMarginalsRemedy);
  return *number;
}

}  // namespace fovea::tagging
