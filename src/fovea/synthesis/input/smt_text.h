// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "fovea/synthesis/input/s_expression.h"

namespace fovea::synthesis {

/// A node of a file in the words of SMT-LIB, on one line: "-5" becomes (- 5), and a let that names sorts, as version 1
/// of SyGuS has it, names none. `more`: arguments that calls of some functions get besides their own.
std::string smt_text(const SExpressions& file, std::uint32_t node, const std::map<std::string, std::string>& more = {});

}  // namespace fovea::synthesis
