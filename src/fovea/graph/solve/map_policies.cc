// SPDX-License-Identifier: Apache-2.0
#include "fovea/graph/solve/map_policies.h"

#include <limits>

#include "fovea/base/container.h"

namespace fovea::graph {
namespace {

constexpr const char *kUniversal = "universal", *kHotBits = "hot-bits";

bool holds_search_policy(const std::string& file) {
  return Container::open(file, "", std::numeric_limits<std::uint32_t>::max()).kind() == SearchPolicy::kKind;
}

}  // namespace

MapPolicies map_policies_of(const std::string& name) {
  MapPolicies policies;
  if (name == kUniversal) return policies;
  if (name == kHotBits) policies.strips = StripRule::hot_bits();
  else if (holds_search_policy(name)) policies.search = SearchPolicy::load(name);
  else policies.strips = StripRule::load(name);
  return policies;
}

bool are_shipped_policies(const std::string& name) { return name == kUniversal || name == kHotBits; }

std::string describe_map_policies(const std::string& name) {
  const MapPolicies policies = map_policies_of(name);
  if (are_shipped_policies(name)) return policies.search.describe() + policies.strips.describe();
  return holds_search_policy(name) ? policies.search.describe() : policies.strips.describe();
}

std::string map_policies_json(const std::string& name) {
  const MapPolicies policies = map_policies_of(name);
  if (are_shipped_policies(name))
    return "{\"search\": " + policies.search.to_json() + ", \"strips\": " + policies.strips.to_json() + "}";
  return holds_search_policy(name) ? policies.search.to_json() : policies.strips.to_json();
}

}  // namespace fovea::graph
