// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "fovea/graph/grid/strip_table.h"

namespace fovea::graph {

/// A learned rule for StripSchedule: a strip is worth a visit when
///
///   value = doubt d + saturated [d is the last class] + neighbours n + own o + age a + phase p + first [p = 0] + bias
///         > 0,
///
/// the small letters being the classes of StripFeatures. Doubt and age are logarithms, so the rule says at which age a
/// strip of a given doubt is due: value_doubt log(doubt) + value_age log(age) > threshold. The two brackets let it
/// tell strips that are all in doubt, and the hot beginning, from the rest. Hot bits are a rule: doubt 1, neighbours
/// large, bias 1/2 - least doubt, all else 0. Doubts are those at the temperature of the visit, so a rule means the
/// same for models whose scores differ by a factor, if their temperatures do too.
struct StripRule {
  static constexpr std::size_t kWeights = 8;

  std::array<float, kWeights> weights{};  ///< in the order of the formula
  std::vector<std::string> sources = {};  ///< what it was learned from, a line each

  static StripRule hot_bits(std::size_t least_doubt);

  float value(const StripFeatures& features) const;
  StripTable table() const;

  /// Writes a container (base/container.h) of kind "grid policy". Throws InputError when it cannot.
  void save(const std::string& path) const;
  /// Throws InputError if the file is none that save() writes.
  static StripRule load(const std::string& path);

  /// For people: the weights, and where they come from.
  std::string describe() const;
  /// {"kind": "grid policy", "weights": {name: weight}, "sources": [line]}
  std::string to_json() const;
};

/// Where 'fovea solve' anneals a grid unless it is told otherwise. Learned from generated grids of several families
/// alone, so that no data's licence binds it; its sources say which.
StripRule universal_strip_rule();

/// Whether a name means a rule that comes with the program: "universal", or "hot-bits", which is not learned.
bool is_shipped_strip_rule(const std::string& name);

/// The rule that a user names: one that comes with the program, else the file of a learned one. Throws what
/// StripRule::load does.
StripRule strip_rule_of(const std::string& name);

}  // namespace fovea::graph
