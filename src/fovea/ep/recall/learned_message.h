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

/// The families of the messages that a factor gets, and which of its variables is to be told.
struct MessageKind {
  std::size_t slot = 0;
  std::vector<std::uint8_t> families = {};  ///< [slot], places in the Message variant

  static MessageKind of(std::size_t slot, std::span<const Message> incoming);
  bool is_learnable() const;  ///< scalar messages, and one to tell that is not known already
  auto operator<=>(const MessageKind&) const = default;
};

/// As the options ask for.
UncertaintyLimit limit_of(const JustInTimeOptions& options);

/// Learns what a factor says of one of its variables, from messages of fixed families (equations 1 and 2).
///
/// Inputs are the shapes of the incoming messages (message_shape.h) and how the log of the factor changes about their
/// locations, if it can be told: what it has in common between cases that look different. Trees split on these and on
/// that log at the incoming means. Outputs are the shape of the marginal relative to the incoming message (its shift in
/// widths of it, and the log ratio of the widths), or that of the factor's message as it is; and the log mass.
class LearnedMessage {
 public:
  LearnedMessage(MessageKind kind, const JustInTimeOptions& options, const Random& random);

  /// Of the examples' vectors. Inputs begin with the shapes of the messages, targets end with the log mass; trees have
  /// one more than the inputs.
  struct VectorSizes {
    std::size_t shapes = 0, inputs = 0, target = 0;
  };
  static VectorSizes sizes_of(const MessageKind& kind);

  /// False where a message is not proper, so that it has no shape.
  bool encode(const Operator& factor, std::span<const Message> incoming, regress::RegressionExample& example) const;

  struct Prediction {
    Tilted tilted;
    /// The error to be expected: disagreement (9) and each vote's own doubt; infinite where nothing is known.
    double doubt = 0;
  };
  Prediction predict(std::span<const Message> incoming, const regress::RegressionExample& encoded) const;

  /// How far a marginal is off, and what of it is to be expected of the oracle's own draws.
  struct Error {
    double total = 0, by_chance = 0;
    /// What chance does not explain.
    double beyond_chance() const;
  };
  /// The marginal KL (7) says little where many factors tell of one variable, each a little, and all err alike. So
  /// unless messages are judged alone, it is that of the marginals that so many such messages make as tell, if they are
  /// like those that came so far, half as much as the incoming one.
  Error error_of(const Message& marginal, const Tilted& oracle, const Message& incoming) const;

  /// Counts what an answer told of the variable.
  void observe(const Message& marginal, const Message& incoming);

  /// u_max, and no more than the allowed error beyond what the oracle's own draws err by: doubt is an expected error,
  /// and a few cases that went right all the same are no evidence that others will. (As published: u_max.)
  double most_doubt() const;
  bool trusts(const Prediction& prediction) const { return prediction.doubt < most_doubt(); }

  /// Takes in what the oracle said of a case that was predicted before.
  void learn(std::span<const Message> incoming, regress::RegressionExample encoded, const Prediction& before,
             const Tilted& oracle);
  /// An example as they are kept in files: no held-out case.
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
  /// An incoming message as targets are relative to it.
  struct Reference {
    MessageShape shape;
    double squared_width;
  };
  Reference reference_of(const Message& incoming) const;
  Message decode(std::span<const double> outputs, const Reference& reference) const;
  Message with_incoming(const Message& decoded, const Message& incoming) const;
  Message incoming_of(const regress::RegressionExample& example) const;

  MessageKind kind_;
  Message like_;            // of the family to be told
  std::size_t offset_ = 0;  // of the incoming shape of that variable in the inputs
  JustInTimeOptions options_;
  UncertaintyLimit limit_;
  std::unique_ptr<regress::Regressor> regressor_;
  Random random_;
  std::vector<regress::RegressionExample> kept_;
  std::uint64_t examples_ = 0, observed_ = 0;
  double mean_draw_error_ = 0;  // of examples: what the oracle's draws err by, in the mean, lately
  double mean_message_shift_ =
      0;  // of a variable by one message, in the mean: share by which it moves or narrows, lately
};

}  // namespace fovea::ep
