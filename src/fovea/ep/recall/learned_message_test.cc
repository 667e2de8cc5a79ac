// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/recall/learned_message.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fovea/base/log_math.h"

namespace fovea::ep {
namespace {

/// exp(-(a - b)^2 / 2 - (a - b)^4 / 10): depends only on the difference.
class Difference : public Operator {
 public:
  std::string_view name() const override { return "difference"; }
  std::size_t slot_count() const override { return 2; }
  Tilted tilted(std::size_t, std::span<const Message>, Random&) const override { return {}; }
  std::optional<double> log_value(std::span<const double> x) const override {
    const double d = x[0] - x[1];
    return -.5 * d * d - .1 * d * d * d * d;
  }
};

MessageKind two_gaussians() { return MessageKind::of(1, std::vector<Message>{Gaussian(), Gaussian()}); }

std::vector<Message> gaussians(double a, double b) {
  return {Gaussian::from_mean_variance(a, .25), Gaussian::from_mean_variance(b, 4)};
}

std::vector<double> inputs(const Operator& factor, double a, double b, const JustInTimeOptions& options = {}) {
  const LearnedMessage learned(two_gaussians(), options, Random(1));
  regress::RegressionExample example;
  EXPECT_TRUE(learned.encode(factor, gaussians(a, b), example));
  EXPECT_EQ(example.inputs.size(), LearnedMessage::sizes_of(two_gaussians()).inputs);
  EXPECT_EQ(example.tree.size(), example.inputs.size() + 1);
  return example.inputs;
}

TEST(LearnedMessage, SeesWhatCasesHaveInCommon) {
  const Difference factor;
  const std::vector<double> here = inputs(factor, 1, 2), there = inputs(factor, 11, 12);
  for (const std::size_t i : {4U, 5U, 6U, 7U}) EXPECT_NEAR(here[i], there[i], 1e-9);
  // By hand: d = -1, and a's half spread is .25: log values at -.75, -1, -1.25.
  const double above = -.5 * .5625 - .1 * .31640625, at = -.6, below = -.5 * 1.5625 - .1 * 2.44140625;
  EXPECT_NEAR(here[4], std::asinh(above - below), 1e-12);
  EXPECT_NEAR(here[5], std::asinh(above + below - 2 * at), 1e-12);
}

TEST(LearnedMessage, KeepsToTheMessagesWhereItLearnsAsPublished) {
  const std::vector<double> plain = inputs(Difference(), 1, 2, {.by_message = true});
  for (const std::size_t i : {4U, 5U, 6U, 7U}) EXPECT_EQ(plain[i], 0);
}

TEST(LearnedMessage, JudgesBySoManyMessagesAsTellHalfAsMuch) {
  LearnedMessage learned(two_gaussians(), {}, Random(1));
  const Gaussian incoming = Gaussian::from_mean_variance(0, 1);
  const Gaussian exact = Gaussian::from_natural(0, 1.05), guess = Gaussian::from_natural(.01, 1.05);
  const auto error = [&] { return learned.error_of(guess, {.marginal = exact, .expected_error = 1e-6}, incoming); };
  EXPECT_NEAR(error().total, .5 * 1e-4 / 1.05, 1e-9);  // nothing was seen: alone
  learned.observe(exact, incoming);                    // narrows by .05: ten of them
  EXPECT_NEAR(error().total, .5 * 1e-2 / 1.5, 1e-7);
  EXPECT_NEAR(error().by_chance, 1e-6 * error().total / (.5 * 1e-4 / 1.05), 1e-9);
  const LearnedMessage alone(two_gaussians(), {.alone = true}, Random(1));
  EXPECT_NEAR(alone.error_of(guess, {.marginal = exact}, incoming).total, .5 * 1e-4 / 1.05, 1e-9);
}

TEST(LearnedMessage, BlamesChanceForWhatItExplains) {
  EXPECT_EQ((LearnedMessage::Error{.total = 2, .by_chance = 1}).beyond_chance(), 0);
  EXPECT_EQ((LearnedMessage::Error{.total = 5, .by_chance = 1}).beyond_chance(), 2);
  EXPECT_EQ((LearnedMessage::Error{.total = kInfinity, .by_chance = 1}).beyond_chance(), kInfinity);
  // An oracle that cannot say how much it errs excuses nothing.
  EXPECT_EQ((LearnedMessage::Error{.total = 2, .by_chance = kInfinity}).beyond_chance(), 2);
}

/// Largest trusted doubt after many correct predictions with a doubt of .5, for an oracle with this chance error.
double most_doubt_after(double expected_error, const JustInTimeOptions& options) {
  LearnedMessage learned(two_gaussians(), options, Random(1));
  const Difference factor;
  for (int i = 0; i < options.held_out; ++i) {
    const std::vector<Message> incoming = gaussians(.01 * i, .02 * i);
    regress::RegressionExample example;
    EXPECT_TRUE(learned.encode(factor, incoming, example));
    const Tilted told = {.marginal = Gaussian::from_mean_variance(.02 * i, 2), .expected_error = expected_error};
    learned.learn(incoming, example, {.tilted = told, .doubt = .5}, told);
  }
  return learned.most_doubt();
}

TEST(LearnedMessage, TrustsNoneThatExpectsToErrByMoreThanIsAllowed) {
  EXPECT_EQ(most_doubt_after(0, {.max_marginal_kl = .01, .alone = true}), .01);
  EXPECT_NEAR(most_doubt_after(1e-3, {.max_marginal_kl = .01, .alone = true}), .01 + 3 * 1e-3, 1e-9);
  EXPECT_GT(most_doubt_after(0, {.max_marginal_kl = .01, .by_message = true}), .4);  // as published
}

}  // namespace
}  // namespace fovea::ep
