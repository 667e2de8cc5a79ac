// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "fovea/ep/density/program.h"
#include "fovea/ep/density/support.h"

namespace fovea::ep {

/// A distribution of models, by its name.
struct Distribution {
  std::string_view name;
  std::string_view arguments;  ///< as they are written: "mean, sd"
  bool is_discrete = false;    ///< over whole numbers
  Support support = {};        ///< of a continuous one
  /// Values that a discrete one can have, as text for messages: "0, 1, 2, ...".
  std::string_view values = "";
  /// Log density, or log probability, of each x.
  Node (*log_density)(Program& program, Node x, std::span<const Node> arguments);

  std::size_t argument_count() const { return 1 + static_cast<std::size_t>(std::ranges::count(arguments, ',')); }
};

/// Finds a distribution by its name; null if the name is unknown.
const Distribution* find_distribution(std::string_view name);
/// All names, sorted.
std::vector<std::string_view> distribution_names();

}  // namespace fovea::ep
