// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fovea/io/table/table.h"
#include "fovea/linkage/blocking/blocking.h"
#include "fovea/linkage/comparison/comparison.h"

namespace fovea::linkage {

/// Tells how many cells the comparisons and the rules cannot read, such as dates written in an unknown way: these cells
/// count as missing. Returns a line for each comparison or rule with such cells. Throws InputError for one that cannot
/// read more than half of the cells that are not empty: it names the first of them, and how to have it read.
std::vector<std::string> check_readable(std::span<const Comparison> comparisons, std::span<const BlockingRule> rules,
                                        const io::Table& table);

}  // namespace fovea::linkage
