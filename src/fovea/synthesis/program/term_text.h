// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "fovea/synthesis/program/transition_system.h"

namespace fovea::synthesis {

/// A number in the syntax of SMT-LIB and SyGuS: "7", "(- 7)".
std::string number_text(std::int64_t number);

/// The term in the syntax of SMT-LIB and SyGuS, shared sub-terms written out at each use; names[i] is variable i's.
std::string term_text(const TermPool& terms, TermId term, std::span<const std::string> names);

/// "Int" or "Bool".
std::string_view sort_text(Sort sort);

/// x_0 ... x_(n-1), then x'_0 ... as "x!".
std::vector<std::string> state_names(const TransitionSystem& system);

/// "(x Int) (y Bool)"; with `with_next`, "(x! Int) (y! Bool)" behind them.
std::string parameter_text(const TransitionSystem& system, bool with_next = false);

}  // namespace fovea::synthesis
