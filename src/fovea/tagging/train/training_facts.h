// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace fovea::tagging {

/// Facts that a model stores about its training: all except the times, so that the same training makes the same file.
inline std::string stored_facts(nlohmann::ordered_json facts) {
  const auto leave_out_times = [](const auto& self, nlohmann::ordered_json& json) -> void {
    if (json.is_object()) json.erase("seconds");
    if (!json.is_structured()) return;
    for (nlohmann::ordered_json& element : json) self(self, element);
  };
  leave_out_times(leave_out_times, facts);
  return facts.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace fovea::tagging
