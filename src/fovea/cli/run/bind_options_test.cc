// SPDX-License-Identifier: Apache-2.0
#include "fovea/cli/run/bind_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::cli {
namespace {

enum class Start { kRandom, kUnigram };
constexpr auto words_of(Start) { return std::array{Word{Start::kRandom, "random"}, Word{Start::kUnigram, "unigram"}}; }

enum class Feature { kVary, kNeighbour, kSpace };
constexpr auto words_of(Feature) {
  using enum Feature;
  return std::array{Word{kVary, "vary"}, Word{kNeighbour, "nb"}, Word{kNeighbour, "neighbour"}, Word{kSpace, "sp"}};
}

struct Options {
  bool marginals = false;
  bool cache = true;
  int factor_size = 2;
  std::uint64_t seed = 1;
  double l2 = 0.5;
  Start start = Start::kUnigram;
  std::optional<Start> second = {};
  std::optional<int> limit = {};
  std::string output;
  std::vector<Feature> features = {Feature::kVary, Feature::kSpace};

  static void describe(auto&& visit) {
    visit(&Options::marginals, OptionInfo{"marginals", "Print marginals."});
    visit(&Options::cache, OptionInfo{"cache", "Cache scores."});
    visit(&Options::factor_size, OptionInfo{"factor-size", "Labels in one factor.", 2, 6});
    visit(&Options::seed, OptionInfo{"seed", "Names the streams."});
    visit(&Options::l2, OptionInfo{"l2", "Weight of the squared norm.", 0});
    visit(&Options::start, OptionInfo{.name = "start", .description = "Start."});
    visit(&Options::second, OptionInfo{.name = "second", .description = "Second start."});
    visit(&Options::limit, OptionInfo{.name = "limit", .description = "Limit.", .min = 1});
    visit(&Options::output,
          OptionInfo{.name = "output", .description = "File to write.", .value_name = "FILE", .letter = 'o'});
    visit(&Options::features, OptionInfo{.name = "features", .description = "Meta-features."});
  }
};

/// One command line: options and two kinds of arguments.
struct Parser {
  Parser() {
    binder.argument(model, {.name = "MODEL", .description = "A model."}, Binder::Presence::kRequired);
    binder.argument(files, {.name = "FILE", .description = "Text."}, Binder::Presence::kOptional);
    binder.options(options);
  }

  Parser& parse(const std::vector<std::string>& args) {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
    binder.validate_all();
    return *this;
  }

