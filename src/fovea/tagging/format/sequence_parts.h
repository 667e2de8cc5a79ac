// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fovea/base/parallel.h"
#include "fovea/io/stream.h"
#include "fovea/tagging/format/conll.h"
#include "fovea/tagging/format/crfsuite.h"
#include "fovea/tagging/format/pixels.h"

namespace fovea::tagging {

/// Some consecutive sequences on their way from a file, as text or parsed. Reused from part to part, so that reading
/// allocates little once warm.
template <class Sequence>
struct SequencePart {
  std::vector<Sequence> sequences;  ///< the first `count` are in use
  std::size_t count = 0;
  std::size_t items = 0;  ///< known once the text has been parsed
  io::LineBlock text;     ///< still to be parsed; then `count` is its number of paragraphs
  std::uint64_t blank_lines_after = 0;
  CrfsuiteReader::Seen seen;

  void clear() {
    count = items = blank_lines_after = 0;
    text.bytes.clear();
    seen = {};
  }
  /// Calls read(sequence) with a sequence to fill, which is in use if that returns true.
  template <class Read>
  bool add(const Read& read) {
    if (count == sequences.size()) sequences.emplace_back();
    if (!read(sequences[count])) return false;
    items += sequences[count++].size();
    return true;
  }
};

/// A file of sequences, taken off part by part, so that several threads parse. Parts are read one after the other,
/// parsed in any order, and finished in the order of reading: then sequences, messages and lines are those of the whole
/// file. Reader: ConllReader or CrfsuiteReader, or PixelReader, whose words need no blank lines between them, and which
/// are parsed as they are read.
template <class Reader>
class SequenceParts {
 public:
  using Sequence = typename Reader::Sequence;
  using Part = SequencePart<Sequence>;
  static constexpr std::size_t kWholeFile = std::numeric_limits<std::size_t>::max();

  /// Threads from which others parse what one reads: fewer do not wait for it, and a text costs some time to cut.
  static constexpr int kLeastThreads = 4;

  /// For up to `threads` threads (0: all cores).
  SequenceParts(io::ByteSource source, int threads, ColumnSeparator separator = ColumnSeparator::kDetect)
      : name_(source.name()), separator_(separator) {
    if (kCanCut && (resolve_threads(threads) >= kLeastThreads || TaskClock::active)) lines_.emplace(std::move(source));
    else if constexpr (std::is_same_v<Reader, ConllReader>) whole_.emplace(std::move(source), separator);
    else whole_.emplace(std::move(source));
  }

  /// Reads the text of the next `count` sequences; false at the end. The first part is parsed at once, which sets the
  /// format, and so is the whole file. A part may hold blank lines only.
  bool read(Part& part, std::size_t count) {
    part.clear();
    if (whole_) return read_parsed(part, count);
    if constexpr (kCanCut) {
      part.count = lines_->next_paragraphs(part.text, count);
      const bool has_lines = !part.text.bytes.empty();
      if (!has_lines || (first_ && count != kWholeFile)) return has_lines;
      Reader reader = parse_text(part);
      if (part.count > 0) first_.emplace(std::move(reader));
      return true;
    }
    return false;
  }

  /// Parses a part that is still text. Throws InputError as Reader does.
  void parse(Part& part) const {
    if constexpr (kCanCut)
      if (!part.text.bytes.empty()) parse_text(part);
  }

  /// Adds what lies between this part and the one before.
  void finish(Part& part) {
    if constexpr (std::is_same_v<Reader, ConllReader>)
      if (part.count > 0)
        part.sequences[0].set_blank_lines_before(part.sequences[0].blank_lines_before() + blank_lines_);
    blank_lines_ = part.count > 0 ? part.blank_lines_after : blank_lines_ + part.blank_lines_after;
    seen_.add(part.seen);
  }
  /// Checks the file as a whole, once all parts are finished.
  void finish() const {
    if constexpr (std::is_same_v<Reader, CrfsuiteReader>) seen_.require_a_tab(name_);
  }

  const std::string& name() const { return name_; }
  /// The format of a column file, once a part has been read.
  ConllFormat format() const {
    if constexpr (std::is_same_v<Reader, ConllReader>)
      if (whole_ || first_) return (whole_ ? whole_ : first_)->format();
    return {};
  }
  /// Number of blank lines after the last sequence, apart from the one that ended it, once all parts are finished.
  std::uint64_t blank_lines_after() const {
    if constexpr (std::is_same_v<Reader, ConllReader>)
      if (whole_) return whole_->blank_lines_after();
    return blank_lines_;
  }

 private:
  static constexpr bool kCanCut = !std::is_base_of_v<PixelReader, Reader>;

  bool read_parsed(Part& part, std::size_t count) {
    while (!ended_ && part.count < count)
      ended_ = !part.add([&](Sequence& sequence) { return whole_->next(sequence); });
    return part.count > 0;
  }

  Reader parse_text(Part& part) const {
    part.count = part.items = 0;
    Reader reader = reader_of(std::exchange(part.text, {}));
    while (part.add([&](Sequence& sequence) { return reader.next(sequence); })) continue;
    if constexpr (std::is_same_v<Reader, ConllReader>) part.blank_lines_after = reader.blank_lines_after();
    if constexpr (std::is_same_v<Reader, CrfsuiteReader>) part.seen = reader.seen();
    return reader;
  }

  Reader reader_of(io::LineBlock text) const {
    if constexpr (std::is_same_v<Reader, CrfsuiteReader>) return Reader(std::move(text));
    else return first_ ? Reader(std::move(text), *first_) : Reader(io::LineReader(std::move(text)), separator_);
  }

  std::string name_;
  ColumnSeparator separator_;
  std::optional<Reader> whole_;          // unless the file is cut
  std::optional<io::LineReader> lines_;  // if it is
  std::optional<Reader> first_;          // of the first part that was parsed
  bool ended_ = false;                   // whole_
  std::uint64_t blank_lines_ = 0;        // since the last sequence that was finished
  CrfsuiteReader::Seen seen_;
};

}  // namespace fovea::tagging
