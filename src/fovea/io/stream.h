// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/base/run_control.h"

namespace fovea::io {

/// The byte order mark of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Bytes from a file or from standard input, unpacked on the way if they are gzip, xz or zstd (recognised by their
/// first bytes, not by the name). Streaming, in bounded memory; large data that unpack to more than 500 times their
/// size are refused. A byte order mark of UTF-8 at the start is left out; text that begins with one of UTF-16 or UTF-32
/// is refused under that name, unless it is converted.
class ByteSource {
 public:
  /// "-" or "" is standard input. Throws InputError if `path` cannot be opened.
  explicit ByteSource(const std::string& path);
  /// Reads `bytes`, which must stay valid, as if they were the file `name`.
  static ByteSource from_memory(std::string_view bytes, std::string name);
  /// Reads text of an encoding that iconv knows, as UTF-8. The encoding kByMark is UTF-8, or UTF-16 or UTF-32 if the
  /// text begins with its byte order mark. Throws UsageError for an encoding that iconv does not know; reading throws
  /// InputError for bytes that are not valid in the encoding.
  static constexpr const char* kByMark = "";
  static ByteSource converted(const std::string& path, const std::string& encoding);

  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;
  ~ByteSource();

  /// The name for messages: the path, or "<stdin>".
  const std::string& name() const;

  /// Fills the front of `buffer` (not empty) and returns the number of bytes, 0 at the end. Blocks until there is at
  /// least one. Throws InputError if the system cannot read, or if packed data are corrupt or truncated.
  std::size_t read(std::span<char> buffer);

 private:
  class Converter;
  struct State;
  explicit ByteSource(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// From now on every ByteSource throws CancelledError once `token` is set, wherever it is read: a program that is asked
/// to end must not first read a large file to its end. `token` must outlive all reading; nullptr undoes this.
void cancel_reading_by(const CancelToken* token) noexcept;

/// Whole lines of a file, as they are, to be read apart from the others.
struct LineBlock {
  std::vector<char> bytes;
  std::string name;                ///< of the file
  std::uint64_t lines_before = 0;  ///< in the file
  char line_end = '\n';

  /// Drops the lines before the file's line `number`, which is in the block.
  void drop_before(std::uint64_t number);
};

/// The lines of a ByteSource, as views into its buffer. They end in \n, or all of them in \r alone, as on old systems.
/// A byte order mark at the start of a line, where files were concatenated, is left out. Refuses what no text file
/// holds: NUL bytes, lines of more than kMaxLineBytes, and Fovea's own files.
class LineReader {
 public:
  static constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;

  explicit LineReader(ByteSource source)
      : name_(source.name()), source_(std::move(source)), buffer_(kFirstBufferBytes) {}
  /// Reads the lines of a block as if they were still in their file.
  explicit LineReader(LineBlock block);

  /// Moves to the next line; false at the end. Throws InputError (file:line).
  bool next();

  /// Takes the lines after the current one off, several hundred thousand bytes of them at a time: for a LineReader of
  /// their own, which refuses what this one would. False at the end.
  bool next_block(LineBlock& block);

  /// Takes lines off likewise, in whole paragraphs: lines that are not blank (they hold more than spaces and tabs), and
  /// the blank line after them. Takes the next `count` of them with the blank lines before, or what is left of the
  /// file, and returns how many it took; no bytes at the end. Cuts a paragraph of more than kMaxParagraphBytes.
  std::size_t next_paragraphs(LineBlock& block, std::size_t count);
  static constexpr std::size_t kMaxParagraphBytes = std::size_t{1} << 29;

  /// The buffered bytes after the current line: at least one, unless the source ends there.
  std::string_view peek() {
    if (begin_ == end_) refill();
    return {buffer_.data() + begin_, end_ - begin_};
  }

  /// The current line without its line end and any carriage returns before that; valid until next() or peek().
  std::string_view line() const { return line_; }
  /// True if the current line had a carriage return before its end.
  bool had_carriage_return() const { return had_carriage_return_; }
  /// Number of byte order marks at the start of the current line; the ByteSource has removed one from the first line.
  std::size_t mark_count() const { return mark_count_; }
  /// 1-based number of the current line; 0 before the first.
  std::uint64_t line_number() const { return line_number_; }
  InputLocation location() const { return {.file = name_, .line = line_number_}; }
  const std::string& name() const { return name_; }

 private:
  bool refill();
  void take_block(std::size_t end, LineBlock& block);
  void find_nul(std::size_t from);
  void take_line(std::size_t end, bool with_newline);
  [[noreturn]] void refuse_nul() const;
  [[noreturn]] void refuse_length() const;

  static constexpr std::size_t kFirstBufferBytes = std::size_t{1} << 16;

  std::string name_;
  std::optional<ByteSource> source_;  // none: all bytes are in the buffer
  std::vector<char> buffer_;
  std::size_t begin_ = 0, searched_ = 0, end_ = 0;  // begin_ <= searched_ <= end_; no newline before searched_
  std::size_t nul_ = kNoNul;                        // the first NUL byte at or after begin_
  static constexpr std::size_t kNoNul = -1;
  char line_end_ = '\n';
  std::string_view line_;
  bool had_carriage_return_ = false;
  std::size_t mark_count_ = 0;
  std::uint64_t line_number_ = 0;
};

/// The whole text, without a byte order mark and with \n in place of \r alone. Throws InputError for NUL bytes, and for
/// more than `max_bytes` (unpacked); that message calls the text `what`.
std::string read_text(ByteSource source, std::size_t max_bytes, std::string_view what);

}  // namespace fovea::io
