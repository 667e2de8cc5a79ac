// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fovea/synthesis/program/term.h"

namespace fovea::synthesis {

/// coefficients . x + constant over all variables x of a program, before and after a step.
struct LinearForm {
  std::vector<std::int64_t> coefficients;  ///< [variable]
  std::int64_t constant = 0;
};

/// The linear form that an integer term is, or that a Boolean variable is as 0 or 1; nothing for terms with conditions,
/// or where a number would not fit 64 bits.
std::optional<LinearForm> linear_form(const TermPool& terms, TermId term, std::size_t variables);

}  // namespace fovea::synthesis
