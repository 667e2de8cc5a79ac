// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/useful_pairs.h"

#include <unordered_map>

namespace fovea::linkage {

std::vector<std::size_t> most_useful(std::span<const RowPair> pairs, std::size_t count) {
  constexpr int kMostOfOneRecord = 2;
  std::unordered_map<std::uint32_t, int> uses;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < pairs.size() && chosen.size() < count; ++i) {
    int &first = uses[pairs[i].first], &second = uses[pairs[i].second];
    if (first >= kMostOfOneRecord || second >= kMostOfOneRecord) continue;
    ++first;
    ++second;
    chosen.push_back(i);
  }
  return chosen;
}

std::vector<std::size_t> most_useful(std::span<const ProbablePair> pairs, std::size_t count) {
  std::vector<RowPair> rows;
  for (const ProbablePair& pair : pairs) rows.push_back(pair.pair.rows);
  return most_useful(rows, count);
}

}  // namespace fovea::linkage
