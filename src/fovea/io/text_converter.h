// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fovea::io {

/// Converts text of any encoding that iconv knows to UTF-8.
class TextConverter {
 public:
  /// Throws UsageError for an unknown encoding.
  explicit TextConverter(const std::string& encoding);
  TextConverter(const TextConverter&) = delete;
  TextConverter& operator=(const TextConverter&) = delete;
  ~TextConverter();

  const std::string& encoding() const { return encoding_; }

  /// Forgets the text before.
  void restart();

  /// Converts as much of `in` as fits into `out`; both are shortened to what is left. An incomplete character stays in
  /// `in`. Returns the error number of iconv, or 0.
  int convert(std::string_view& in, std::span<char>& out);

 private:
  std::string encoding_;
  void* handle_;  // iconv_t
};

}  // namespace fovea::io
