// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/recall/learned_message.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/log_math.h"
#include "fovea/regress/random_features.h"

namespace fovea::ep {
namespace {

/// Maximum number of examples kept for files.
constexpr std::size_t kMostExamplesKept = 20'000;
/// The limit is not set before this fraction of the window has been seen: a fifth.
constexpr int kLeastHeldOutShare = 5;
/// Number of examples that running means remember.
constexpr double kMemory = 1000;
/// Errors up to this multiple of the oracle's mean error count as chance: its draws err by more in at most one case of
/// twelve.
constexpr double kTimesChance = 3;

}  // namespace

UncertaintyLimit limit_of(const JustInTimeOptions& options) {
  constexpr std::size_t kForgivenAfter = 200;  // one of this many equally doubtful cases may be wrong
  const auto window = static_cast<std::size_t>(options.held_out);
  return UncertaintyLimit({.max_error = options.max_marginal_kl,
                           .window = window,
                           .least = window / kLeastHeldOutShare,
                           .forgiven_after = std::min(window, kForgivenAfter),
                           .is_bounded = !options.by_message});
}

MessageKind MessageKind::of(std::size_t slot, std::span<const Message> incoming) {
  MessageKind kind = {.slot = slot};
  for (const Message& message : incoming) kind.families.push_back(static_cast<std::uint8_t>(message.index()));
  return kind;
}

bool MessageKind::is_learnable() const {
  for (const std::uint8_t family : families)
    if (shape_size(default_of(family)) == 0) return false;
  return !std::holds_alternative<Point>(default_of(families[slot]));
}

LearnedMessage::LearnedMessage(MessageKind kind, const JustInTimeOptions& options, const Random& random)
    : kind_(std::move(kind)),
      like_(default_of(kind_.families[kind_.slot])),
      options_(options),
      limit_(limit_of(options)),
      random_(random.child("kept")) {
  for (std::size_t slot = 0; slot < kind_.slot; ++slot) offset_ += shape_size(default_of(kind_.families[slot]));
  // Equation (6): half the sum of the divergences in both directions between the marginals.
  regress::RegressionResidual residual = [this](const regress::RegressionExample& example,
                                                std::span<const double> predicted) {
    const Message incoming = incoming_of(example);
    const Reference reference = reference_of(incoming);
    const Message told = with_incoming(decode(example.target, reference), incoming);
    const Message guess = with_incoming(decode(predicted, reference), incoming);
    return .5 * (divergence_of(told, guess, incoming) + divergence_of(guess, told, incoming));
  };
  if (options.random_features)
    regressor_ = std::make_unique<regress::RandomFeatures>(regress::RandomFeaturesOptions{}, std::move(residual),
                                                           random.child("features"));
  else
    regressor_ = std::make_unique<regress::Forest>(options.forest, std::move(residual), random.child("forest"),
                                                   sizes_of(kind_).shapes);
}

LearnedMessage::VectorSizes LearnedMessage::sizes_of(const MessageKind& kind) {
  VectorSizes sizes = {.shapes = 0, .inputs = 0, .target = shape_size(default_of(kind.families[kind.slot])) + 1};
  for (const std::uint8_t family : kind.families) {
    const std::size_t size = shape_size(default_of(family));
    sizes.shapes += size;
    sizes.inputs += size == 2 ? 4 : size;  // and the local shape of the factor
  }
  return sizes;
}

bool LearnedMessage::encode(const Operator& factor, std::span<const Message> incoming,
                            regress::RegressionExample& example) const {
  example.inputs.clear();
  for (const Message& message : incoming) {
    if (!is_proper(message)) return false;
    const MessageShape shape = shape_of(message);
    example.inputs.push_back(shape.location);
    if (shape_size(message) == 2) example.inputs.push_back(shape.log_spread);
  }
  thread_local std::vector<double> means;
  means.clear();
  for (const Message& message : incoming) means.push_back(mean_of(message));
  const std::optional<double> log_value = factor.log_value(means);
  add_local_shape(factor, incoming, options_.by_message ? std::nullopt : log_value, means, example);
  for (const double input : example.inputs)
    if (!std::isfinite(input)) return false;
  example.tree = example.inputs;
  example.tree.push_back(log_value.value_or(0));
  return !std::isnan(example.tree.back());
}

/// For each message with a spread, adds the difference of the log factor between half a spread above and below the
/// location, and its second difference. Takes asinh of both, since they may reach hundreds. 0 if they cannot be
/// computed.
void LearnedMessage::add_local_shape(const Operator& factor, std::span<const Message> incoming,
                                     std::optional<double> middle, std::vector<double>& means,
                                     regress::RegressionExample& example) {
  constexpr double kHalf = .5;
  const auto bounded = [](double log_value) { return std::clamp(log_value, -1e6, 1e6); };
  for (std::size_t slot = 0; slot < incoming.size(); ++slot) {
    if (shape_size(incoming[slot]) != 2) continue;
    double slope = 0, bend = 0;
    if (middle) {
      const double mean = means[slot];
      const MessageShape shape = shape_of(incoming[slot]);
      const double spread = std::exp(shape.log_spread);
      const auto beside = [&](double spreads) {
        means[slot] = value_at(incoming[slot], shape.location + spreads * spread);
        return bounded(*factor.log_value(means));
      };
      const double above = beside(kHalf), below = beside(-kHalf);
      means[slot] = mean;
      slope = above - below;
      bend = above + below - 2 * bounded(*middle);
    }
    example.inputs.push_back(std::asinh(slope));
    example.inputs.push_back(std::asinh(bend));
  }
}

LearnedMessage::Prediction LearnedMessage::predict(std::span<const Message> incoming,
                                                   const regress::RegressionExample& encoded) const {
  thread_local regress::Votes votes;
  thread_local std::vector<Message> decoded;
  regressor_->predict(encoded.tree, encoded.inputs, votes);
  Prediction result = {.tilted = {}, .doubt = votes.count() == 0 ? kInfinity : 0};
  const auto n = static_cast<double>(votes.count());
  decoded.clear();
  const Reference reference = reference_of(incoming[kind_.slot]);
  for (std::size_t vote = 0; vote < votes.count(); ++vote) {
    if (!options_.disagreement) result.doubt += votes.doubt(vote) / n;
    decoded.push_back(decode(votes.predicted(vote), reference));
    if (!is_proper(decoded.back())) result.doubt = kInfinity;
    result.tilted.log_mass += votes.predicted(vote).back() / n;
  }
  if (!(result.doubt < kInfinity)) return {.tilted = {}, .doubt = kInfinity};
  // Equations (8) and (9).
  const MomentAverage average = moment_average(decoded);
  result.tilted.marginal = with_incoming(average.message, incoming[kind_.slot]);
  if (repetitions() == 1) result.doubt += average.divergence;
  else
    for (const Message& vote : decoded) result.doubt += divergence_of(vote, average.message, incoming[kind_.slot]) / n;
  result.tilted.expected_error = result.doubt;
  result.tilted.is_recalled = true;
  if (!is_proper(average.message) || !is_proper(result.tilted.marginal) || std::isnan(result.doubt))
    result.doubt = kInfinity;
  return result;
}

void LearnedMessage::observe(const Message& marginal, const Message& incoming) {
  if (!is_proper(incoming)) return;
  const MessageShape shape = shape_of(marginal), reference = shape_of(incoming);
  const double shift = (shape.location - reference.location) * std::exp(-reference.log_spread);
  const double narrowing = std::abs(std::expm1(2 * (reference.log_spread - shape.log_spread)));
  const double told = std::min(1., std::max(shift * shift, narrowing));
  if (std::isnan(told)) return;
  ++observed_;
  mean_message_shift_ += (told - mean_message_shift_) / std::min(kMemory, static_cast<double>(observed_));
}

double LearnedMessage::most_doubt() const {
  if (options_.by_message || options_.disagreement) return limit_.value();
  return std::min(limit_.value(), options_.max_marginal_kl + kTimesChance * mean_draw_error_);
}

double LearnedMessage::repetitions() const {
  constexpr double kMost = 1e4;
  if (options_.alone || options_.by_message || observed_ == 0) return 1;
  return std::clamp(.5 / mean_message_shift_, 1., kMost);
}

double LearnedMessage::divergence_of(const Message& p, const Message& q, const Message& incoming) const {
  const double times = repetitions();
  const auto repeat = [&](const Message& marginal) {
    return times > 1 ? product(incoming, power(quotient(marginal, incoming), times)) : marginal;
  };
  const Message first = repeat(p), second = repeat(q);
  return is_proper(first) && is_proper(second) ? divergence(first, second) : kInfinity;
}

double LearnedMessage::Error::beyond_chance() const {
  if (!std::isfinite(by_chance)) return total;
  return std::max(0., total - kTimesChance * by_chance);
}

LearnedMessage::Error LearnedMessage::error_of(const Message& marginal, const Tilted& oracle,
                                               const Message& incoming) const {
  const double alone = divergence(marginal, oracle.marginal), times = repetitions();
  const double total = divergence_of(marginal, oracle.marginal, incoming);
  // Small errors of natural parameters add up, and count by their square.
  const double growth = alone > 0 && total < kInfinity ? total / alone : times * times;
  return {.total = total, .by_chance = growth * oracle.expected_error};
}

void LearnedMessage::learn(std::span<const Message> incoming, regress::RegressionExample encoded,
                           const Prediction& before, const Tilted& oracle) {
  Error error = {.total = kInfinity, .by_chance = oracle.expected_error};
  if (before.doubt < kInfinity) error = error_of(before.tilted.marginal, oracle, incoming[kind_.slot]);
  limit_.add({.doubt = before.doubt, .error = error.beyond_chance()});
  encoded.chance = error.by_chance;
  if (std::isfinite(error.by_chance) && set_target(incoming[kind_.slot], oracle, encoded)) learn(std::move(encoded));
}

void LearnedMessage::learn(regress::RegressionExample example) {
  const Message incoming = incoming_of(example);
  observe(with_incoming(decode(example.target, reference_of(incoming)), incoming), incoming);
  regressor_->add(example);
  ++examples_;
  mean_draw_error_ += (example.chance - mean_draw_error_) / std::min(kMemory, static_cast<double>(examples_));
  if (kept_.size() < kMostExamplesKept) kept_.push_back(std::move(example));
  else if (const std::uint32_t place = random_.uniform_index(static_cast<std::uint32_t>(examples_));
           place < kept_.size())
    kept_[place] = std::move(example);
}

/// Returns false if the factor's message is not proper and it is the message that is learned.
bool LearnedMessage::set_target(const Message& incoming, const Tilted& oracle,
                                regress::RegressionExample& example) const {
  const Message object = options_.by_message ? quotient(oracle.marginal, incoming) : oracle.marginal;
  if (!is_proper(object)) return false;
  MessageShape shape = shape_of(object);
  const Reference reference = reference_of(incoming);
  shape.location = (shape.location - reference.shape.location) / reference.squared_width;
  shape.log_spread = (shape.log_spread - reference.shape.log_spread) / reference.squared_width;
  example.target = {shape.location};
  if (shape_size(object) == 2) example.target.push_back(shape.log_spread);
  example.target.push_back(oracle.log_mass);
  for (const double number : example.target)
    if (!std::isfinite(number)) return false;
  return true;
}

LearnedMessage::Reference LearnedMessage::reference_of(const Message& incoming) const {
  if (options_.by_message) return {.shape = {}, .squared_width = 1};
  const MessageShape shape = shape_of(incoming);
  return {.shape = shape, .squared_width = std::exp(2 * shape.log_spread)};
}

Message LearnedMessage::decode(std::span<const double> outputs, const Reference& reference) const {
  const double log_ratio = shape_size(like_) == 2 ? outputs[1] : 0;
  return message_of(like_, {.location = reference.shape.location + outputs[0] * reference.squared_width,
                            .log_spread = reference.shape.log_spread + log_ratio * reference.squared_width});
}

Message LearnedMessage::with_incoming(const Message& decoded, const Message& incoming) const {
  return options_.by_message ? product(decoded, incoming) : decoded;
}

Message LearnedMessage::incoming_of(const regress::RegressionExample& example) const {
  return message_of(like_, {.location = example.inputs[offset_],
                            .log_spread = shape_size(like_) == 2 ? example.inputs[offset_ + 1] : 0});
}

}  // namespace fovea::ep
