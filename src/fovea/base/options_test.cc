// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea {
namespace {

enum class Start { kRandom, kUnigram };
constexpr auto words_of(Start) { return std::array{Word{Start::kRandom, "random"}, Word{Start::kUnigram, "unigram"}}; }

struct Options {
  bool verbose = false;
  int factor_size = 2;
  std::uint64_t seed = 18446744073709551615u;
  double l2 = 0.5;
  Start start = Start::kUnigram;
  std::vector<Start> tried = {Start::kUnigram, Start::kRandom};
  std::string file = "";
  std::optional<int> limit = {};
  std::optional<Start> other = {};
  std::vector<std::string> features = {"vary", "sp"};

  static void describe(auto&& visit) {
    visit(&Options::verbose, OptionInfo{"verbose", "Say more."});
    visit(&Options::factor_size, OptionInfo{"factor-size", "Labels in one factor.", 2, 6});
    visit(&Options::seed, OptionInfo{"seed", "Names the tree of random streams."});
    visit(&Options::l2, OptionInfo{"l2", "Weight of the squared norm.", 0});
    visit(&Options::start, OptionInfo{.name = "start", .description = "Where."});
    visit(&Options::tried, OptionInfo{.name = "tried", .description = "All of these."});
    visit(&Options::file, OptionInfo{.name = "file", .description = "A file."});
    visit(&Options::limit, OptionInfo{.name = "limit", .description = "At most.", .min = 1});
    visit(&Options::other, OptionInfo{.name = "other", .description = "Or there."});
    visit(&Options::features, OptionInfo{.name = "features", .description = "Which."});
  }
};

std::string refusal_of(const Options& options) {
  return message_of<UsageError>([&] { validate(options); });
}

TEST(OptionsTest, DefaultsAreValid) { EXPECT_NO_THROW(validate(Options{})); }

TEST(OptionsTest, BoundsAreInclusive) {
  EXPECT_NO_THROW(validate(Options{.factor_size = 2, .l2 = 0}));
  EXPECT_NO_THROW(validate(Options{.factor_size = 6}));
}

TEST(OptionsTest, RefusalsNameOptionValueAndConstraint) {
  EXPECT_EQ(refusal_of({.factor_size = 7}), "option 'factor-size 7': must be at most 6");
  EXPECT_EQ(refusal_of({.factor_size = 1}), "option 'factor-size 1': must be at least 2");
  EXPECT_EQ(refusal_of({.l2 = -0.25}), "option 'l2 -0.25': must be at least 0");
  EXPECT_EQ(refusal_of({.limit = 0}), "option 'limit 0': must be at least 1");
}

TEST(OptionsTest, NumbersMustBeFinite) {
  EXPECT_THAT(refusal_of({.l2 = std::numeric_limits<double>::quiet_NaN()}), HasSubstr("must be a number"));
  EXPECT_THAT(refusal_of({.l2 = std::numeric_limits<double>::infinity()}), HasSubstr("must be finite"));
}

TEST(OptionsTest, JsonHoldsEveryFieldInOrder) {
  EXPECT_EQ(options_json(Options{}),
            R"({"verbose":false,"factor_size":2,"seed":18446744073709551615,"l2":0.5,"start":"unigram",)"
            R"("tried":["unigram","random"],"file":"","limit":null,"other":null,"features":["vary","sp"]})");
  EXPECT_THAT(options_json(Options{.limit = 3, .other = Start::kRandom}), HasSubstr(R"("limit":3,"other":"random")"));
}

TEST(OptionsTest, JsonEscapesTextAndReplacesBytesThatAreNotUtf8) {
  EXPECT_THAT(options_json(Options{.file = "a\"b\n"}), HasSubstr(R"("file":"a\"b\n")"));
  EXPECT_THAT(options_json(Options{.file = "\xff"}), HasSubstr("\"file\":\"\xEF\xBF\xBD\""));
}

TEST(WordsTest, EachValueHasOneSpellingToWriteAndAnyNumberToRead) {
  EXPECT_EQ(word_of(Start::kRandom), "random");
  EXPECT_EQ(value_of<Start>("unigram"), Start::kUnigram);
  EXPECT_EQ(value_of<Start>("Random"), std::nullopt);
  EXPECT_EQ(word_of(static_cast<Start>(7)), "");
}

}  // namespace
}  // namespace fovea
