// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/graph/grid/strip_table.h"

namespace fovea::graph {

/// A learned rule for StripSchedule: a strip is worth a visit when
///
///   value = doubt d + saturated [d is the last class] + neighbours n + own o + age a + phase p + first [p = 0] + bias
///         > 0,
///
/// where the small letters are the classes of StripFeatures. Doubt and age are logarithms, so the rule determines the
/// age at which a strip of a given doubt is due: value_doubt log(doubt) + value_age log(age) > threshold. The two
/// brackets let it distinguish strips that are entirely in doubt, and the hot beginning, from the rest. Hot bits are
/// such a rule: the weight of doubt is 1, that of neighbours large, bias is 1/2 - least doubt, and all others are 0.
/// Doubts are those at the temperature of the visit, so a rule means the same for models whose scores differ by a
/// factor, if their temperatures do too.
struct StripRule {
  static constexpr std::size_t kWeights = 8;

  std::array<float, kWeights> weights{};  ///< in the order of the formula
  std::vector<std::string> sources = {};  ///< the data it was learned from, a line each

  /// Strips are visited from a class of doubt on; the default is that of the policy "hot-bits".
  static StripRule hot_bits(std::size_t least_doubt = 7);
  static constexpr const char* kKind = "grid policy";  ///< of its file

  float value(const StripFeatures& features) const;
  StripTable table() const;

  /// Writes a container (base/container.h) of kind "grid policy". Throws InputError if it cannot.
  void save(const ContainerTarget& target) const;
  /// Reads a file that save() wrote. Throws InputError for any other file.
  static StripRule load(const ContainerSource& source);

  /// Text for people: the weights and their sources.
  std::string describe() const;
  /// {"kind": "grid policy", "weights": {name: weight}, "sources": [line]}
  std::string to_json() const;
};

/// Default rule by which 'fovea solve' anneals a grid. It was learned from generated grids of several families alone,
/// so that no data licence binds it; its sources name them.
StripRule universal_strip_rule();

}  // namespace fovea::graph
