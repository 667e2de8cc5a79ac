// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/blocking/blocking.h"

namespace fovea::linkage {

/// Two records by their numbers in the whole table, first < second.
struct RecordPair {
  std::uint32_t first = 0, second = 0;
  float score = 0;  ///< log odds
};

/// A group of records to be brought together: a block of a rule, or one tile of it; or a component. Groups are ordered
/// by their bytes.
struct GroupName {
  std::uint32_t rule = 0;     ///< of the block
  std::uint32_t tile = 0;     ///< 0 for a whole block
  std::string_view key = "";  ///< of the block

  /// The tile in which records of a block's part `first` meet those of part `second`, out of `parts`.
  static std::uint32_t tile_of(std::uint32_t first, std::uint32_t second, std::uint32_t parts) {
    return 1 + 2 * (first * parts + second) + (first != second);
  }
  /// True if it is a tile of two parts, which has the pairs across these.
  bool is_across() const { return tile > 0 && tile % 2 == 0; }

  std::string bytes() const;
  static std::string of_component(std::uint32_t component);
  /// The block whose group has these bytes(), of which `key` is a view.
  static GroupName parse(std::string_view bytes);
};

/// Buckets of records, each record with its group. All records of a group are in one bucket, which its name alone
/// decides, so that buckets with the same number can be joined, whoever filled them.
class RecordBuckets {
 public:
  /// Keeps the cells of `columns` of each row.
  RecordBuckets(std::uint32_t count, std::vector<std::size_t> columns)
      : columns_(std::move(columns)), buckets_(count) {}

  /// number: the row's, in the whole table. side: see BlockKeys.
  void add(std::string_view group, std::uint32_t side, std::uint32_t number, const io::Table& table, std::size_t row);

  const std::string& operator[](std::size_t bucket) const { return buckets_[bucket]; }
  std::size_t size() const { return buckets_.size(); }

 private:
  std::vector<std::size_t> columns_;
  std::vector<std::string> buckets_;
};

/// Whole groups of records, laid end to end.
struct RecordWindow {
  io::Table records;
  std::vector<std::uint32_t> numbers;        ///< [row] number of the record in the whole table
  Blocks groups = {};                        ///< by rows; a row may be in several
  std::vector<std::string_view> names = {};  ///< [group] GroupName::bytes()
  std::uint32_t first_side = 0;              ///< number of rows with side 0, which come first
};

/// The records of one bucket, from all who filled it, by group.
class RecordGroups {
 public:
  /// bytes: of one bucket, each from another RecordBuckets, with the same columns. They must outlive the object. Bytes
  /// that come twice count once. Throws InputError for bytes that are not of such buckets.
  RecordGroups(std::span<const std::string_view> bytes, std::vector<std::string> columns);

  std::size_t size() const { return begin_.size() - 1; }
  std::string_view name(std::size_t group) const { return entries_[begin_[group]].group; }
  std::size_t rows(std::size_t group) const { return begin_[group + 1] - begin_[group]; }

  /// Cuts groups into windows of at least kWindowRows rows, except for the last one, and calls use(window) for each.
  /// takes(group): whether a group is wanted. ends(group, next): whether these may not share a window.
  template <class Takes, class Ends, class Use>
  void for_each_window(const Takes& takes, const Ends& ends, Use&& use) const {
    std::vector<std::size_t> groups;
    std::size_t rows_of_window = 0;
    for (std::size_t group = 0; group < size(); ++group) {
      if (!takes(group)) continue;
      if (!groups.empty() && (rows_of_window >= kWindowRows || ends(groups.back(), group))) {
        use(window(groups));
        groups.clear();
        rows_of_window = 0;
      }
      groups.push_back(group);
      rows_of_window += rows(group);
    }
    if (!groups.empty()) use(window(groups));
  }

 private:
  static constexpr std::size_t kWindowRows = 1 << 15;

  /// A record in a bucket.
  struct Entry {
    std::string_view group;
    std::uint32_t side, number;
    std::string_view cells;
  };
  /// Reads one entry and moves `at` behind it.
  Entry read_entry(const char*& at, const char* end) const;
  RecordWindow window(std::span<const std::size_t> groups) const;
  std::uint32_t add_record(const Entry& entry, RecordWindow& window) const;

  std::vector<std::string> columns_;
  std::vector<Entry> entries_;            // sorted
  std::vector<std::size_t> begin_ = {0};  // [group + 1]
};

}  // namespace fovea::linkage
