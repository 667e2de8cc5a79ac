// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/learn/match/agreement_patterns.h"

namespace fovea {

/// Compares the distinct values of a column, by their numbers, after whatever each value needs was done to it once.
class ValueComparer {
 public:
  virtual ~ValueComparer() = default;
  /// From 1, the worst; kMissingLevel if a value is none of its kind (a date that no calendar has). Symmetric.
  virtual Level compare(std::uint32_t a, std::uint32_t b) const = 0;
};

/// One way to compare values.
struct ComparisonKind {
  const char* name;                 ///< as in "born:date"
  const char* description;          ///< one line of help
  std::vector<std::string> levels;  ///< [level]: in words; the first is "missing"
  std::unique_ptr<ValueComparer> (*make)(std::span<const std::string_view> values);
};

/// All of them.
std::span<const ComparisonKind> comparison_kinds();

}  // namespace fovea
