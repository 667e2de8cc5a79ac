// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace fovea::synthesis {

/// A column of numbers or of categories; any cell may be missing.
struct RuleColumn {
  static constexpr double kMissingNumber = std::numeric_limits<double>::quiet_NaN();
  static constexpr std::int32_t kMissingCategory = -1;

  std::string name;
  bool is_numeric = true;
  bool may_miss = false;                      ///< some cell that rules are learned of is missing
  std::vector<double> numbers = {};           ///< [row], if numeric; NaN is missing
  std::vector<std::int32_t> categories = {};  ///< [row], if not: a number of `names`, or kMissingCategory
  std::vector<std::string> names = {};        ///< of the categories

  bool is_missing(std::size_t row) const {
    return is_numeric ? std::isnan(numbers[row]) : categories[row] == kMissingCategory;
  }
};

/// Columns of one length.
struct RuleTable {
  std::vector<RuleColumn> columns = {};
  std::size_t row_count = 0;

  /// These rows, in this order.
  RuleTable rows(std::span<const std::uint32_t> chosen) const;
};

/// Rows with classes, for learning.
struct RuleExamples {
  RuleTable table = {};
  std::vector<std::string> classes = {};     ///< at least two
  std::vector<std::uint32_t> class_of = {};  ///< [row]
  std::vector<double> weights = {};          ///< [row], at least 0; empty: all 1

  double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
  RuleExamples rows(std::span<const std::uint32_t> chosen) const;
};

}  // namespace fovea::synthesis
