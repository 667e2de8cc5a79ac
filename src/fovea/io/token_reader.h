// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/io/stream.h"

namespace fovea::io {

/// Rules that separate the tokens of a format, in addition to white space.
struct TokenRules {
  std::string_view punctuation = "";    ///< each of these characters is a token of its own
  std::string_view line_comment = "";   ///< where it starts a token, the rest of the line is skipped; at most 2 bytes
  std::string_view other_comment = "";  ///< likewise
  bool block_comments = false;          ///< /* ... */
  bool quotes = false;                  ///< "..." is one token: its contents, with \" and \\ unescaped
};

/// The tokens of a ByteSource, as views into its buffer, with strict readers of numbers, whose messages name the file,
/// the line, what was found and what was expected. Memory is bounded: a token of more than kMaxTokenBytes is refused.
class TokenReader {
 public:
  static constexpr std::size_t kMaxTokenBytes = 4096;

  explicit TokenReader(ByteSource source, const TokenRules& rules = {});

  /// Moves to the next token; false at the end. Throws InputError for NUL bytes, for quotes or comments that never end,
  /// and for tokens that are too long.
  bool next();
  /// Makes the next call of next() stay at the current token. Not allowed at the end.
  void back() { is_back_ = true; }

  /// The current token; valid until next().
  std::string_view token() const { return token_; }
  /// True if the current token was in quotes: then it is not punctuation.
  bool is_quoted() const { return is_quoted_; }
  /// The line of the current token; at the end, the last line.
  InputLocation location() const { return {.file = source_.name(), .line = token_line_}; }

  /// Moves to the next token, which must exist: `what` names it in the message if the file has ended.
  std::string_view expect(std::string_view what);
  /// Moves to the next token if it is this punctuation character.
  bool consume_if(char punctuation);
  /// The next token as a number from `min` to `max`, of digits only.
  std::uint64_t integer(std::string_view what, std::uint64_t min, std::uint64_t max) {
    return integer([&] { return what; }, min, max);
  }
  /// The same; what() is made only for a message.
  template <std::invocable What>
  std::uint64_t integer(const What& what, std::uint64_t min, std::uint64_t max) {
    std::uint64_t value = 0;
    if (next() && read_integer(min, max, value)) return value;
    refuse_integer(what(), min, max);
  }
  /// The next token as a finite number.
  double number(std::string_view what);
  /// Refuses any further token; `what` names the last thing in the file.
  void expect_end(std::string_view what);

  /// Throws an InputError at the current token.
  [[noreturn]] void refuse(std::string_view problem, std::string_view remedy = {}) const;

 private:
  bool read_integer(std::uint64_t min, std::uint64_t max, std::uint64_t& value) const;
  [[noreturn]] void refuse_integer(std::string_view what, std::uint64_t min, std::uint64_t max) const;

  enum Class : unsigned char { kWord, kSpace, kNewline, kPunctuation, kQuote, kNul };

  Class class_at(std::size_t i) const { return classes_[static_cast<unsigned char>(buffer_[i])]; }
  bool has(std::size_t count);
  bool refill();
  bool skip_blanks();
  bool is_lone_return();
  bool skip_mark();
  bool starts_with(std::string_view text);
  void skip_line();
  void skip_block();
  void take_word();
  void take_quoted();

  ByteSource source_;
  TokenRules rules_;
  std::array<Class, 256> classes_{};
  std::vector<char> buffer_;
  std::size_t position_ = 0, end_ = 0;  // bytes not yet read as tokens: [position_, end_)
  std::uint64_t line_ = 1, token_line_ = 1;
  std::string_view token_;
  std::string unescaped_;
  bool is_quoted_ = false, is_back_ = false, is_first_ = true;
};

/// The token as messages quote it: cut to 40 bytes, with everything except printable ASCII replaced by '?'.
std::string quoted_for_message(std::string_view token);

}  // namespace fovea::io
