// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fovea::cli {

/// The library speaks of options as "option 'time-limit'" and "option 'method exact'", because callers from other
/// languages spell them differently. Returns `text` with each spelled as a flag: "--time-limit", "--method exact".
std::string with_flags(std::string_view text);

}  // namespace fovea::cli
