// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "fovea/io/table/arrow_cells.h"

namespace fovea::io {

/// Truth values, a bit each, the lowest bit of a byte first.
class ArrowBits {
 public:
  void append(bool bit);
  bool operator[](std::size_t i) const { return (bytes_[i / 8] >> (i % 8) & 1) != 0; }
  std::size_t size() const { return size_; }
  /// Number of bits that are 0.
  std::size_t zeros() const { return zeros_; }
  const std::uint8_t* data() const { return bytes_.data(); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t size_ = 0, zeros_ = 0;
};

/// Texts in UTF-8, laid end to end.
class ArrowTexts {
 public:
  void append(std::string_view text);
  std::string_view operator[](std::size_t i) const;
  std::size_t size() const { return ends_.size() - 1; }
  const char* data() const { return bytes_.data(); }
  /// Begin of the first text, then the end of each: size() + 1 numbers.
  const std::int64_t* offsets() const { return ends_.data(); }

 private:
  std::string bytes_;
  std::vector<std::int64_t> ends_ = {0};
};

/// A column of one type, in the layout that Arrow gives it.
struct ArrowColumn {
  std::string name;
  std::variant<std::vector<std::int64_t>, std::vector<double>, ArrowBits, ArrowTexts> cells;
  ArrowBits valid = {};  ///< [row] 0 where the cell is missing; empty if none is

  std::size_t size() const;
  bool is_missing(std::size_t row) const { return valid.size() > 0 && !valid[row]; }
};

/// Columns of results with their types, for data frames and Arrow libraries.
class ArrowTable {
 public:
  /// Throws InputError for two columns with the same name, and for columns of different lengths; `name` stands for the
  /// table in messages.
  ArrowTable(const std::string& name, std::vector<ArrowColumn> columns);

  const std::vector<ArrowColumn>& columns() const { return columns_; }
  std::size_t row_count() const { return columns_.empty() ? 0 : columns_.front().size(); }
  /// Null if no column has this name.
  const ArrowColumn* find(std::string_view name) const;

 private:
  std::vector<ArrowColumn> columns_;
};

/// Sets `stream`, which holds nothing yet, to a stream of the table's rows in one batch (`__arrow_c_stream__`): int64,
/// float64, bool and large_utf8. Nothing is copied; the table lives until the last of what the stream gave is released,
/// in whatever order.
void export_arrow_stream(std::shared_ptr<const ArrowTable> table, ArrowArrayStream* stream);

}  // namespace fovea::io
