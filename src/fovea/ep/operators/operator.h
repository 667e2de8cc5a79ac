// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "fovea/base/random.h"
#include "fovea/ep/family/message.h"

namespace fovea::ep {

/// What a factor says of one of its variables, given the messages from all of them.
struct Tilted {
  /// The projection of factor times incoming messages onto the family of that variable. The factor's message is this
  /// over the incoming one.
  Message marginal = {};
  /// log of the integral of factor times incoming messages, each normalised where it is proper.
  double log_mass = 0;
  double expected_error = 0;  ///< by chance: KL(exact marginal || this one), in the mean, roughly; 0 where exact
  bool is_recalled = false;   ///< not computed, but predicted (recall/just_in_time.h)
};

/// What variational message passing needs of a factor f (Winn and Bishop 2005), expectations being over marginals q
/// that are independent of each other.
struct Variational {
  Message message = {};     ///< to one variable: exp(E_q[log f]) over all others, in the variable's family
  double expected_log = 0;  ///< E_q[log f] over all variables
};

/// A factor, seen by message passing. Slots are its variables: the child, if it has one, and then its parents.
/// Incoming messages are one per slot, all proper; but for that of the slot asked for, where the operator
/// `takes_improper`.
class Operator {
 public:
  virtual ~Operator() = default;

  virtual std::string_view name() const = 0;
  virtual std::size_t slot_count() const = 0;

  virtual bool takes_improper(std::size_t /*slot*/) const { return false; }

  /// Draws from `random` where it is estimated. Throws InputError, which names the factor, where there is none: zero
  /// mass, or a user's function that throws or returns NaN. Thread-safe.
  virtual Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const = 0;

  /// Of proper marginals, one per slot; that of the slot asked for need not be, then expected_log means nothing.
  /// Nothing where the factor is not conjugate in each of its variables: then it has no variational form.
  virtual std::optional<Variational> variational(std::size_t /*slot*/, std::span<const Message> /*marginals*/) const {
    return std::nullopt;
  }

  /// log of the factor at these values of its variables, where it can tell.
  virtual std::optional<double> log_value(std::span<const double>) const { return std::nullopt; }
};

}  // namespace fovea::ep
