// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <strings.h>

#include <string_view>
#include <utility>

#include "fovea/base/log_math.h"
#include "fovea/io/token_reader.h"

namespace fovea::graph {

/// True if the format takes a word as a number, and so as an index rather than a name.
inline bool begins_like_a_number(std::string_view word) {
  return !word.empty() && ((word[0] >= '0' && word[0] <= '9') || word[0] == '-' || word[0] == '.' || word[0] == '+');
}

/// The file as a sequence of words and of opening and closing brackets of any kind.
class CfnTokens {
 public:
  explicit CfnTokens(io::ByteSource source)
      : tokens_(std::move(source),
                {.punctuation = "{}[],:", .line_comment = "#", .other_comment = "//", .quotes = true}) {}

  bool take_open() { return take_any("{["); }
  bool take_close() { return take_any("}]"); }

  void open(std::string_view what) {
    if (!take_open()) refuse_next(what, "'{' or '['");
  }
  void close(std::string_view what) {
    if (!take_close()) refuse_next(what, "'}' or ']'");
  }
  /// The next token, which must be a word; valid until the next call.
  std::string_view word(std::string_view what) {
    skip_separators();
    const std::string_view token = tokens_.expect(what);
    if (is_bracket(token)) tokens_.refuse(fmt::format("'{}' where {} should be", token, what));
    return token;
  }
  double number(std::string_view what) {
    skip_separators();
    return tokens_.number(what);
  }
  /// A number, or "inf" for a forbidden entry.
  double cost(std::string_view what) {
    const std::string_view token = word(what);
    const std::string_view size = token.substr(token.starts_with('-') || token.starts_with('+') ? 1 : 0);
    if (size.size() == 3 && ::strncasecmp(size.data(), "inf", 3) == 0) return token[0] == '-' ? -kInfinity : kInfinity;
    tokens_.back();
    return tokens_.number(what);
  }
  /// Skips the name of a field; false if it is missing.
  bool take_tag(std::string_view tag) {
    skip_separators();
    if (!tokens_.next()) return false;
    if (tokens_.token() == tag) return true;
    tokens_.back();
    return false;
  }
  void expect_end() { tokens_.expect_end("the end of the model"); }

  InputLocation location() const { return tokens_.location(); }
  [[noreturn]] void refuse(std::string_view problem, std::string_view remedy = {}) const {
    tokens_.refuse(problem, remedy);
  }

 private:
  bool is_bracket(std::string_view token) const {
    return !tokens_.is_quoted() && token.size() == 1 && std::string_view("{}[]").find(token[0]) != token.npos;
  }
  void skip_separators() {
    while (tokens_.consume_if(',') || tokens_.consume_if(':')) {
    }
  }
  bool take_any(std::string_view brackets) {
    skip_separators();
    return tokens_.consume_if(brackets[0]) || tokens_.consume_if(brackets[1]);
  }
  [[noreturn]] void refuse_next(std::string_view what, std::string_view expected) {
    const std::string_view found = tokens_.expect(what);
    tokens_.refuse(fmt::format("{} where {} of {} should be", io::quoted_for_message(found), expected, what));
  }

  io::TokenReader tokens_;
};

}  // namespace fovea::graph
