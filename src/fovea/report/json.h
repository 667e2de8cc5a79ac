// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace fovea::report {

using Json = nlohmann::ordered_json;

}  // namespace fovea::report
