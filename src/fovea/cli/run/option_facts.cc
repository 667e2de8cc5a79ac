// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/option_facts.h"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace fovea::cli {
namespace {

using Json = nlohmann::ordered_json;

Json default_of(const OptionFacts& facts) {
  if (facts.kind == OptionKind::kFlag) return facts.is_negated;
  if (facts.default_text.empty()) return nullptr;
  const bool is_number = facts.kind == OptionKind::kInteger || facts.kind == OptionKind::kNumber;
  return is_number ? Json::parse(facts.default_text) : Json(facts.default_text);
}

}  // namespace

std::string with_flags(std::string_view text) {
  constexpr std::string_view kOpening = "option '";
  std::string spelled;
  for (std::size_t begin; (begin = text.find(kOpening)) != std::string_view::npos;) {
    const std::size_t name = begin + kOpening.size(), end = text.find('\'', name);
    if (end == std::string_view::npos) break;
    if (text[name] >= 'a' && text[name] <= 'z') {
      spelled.append(text.substr(0, begin)).append("--").append(text.substr(name, end - name));
    } else {
      spelled.append(text.substr(0, end + 1));  // a quotation of something else
    }
    text.remove_prefix(end + 1);
  }
  return spelled.append(text);
}

std::string facts_json(const OptionFacts& facts) {
  const OptionInfo& info = facts.info;
  Json json = {{"name", info.name}, {"description", with_flags(info.description)}, {"kind", word_of(facts.kind)}};
  if (!facts.group.empty()) json["group"] = facts.group;
  if (info.letter) json["letter"] = std::string(1, info.letter);
  if (facts.is_negated) json["flag"] = std::string("--no-") + info.name;
  json["list"] = facts.is_list;
  if (facts.is_required) json["required"] = true;
  if (std::isfinite(info.min)) json["min"] = info.min;
  if (std::isfinite(info.max)) json["max"] = info.max;
  if (!facts.words.empty()) json["words"] = facts.words;
  json["default"] = default_of(facts);
  if (info.value_name) json["value_name"] = info.value_name;
  if (info.file != FileRole::kNone) json["file"] = word_of(info.file);
  return json.dump();
}

}  // namespace fovea::cli
