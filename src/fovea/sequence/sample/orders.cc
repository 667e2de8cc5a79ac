// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/sample/orders.h"

namespace fovea::sequence {

std::vector<VariableId> left_to_right_order(const Chains& chains) {
  std::vector<VariableId> order;
  order.reserve(chains.token_count());
  for (std::size_t s = 0; s < chains.sequence_count(); ++s)
    for (std::size_t p = chains.begin(s); p < chains.end(s); ++p) order.push_back(static_cast<VariableId>(p));
  return order;
}

std::vector<VariableId> colour_order(const Chains& chains) {
  const std::size_t colours = chains.ngrams().factor_size();
  std::vector<VariableId> order;
  order.reserve(chains.token_count());
  for (std::size_t colour = 0; colour < colours; ++colour)
    for (std::size_t s = 0; s < chains.sequence_count(); ++s) {
      const std::size_t begin = chains.begin(s);
      const std::size_t first = begin + (colour + colours - begin % colours) % colours;
      for (std::size_t p = first; p < chains.end(s); p += colours) order.push_back(static_cast<VariableId>(p));
    }
  return order;
}

}  // namespace fovea::sequence
