// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fovea/ep/family/message_shape.h"
#include "fovea/ep/operators/operator.h"
#include "fovea/ep/recall/just_in_time_options.h"
#include "fovea/ep/recall/uncertainty_limit.h"
#include "fovea/regress/regressor.h"

namespace fovea::ep {

/// Families of the messages that a factor receives, and the slot of the variable to which its message goes.
struct MessageKind {
  std::size_t slot = 0;
  std::vector<std::uint8_t> families = {};  ///< [slot], places in the Message variant

  static MessageKind of(std::size_t slot, std::span<const Message> incoming);
  bool is_learnable() const;  ///< all messages are scalar, and the slot's variable is not known already
  auto operator<=>(const MessageKind&) const = default;
};

/// The limit that the options ask for.
UncertaintyLimit limit_of(const JustInTimeOptions& options);

/// Learns a factor's message to one of its variables, from messages of fixed families (equations 1 and 2).
///
/// Inputs are the shapes of the incoming messages (message_shape.h) and, if available, how the log of the factor
/// changes around their locations: this is what cases that look different have in common. Trees split on these and on
/// that log at the incoming means. Outputs are the log mass and either the shape of the marginal relative to the
/// incoming message (its shift in widths of it, and the log ratio of the widths) or the shape of the factor's own
/// message.
class LearnedMessage {
 public:
  LearnedMessage(MessageKind kind, const JustInTimeOptions& options, const Random& random);

  /// Sizes of the examples' vectors. Inputs begin with the shapes of the messages, targets end with the log mass; tree
  /// vectors have one entry more than inputs.
  struct VectorSizes {
    std::size_t shapes = 0, inputs = 0, target = 0;
  };
  static VectorSizes sizes_of(const MessageKind& kind);

  /// Returns false if a message is not proper and so has no shape.
  bool encode(const Operator& factor, std::span<const Message> incoming, regress::RegressionExample& example) const;

  struct Prediction {
    Tilted tilted;
    /// Expected error: disagreement (9) and, unless it shall count alone, each vote's own doubt; infinite if nothing is
    /// known.
    double doubt = 0;
  };
  Prediction predict(std::span<const Message> incoming, const regress::RegressionExample& encoded) const;

  /// Error of a marginal, and the part of it to be expected from the oracle's own draws.
  struct Error {
    double total = 0, by_chance = 0;
    /// Error that chance does not explain.
    double beyond_chance() const;
  };
  /// The marginal KL (7) says little if many factors inform one variable, each a little, and all err alike. So unless
  /// messages are judged alone, the error is measured on the marginals that several such messages make together. Their
  /// number is such that, if they are like those seen so far, they carry half as much information as the incoming
  /// message.
  Error error_of(const Message& marginal, const Tilted& oracle, const Message& incoming) const;

  /// Records how much an answer moved or narrowed the variable's marginal.
  void observe(const Message& marginal, const Message& incoming);

  /// Limit on the doubt: u_max, but at most the allowed error plus three times the mean error of the oracle's own
  /// draws. Doubt is an expected error, and a few cases that went right all the same do not show that others will. (As
  /// published: u_max.)
  double most_doubt() const;
  bool trusts(const Prediction& prediction) const { return prediction.doubt < most_doubt(); }

  /// Learns from the oracle's answer to a case that was predicted before.
  void learn(std::span<const Message> incoming, regress::RegressionExample encoded, const Prediction& before,
             const Tilted& oracle);
  /// Learns an example as stored in files, which is not a held-out case.
  void learn(regress::RegressionExample example);

  const MessageKind& kind() const { return kind_; }
  std::uint64_t examples() const { return examples_; }
  const UncertaintyLimit& limit() const { return limit_; }
  void add_case(const UncertaintyLimit::HeldOutMessage& held_out) { limit_.add(held_out); }
  /// All examples, or an even sample of them.
  const std::vector<regress::RegressionExample>& kept() const { return kept_; }

 private:
  static void add_local_shape(const Operator& factor, std::span<const Message> incoming, std::optional<double> middle,
                              std::vector<double>& means, regress::RegressionExample& example);
  double repetitions() const;
  double divergence_of(const Message& p, const Message& q, const Message& incoming) const;
  bool set_target(const Message& incoming, const Tilted& oracle, regress::RegressionExample& example) const;
  /// The incoming message in the form to which targets are relative.
  struct Reference {
    MessageShape shape;
    double squared_width;
  };
  Reference reference_of(const Message& incoming) const;
  Message decode(std::span<const double> outputs, const Reference& reference) const;
  Message with_incoming(const Message& decoded, const Message& incoming) const;
  Message incoming_of(const regress::RegressionExample& example) const;

  MessageKind kind_;
  Message like_;            // a message of the learned variable's family
  std::size_t offset_ = 0;  // of that variable's incoming shape in the inputs
  JustInTimeOptions options_;
  UncertaintyLimit limit_;
  std::unique_ptr<regress::Regressor> regressor_;
  Random random_;
  std::vector<regress::RegressionExample> kept_;
  std::uint64_t examples_ = 0, observed_ = 0;
  double mean_draw_error_ = 0;     // recent mean over examples of the error of the oracle's draws
  double mean_message_shift_ = 0;  // recent mean share by which one message moves or narrows the variable
};

}  // namespace fovea::ep
