// SPDX-License-Identifier: Apache-2.0
#include "fovea/tagging/format/conll.h"

#include <fmt/format.h>

#include <algorithm>

#include "fovea/base/error.h"

namespace fovea::tagging {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t'; }

bool is_blank(const io::LineReader& lines) { return lines.line().find_first_not_of(" \t") == std::string_view::npos; }

}  // namespace

bool ConllReader::next(ItemSequence& sequence) {
  blank_lines_ = 0;
  if (!skip_blank_lines()) return false;
  if (column_count_ == 0) note_format();
  sequence.clear(lines_.line_number());
  sequence.set_blank_lines_before(blank_lines_);
  do {
    if (is_blank(lines_)) {
      sequence.set_blank_line_after();
      break;
    }
    add_line(sequence);
  } while (lines_.next());
  return true;
}

/// Moves to the next line that is not blank, counting the others.
bool ConllReader::skip_blank_lines() {
  while (lines_.next()) {
    if (!is_blank(lines_)) return true;
    ++blank_lines_;
  }
  return false;
}

void ConllReader::note_format() {
  const std::string_view line = lines_.line();
  const bool has_tab = line.find('\t') != line.npos;
  format_.tabs_only = separator_ == ColumnSeparator::kDetect ? has_tab : separator_ == ColumnSeparator::kTabs;
  format_.separator = format_.tabs_only || has_tab ? '\t' : ' ';
  format_.carriage_returns = lines_.had_carriage_return();
}

void ConllReader::add_line(ItemSequence& sequence) {
  const std::string_view line = lines_.line();
  split(line);
  if (cells_.size() != column_count_) check_columns();
  if (sequence.size() == kMaxSequenceItems || sequence.text_size() > kMaxSequenceBytes - line.size())
    check_size(sequence);
  sequence.add_line(line, cells_);
}

void ConllReader::split(std::string_view line) {
  cells_.clear();
  const auto size = static_cast<std::uint32_t>(line.size());
  std::uint32_t at = 0;
  if (format_.tabs_only) {
    for (std::uint32_t begin = at;; begin = at + 1) {
      at = static_cast<std::uint32_t>(std::min<std::size_t>(line.find('\t', begin), size));
      cells_.push_back({begin, at});
      if (at == size) return;
    }
  }
  for (;;) {
    while (at < size && is_space(line[at])) ++at;
    if (at == size) return;
    const std::uint32_t begin = at;
    while (at < size && !is_space(line[at])) ++at;
    cells_.push_back({begin, at});
  }
}

/// The first line sets the number of columns; the others must agree.
void ConllReader::check_columns() {
  if (column_count_ != 0)
    throw InputError(lines_.location(),
                     fmt::format("ragged columns: this line has {}, but line {} has {}", cells_.size(),
                                 column_count_line_, column_count_),
                     cell_rule());
  column_count_ = cells_.size();
  column_count_line_ = lines_.line_number();
}

const char* ConllReader::cell_rule() const {
  if (separator_ == ColumnSeparator::kTabs) return "Cells are separated by single tabs, as in the model's training";
  if (separator_ == ColumnSeparator::kBlanks)
    return "Cells are separated by spaces or tabs, as in the model's training; a cell may hold neither";
  return format_.tabs_only ? "Cells are separated by single tabs here, as the first line holds a tab"
                           : "Cells are separated by spaces or tabs; a cell may hold neither";
}

void ConllReader::check_size(const ItemSequence& sequence) const {
  throw InputError(lines_.location(),
                   fmt::format("a sequence of more than {} items or {} bytes, from line {} on", kMaxSequenceItems,
                               kMaxSequenceBytes, sequence.first_line()),
                   "Separate sequences by blank lines");
}

void ConllWriter::write(const ItemSequence& sequence, std::span<const std::string_view> columns) {
  FOVEA_CHECK(!sequence.empty() && columns.size() % sequence.size() == 0);
  const std::size_t added = columns.size() / sequence.size();
  write_blank_lines(sequence.blank_lines_before());
  for (std::size_t t = 0; t < sequence.size(); ++t) {
    *text_ += sequence.line(t);
    for (std::string_view cell : columns.subspan(t * added, added)) {
      *text_ += format_.separator;
      *text_ += cell;
    }
    *text_ += line_end();
  }
  if (sequence.has_blank_line_after()) write_blank_lines(1);
}

void ConllWriter::write_blank_lines(std::uint64_t count) {
  for (; count > 0; --count) *text_ += line_end();
}

}  // namespace fovea::tagging
