// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/run_control.h"
#include "fovea/linkage/blocking/candidate_pairs.h"
#include "fovea/linkage/matching/match_model.h"

namespace fovea::linkage {

/// The values of some rows by one comparison, and which of them are alike: equal, or at a level that few pairs of rows
/// reach. Rows are numbered by their places.
class AlikeValues {
 public:
  using ClassSums = std::array<double, MatchMixture::kMostClasses>;  // [class of matches] nats

  /// samples: pairs of the rows, drawn at random, by their places. Throws CancelledError or LimitError.
  AlikeValues(const MatchModel& model, std::size_t comparison, std::span<const std::uint32_t> rows,
              std::span<const RowPair> samples, const Stop& stop);

  /// False if there was no time to find out which values are alike.
  bool are_listed() const { return are_listed_; }
  /// Number of the rows that are alike to a row.
  std::size_t count(std::uint32_t row) const {
    const std::uint32_t value = values_.of_row[row];
    return value == kMissingValue ? 0 : counts_[value];
  }
  /// Bounds of what a pair with this row adds, if it is not alike ...
  const ClassSums& most_below(std::uint32_t row) const {
    return values_.of_row[row] == kMissingValue ? missing_ : below_;
  }
  /// ... and in any case.
  const ClassSums& most(std::uint32_t row) const {
    const std::uint32_t value = values_.of_row[row];
    return value == kMissingValue ? missing_ : most_[value];
  }

  /// Calls visit(row) for the rows that are alike to a row, itself included.
  template <class Visit>
  void for_each(std::uint32_t row, Visit&& visit) const {
    const std::uint32_t value = values_.of_row[row];
    if (value == kMissingValue) return;
    visit_rows(value, visit);
    for (std::size_t i = first_alike_[value]; i < first_alike_[value + 1]; ++i) visit_rows(alike_[i], visit);
  }

 private:
  Level least_level(const MatchModel& model, std::span<const std::uint32_t> rows, std::span<const RowPair> samples,
                    Level lowest) const;
  void group_rows();
  void list(std::span<const SparseLevels::Pair> pairs);

  template <class Visit>
  void visit_rows(std::uint32_t value, Visit&& visit) const {
    for (std::size_t i = first_row_[value]; i < first_row_[value + 1]; ++i) visit(rows_[i]);
  }

  std::size_t comparison_;
  MatchModel::LocalValues values_;
  bool are_listed_ = false;
  std::vector<std::uint32_t> rows_, alike_;           // of all values, end to end
  std::vector<std::size_t> first_row_, first_alike_;  // [value, and one more]
  std::vector<std::size_t> counts_;                   // [value] rows that are alike
  std::vector<ClassSums> most_;                       // [value]
  ClassSums missing_{}, below_{};
};

}  // namespace fovea::linkage
