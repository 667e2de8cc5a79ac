// SPDX-License-Identifier: Apache-2.0
#include "fovea/sequence/policy/site_network.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fovea::sequence {
namespace {

constexpr float kCertainEntropy = 1e-4f;  // nats

float softmax_entropy(std::span<const float> scores) {
  const float best = *std::max_element(scores.begin(), scores.end());
  if (!(best > -std::numeric_limits<float>::infinity())) return 0;
  float total = 0, mean = 0;
  for (const float s : scores) {
    const float weight = std::exp(s - best);
    total += weight;
    if (weight > 0) mean += weight * (s - best);
  }
  return std::log(total) - mean / total;
}

}  // namespace

SiteNetwork::SiteNetwork(const LabelSequences& sequences)
    : value_count_(static_cast<std::size_t>(sequences.ngrams().label_count())), certain_(sequences.position_count()) {
  const std::ptrdiff_t reach = sequences.ngrams().order();
  const auto skip_to = [&](std::size_t position) { neighbour_begin_.resize(position + 1, neighbours_.size()); };
  for (std::size_t s = 0; s < sequences.sequence_count(); ++s) {
    begin_.push_back(sequences.begin(s));
    end_.push_back(sequences.end(s));
    skip_to(sequences.begin(s));
    for (std::size_t p = sequences.begin(s); p < sequences.end(s); ++p) {
      const auto first =
          std::max(static_cast<std::ptrdiff_t>(sequences.begin(s)), static_cast<std::ptrdiff_t>(p) - reach);
      const auto last =
          std::min(static_cast<std::ptrdiff_t>(sequences.end(s)) - 1, static_cast<std::ptrdiff_t>(p) + reach);
      for (std::ptrdiff_t n = first; n <= last; ++n)
        if (n != static_cast<std::ptrdiff_t>(p)) neighbours_.push_back({.site = static_cast<VariableId>(n)});
      neighbour_begin_.push_back(neighbours_.size());
      certain_[p] = softmax_entropy({sequences.unary(p), value_count_}) < kCertainEntropy;
    }
  }
  skip_to(sequences.position_count());
  link_back();
}

void SiteNetwork::add_site(std::span<const VariableId> neighbours, std::span<const float> own_scores) {
  for (const VariableId n : neighbours) neighbours_.push_back({.site = n});
  neighbour_begin_.push_back(neighbours_.size());
  certain_.push_back(softmax_entropy(own_scores) < kCertainEntropy);
}

// Sites come in ascending order, here and in every list of neighbours: the k-th site to arrive at a list is its k-th
// entry.
void SiteNetwork::link_back() {
  std::vector<std::size_t> next(neighbour_begin_.begin(), neighbour_begin_.end() - 1);
  for (std::size_t site = 0; site < site_count(); ++site)
    for (std::size_t i = neighbour_begin_[site]; i < neighbour_begin_[site + 1]; ++i)
      neighbours_[i].back = static_cast<std::uint32_t>(next[neighbours_[i].site]++);
}

}  // namespace fovea::sequence
