// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fovea/io/stream.h"
#include "fovea/tagging/feature/attribute_sequence.h"

namespace fovea::tagging {

/// Reads items with ready-made attributes, in CRFsuite's format:
///
///   label<TAB>attribute<TAB>attribute:value ...
///
/// One item a line, sequences separated by blank lines. `\:` and `\\` stand for a colon and a backslash; any other
/// backslash stands for itself. A missing value means 1. As in CRFsuite, spaces belong to attributes and empty fields
/// are skipped. Where CRFsuite reads a bad value as 0 or cuts a field at a second colon, this throws InputError; a
/// colon in the label, which has no value, needs no backslash. A line with blanks but without a tab, and a file without
/// any tab, are refused: both have spaces instead of tabs. Instance weights (`@weight`) are refused.
class CrfsuiteReader {
 public:
  using Sequence = AttributeSequence;

  /// Limits of a sequence; a larger one is refused, because its blank lines must be missing.
  static constexpr std::size_t kMaxSequenceBytes = std::size_t{1} << 28;
  static constexpr std::size_t kMaxSequenceItems = std::size_t{1} << 22;

  explicit CrfsuiteReader(io::ByteSource source) : lines_(std::move(source)) {}
  /// Reads lines taken off a file. Whether the file has a tab is then the caller's to check (Seen).
  explicit CrfsuiteReader(io::LineBlock lines) : lines_(std::move(lines)), is_part_(true) {}

  /// Reads the next sequence, which has at least one item; false at the end of the file. Throws InputError (file:line).
  bool next(AttributeSequence& sequence);

  /// Facts about a file that some of its lines show.
  struct Seen {
    bool items = false, tabs = false;

    void add(const Seen& other) {
      items |= other.items;
      tabs |= other.tabs;
    }
    /// Refuses a file of labels alone, which gives a tagger nothing to see.
    void require_a_tab(const std::string& file) const;
  };
  const Seen& seen() const { return seen_; }

  const std::string& name() const { return lines_.name(); }
  /// The line read last.
  InputLocation location() const { return lines_.location(); }

 private:
  bool skip_blank_lines();
  void add_line(AttributeSequence& sequence);
  void add_attribute(std::string_view field, AttributeSequence& sequence);
  float parse_value(std::string_view text, std::string_view field) const;

  io::LineReader lines_;
  std::string name_;  // scratch: an unescaped field
  bool is_part_ = false;
  Seen seen_;
};

/// Appends the sequence to `output` in the same format, with a blank line after it. Labels and names must not be empty,
/// nor hold a tab, line feed, carriage return or NUL byte.
void append_crfsuite(const AttributeSequence& sequence, std::string& output);

}  // namespace fovea::tagging
