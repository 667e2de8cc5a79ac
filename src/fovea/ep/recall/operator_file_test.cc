// SPDX-License-Identifier: Apache-2.0
#include "fovea/ep/recall/operator_file.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>

#include "fovea/base/error.h"
#include "fovea/ep/operators/compound_gamma.h"
#include "fovea/ep/operators/logistic.h"
#include "tests/support/temporary_folder.h"

namespace fovea::ep {
namespace {

class OperatorFile : public ::testing::Test {
 protected:
  static std::vector<Message> message(Random& random) {
    return {Beta::from_counts(2, 1), Gaussian::from_mean_variance(2 * random.normal(), std::exp(random.normal()))};
  }

  /// After `count` messages of a stream.
  void run(JustInTime& source, int count, std::uint64_t seed) const {
    Random random(seed);
    std::vector<Tilted> result(1);
    for (int i = 0; i < count; ++i) source.compute(1, static_cast<std::uint64_t>(i), message(random), result);
  }

  const fovea::testing::TemporaryFolder folder_;
  const std::string path_ = folder_ / "learned.operator";
  LogisticOperator oracle_;
};

TEST_F(OperatorFile, WhatWasLearnedServesTheNextSource) {
  JustInTime first(oracle_, {.always = true});
  run(first, 600, 1);
  write_operator(learned_operator(first), path_);
  JustInTime second(oracle_, {.always = true});
  teach(second, read_operator(path_), path_);
  EXPECT_EQ(second.learned()[0]->examples(), first.learned()[0]->examples());
  EXPECT_EQ(second.learned()[0]->limit().value(), first.learned()[0]->limit().value());
  run(second, 500, 2);
  EXPECT_LT(second.counts().oracle_calls(), 100U);
  JustInTime fresh(oracle_, {.always = true});
  run(fresh, 500, 2);
  EXPECT_GT(fresh.counts().oracle_calls(), 2 * second.counts().oracle_calls());
}

TEST_F(OperatorFile, IsTheSameAsBytes) {
  JustInTime source(oracle_, {.always = true});
  run(source, 200, 1);
  std::string bytes, again;
  write_operator(learned_operator(source), ContainerTarget::memory(bytes));
  write_operator(read_operator(ContainerSource::memory(bytes)), ContainerTarget::memory(again));
  EXPECT_EQ(again, bytes);
}

TEST_F(OperatorFile, MergingKnowsWhatBothKnow) {
  JustInTime left(oracle_, {.always = true}), right(oracle_, {.always = true});
  run(left, 300, 1);
  run(right, 400, 2);
  const std::array operators = {learned_operator(left), learned_operator(right)};
  const std::array<std::string, 2> paths = {"left", "right"};
  const LearnedOperator both = merged(operators, paths);
  ASSERT_EQ(both.parts.size(), 1U);
  EXPECT_EQ(both.parts[0].examples.size(),
            operators[0].parts[0].examples.size() + operators[1].parts[0].examples.size());
  EXPECT_EQ(both.parts[0].seen, both.parts[0].examples.size());
  EXPECT_EQ(both.parts[0].examples[1].target, operators[1].parts[0].examples[0].target);  // in turns
}

TEST_F(OperatorFile, RefusesAnotherFactorAndAnotherKindOfLearning) {
  JustInTime source(oracle_, {.always = true});
  run(source, 200, 1);
  const LearnedOperator learned = learned_operator(source);
  const CompoundGammaOperator gamma(CompoundGammaFactor{});
  JustInTime other(gamma, {.always = true}), faithful(oracle_, {.by_message = true, .always = true});
  EXPECT_THROW(teach(other, learned, "file"), InputError);
  EXPECT_THROW(teach(faithful, learned, "file"), InputError);
}

// Every byte of a good file matters: a changed one is refused, or (in padding) changes nothing.
TEST_F(OperatorFile, RefusesCorruptedFiles) {
  JustInTime source(oracle_, {.always = true});
  run(source, 150, 1);
  const LearnedOperator learned = learned_operator(source);
  write_operator(learned, path_);
  std::ifstream in(path_, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), {});
  int refused = 0;
  for (std::size_t at = 0; at < good.size(); at += 97) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x41);
    std::ofstream(path_, std::ios::binary) << bad;
    try {
      EXPECT_EQ(read_operator(path_).parts[0].examples.size(), learned.parts[0].examples.size());
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 10);
}

// Faults that checksums cannot see: fields that do not fit each other.
TEST_F(OperatorFile, RefusesWhatDoesNotHoldTogether) {
  JustInTime source(oracle_, {.always = true});
  run(source, 150, 1);
  const LearnedOperator good = learned_operator(source);
  const auto expect_refused = [&](auto&& corrupt) {
    LearnedOperator bad = good;
    corrupt(bad);
    write_operator(bad, path_);
    EXPECT_THROW(read_operator(path_), InputError);
  };
  expect_refused([](LearnedOperator& o) { o.slot_count = 3; });
  expect_refused([](LearnedOperator& o) { o.slot_count = 0; });
  expect_refused([](LearnedOperator& o) { o.options.audit = 2; });
  expect_refused([](LearnedOperator& o) { o.options.forest.trees = 0; });
  expect_refused([](LearnedOperator& o) { o.parts[0].kind.slot = 7; });
  expect_refused([](LearnedOperator& o) { o.parts[0].kind.families[0] = 200; });
  expect_refused([](LearnedOperator& o) { o.parts[0].kind.families[1] = 7; });  // multivariate: no shape
  expect_refused([](LearnedOperator& o) { o.parts[0].examples[3].target.pop_back(); });
  expect_refused([](LearnedOperator& o) { o.parts[0].examples[3].inputs[0] = std::nan(""); });
  expect_refused([](LearnedOperator& o) { o.parts[0].seen = 1; });
}

}  // namespace
}  // namespace fovea::ep
