// SPDX-License-Identifier: Apache-2.0
#include "fovea/synthesis/input/smt_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace fovea::synthesis {
namespace {

using More = std::map<std::string, std::string>;

std::string word_text(const std::string& word, const More& more) {
  if (word.size() > 1 && word[0] == '-' && word[1] >= '0' && word[1] <= '9')
    return fmt::format("(- {})", word.substr(1));
  const auto found = more.find(word);
  return found == more.end() ? word : fmt::format("({} {})", word, found->second);
}

std::string binding_text(const SExpressions& file, std::uint32_t node, const More& more) {
  const auto& parts = file[node].children;
  if (parts.size() != 3) return smt_text(file, node, more);
  return fmt::format("({} {})", file[parts[0]].word, smt_text(file, parts[2], more));
}

}  // namespace

std::string smt_text(const SExpressions& file, std::uint32_t node, const More& more) {
  if (!file[node].is_list) {
    std::string word = word_text(file[node].word, more);
    std::replace(word.begin(), word.end(), '\n', ' ');  // in a quoted name
    return word;
  }
  const auto& parts = file[node].children;
  if (parts.empty()) return "()";
  const bool is_named = !file[parts[0]].is_list;
  std::string text = "(" + (is_named ? file[parts[0]].word : smt_text(file, parts[0], more));
  const bool is_let = is_named && file[parts[0]].word == "let" && parts.size() == 3 && file[parts[1]].is_list;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    text += ' ';
    if (!is_let || i != 1) {
      text += smt_text(file, parts[i], more);
      continue;
    }
    text += '(';
    for (const std::uint32_t binding : file[parts[i]].children) text += binding_text(file, binding, more);
    text += ')';
  }
  if (const auto found = more.find(is_named ? file[parts[0]].word : ""); found != more.end())
    text += " " + found->second;
  return text + ")";
}

}  // namespace fovea::synthesis
