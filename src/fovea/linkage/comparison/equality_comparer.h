// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fovea/linkage/comparison/value_comparer.h"

namespace fovea::linkage {

/// 2 for texts that are equal when normalised, else 1.
class EqualityComparer : public ValueComparer {
 public:
  explicit EqualityComparer(std::span<const std::string_view> values);
  Level compare(std::uint32_t a, std::uint32_t b) const override;
  std::optional<SparseLevels> compare_all(std::span<const std::uint32_t> values) const override;

 private:
  std::vector<std::uint32_t> texts_;  // [value]: number of its normalised text, kNoId if that is empty
};

}  // namespace fovea::linkage
