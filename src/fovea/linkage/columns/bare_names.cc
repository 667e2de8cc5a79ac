// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/columns/bare_names.h"

#include <algorithm>
#include <vector>

#include "fovea/base/text.h"
#include "fovea/linkage/columns/column_expression.h"

namespace fovea::linkage {
namespace {

/// True if the name can be read as an expression of other columns.
bool has_other_meaning(std::string_view name, const io::Table& table) {
  const std::size_t open = name.find('(');
  if (open != name.npos)
    return std::ranges::any_of(
        text_functions(), [&](const TextFunction& function) { return function.name == trimmed(name.substr(0, open)); });
  for (const char separator : {',', '+'}) {
    const auto parts = split_text(name, separator);
    const auto is_column = [&](std::string_view part) { return table.find_column(part).has_value(); };
    if (parts.size() > 1 && std::ranges::all_of(parts, is_column)) return true;
  }
  return false;
}

/// Names of the table that need quotes and have no other meaning, long ones first.
std::vector<std::string_view> names_to_quote(const io::Table& table) {
  std::vector<std::string_view> names;
  for (const std::string& name : table.columns())
    if (quoted_if_needed(name) != name && name.find('"') == name.npos && trimmed(name) == name &&
        !has_other_meaning(name, table))
      names.push_back(name);
  std::ranges::stable_sort(names, std::ranges::greater(), &std::string_view::size);
  return names;
}

/// Reads a list from left to right.
class ListOfNames {
 public:
  ListOfNames(std::string_view list, const io::Table& table) : list_(list), names_(names_to_quote(table)) {}

  std::string quoted() {
    bool is_quoted = false, may_begin = true;
    for (int depth = 0; at_ < list_.size();) {
      const std::string_view name = is_quoted || !may_begin ? std::string_view() : name_here();
      if (!name.empty()) {
        const bool is_whole = depth == 0 && begins_piece() && ends_piece(name) && name.find(',') == name.npos;
        text_ += is_whole ? std::string(name) : quoted_if_needed(name);
        at_ += name.size();
        may_begin = false;
        continue;
      }
      const char sign = list_[at_++];
      text_ += sign;
      is_quoted ^= sign == '"';
      if (is_quoted) continue;
      depth += (sign == '(') - (sign == ')');
      if (sign != ' ') may_begin = sign == ',' || sign == '+' || sign == '(';
    }
    return text_;
  }

 private:
  char next_sign(std::size_t at) const {
    const std::size_t next = list_.find_first_not_of(' ', at);
    return next == list_.npos ? ',' : list_[next];
  }

  /// The name that begins here and ends where a name may end; "" if there is none.
  std::string_view name_here() const {
    for (const std::string_view name : names_)
      if (list_.substr(at_).starts_with(name) &&
          std::string_view(",+:@)").find(next_sign(at_ + name.size())) != std::string_view::npos)
        return name;
    return {};
  }

  bool begins_piece() const {
    const std::size_t last = text_.find_last_not_of(' ');
    return last == text_.npos || text_[last] == ',';
  }
  bool ends_piece(std::string_view name) const { return next_sign(at_ + name.size()) == ','; }

  std::string_view list_;
  std::vector<std::string_view> names_;
  std::size_t at_ = 0;
  std::string text_;
};

}  // namespace

std::string with_quoted_names(std::string_view list, const io::Table& table) {
  return ListOfNames(list, table).quoted();
}

}  // namespace fovea::linkage
