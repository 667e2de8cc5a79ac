// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/grid/strip_rule.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "fovea/base/container.h"

namespace fovea::graph {
namespace {

constexpr std::uint32_t kStripRuleVersion = 1;
constexpr const char* kNames[StripRule::kWeights] = {"doubt", "saturated", "neighbours",    "own",
                                                     "age",   "phase",     "first quarter", "bias"};

}  // namespace

StripRule StripRule::hot_bits(std::size_t least_doubt) {
  constexpr float kDecisive = 100;
  return {.weights = {1, 0, kDecisive, 0, 0, 0, 0, 0.5f - static_cast<float>(least_doubt)}};
}

float StripRule::value(const StripFeatures& f) const {
  const std::size_t saturated = f.doubt + 1 == StripFeatures::kDoubts, first = f.phase == 0;
  const std::size_t classes[kWeights] = {f.doubt, saturated, f.neighbours, f.own, f.age, f.phase, first, 1};
  float sum = 0;
  for (std::size_t i = 0; i < kWeights; ++i) sum += weights[i] * static_cast<float>(classes[i]);
  return sum;
}

StripTable StripRule::table() const {
  return StripTable::from([&](const StripFeatures& features) { return value(features) > 0; });
}

void StripRule::save(const ContainerTarget& target) const {
  ContainerWriter writer(StripRule::kKind, kStripRuleVersion);
  writer.add("sources", nlohmann::json(sources).dump());
  writer.add_array("weights", std::span<const float>(weights));
  writer.write(target);
}

StripRule StripRule::load(const ContainerSource& source) {
  const Container file = Container::open(source, StripRule::kKind, kStripRuleVersion);
  StripRule rule;
  try {
    rule.sources = nlohmann::json::parse(file.bytes("sources")).get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception& e) {
    file.refuse("sources", fmt::format("it must be a JSON array of strings ({})", e.what()));
  }
  const std::span<const float> weights = file.array<float>("weights");
  if (weights.size() != kWeights)
    file.refuse("weights", fmt::format("it must hold {} numbers, not {}", kWeights, weights.size()));
  for (std::size_t i = 0; i < kWeights; ++i) {
    if (!std::isfinite(weights[i])) file.refuse("weights", "all weights must be finite numbers");
    rule.weights[i] = weights[i];
  }
  return rule;
}

std::string StripRule::describe() const {
  std::string text = "policy for grids: a strip of sixteen sites is visited when this is positive\n";
  for (std::size_t i = 0; i < kWeights; ++i) text += fmt::format("  {:<14} {:+8.3f}\n", kNames[i], weights[i]);
  if (!sources.empty()) text += "learned from\n";
  for (const std::string& source : sources) text += fmt::format("  {}\n", source);
  return text;
}

std::string StripRule::to_json() const {
  nlohmann::ordered_json json = {{"kind", StripRule::kKind}};
  for (std::size_t i = 0; i < kWeights; ++i) json["weights"][kNames[i]] = weights[i];
  json["sources"] = sources;
  return json.dump();
}

namespace {

/// Learned by `grid_sampling_universal 3 5` (bench/grid_sampling) from grids that the program itself generates, and
/// from nothing else.
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

}  // namespace fovea::graph
