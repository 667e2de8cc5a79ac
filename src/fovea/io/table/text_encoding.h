// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "fovea/io/stream.h"

namespace fovea::io {

/// The position of the first byte at which `text` is not UTF-8; npos if all of it is.
std::size_t find_invalid_utf8(std::string_view text);

/// True if a line end of the encoding is more than one byte, as in UTF-16: its text is converted before it is cut into
/// lines (ByteSource::converted).
bool is_wide_encoding(std::string_view encoding);

/// Lines of text in some encoding, as UTF-8.
class LineDecoder {
 public:
  /// `encoding`: "utf-8", or any that iconv knows and that is not wide: "latin1", "windows-1252", "shift_jis", ...
  /// Throws UsageError for an encoding that iconv does not know.
  explicit LineDecoder(const std::string& encoding);
  LineDecoder(LineDecoder&&) noexcept;
  ~LineDecoder();

  /// The current line of `lines`; valid until the next call or lines.next(). Throws InputError (file:line, byte) for
  /// bytes that are not valid in the encoding.
  std::string_view decode(const LineReader& lines);

 private:
  class Converter;
  std::unique_ptr<Converter> converter_;  // null: UTF-8
};

}  // namespace fovea::io
