// SPDX-License-Identifier: Apache-2.0
#include "fovea/report/draw_figures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace fovea::report {
namespace {

constexpr std::size_t kParts = 20, kIntervals = 30;

std::vector<double> finite_draws(const Chains& chains) {
  std::vector<double> draws;
  for (const std::span<const double> chain : chains)
    std::ranges::copy_if(chain, std::back_inserter(draws), [](double x) { return std::isfinite(x); });
  return draws;
}

std::size_t part_of(double share, std::size_t parts) {
  return std::min(parts - 1, static_cast<std::size_t>(share * static_cast<double>(parts)));
}

}  // namespace

Json rounded(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  if (value == 0) return 0;
  const double scale = std::pow(10, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
  return std::isfinite(scale) && scale > 0 ? Json(std::round(value * scale) / scale) : Json(value);
}

Json trace_of(std::span<const double> chain, std::size_t step) {
  Json trace = Json::array();
  for (std::size_t t = 0; t < chain.size(); t += step) trace.push_back(rounded(chain[t], 5));
  return trace;
}

Json ranks_of(const Chains& chains) {
  std::vector<double> sorted = finite_draws(chains);
  std::ranges::sort(sorted);
  Json ranks = Json::array();
  for (const std::span<const double> chain : chains) {
    std::vector<std::size_t> counts(kParts);
    for (const double x : chain) {
      if (!std::isfinite(x)) continue;
      const auto [below, above] = std::equal_range(sorted.begin(), sorted.end(), x);
      const double twice_rank = static_cast<double>((below - sorted.begin()) + (above - sorted.begin()));
      ++counts[part_of(twice_rank / 2 / static_cast<double>(sorted.size()), kParts)];
    }
    ranks.push_back(counts);
  }
  return ranks;
}

Json values_of(const Chains& chains) {
  const std::vector<double> draws = finite_draws(chains);
  Json values = Json::array();
  if (draws.empty()) return values;
  std::map<double, std::size_t> counts;
  for (const double x : draws) {
    ++counts[x];
    if (counts.size() > kIntervals) break;
  }
  if (counts.size() > kIntervals) {
    const auto [low, high] = std::ranges::minmax(draws);
    const double width = high / kIntervals - low / kIntervals;  // high - low may overflow
    std::vector<std::size_t> in(kIntervals);
    for (const double x : draws) ++in[part_of((x / kIntervals - low / kIntervals) / width, kIntervals)];
    for (std::size_t i = 0; i < kIntervals; ++i)
      values.push_back({rounded(low + (static_cast<double>(i) + .5) * width), in[i]});
    return values;
  }
  for (const auto& [x, count] : counts) values.push_back({rounded(x), count});
  return values;
}

}  // namespace fovea::report
