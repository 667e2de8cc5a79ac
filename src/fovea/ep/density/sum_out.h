// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/ep/density/program.h"

namespace fovea::ep {

/// Log density for each state of some categories: [state of the first][...][state of the last].
struct CategoryTable {
  std::uint32_t input = 0;                     ///< of the operation
  std::size_t first = 0;                       ///< place of its first number there
  std::vector<std::uint32_t> categories = {};  ///< of one that stands twice, the diagonal is meant
};

/// Sums a density over all states of unknown categories: it eliminates one after the other, that with the smallest
/// table first (Zhang and Poole 1994). A mixture costs its table, a chain one pass.
///
/// All inputs are in the log domain. The first result is the log of the sum; the others are tables of the elimination.
class SumOut : public Operation {
 public:
  static constexpr std::size_t kMostNumbers = std::size_t{1} << 25;  ///< of all tables

  /// `states`: [category] number of states.
  SumOut(std::vector<std::uint32_t> states, std::span<const CategoryTable> tables);

  /// False if the tables would have more than kMostNumbers numbers; such an object cannot be evaluated.
  bool is_possible() const { return is_possible_; }
  std::size_t result_count() const { return result_count_; }

  void evaluate(std::span<const std::span<const double>> inputs, std::span<double> results) const override;
  void add_slopes(std::span<const std::span<const double>> inputs, std::span<const double> results,
                  std::span<const double> slopes, std::span<const std::span<double>> slopes_of) const override;

  /// Probability of each state of each category, given the results of an evaluation: [category][state].
  std::vector<double> marginals(std::span<const double> results) const;

 private:
  static constexpr std::uint32_t kOwn = ~std::uint32_t{0};  // an input that is a table of an earlier step

  /// A table that still is to be summed.
  struct Table {
    std::uint32_t input;
    std::size_t first;
    std::vector<std::uint32_t> categories;  // each once
    std::vector<std::size_t> strides;       // [category of the table]
  };
  struct Source {
    std::uint32_t input;
    std::vector<std::uint32_t> places;  // [number of the step's table]
  };
  /// Sums one category out of the product of all tables that name it.
  struct Step {
    std::uint32_t category;
    std::size_t groups = 1;           // states of the table's other categories
    bool is_end = false;              // no other category
    std::size_t table = 0, sums = 0;  // places among the results: [group][state] and [group]
    std::vector<Source> sources = {};
  };

  void plan(std::vector<Table> tables);
  bool add_step(std::uint32_t category, const std::vector<std::uint32_t>& others, std::span<const Table* const> tables);
  Source source_of(const Table& table, const std::vector<std::uint32_t>& scope, std::size_t size) const;
  void pass_back(std::span<const double> results, double slope, const auto& to) const;

  std::vector<std::uint32_t> states_;
  std::vector<Step> steps_;
  std::size_t result_count_ = 1;
  bool is_possible_ = true;
};

}  // namespace fovea::ep
