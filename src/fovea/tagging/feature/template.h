// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/tagging/feature/extractor.h"
#include "fovea/tagging/feature/item_sequence.h"

namespace fovea::tagging {

/// One cell relative to the current item and what is made of it: `%name[row,column]` or `%name[row,column,length]`.
struct Macro {
  const Extractor* extractor = nullptr;
  int row = 0;               ///< item t reads item t + row
  std::uint32_t column = 0;  ///< 0-based
  std::uint32_t length = 0;  ///< characters, for affixes
};

/// One `U` line: literal text with macros in between. The attribute it yields at an item is literals[0], the extract of
/// macros[0], literals[1], ...; none if a macro extracts nothing.
struct TemplateLine {
  std::vector<std::string> literals;  ///< macros.size() + 1 of them
  std::vector<Macro> macros;
  std::uint64_t number = 0;  ///< 1-based line in the template's file

  /// Appends the attribute at `item` to `output`. Returns false, and leaves `output` as it was, if the line yields
  /// none.
  bool expand(const ItemSequence& sequence, std::size_t item, std::string& output) const;
};

/// A feature template in CRF++'s syntax, with named extractors in addition to `%x`:
///
///   # words                                 a comment
///   U01:%x[-1,0]/%x[0,0]                    the cells of column 0 at the previous and at the current item
///   U02:%suffix[0,0,3]                      see known_extractors() for the other names
///   B                                       ask for label n-grams; without it labels are independent, as in CRF++
///
/// The text before the macros (`U01:`) is part of the attribute and keeps it apart from others. Items outside the
/// sequence read `_B-1`, `_B-2`, ... before it and `_B+1`, ... after it. `%%` is a percent sign. Text and columns are
/// raw bytes; CRLF is accepted.
class FeatureTemplate {
 public:
  /// Largest |row|, column and affix length that a template may name.
  static constexpr int kMaxRow = 64;
  static constexpr std::uint32_t kMaxColumn = 65535;
  static constexpr std::uint32_t kMaxLength = 255;

  /// Throws InputError (file:line, constraint, remedy); `name` is the template's file in messages. `B` lines that hold
  /// macros (label n-grams x observations) are refused: Fovea's label n-grams do not look at the observation.
  static FeatureTemplate parse(std::string_view text, std::string name);

  /// The built-in template for items of `columns` observation columns (>= 1), words in column 0: words within 2,
  /// affixes of 1 to 4 characters, lower case, shapes, digits and capitals of the current word; the other columns
  /// within 2 and their neighbouring pairs (only the current row from the ninth column on); label n-grams.
  static FeatureTemplate default_for(std::size_t columns);

  std::span<const TemplateLine> lines() const { return lines_; }
  /// True if a `B` line asks for label n-grams.
  bool label_ngrams() const { return label_ngrams_; }
  /// As parsed; parse(text(), name()) gives an equal template.
  const std::string& text() const { return text_; }
  const std::string& name() const { return name_; }
  int min_row() const { return min_row_; }  ///< <= 0
  int max_row() const { return max_row_; }  ///< >= 0
  /// Least number of columns of an item: one more than the largest that is read.
  std::size_t column_count() const { return column_count_; }

  /// Throws InputError naming the line that reads too far if items of `data_file` have only `columns` columns.
  void require_columns(std::size_t columns, std::string_view data_file) const;

 private:
  FeatureTemplate() = default;
  void add(TemplateLine line);

  std::string text_, name_;
  std::vector<TemplateLine> lines_;
  bool label_ngrams_ = false;
  int min_row_ = 0, max_row_ = 0;
  std::size_t column_count_ = 0;
};

}  // namespace fovea::tagging
