// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/blocking/blocking.h"

namespace fovea::linkage {

/// Whole groups of a stream of records, laid end to end.
struct GroupWindow {
  io::Table records;                     ///< with the columns of the stream
  std::vector<std::size_t> begin = {0};  ///< [group + 1]

  std::size_t size() const { return begin.size() - 1; }
  /// Groups of at least two rows.
  Blocks blocks() const;
};

/// Gathers a stream of records that is sorted by group into windows of whole groups, so that no group is cut and no
/// window is larger than it must be.
class GroupGatherer {
 public:
  static constexpr std::size_t kWindowRows = 1 << 15;

  /// Groups are records with equal cells in `group_columns`; a window ends where cells of `window_columns` change.
  GroupGatherer(std::vector<std::string> group_columns, std::vector<std::string> window_columns = {},
                std::size_t window_rows = kWindowRows)
      : group_columns_(std::move(group_columns)),
        window_columns_(std::move(window_columns)),
        window_rows_(window_rows) {}

  /// Adds records, all with the same columns, and calls use(GroupWindow&&) for each window that is full.
  template <class Use>
  void add(const io::Table& part, Use&& use) {
    begin_part(part);
    for (std::size_t row = 0; row < part.row_count(); ++row) {
      if (begins_group(part, row)) {
        end_group();
        if (window_->records.row_count() >= window_rows_ || begins_window(part, row)) flush(use);
      }
      take(part, row);
    }
  }

  /// Calls use(GroupWindow&&) for what is left.
  template <class Use>
  void finish(Use&& use) {
    if (!window_) return;
    end_group();
    flush(use);
  }

 private:
  template <class Use>
  void flush(Use&& use) {
    if (window_->size() == 0) return;
    GroupWindow window{io::Table(window_->records.name(), window_->records.columns(), io::RowNumbers::kRows)};
    std::swap(window, *window_);
    use(std::move(window));
  }
  void begin_part(const io::Table& part);
  bool begins_group(const io::Table& part, std::size_t row) const { return differs(part, row, group_places_); }
  bool begins_window(const io::Table& part, std::size_t row) const { return differs(part, row, window_places_); }
  bool differs(const io::Table& part, std::size_t row, std::span<const std::size_t> columns) const;
  void end_group();
  void take(const io::Table& part, std::size_t row);

  std::vector<std::string> group_columns_, window_columns_;
  std::size_t window_rows_;
  std::vector<std::size_t> group_places_, window_places_;
  std::optional<GroupWindow> window_;
  std::vector<std::string> last_;  // [column] cells of the last record
  std::vector<std::string_view> cells_;
};

/// A column of whole numbers, [row]. Throws InputError for other cells and for numbers that take more than 32 bits.
std::vector<std::uint32_t> number_column(const io::Table& table, std::string_view name);

}  // namespace fovea::linkage
