// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace fovea::io {

/// Destination of results. A regular file appears whole, when finish() succeeds, or not at all (see AtomicFile); it is
/// packed if its name ends in .gz, .xz or .zst. Standard output ("-" or "") and anything other than a regular file (a
/// pipe, a device) is written on the go, buffered.
///
/// A failure to write is an InputError with the system's reason (no space left), or OutputClosed where the reader of a
/// pipe went away; for the latter the program must ignore SIGPIPE, which otherwise ends it first.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  /// Makes a file that appends to `bytes` instead; `bytes` must outlive it.
  static OutputFile to_memory(std::string& bytes);

  OutputFile(OutputFile&&) noexcept;
  /// Without finish(), a regular file is left as it was; other destinations still get what is buffered, if possible.
  ~OutputFile();

  void write(std::string_view bytes) {
    if (bytes.size() > kBufferBytes - buffer_.size()) write_through(bytes);
    else buffer_.append(bytes);
  }

  /// Writes text that was collected in small pieces and makes room for more.
  void write_and_clear(std::string& text) {
    write(text);
    text.clear();
  }

  /// Hands what is buffered to the system, so that a reader at the other end sees it. Packed files gain nothing from
  /// it.
  void flush();

  /// Writes the rest and puts a regular file in its place. Nothing may be written afterwards.
  void finish();

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
  struct State;
  explicit OutputFile(std::unique_ptr<State> state);
  void write_through(std::string_view bytes);

  std::string buffer_;
  std::unique_ptr<State> state_;  // null: finished or moved from
};

}  // namespace fovea::io
