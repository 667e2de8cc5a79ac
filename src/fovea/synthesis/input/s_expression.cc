// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/input/s_expression.h"

#include <fmt/format.h>

namespace fovea::synthesis {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

/// The words and parentheses of a text, with their positions.
class WordReader {
 public:
  WordReader(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {}

  /// The next word or parenthesis; empty at the end.
  std::string_view next() {
    skip_blanks();
    word_line_ = line_;
    word_column_ = static_cast<std::uint32_t>(position_ - line_start_) + 1;
    if (position_ == text_.size()) return {};
    const std::size_t begin = position_;
    const char first = text_[position_];
    if (first == '\0') refuse("a NUL byte", "Text is expected; do not give binary files");
    if (first == '(' || first == ')') return std::string_view(text_).substr(position_++, 1);
    if (first == '|' || first == '"') take_quoted(first);
    else
      position_ = std::min(text_.find_first_of(std::string_view(" \t\r\n\v\f();|\"\0", 12), position_), text_.size());
    return std::string_view(text_).substr(begin, position_ - begin);
  }

  std::uint32_t line() const { return word_line_; }
  std::uint32_t column() const { return word_column_; }

  [[noreturn]] void refuse(std::string_view problem, std::string_view remedy) const {
    throw InputError({.file = file_, .line = word_line_, .column = word_column_}, problem, remedy);
  }

 private:
  void skip_blanks() {
    for (; position_ < text_.size(); ++position_) {
      if (text_[position_] == ';') position_ = std::min(text_.find('\n', position_), text_.size());
      if (position_ == text_.size() || kBlanks.find(text_[position_]) == std::string_view::npos) return;
      if (text_[position_] == '\n') start_line();
    }
  }

  void take_quoted(char quote) {
    while (++position_ < text_.size() && text_[position_] != quote) {
      if (text_[position_] == '\0') refuse("a NUL byte between quotes", "Text is expected; do not give binary files");
      if (text_[position_] == '\n') start_line();
    }
    if (position_ == text_.size()) refuse("a quoted word that does not end", fmt::format("Close it with {}", quote));
    ++position_;
  }

  void start_line() {
    ++line_;
    line_start_ = position_ + 1;
  }

  std::string text_, file_;
  std::size_t position_ = 0, line_start_ = 0;
  std::uint32_t line_ = 1, word_line_ = 1, word_column_ = 1;
};

}  // namespace

SExpressions SExpressions::read(io::ByteSource source) {
  SExpressions result;
  result.file_ = source.name();
  WordReader words(io::read_text(std::move(source), SExpressions::kMaxBytes, "a problem"), result.file_);
  std::vector<std::uint32_t> open = {0};
  result.nodes_.push_back(Node{.is_list = true, .line = 1, .column = 1});
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == ")") {
      if (open.size() == 1) words.refuse("a ')' that closes nothing", "Remove it, or add the '(' that is missing");
      open.pop_back();
      continue;
    }
    const auto id = static_cast<std::uint32_t>(result.nodes_.size());
    const bool is_list = word == "(";
    result.nodes_[open.back()].children.push_back(id);
    result.nodes_.push_back(Node{
        .word = is_list ? "" : std::string(word), .is_list = is_list, .line = words.line(), .column = words.column()});
    if (is_list) open.push_back(id);
    if (open.size() > kMaxDepth)
      words.refuse(fmt::format("parentheses nested deeper than {}", kMaxDepth), "Give parts of the formula names");
  }
  if (open.size() > 1)
    throw InputError(result.location(open.back()), "a '(' that is never closed", "Add the ')' that is missing");
  return result;
}

}  // namespace fovea::synthesis
