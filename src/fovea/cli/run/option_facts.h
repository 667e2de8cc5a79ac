// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/options.h"

namespace fovea::cli {

/// The library speaks of options as "option 'time-limit'" and "option 'method exact'", because callers from other
/// languages spell them differently. Returns `text` with each spelled as a flag: "--time-limit", "--method exact".
std::string with_flags(std::string_view text);

/// Type of a value.
enum class OptionKind { kFlag, kInteger, kNumber, kText, kWord };
constexpr auto words_of(OptionKind) {
  using enum OptionKind;
  return std::array{Word{kFlag, "flag"}, Word{kInteger, "integer"}, Word{kNumber, "number"}, Word{kText, "text"},
                    Word{kWord, "word"}};
}

/// Everything that is known about an option or argument of a command, for other programs: man pages, completion,
/// bindings.
struct OptionFacts {
  OptionInfo info;
  std::string group = "";  ///< heading in --help; "" for an argument by position
  OptionKind kind = OptionKind::kText;
  bool is_list = false, is_required = false;
  bool is_negated = false;                   ///< a flag --no-NAME, for what is on by default
  std::string default_text = "";             ///< "" for none
  std::vector<std::string_view> words = {};  ///< kWord: all that may be given
};

/// The facts as a JSON object.
std::string facts_json(const OptionFacts& facts);

}  // namespace fovea::cli
