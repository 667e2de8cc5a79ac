// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "fovea/graph/format/cost/global_cost.h"

namespace fovea::graph {

/// What the values, read as a word, cost: by an automaton with costs (wregular), of changes until one accepts the word
/// (sregular; with the metric `edit` insertions and deletions, too).
std::function<double(std::span<const std::uint32_t>)> automaton_cost(std::string_view keyword,
                                                                     const GlobalParameters& parameters);
double automaton_steps(const GlobalParameters& parameters);

/// What the least parse of the values by a grammar in Chomsky's normal form costs: changes of values until there is
/// one, or with the metric `weight` the costs of the rules.
std::function<double(std::span<const std::uint32_t>)> grammar_cost(const GlobalParameters& parameters);
double grammar_steps(const GlobalParameters& parameters, std::size_t arity);

}  // namespace fovea::graph
