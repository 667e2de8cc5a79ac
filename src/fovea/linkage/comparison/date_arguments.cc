// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/comparison/date_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "fovea/base/text.h"
#include "fovea/linkage/columns/column_expression.h"
#include "fovea/linkage/similarity/date_format.h"

namespace fovea::linkage {
namespace {

bool is_of_a_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The position of the parenthesis that closes the one at `open`; the end of the text if none does.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t i = open; i < text.size(); ++i) {
    is_quoted ^= text[i] == '"';
    if (!is_quoted) depth += (text[i] == '(') - (text[i] == ')');
    if (depth == 0 && !is_quoted) return i;
  }
  return text.size();
}

bool is_function_of_dates(std::string_view word) {
  return std::ranges::any_of(text_functions(), [&](const TextFunction& function) {
    return function.name == word && function.takes == TextFunction::Takes::kDateFormat;
  });
}

/// Writes one comparison or rule anew.
class PieceWithFormat {
 public:
  PieceWithFormat(std::string_view piece, std::string_view format) : piece_(piece), format_(format) {}

  std::string text() {
    bool is_quoted = false;
    while (at_ < piece_.size()) {
      is_quoted ^= piece_[at_] == '"';
      if (is_quoted || !is_of_a_word(piece_[at_])) {
        take(1);
        continue;
      }
      const std::size_t end = std::find_if_not(piece_.begin() + at_, piece_.end(), is_of_a_word) - piece_.begin();
      const std::string_view word = piece_.substr(at_, end - at_);
      const char before = trimmed(text_).empty() ? ' ' : trimmed(text_).back();
      take(word.size());
      if (word == "date" && before == ':') replace_arguments(0);
      else if (is_function_of_dates(word) && next() == '(') replace_arguments(1);
    }
    return text_;
  }

 private:
  void take(std::size_t count) {
    text_ += piece_.substr(at_, count);
    at_ += count;
  }

  /// The next character that is not a blank.
  char next() const {
    const std::string_view rest = trimmed(piece_.substr(at_));
    return rest.empty() ? ' ' : rest.front();
  }

  /// Writes the arguments that follow, the first `kept` as they are and of the others all that are not formats.
  void replace_arguments(std::size_t kept) {
    std::vector<std::string> arguments;
    if (next() == '(') {
      const std::size_t open = piece_.find('(', at_), close = closing(piece_, open);
      for (const std::string_view argument : split_expression(piece_.substr(open + 1, close - open - 1), ','))
        if (arguments.size() < kept || !DateFormat::looks_like_one(unquoted(argument).value_or("")))
          arguments.emplace_back(argument);
      at_ = std::min(close + 1, piece_.size());
    }
    arguments.push_back(quoted_if_needed(format_));
    text_ += fmt::format("({})", fmt::join(arguments, ", "));
  }

  std::string_view piece_, format_;
  std::size_t at_ = 0;
  std::string text_;
};

}  // namespace

std::string with_date_format(std::string_view list, std::string_view format, const io::Table& table) {
  const DateFormat checked(format);
  std::vector<std::string> pieces;
  for (const std::string_view piece : split_expression(list, ','))
    pieces.push_back(table.find_column(piece) ? std::string(piece) : PieceWithFormat(piece, checked.text()).text());
  return fmt::format("{}", fmt::join(pieces, ", "));
}

}  // namespace fovea::linkage
