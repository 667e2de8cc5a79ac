// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/linkage/comparison/value_comparer.h"
#include "fovea/linkage/statistics/value_statistics.h"

namespace fovea::linkage {

/// One way to compare values.
struct ComparisonKind {
  using Make = std::function<std::unique_ptr<ValueComparer>(std::span<const std::string_view>, const ValueStatistics*)>;

  std::string name;                 ///< as in "born:date"
  std::string description;          ///< one line of help
  std::vector<std::string> levels;  ///< [level]: in words; the first is "missing"
  /// Makes a comparer of values. With statistics, words are as frequent as in their table.
  Make make;
  /// Changes a copy of the kind as the arguments in parentheses say, as in "born:date(1d, 1y)": levels of its own, or
  /// the format of dates. Null if it takes none. Throws UsageError.
  void (*set_arguments)(ComparisonKind& kind, std::span<const std::string_view> arguments) = nullptr;
  /// For kinds that compare the words of texts or the elements of lists, these.
  std::vector<std::string> (*tokens)(std::string_view value) = nullptr;
  double frequent_share = 1;   ///< tokens in a larger share of the distinct values do not count
  std::string cells_are = {};  ///< "dates": what a cell must be; "" if every text is of this kind
  double cost = 8;             ///< of comparing two values, as a multiple of that for equality
};

/// All kinds of comparison.
std::span<const ComparisonKind> comparison_kinds();

/// The kind that is written so: "date" or "date(1d, 1y)". Throws UsageError for kinds that do not exist and arguments
/// that they do not take.
ComparisonKind comparison_kind_of(std::string_view text);

/// Reads a text as names are read that Jaro and Winkler's similarity compares: normalised, and only the beginning of a
/// long one.
std::string beginning_normalised(std::string_view value);

}  // namespace fovea::linkage
