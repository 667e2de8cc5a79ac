// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fovea/base/error.h"

namespace fovea::internal {
namespace {

void append_member(std::string& json, const OptionInfo& info, const nlohmann::json& value) {
  std::string key = info.name;
  std::replace(key.begin(), key.end(), '-', '_');
  if (!json.empty()) json += ",";
  // Values may hold bytes of any encoding (file names); JSON may not.
  constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
  json += nlohmann::json(key).dump() + ":" + value.dump(-1, ' ', false, kReplace);
}

}  // namespace

void check_option(const OptionInfo& info, double value) {
  if (std::isnan(value)) throw UsageError(fmt::format("option '{}' nan: must be a number", info.name));
  if (value < info.min)
    throw UsageError(fmt::format("option '{} {}': must be at least {}", info.name, value, info.min));
  if (value > info.max) throw UsageError(fmt::format("option '{} {}': must be at most {}", info.name, value, info.max));
  if (std::isinf(value)) throw UsageError(fmt::format("option '{} {}': must be finite", info.name, value));
}

void append_option_null(std::string& json, const OptionInfo& info) { append_member(json, info, nullptr); }
void append_option_json(std::string& json, const OptionInfo& info, bool value) { append_member(json, info, value); }
void append_option_json(std::string& json, const OptionInfo& info, std::int64_t value) {
  append_member(json, info, value);
}
void append_option_json(std::string& json, const OptionInfo& info, std::uint64_t value) {
  append_member(json, info, value);
}
void append_option_json(std::string& json, const OptionInfo& info, double value) { append_member(json, info, value); }
void append_option_json(std::string& json, const OptionInfo& info, const std::string& value) {
  append_member(json, info, value);
}
void append_option_json(std::string& json, const OptionInfo& info, const std::vector<std::string>& value) {
  append_member(json, info, value);
}

}  // namespace fovea::internal
