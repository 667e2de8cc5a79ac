// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace fovea {

/// Without blanks at either end.
std::string_view trimmed(std::string_view text);

/// The trimmed pieces between separators that stand in no parentheses; one, perhaps empty, if there is none.
std::vector<std::string_view> split_text(std::string_view text, char separator);

}  // namespace fovea
