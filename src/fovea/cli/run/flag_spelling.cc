// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/flag_spelling.h"

namespace fovea::cli {

std::string with_flags(std::string_view text) {
  constexpr std::string_view kOpening = "option '";
  std::string spelled;
  for (std::size_t begin; (begin = text.find(kOpening)) != std::string_view::npos;) {
    const std::size_t name = begin + kOpening.size(), end = text.find('\'', name);
    if (end == std::string_view::npos) break;
    spelled.append(text.substr(0, begin)).append("--").append(text.substr(name, end - name));
    text.remove_prefix(end + 1);
  }
  return spelled.append(text);
}

}  // namespace fovea::cli
