// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/format/tables/number_list.h"

#include <fmt/format.h>

#include <cmath>

namespace fovea::graph {

NumberList::NumberList(io::TokenReader& tokens, std::size_t max_count, std::string_view file) {
  while (tokens.next()) {
    if (numbers_.size() == max_count)
      tokens.refuse(fmt::format("more than {} numbers, too many for {}", max_count, file),
                    "Check that the file belongs to this model");
    tokens.back();
    const double value = tokens.number("an entry");
    numbers_.push_back({.value = value, .line = tokens.location().line});
  }
  end_ = tokens.location();
}

std::uint64_t NumberList::whole(std::size_t i, std::string_view what, std::uint64_t max) const {
  if (i >= size()) refuse(i, fmt::format("the file ends where {} should be", what), "The file is cut short");
  const double value = numbers_[i].value;
  if (!(value >= 0 && value <= static_cast<double>(max)) || value != std::floor(value))
    refuse(i, fmt::format("{} is {}; it must be a whole number from 0 to {}", what, value, max),
           "Check that the file belongs to this model");
  return static_cast<std::uint64_t>(value);
}

void NumberList::refuse(std::size_t i, std::string_view problem, std::string_view remedy) const {
  throw InputError({.file = end_.file, .line = i < size() ? numbers_[i].line : end_.line}, problem, remedy);
}

}  // namespace fovea::graph
