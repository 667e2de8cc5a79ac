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
  Node (*log_density)(Program& program, Node x, std::span<const Node> arguments) = nullptr;
  /// log of the probability of more than x; null where it is not known.
  Node (*log_survival)(Program& program, Node x, std::span<const Node> arguments) = nullptr;

  /// True if the first argument names a plate, and the arguments from number `first_over_plate` on, which come after
  /// it, have a number for each of its members.
  bool is_over_plate = false;
  std::size_t first_over_plate = 0;
  /// True if it is of all members of the variable's last plate together.
  bool is_joint = false;
  /// Log density where one of these two is true. All arguments have a number for each x; those over a plate have
  /// `members` of them, one after the other.
  Node (*vector_log_density)(Program& program, Node x, std::span<const Node> arguments, std::size_t members) = nullptr;

  /// Without the plate.
  std::size_t argument_count() const {
    if (arguments.empty()) return 0;
    return 1 + static_cast<std::size_t>(std::ranges::count(arguments, ',')) - (is_over_plate ? 1 : 0);
  }
  /// True if x is the number of a member.
  bool is_categorical() const { return is_over_plate && is_discrete && log_density == nullptr && !vector_log_density; }
};

/// Finds a distribution by its name; null if the name is unknown.
const Distribution* find_distribution(std::string_view name);
/// All names, sorted.
std::vector<std::string_view> distribution_names();

}  // namespace fovea::ep
