// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace fovea::linkage {

/// What blocking rules and comparisons can make of a text: a part of it, or how it sounds. "" stands for none.
struct TextFunction {
  const char* name;
  const char* description;   ///< one line of help
  bool takes_count = false;  ///< function(text, count), else function(text)
  std::string (*apply)(std::string_view text, std::size_t count);
};

/// All of them.
std::span<const TextFunction> text_functions();

}  // namespace fovea::linkage
