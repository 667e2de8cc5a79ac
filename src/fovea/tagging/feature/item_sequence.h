// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fovea::tagging {

/// One sequence of items as it was read: raw bytes and the positions of the cells in them. Item t is line t of the
/// block. Reused from block to block, so that reading allocates nothing once warm.
class ItemSequence {
 public:
  struct Cell {
    std::uint32_t begin = 0, end = 0;  // byte range in text
  };

  std::size_t size() const { return line_begin_.size(); }
  bool empty() const { return line_begin_.empty(); }
  /// Number of columns of every item (a reader refuses ragged blocks).
  std::size_t column_count() const { return column_count_; }
  std::string_view cell(std::size_t item, std::size_t column) const {
    const Cell c = cells_[item * column_count_ + column];
    return std::string_view(text_).substr(c.begin, c.end - c.begin);
  }
  /// The item's line as it was, without its line end.
  std::string_view line(std::size_t item) const {
    return std::string_view(text_).substr(line_begin_[item], line_end_[item] - line_begin_[item]);
  }
  /// 1-based line of the first item.
  std::uint64_t first_line() const { return first_line_; }
  /// Number of blank lines before the first item, apart from the one that ended the previous block.
  std::uint64_t blank_lines_before() const { return blank_lines_before_; }
  /// True if a blank line (rather than the end of the file) ended the block.
  bool has_blank_line_after() const { return has_blank_line_after_; }
  /// Bytes of all lines.
  std::size_t text_size() const { return text_.size(); }

  // For readers: start a block, then add its lines (cells relative to the line) in order.
  void clear(std::uint64_t first_line) {
    text_.clear();
    cells_.clear();
    line_begin_.clear();
    line_end_.clear();
    column_count_ = 0;
    first_line_ = first_line;
    blank_lines_before_ = 0;
    has_blank_line_after_ = false;
  }
  void set_blank_lines_before(std::uint64_t count) { blank_lines_before_ = count; }
  void set_blank_line_after() { has_blank_line_after_ = true; }
  /// The first line of a block fixes column_count(); the caller checks that later lines agree.
  void add_line(std::string_view line, std::span<const Cell> cells) {
    const auto base = static_cast<std::uint32_t>(text_.size());
    text_.append(line);
    line_begin_.push_back(base);
    line_end_.push_back(static_cast<std::uint32_t>(text_.size()));
    if (line_begin_.size() == 1) column_count_ = cells.size();
    for (const Cell& c : cells) cells_.push_back({base + c.begin, base + c.end});
  }
  /// Adds a line of these cells, separated by tabs. Cells may hold any characters.
  void add_cells(std::span<const std::string_view> cells) {
    const auto begin = static_cast<std::uint32_t>(text_.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) text_ += '\t';
      const auto at = static_cast<std::uint32_t>(text_.size());
      text_.append(cells[c]);
      cells_.push_back({at, static_cast<std::uint32_t>(text_.size())});
    }
    line_begin_.push_back(begin);
    line_end_.push_back(static_cast<std::uint32_t>(text_.size()));
    if (line_begin_.size() == 1) column_count_ = cells.size();
  }

 private:
  std::string text_;
  std::vector<Cell> cells_;  // [item][column]
  std::vector<std::uint32_t> line_begin_, line_end_;
  std::size_t column_count_ = 0;
  std::uint64_t first_line_ = 0;
  std::uint64_t blank_lines_before_ = 0;
  bool has_blank_line_after_ = false;
};

}  // namespace fovea::tagging
