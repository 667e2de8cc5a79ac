// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/suggest.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <vector>

namespace fovea {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kMaxWord = 100;
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // A pasted paragraph is no misspelling, nor is one misspelt.
    if (std::max(word.size(), candidate.size()) > kMaxWord) continue;
    if (std::max(word.size(), candidate.size()) > std::min(word.size(), candidate.size()) + best_distance) continue;
    const bool is_same =
        word.size() == candidate.size() && ::strncasecmp(word.data(), candidate.data(), word.size()) == 0;
    const std::size_t distance = is_same ? 0 : edit_distance(word, candidate);
    // Half of the letters of 'x' and 'ab' are one: that is no misspelling either.
    if (distance >= best_distance || 2 * distance >= std::max<std::size_t>(1, std::max(word.size(), candidate.size())))
      continue;
    best = candidate;
    best_distance = distance;
  }
  return best.empty() ? "" : fmt::format(" Did you mean '{}'?", best);
}

}  // namespace fovea
