// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/statistics/match_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fovea/base/error.h"
#include "tests/support/expect_error.h"

namespace fovea::linkage {
namespace {

class MatchStatisticsTest : public ::testing::Test {
 protected:
  MatchStatisticsTest() {
    TextList titles, names;
    titles.add(30, 2, std::vector<std::uint64_t>{7, 5});
    titles.add(10, 1, std::vector<std::uint64_t>{7});
    names.add(1, 3);
    statistics_.values.emplace("title:words", count_texts(titles, true, 1));
    statistics_.values.emplace("name:edits", count_texts(names, false, 1));
    statistics_.contexts.emplace("size(name)", count_contexts(ContextNumber::kSize, {{1, 0, 2}, {2, 0, 1}}));
  }

  static std::string bytes_of(const MatchStatistics& statistics) {
    std::string bytes;
    statistics.save(ContainerTarget::memory(bytes));
    return bytes;
  }
  static MatchStatistics loaded(const std::string& bytes) {
    return MatchStatistics::load(ContainerSource::memory(bytes, "some.stats"));
  }
  static std::string refusal(const MatchStatistics& statistics) {
    return message_of<InputError>([&] { loaded(bytes_of(statistics)); });
  }

  MatchStatistics statistics_{.name = "first.stats", .records = 3};
};

TEST_F(MatchStatisticsTest, ComeBackByteForByte) {
  for (const MatchStatistics& one : {statistics_, statistics_.reduced()}) {
    const MatchStatistics read = loaded(bytes_of(one));
    EXPECT_EQ(bytes_of(read), bytes_of(one));
    EXPECT_EQ(read.is_complete, one.is_complete);
    EXPECT_EQ(read.name, "some.stats");
    EXPECT_EQ(read.records, 3u);
    EXPECT_EQ(read.of_values("title:words").fingerprint(), one.of_values("title:words").fingerprint());
    EXPECT_EQ(read.of_values("title:words").rows, 3u);
  }
}

TEST_F(MatchStatisticsTest, AreAddedUp) {
  MatchStatistics sum = statistics_;
  sum.merge(loaded(bytes_of(statistics_)));
  EXPECT_EQ(sum.records, 6u);
  EXPECT_EQ(sum.of_values("title:words").text_rows.count(30), 4u);
  EXPECT_EQ(sum.of_values("title:words").token_texts.count(7), 2u) << "the texts are the same";
  EXPECT_EQ(sum.of_context("size(name)").counts.front().rows, 4u);
}

TEST_F(MatchStatisticsTest, OfOtherComparisonsAreRefused) {
  EXPECT_THAT(
      message_of<InputError>([&] { (void)statistics_.of_values("city:exact"); }),
      AllOf(HasSubstr("first.stats"), HasSubstr("know nothing of 'city:exact', only of name:edits; title:words"),
            HasSubstr("option 'save-statistics'")));
  EXPECT_THAT(message_of<InputError>([&] { (void)statistics_.of_context("size(city)"); }), HasSubstr("size(name)"));
  MatchStatistics other = statistics_;
  other.name = "other.stats";
  other.values.erase("title:words");
  EXPECT_THAT(message_of<InputError>([&] { statistics_.merge(other); }),
              AllOf(HasSubstr("other.stats"), HasSubstr("other comparisons"), HasSubstr("first.stats")));
  EXPECT_THAT(message_of<InputError>([&] { statistics_.merge(statistics_.reduced()); }), HasSubstr("reduced"));
}

TEST_F(MatchStatisticsTest, DamagedOnesAreRefused) {
  const std::string whole = bytes_of(statistics_);
  for (std::size_t at = 0; at < whole.size(); at += 5) {
    std::string bad = whole;
    bad[at] ^= 0x10;
    try {
      EXPECT_EQ(bytes_of(loaded(bad)), whole) << "byte " << at << " is padding";
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("some.stats"));
    }
  }
  EXPECT_THAT(message_of<InputError>([&] { loaded(whole.substr(0, whole.size() / 2)); }), HasSubstr("truncated"));
  EXPECT_THAT(message_of<InputError>([&] { loaded("id,name\n"); }), HasSubstr("some.stats"));
}

TEST_F(MatchStatisticsTest, ImpossibleOnesAreRefused) {
  const auto refusal_after = [&](auto&& spoil) {
    MatchStatistics bad = statistics_;
    spoil(bad);
    return refusal(bad);
  };
  const auto of_titles = [](auto&& spoil) {
    return [spoil](MatchStatistics& bad) { spoil(bad.values.at("title:words")); };
  };
  EXPECT_THAT(refusal_after(of_titles([](ValueStatistics& v) { v.text_rows.counts[0] = 0; })),
              HasSubstr("a count above 0"));
  EXPECT_THAT(refusal_after(of_titles([](ValueStatistics& v) { v.text_rows.hashes[0] = 99; })), HasSubstr("ascend"));
  EXPECT_THAT(refusal_after(of_titles([](ValueStatistics& v) { v.tokens[0] = 99; })), HasSubstr("not there"));
  EXPECT_THAT(refusal_after(of_titles([](ValueStatistics& v) { v.begin.pop_back(); })), HasSubstr("divide the tokens"));
  EXPECT_THAT(refusal_after(of_titles([](ValueStatistics& v) { v.frequent_share = 0; })), HasSubstr("frequent_share"));
  const auto counts = [](MatchStatistics & bad) -> auto& { return bad.contexts.at("size(name)").counts; };
  EXPECT_THAT(refusal_after([&](MatchStatistics& bad) { counts(bad)[0].key = 9; }), HasSubstr("must ascend"));
  EXPECT_THAT(refusal_after([&](MatchStatistics& bad) { counts(bad)[0].rows = 0; }), HasSubstr("a count above 0"));
  MatchStatistics bad = statistics_.reduced();
  bad.contexts.at("size(name)").keys[0].range = 7;
  EXPECT_THAT(refusal(bad), HasSubstr("a range for each key"));
  bad = statistics_.reduced();
  bad.values.at("title:words").values = 9;
  EXPECT_THAT(refusal(bad), HasSubstr("more values than texts"));
}

}  // namespace
}  // namespace fovea::linkage
