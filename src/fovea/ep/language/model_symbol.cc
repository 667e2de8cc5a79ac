// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/language/model_symbol.h"

#include <fmt/format.h>

#include <algorithm>

namespace fovea::ep {

std::string element_name(const ModelVariable& variable, std::size_t element, const std::vector<Plate>& plates) {
  if (variable.plates.empty()) return variable.name;
  std::string indices;
  for (std::size_t i = variable.plates.size(); i-- > 0;) {
    const Plate& plate = plates[variable.plates[i]];
    indices = plate.members[element % plate.size()] + (indices.empty() ? "" : "," + indices);
    element /= plate.size();
  }
  return fmt::format("{}[{}]", variable.name, indices);
}

std::string ModelSymbol::element_text(const Expression& name) const {
  return is_column && name.indices.empty() ? fmt::format("{}[{}]", name.name, kRows) : text_of(name);
}

ModelSymbol* find_symbol(ModelSymbols& symbols, std::string_view name) {
  const auto found = std::ranges::find_if(symbols, [&](const ModelSymbol& s) { return s.variable.name == name; });
  return found == symbols.end() ? nullptr : &*found;
}

}  // namespace fovea::ep
