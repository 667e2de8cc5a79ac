// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace fovea {

/// Single-letter insertions, deletions, replacements and swaps of neighbours that turn a into b (optimal string
/// alignment). O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// " Did you mean 'x'?" for the candidate nearest to `word`, or "" if none is near enough to be what was meant.
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace fovea
