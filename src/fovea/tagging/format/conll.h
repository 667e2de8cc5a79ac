// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/io/stream.h"
#include "fovea/tagging/feature/item_sequence.h"

namespace fovea::tagging {

/// Separator of the cells of a column file.
enum class ColumnSeparator : std::uint8_t {
  kDetect,  ///< tabs if the first line holds one, else blanks
  kTabs,    ///< single tabs: cells may be empty or hold spaces
  kBlanks,  ///< runs of spaces and tabs
};

/// The separator and the line ends of a column file, as its first lines show.
struct ConllFormat {
  char separator = ' ';    ///< between cells: ' ' or '\t'
  bool tabs_only = false;  ///< cells are cut at single tabs and may be empty or hold spaces; else at runs of either
  bool carriage_returns = false;  ///< lines end with "\r\n"
};

/// Reads items from columns, as in the CoNLL shared tasks: one item a line, its cells separated by spaces or tabs (if
/// the first line holds a tab, by tabs only), sequences separated by blank lines. Every line of a file has the same
/// number of cells. A file cannot always show its separator ("New York" alone may be one cell or two), so a caller who
/// knows it should pass it. Comments are not supported. Bytes are left as they are; a UTF-8 byte order mark is not part
/// of a cell.
class ConllReader {
 public:
  using Sequence = ItemSequence;

  /// Limits of a sequence; a larger one is refused, because its blank lines must be missing.
  static constexpr std::size_t kMaxSequenceBytes = std::size_t{1} << 28;
  static constexpr std::size_t kMaxSequenceItems = std::size_t{1} << 22;

  explicit ConllReader(io::ByteSource source, ColumnSeparator separator = ColumnSeparator::kDetect)
      : ConllReader(io::LineReader(std::move(source)), separator) {}
  ConllReader(io::LineReader lines, ColumnSeparator separator) : lines_(std::move(lines)), separator_(separator) {}
  /// Reads lines taken off a file, of which `first` has read the first sequence: in its format.
  ConllReader(io::LineBlock lines, const ConllReader& first)
      : lines_(std::move(lines)),
        separator_(first.separator_),
        format_(first.format_),
        column_count_(first.column_count_),
        column_count_line_(first.column_count_line_) {}

  /// Reads the next sequence, which has at least one item, into `sequence`; false at the end of the file. For a file
  /// without items it returns false at once, and the caller decides what that means. Throws InputError (file:line) on
  /// ragged columns and on what LineReader refuses.
  bool next(ItemSequence& sequence);

  /// The format, known once next() has returned true.
  const ConllFormat& format() const { return format_; }
  /// Number of cells of every line; 0 before the first line.
  std::size_t column_count() const { return column_count_; }
  /// Number of blank lines at the end of the file or block, apart from the one that ended the last sequence; known once
  /// next() has returned false.
  std::uint64_t blank_lines_after() const { return blank_lines_; }
  const std::string& name() const { return lines_.name(); }
  /// The line read last.
  InputLocation location() const { return lines_.location(); }

 private:
  bool skip_blank_lines();
  void note_format();
  void add_line(ItemSequence& sequence);
  void split(std::string_view line);
  void check_columns();
  const char* cell_rule() const;
  void check_size(const ItemSequence& sequence) const;

  io::LineReader lines_;
  ColumnSeparator separator_;
  ConllFormat format_;
  std::size_t column_count_ = 0;
  std::uint64_t column_count_line_ = 0;  // where the number was seen
  std::uint64_t blank_lines_ = 0;
  std::vector<ItemSequence::Cell> cells_;  // scratch
};

/// Writes sequences as they were read, with columns added: lines, separators, line ends and blank lines as in the
/// input.
class ConllWriter {
 public:
  /// Appends to `text`, which must outlive the writer.
  ConllWriter(std::string& text, const ConllFormat& format) : text_(&text), format_(format) {}

  /// `columns`: the cells to add, [item][column]; a multiple of sequence.size() of them, or none.
  void write(const ItemSequence& sequence, std::span<const std::string_view> columns);

  /// The blank lines at the end of the input (ConllReader::blank_lines_after).
  void write_blank_lines(std::uint64_t count);

 private:
  std::string_view line_end() const { return format_.carriage_returns ? "\r\n" : "\n"; }

  std::string* text_;
  ConllFormat format_;
};

}  // namespace fovea::tagging
