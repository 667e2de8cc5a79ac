// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/universal_strip_rule.h"

#include <array>

namespace fovea::graph {
namespace {

constexpr const char *kUniversal = "universal", *kHotBits = "hot-bits";
constexpr std::size_t kHotBitsDoubt = 7;

/// Learned by `grid_sampling_universal 3 5` (bench/grid_sampling) from grids that the program itself makes, and from
/// nothing else.
constexpr std::array<float, StripRule::kWeights> kWeights = {1,          -0.4118064f, 10.96756f,   -2.655150f,
                                                             0.5245408f, 0.06033973f, 0.01412232f, -7.944693f};
constexpr std::array<const char*, 6> kSources = {"generated: random fields, 3 labels, coupling 0.8, number 0",
                                                 "generated: random fields, 4 labels, coupling 1, number 1",
                                                 "generated: holes, 3 labels, coupling 0.8, number 0",
                                                 "generated: holes, 4 labels, coupling 1, number 1",
                                                 "generated: hidden discs, 3 labels, coupling 0.8, number 0",
                                                 "generated: hidden discs, 4 labels, coupling 1, number 1"};

}  // namespace

StripRule universal_strip_rule() { return {.weights = kWeights, .sources = {kSources.begin(), kSources.end()}}; }

bool is_shipped_strip_rule(const std::string& name) { return name == kUniversal || name == kHotBits; }

StripRule strip_rule_of(const std::string& name) {
  if (name == kUniversal) return universal_strip_rule();
  if (name == kHotBits) return StripRule::hot_bits(kHotBitsDoubt);
  return StripRule::load(name);
}

}  // namespace fovea::graph