  CLI::App app;
  Options options;
  std::string model;
  std::vector<std::string> files;
  Binder binder{app};
};

Options parse_options(std::vector<std::string> args) {
  args.emplace_back("ner.model");
  return Parser().parse(args).options;
}

std::string refusal(const std::vector<std::string>& args) {
  return message_of<UsageError>([&] { parse_options(args); });
}

TEST(BindOptionsTest, DefaultsStandWhereNothingIsGiven) {
  Parser parser;
  parser.parse({"ner.model"});
  EXPECT_EQ(options_json(parser.options), options_json(Options{}));
  EXPECT_EQ(parser.model, "ner.model");
  EXPECT_THAT(parser.files, IsEmpty());
}

TEST(BindOptionsTest, ReadsEveryType) {
  const Options o =
      parse_options({"--marginals", "--no-cache", "--factor-size", "4", "--seed=18446744073709551615", "--l2", "1e-3",
                     "--start", "random", "--second", "unigram", "--limit", "7", "-o", "-", "--features", "nb,sp"});
  EXPECT_EQ(options_json(o),
            R"({"marginals":true,"cache":false,"factor_size":4,"seed":18446744073709551615,"l2":0.001,)"
            R"("start":"random","second":"unigram","limit":7,"output":"-","features":["nb","sp"]})");
}

TEST(BindOptionsTest, LastOfRepeatedOptionsCountsAndListsGrow) {
  const Options o = parse_options({"--l2", "1", "--l2", "2", "--features", "nb", "--features", "vary"});
  EXPECT_EQ(o.l2, 2);
  EXPECT_THAT(o.features, ElementsAre(Feature::kNeighbour, Feature::kVary));
}

TEST(BindOptionsTest, ListsDoNotSwallowArguments) {
  Parser parser;
  parser.parse({"--features", "nb", "ner.model", "a.txt", "-"});
  EXPECT_EQ(parser.model, "ner.model");
  EXPECT_THAT(parser.files, ElementsAre("a.txt", "-"));
}

TEST(BindOptionsTest, RefusesWhatIsNoNumber) {
  EXPECT_EQ(refusal({"--factor-size", "two"}), "--factor-size two: must be a whole number");
  EXPECT_EQ(refusal({"--factor-size", "2.5"}), "--factor-size 2.5: must be a whole number");
  EXPECT_EQ(refusal({"--factor-size", "99999999999"}), "--factor-size 99999999999: the number is too large");
  EXPECT_EQ(refusal({"--seed", "-1"}), "--seed -1: must be a whole number");
  EXPECT_EQ(refusal({"--l2", "1,5"}), "--l2 1,5: must be a number");
}

TEST(BindOptionsTest, RefusesWhatTheDescriptionForbids) {
  EXPECT_EQ(refusal({"--factor-size", "7"}), "option 'factor-size 7': must be at most 6");
  EXPECT_EQ(refusal({"--l2", "-1"}), "option 'l2 -1': must be at least 0");
  EXPECT_EQ(refusal({"--start", "chain"}), "--start chain: must be one of random, unigram");
  EXPECT_EQ(refusal({"--features", "nb,pos"}), "--features pos: must be one of vary, nb, neighbour, sp");
}

TEST(BindOptionsTest, HelpShowsRulesAndDefaults) {
  const std::string help = Parser().app.help();
  EXPECT_THAT(help, HasSubstr("Labels in one factor. [2 to 6; default 2]"));
  EXPECT_THAT(help, HasSubstr("Weight of the squared norm. [at least 0; default 0.5]"));
  EXPECT_THAT(help, HasSubstr("Start. [one of random, unigram; default unigram]"));
  EXPECT_THAT(help, HasSubstr("-o,--output FILE"));
  EXPECT_THAT(help, HasSubstr("default vary,sp]"));
  EXPECT_THAT(help, AllOf(HasSubstr("--no-cache "), Not(HasSubstr("--cache"))));
}

TEST(BindOptionsTest, FactsAreThoseOfTheHelp) {
  const Parser parser;
  std::vector<std::string> names;
  for (const OptionFacts& facts : parser.binder.facts()) names.emplace_back(facts.info.name);
  EXPECT_THAT(names, ElementsAre("MODEL", "FILE", "marginals", "cache", "factor-size", "seed", "l2", "start", "second",
                                 "limit", "output", "features"));
  EXPECT_EQ(facts_json(parser.binder.facts()[3]),
            R"({"name":"cache","description":"Cache scores.","kind":"flag","group":"Options","flag":"--no-cache",)"
            R"("list":false,"default":true})");
  EXPECT_EQ(facts_json(parser.binder.facts()[4]),
            R"({"name":"factor-size","description":"Labels in one factor.","kind":"integer","group":"Options",)"
            R"("list":false,"min":2.0,"max":6.0,"default":2})");
  EXPECT_EQ(facts_json(parser.binder.facts()[11]),
            R"({"name":"features","description":"Meta-features.","kind":"word","group":"Options","list":true,)"
            R"("words":["vary","nb","neighbour","sp"],"default":"vary,sp"})");
}

TEST(HelpTextTest, BreaksLinesBetweenWords) {
  EXPECT_EQ(help_text({"n", "one two three"}, "", 8), "one two\nthree");
  EXPECT_EQ(help_text({"n", "one"}, "4", 20), "one [default 4]");
  EXPECT_EQ(help_text({"n", "unbreakable"}, "", 3), "unbreakable");
}

}  // namespace
}  // namespace fovea::cli
