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

/// Result of a factor for one of its variables, given the messages from all of them.
struct Tilted {
  /// Projection of the factor times the incoming messages onto the family of that variable. The factor's message is
  /// this over the incoming one.
  Message marginal = {};
  /// log of the integral of the factor times the incoming messages, each normalised if it is proper.
  double log_mass = 0;
  double expected_error = 0;  ///< by chance: roughly the expected KL(exact marginal || this one); 0 if exact
  bool is_recalled = false;   ///< predicted, not computed (recall/just_in_time.h)
  /// True if the child's marginal has no moments yet, because nothing else is known of it, and the marginal here is a
  /// wide stand-in with which messages can start. Once more is known, the same message is the projection.
  bool is_stand_in = false;
};

/// Contribution of a factor f to variational message passing (Winn and Bishop 2005). Expectations are over marginals q
/// that are independent of each other.
struct Variational {
  Message message = {};     ///< to one variable: exp(E_q[log f]) over all others, in the variable's family
  double expected_log = 0;  ///< E_q[log f] over all variables
};

/// A factor as message passing sees it. Slots are its variables: the child, if it has one, and then its parents. There
/// is one incoming message per slot. All must be proper, except that of the requested slot if the operator
/// `takes_improper`.
class Operator {
 public:
  virtual ~Operator() = default;

  virtual std::string_view name() const = 0;
  virtual std::size_t slot_count() const = 0;

  virtual bool takes_improper(std::size_t /*slot*/) const { return false; }

  /// Draws from `random` if the result is an estimate. Throws InputError, which names the factor, if the result cannot
  /// be computed: zero mass, or a user's function that throws or returns NaN. Thread-safe.
  virtual Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random& random) const = 0;

  /// Takes proper marginals, one per slot. That of the requested slot need not be proper; then expected_log means
  /// nothing. Returns nothing if the factor is not conjugate in each of its variables: then it has no variational form.
  virtual std::optional<Variational> variational(std::size_t /*slot*/, std::span<const Message> /*marginals*/) const {
    return std::nullopt;
  }

  /// log of the factor at these values of its variables, if it is available.
  virtual std::optional<double> log_value(std::span<const double>) const { return std::nullopt; }
};

}  // namespace fovea::ep
