// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// The value of one term for values of its variables, in time linear in its different sub-terms. Belongs to one thread
/// at a time; the pool must outlive it.
class TermEvaluator {
 public:
  TermEvaluator(const TermPool& terms, TermId root);

  /// values[i] is variable i's, Booleans 0 or 1; a Boolean term's value is 0 or 1. Nothing where a number would not fit
  /// 64 bits on the way.
  std::optional<std::int64_t> value(std::span<const std::int64_t> values);

  /// Whether a Boolean term holds; what cannot be computed does not.
  bool holds(std::span<const std::int64_t> values) { return value(values).value_or(0) != 0; }

 private:
  bool compute(TermId term, std::span<const std::int64_t> values);

  const TermPool& terms_;
  std::vector<TermId> order_;           // the root's sub-terms, operands first, the root last
  std::vector<std::int64_t> computed_;  // by term
};

}  // namespace fovea::synthesis
