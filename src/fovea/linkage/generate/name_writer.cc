// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/name_writer.h"

#include <cctype>
#include <utility>

namespace fovea::linkage {

NameStyle NameStyle::draw(Random& random) {
  const bool initials = random.bernoulli(0.47);
  return {.initials = initials, .middle = random.bernoulli(0.5)};
}

std::string written_first_name(const std::string& first, char middle, NameStyle style, Random& random) {
  std::string written = style.initials ? first.substr(0, 1) : typed(first, random);
  if (style.middle && middle != '\0') written += {' ', middle};
  return written;
}

std::string typed(std::string name, Random& random) {
  if (name.size() < 3 || !random.bernoulli(kTypoRate)) return name;
  const std::size_t at = 1 + random.uniform_index(static_cast<std::uint32_t>(name.size() - 1));
  const char letter = static_cast<char>('a' + random.uniform_index(26));
  switch (random.uniform_index(4)) {
    case 0:
      name.insert(at, 1, letter);
      break;
    case 1:
      name.erase(at, 1);
      break;
    case 2:
      name[at] = letter;
      break;
    default:
      std::swap(name[at - 1], name[at]);
  }
  name[1] = static_cast<char>(std::tolower(name[1]));
  name[0] = static_cast<char>(std::toupper(name[0]));
  return name;
}

}  // namespace fovea::linkage
