// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fovea/synthesis/formula/dnf.h"

namespace fovea {

/// How a linear form a . x is compared with its bound.
enum class Relation : std::uint8_t { kAtMost, kEqual, kDifferent };

/// Which comparisons a formula may be made of: a problem's data, as AtomSpace numbers them.
///
///   the box       [a . x <= b], entries of a in -coefficient_range .. coefficient_range, b in `bounds` (the paper's)
///   the templates [a . x (<=, =, !=) b], a in `forms` and, with `octagons`, of the form x, -x or +-x +-y, b in
///   `bounds`
struct AtomChoice {
  std::size_t variables = 0;
  int coefficient_range = 1;                          ///< 1 .. 15; 0: no box
  std::vector<std::int64_t> bounds = {-1, 0, 1};      ///< rising, each once, not empty
  std::vector<std::vector<std::int64_t>> forms = {};  ///< [form][variable]: say, of the guards of a program
  bool octagons = false;
  bool equations = false;      ///< templates with = and !=, which take the place of one atom each
  double template_share = .5;  ///< of all comparisons drawn afresh, in [0, 1]; 0 without templates, 1 without a box
};

}  // namespace fovea
