// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/oracle/measured_oracle.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::ep {
namespace {

/// An oracle of one parent that gives back the parent's message, moved, after some time.
class Moves : public Operator {
 public:
  Moves(double by, int milliseconds, bool fails = false) : by_(by), milliseconds_(milliseconds), fails_(fails) {}

  std::string_view name() const override { return "moves"; }
  std::size_t slot_count() const override { return 2; }
  Tilted tilted(std::size_t slot, std::span<const Message> incoming, Random&) const override {
    if (fails_) throw InputError({}, "it fails", "");
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds_));
    const auto& g = std::get<Gaussian>(incoming[slot]);
    return {.marginal = Gaussian::from_mean_variance(g.mean() + by_, g.variance())};
  }

 private:
  double by_;
  int milliseconds_;
  bool fails_;
};

MeasuredOracle::Candidate candidate(const char* name, double by, int milliseconds, double calls, bool fails = false) {
  return {.name = name, .oracle = std::make_unique<Moves>(by, milliseconds, fails), .calls = calls};
}

/// The mean of the last of some messages, and who is chosen.
std::pair<double, std::string> ask(std::vector<MeasuredOracle::Candidate> candidates, int messages = 10) {
  const MeasuredOracle oracle(std::move(candidates));
  const std::vector<Message> incoming = {Gaussian::from_mean_variance(0, 1), Gaussian::from_mean_variance(0, 1)};
  Random random;
  double mean = 0;
  for (int i = 0; i < messages; ++i) mean = std::get<Gaussian>(oracle.tilted(1, incoming, random).marginal).mean();
  EXPECT_EQ(oracle.chosen()[0], "");  // never asked for
  return {mean, oracle.chosen()[1]};
}

template <class... Candidates>
std::vector<MeasuredOracle::Candidate> all(Candidates... candidates) {
  std::vector<MeasuredOracle::Candidate> result;
  (result.push_back(std::move(candidates)), ...);
  return result;
}

TEST(MeasuredOracle, TakesTheCheapestThatIsRight) {
  const auto [mean, chosen] =
      ask(all(candidate("exact", 1, 5, 100), candidate("near", 1.0001, 0, 10), candidate("far", 1.1, 0, 1)));
  EXPECT_EQ(chosen, "near");
  EXPECT_EQ(mean, 1.0001);
}

TEST(MeasuredOracle, TakesTheExactOneIfItIsCheapest) {
  EXPECT_EQ(ask(all(candidate("exact", 1, 0, 100), candidate("slow", 1, 5, 10))).second, "exact");
}

TEST(MeasuredOracle, LeavesOutWhatFails) {
  EXPECT_EQ(ask(all(candidate("fails", 1, 0, 1, true), candidate("works", 1, 1, 10))).second, "works");
  EXPECT_THAT(message_of<InputError>([] { ask(all(candidate("fails", 1, 0, 1, true))); }), HasSubstr("it fails"));
}

// A slow one is left out only if another one is right.
TEST(MeasuredOracle, AsksASlowOneIfNoOtherIsRight) {
  const auto [mean, chosen] =
      ask(all(candidate("fails", 1, 0, 9, true), candidate("slow", 1, 2100, 2), candidate("far", 1.1, 0, 1)), 2);
  EXPECT_EQ(mean, 1);
}

// By its number of calls the exact one would take 10 s a message.
TEST(MeasuredOracle, DoesNotTryWhatWouldTakeTooLong) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(ask(all(candidate("exact", 1, 10'000, 10'000), candidate("near", 1, 10, 10))).second, "near");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

}  // namespace
}  // namespace fovea::ep
