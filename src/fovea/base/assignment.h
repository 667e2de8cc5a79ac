// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace fovea {

using VariableId = std::uint32_t;
using Value = std::uint16_t;
using Assignment = std::vector<Value>;

}  // namespace fovea
