// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/split_text.h"

#include <algorithm>

namespace fovea {
namespace {

constexpr char kQuote = '"';

}  // namespace

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string_view> split_text(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    pieces.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return pieces;
}

std::vector<std::string_view> split_expression(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    is_quoted ^= text[i] == kQuote;
    if (is_quoted) continue;
    depth += (text[i] == '(') - (text[i] == ')');
    if (text[i] != separator || depth > 0) continue;
    pieces.push_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  pieces.push_back(trimmed(text.substr(begin)));
  return pieces;
}

std::size_t find_in_expression(std::string_view text, char sign) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    is_quoted ^= text[i] == kQuote;
    if (!is_quoted && text[i] == sign) return i;
  }
  return text.npos;
}

std::size_t find_last_in_expression(std::string_view text, char sign) {
  std::size_t last = text.npos;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t at = find_in_expression(text.substr(begin), sign);
    if (at == text.npos) break;
    last = begin + at;
    begin = last + 1;
  }
  return last;
}

std::optional<std::string> unquoted(std::string_view text) {
  text = trimmed(text);
  if (text.find(kQuote) == text.npos) return std::string(text);
  if (text.size() < 2 || text.front() != kQuote || text.back() != kQuote) return std::nullopt;
  std::string name;
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == kQuote && (i + 2 >= text.size() || text[++i] != kQuote)) return std::nullopt;
    name += text[i];
  }
  return name;
}

std::string quoted_if_needed(std::string_view name) {
  if (name.find_first_of("\",:+()@") == name.npos && trimmed(name) == name) return std::string(name);
  std::string quoted(1, kQuote);
  for (const char sign : name) quoted.append(sign == kQuote ? 2 : 1, sign);
  return quoted + kQuote;
}

}  // namespace fovea
