// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "fovea/sample/strip_table.h"

namespace fovea {

/// A learned rule for StripSchedule: a strip is worth a visit when
///
///   value = doubt d + neighbours n + own o + age a + phase p + bias > 0,
///
/// the small letters being the classes of StripFeatures. Doubt and age are logarithms, so the rule says at which age a
/// strip of a given doubt is due: value_doubt log(doubt) + value_age log(age) > threshold. Hot bits are the rule {1,
/// large, 0, 0, 0, 1/2 - least doubt}.
struct StripRule {
  static constexpr std::size_t kWeights = 6;

  std::array<float, kWeights> weights{};  ///< of doubt, neighbours, own, age, phase, 1
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
};

}  // namespace fovea
