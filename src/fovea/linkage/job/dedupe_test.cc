// SPDX-License-Identifier: Apache-2.0
// Tables in memory, against the same tables in files.
#include "fovea/linkage/job/dedupe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/job/link.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class DedupeTest : public ::testing::Test {
 protected:
  DedupeTest() {
    fovea::testing::write_file(people_,
                               "id,given,surname,born,city\n"
                               "1,Anna,Meyer,1980-02-11,Bonn\n"
                               "2,Ana,Meyer,1980-02-11,Bonn\n"
                               "3,Bernd,Schulz,1975-07-30,Ulm\n"
                               "4,Bernt,Schulz,1975-07-30,Ulm\n"
                               "5,Carla,Vogel,1991-12-01,Kiel\n"
                               "6,Anna,Meier,1980-02-11,\n"
                               "7,Dora,Vogel,1962-05-09,Kiel\n");
    job_.file = people_;
    job_.matching.matching = {.compare = "given:jaro_winkler, surname:jaro_winkler, born:date, city",
                              .block = "surname, born"};
  }

  io::Table table() const { return io::read_table(people_); }

  const fovea::testing::TemporaryFolder folder_;
  const std::string people_ = folder_ / "people.csv", output_ = folder_ / "clusters.csv";
  DedupeJob job_;
};

TEST_F(DedupeTest, MemoryAndFilesGiveTheSameClusters) {
  DedupeJob to_file = job_;
  to_file.options.output = output_;
  dedupe_file(to_file, {});
  const io::Table written = io::read_table(output_);
  const DedupeResult found = dedupe(table(), job_);
  ASSERT_THAT(found.clusters, SizeIs(7));
  for (std::size_t a = 0; a < 7; ++a)
    for (std::size_t b = 0; b < a; ++b)
      EXPECT_EQ(found.clusters[a] == found.clusters[b], written.cell(a, 5) == written.cell(b, 5)) << a << ' ' << b;
  EXPECT_THAT(found.brief(), HasSubstr("7 records"));
  EXPECT_THAT(found.pairs, SizeIs(0));
}

TEST_F(DedupeTest, WritesOneRecordForEachCluster) {
  DedupeJob golden = job_;
  golden.options.output = output_;
  golden.options.golden = "given:longest, city:last";
  dedupe_file(golden, {});
  const io::Table written = io::read_table(output_);
  EXPECT_THAT(written.columns(), ElementsAre("id", "given", "surname", "born", "city", "cluster_size", "cluster"));
  ASSERT_EQ(written.row_count(), 4u);
  const auto row = [&](std::size_t r) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < written.column_count(); ++c) cells.emplace_back(written.cell(r, c));
    return cells;
  };
  EXPECT_THAT(row(0), ElementsAre("1", "Anna", "Meyer", "1980-02-11", "Bonn", "3", "1"));
  EXPECT_THAT(row(3), ElementsAre("7", "Dora", "Vogel", "1962-05-09", "Kiel", "1", "7"));
}

TEST_F(DedupeTest, RefusesGoldenRulesBeforeRecordsAreCompared) {
  DedupeJob golden = job_;
  golden.options.output = output_;
  golden.options.golden = "given:best";
  EXPECT_THAT(message_of<UsageError>([&] { dedupe_file(golden, {}); }), HasSubstr("no rule 'best'"));
  golden.options.golden = "given:latest(surname)";
  EXPECT_THAT(message_of<InputError>([&] { dedupe_file(golden, {}); }), HasSubstr("'surname': 7 of 7 cells are not"));
  golden.options.golden = "given:longest";
  golden.options.cluster_column = "cluster_size";
  EXPECT_THAT(message_of<UsageError>([&] { dedupe_file(golden, {}); }), HasSubstr("cluster_size"));
}

TEST_F(DedupeTest, KeepsPairsAndAModelThatScoresThemAgain) {
  job_.keeps_pairs = true;
  const DedupeResult found = dedupe(table(), job_);
  EXPECT_FALSE(found.pairs.empty());
  DedupeJob again;
  again.matching.model_json = found.model;
  again.keeps_pairs = true;
  const DedupeResult same = dedupe(table(), again);
  EXPECT_EQ(same.clusters, found.clusters);
  EXPECT_EQ(same.model, found.model);
  ASSERT_THAT(same.pairs, SizeIs(found.pairs.size()));
  for (std::size_t i = 0; i < found.pairs.size(); ++i) EXPECT_EQ(same.pairs[i].probability, found.pairs[i].probability);
}

/// Records that share a word, by one rule alone: blocks overlap, and are not components.
TEST_F(DedupeTest, FindsRecordsThatShareAWord) {
  io::Table table("books", {"id", "title", "year", "book"});
  Random random(4);
  for (std::uint32_t book = 0; book < 300; ++book) {
    std::vector<std::string> words;
    for (int w = 0; w < 5; ++w) words.push_back("w" + std::to_string(random.uniform_index(700)));
    const std::string year = std::to_string(1900 + random.uniform_index(100)), number = std::to_string(book);
    for (int copy = 0; copy < 2; ++copy) {
      const std::string id = number + "." + std::to_string(copy);
      std::string title;
      for (const std::string& word : words)
        if (!random.bernoulli(.15)) title += word + " ";
      table.add_row(std::vector<std::string_view>{id, title, year, number}, 2 * book + copy + 1);
    }
  }
  job_.matching.matching = {.compare = "title:words, year", .block = "any(word, title)"};
  job_.options.gold = "book";
  const DedupeResult found = dedupe(table, job_);
  EXPECT_GT(found.metrics->pairs.f1(), .95);
  DedupeJob again;
  again.matching.model_json = found.model;
  EXPECT_EQ(dedupe(table, again).clusters, found.clusters);
  job_.labels.labels = "book";
  EXPECT_GT(dedupe(table, job_).metrics->pairs.f1(), .95);
}

/// With several rules, components once depended on whether doubtful pairs were asked for, and so did the clusters.
TEST_F(DedupeTest, PairsAndSamplesLeaveTheClustersAsTheyAre) {
  const io::Table people = fovea::testing::made_up_people(800, .25, Random(7));
  job_.matching.matching = {.compare = "name:edits, surname:edits, born:edits, city",
                            .block = "surname, name, born, city"};
  job_.matching.matching.threshold = .1;
  const std::vector<std::uint32_t> alone = dedupe(people, job_).clusters;
  job_.keeps_pairs = true;
  const DedupeResult with_pairs = dedupe(people, job_);
  EXPECT_EQ(with_pairs.clusters, alone);
  job_.clustering.samples = 5;
  const DedupeResult with_both = dedupe(people, job_);
  EXPECT_EQ(with_both.clusters, alone);
  EXPECT_EQ(with_both.pairs.size(), with_pairs.pairs.size());
  for (const ProbablePair& pair : with_both.pairs) EXPECT_TRUE(0 <= pair.probability && pair.probability <= 1);
  job_.keeps_pairs = false;
  EXPECT_EQ(dedupe(people, job_).clusters, alone);
}

/// Half a million pairs a rule: the limit is over while they are compared.
TEST_F(DedupeTest, ATimeLimitLeavesAUsableTable) {
  const io::Table people = fovea::testing::made_up_people(20000, .1, Random(7));
  job_.matching.matching = {.compare = "name:jaro_winkler, surname:jaro_winkler, born:edits",
                            .block = "city, initial(name)",
                            .max_block = 100000};
  job_.limits.time_limit = "400ms";
  job_.options.gold = "person";
  std::string warnings;
  const auto started = std::chrono::steady_clock::now();
  const DedupeResult found =
      dedupe(people, job_, {.warn = [&](const std::string& text) { warnings += text + "\n"; }, .started = started});
  EXPECT_LT(seconds_since(started), 1.4);
  EXPECT_THAT(warnings, HasSubstr("% of the pairs of records had been compared"));
  EXPECT_EQ(found.clusters.size(), people.row_count());
}

/// In a small component, in one that a chain clusters, and across components and rules.
TEST_F(DedupeTest, KeepsToWhatIsKnownOfPairs) {
  const io::Table people = fovea::testing::made_up_people(800, .25, Random(7));
  job_.matching.matching = {
      .compare = "name:edits, surname:edits, born:edits, city", .block = "surname, name, born", .threshold = .05};
  const std::vector<std::uint32_t> before = dedupe(people, job_).clusters;
  io::Table pairs("pairs", {"first", "second", "match"});
  std::vector<LabelledRowPair> known;
  Random random(3);
  for (std::uint32_t row = 0; row + 1 < people.row_count(); row += 2) {
    const bool is_match = random.bernoulli(.2);  // right or wrong
    const RowPair rows{row, is_match ? (row + 600) % static_cast<std::uint32_t>(people.row_count()) : row + 1};
    if (is_match && rows.second < row) continue;
    known.push_back({rows, is_match});
    const std::string first = std::to_string(rows.first), second = std::to_string(rows.second);
    pairs.add_row(std::vector<std::string_view>{first, second, is_match ? "1" : "0"}, 1);
  }
  const auto kept = [&](const std::vector<std::uint32_t>& clusters) {
    return std::ranges::count_if(known, [&](const LabelledRowPair& pair) {
      return (clusters[pair.rows.first] == clusters[pair.rows.second]) == pair.is_match;
    });
  };
  const auto all = static_cast<std::ptrdiff_t>(known.size());
  EXPECT_LT(kept(before), all * 3 / 4);
  job_.known_pairs = &pairs;
  EXPECT_EQ(kept(dedupe(people, job_).clusters), all);
  job_.matching.matching.block = "city";
  EXPECT_EQ(kept(dedupe(people, job_).clusters), all);
}

/// Answers that all say no, to pairs that a model links: the model stays, and these pairs come apart.
TEST_F(DedupeTest, LabelledPairsCorrectAModelThatIsGiven) {
  const io::Table people = fovea::testing::made_up_people(800, .25, Random(7));
  job_.matching.matching = {.compare = "name:edits, surname:edits, born:edits, city", .block = "surname, name, born"};
  const DedupeResult learned = dedupe(people, job_);
  io::Table answers("answers", {"first", "second", "match"});
  DedupeJob again;
  again.matching.model_json = learned.model;
  again.keeps_pairs = true;
  for (const ProbablePair& pair : dedupe(people, again).pairs) {
    if (answers.row_count() == 10) break;
    const std::string first = std::to_string(pair.pair.rows.first), second = std::to_string(pair.pair.rows.second);
    answers.add_row(std::vector<std::string_view>{first, second, "no"}, 1);
  }
  ASSERT_EQ(answers.row_count(), 10u);
  again.pair_labels = &answers;
  std::string notes;
  const DedupeResult corrected =
      dedupe(people, again, {.note = [&](const std::string& text) { notes += text + "\n"; }});
  EXPECT_THAT(notes, HasSubstr("the 10 labelled pair(s) do not match"));
  EXPECT_EQ(corrected.model, learned.model);
  EXPECT_THAT(corrected.pairs, ::testing::Not(SizeIs(0)));
}

TEST_F(DedupeTest, RefusesPairsThatContradictEachOther) {
  io::Table pairs("pairs", {"first", "second", "match"});
  const auto add = [&](std::string_view first, std::string_view second, std::string_view match) {
    pairs.add_row(std::vector<std::string_view>{first, second, match}, 1);
  };
  add("0", "1", "1");
  add("1", "5", "yes");
  add("5", "0", "no");
  job_.known_pairs = &pairs;
  EXPECT_THAT(message_of<InputError>([&] { dedupe(table(), job_); }),
              HasSubstr("records 0 and 5 are said not to be of one entity"));
}

/// A giant block teaches nothing; other rules do.
TEST_F(DedupeTest, LearnsFromTrainRules) {
  const io::Table people = fovea::testing::made_up_people(1500, .1, Random(7));
  job_.matching.matching = {.compare = "name:edits, surname:edits, born:edits, city", .block = "surname, name"};
  const std::string model = dedupe(people, job_).model;
  job_.matching.unsupervised.train_rules = "surname, name";
  EXPECT_EQ(dedupe(people, job_).model, model) << "the same rules";
  job_.matching.unsupervised.train_rules = "born";
  EXPECT_NE(dedupe(people, job_).model, model);
  job_.matching.unsupervised.train_rules = "bron";
  EXPECT_THAT(message_of<InputError>([&] { dedupe(people, job_); }), HasSubstr("bron"));
}

TEST_F(DedupeTest, HoldsAGivenPrior) {
  const io::Table people = fovea::testing::made_up_people(1500, .1, Random(7));
  for (const char* block : {"surname, name", "surname, name, born"}) {  // with and without related pairs
    job_.matching.matching = {.compare = "name:edits, surname:edits, born:edits, city", .block = block};
    job_.matching.unsupervised.prior = 1e-9;
    const std::size_t few = dedupe(people, job_).cluster_count();
    job_.matching.unsupervised.prior = 1e-3;
    EXPECT_GT(few, dedupe(people, job_).cluster_count()) << block;
  }
}

/// So many pseudo-counts leave little of what EM learns, and much to be corrected.
TEST_F(DedupeTest, GoodLabelsCorrectABadModel) {
  const io::Table people = fovea::testing::made_up_people(1500, .25, Random(7));
  job_.matching.matching = {.compare = "name:edits, surname:edits, born:edits, city", .block = "surname, name, born"};
  job_.matching.unsupervised.pseudo_count = 1e4;
  job_.options.gold = "person";
  const double without = dedupe(people, job_).metrics->pairs.f1();
  io::Table pairs("pairs", {"first", "second", "match"});
  for (std::size_t row = 0; row + 1 < people.row_count(); ++row) {
    const std::string first = std::to_string(row), second = std::to_string(row + 1);
    const bool is_match = people.cell(row, 5) == people.cell(row + 1, 5);
    pairs.add_row(std::vector<std::string_view>{first, second, is_match ? "1" : "0"}, 1);
  }
  DedupeJob by_pairs = job_;
  by_pairs.pair_labels = &pairs;
  const DedupeResult with_pairs = dedupe(people, by_pairs);
  DedupeJob by_clusters = job_;
  by_clusters.labels.labels = "person";
  const DedupeResult with_clusters = dedupe(people, by_clusters);
  EXPECT_GT(with_pairs.metrics->pairs.f1(), without + .01);
  EXPECT_GT(with_clusters.metrics->pairs.f1(), without + .01);
}

/// Among two hundred million pairs, hardly one in twenty thousand matches.
TEST_F(DedupeTest, LearnsFromOtherRulesWhereABlockIsTooLarge) {
  const io::Table made_up = fovea::testing::made_up_people(14000, .1, Random(3));
  ASSERT_GT(made_up.row_count(), 20001u);
  std::vector<std::string> columns = made_up.columns();
  columns.emplace_back("all");
  io::Table people("people", columns, io::RowNumbers::kRows);
  std::vector<std::string_view> cells(columns.size(), "x");
  for (std::size_t row = 0; row < made_up.row_count(); ++row) {
    for (std::size_t c = 0; c < made_up.column_count(); ++c) cells[c] = made_up.cell(row, c);
    people.add_row(cells, static_cast<std::int64_t>(row + 1));
  }
  job_.matching.matching = {.compare = "name:edits, surname:edits, born:edits, city:edits", .block = "all"};
  job_.matching.matching.max_block = 30000;
  job_.options.gold = "person";
  std::string notes;
  const DedupeResult found = dedupe(people, job_, {.note = [&](const std::string& text) { notes += text; }});
  EXPECT_THAT(notes, HasSubstr("matches are too rare among the pairs"));
  EXPECT_GT(found.metrics->pairs.f1(), .5);
}

TEST_F(DedupeTest, RulesToLearnFromReadDatesAsTheOthersDo) {
  io::Table people("people", {"name", "born"}, io::RowNumbers::kRows);
  for (int row = 0; row < 60; ++row) {
    const std::string name = "name" + std::to_string(row / 2), born = "12/31/" + std::to_string(1950 + row / 2);
    people.add_row(std::vector<std::string_view>{name, born}, row + 1);
  }
  job_.matching.matching = {.compare = "name, born:date", .block = "name, born"};
  job_.matching.matching.date_format = "mdy";
  job_.matching.unsupervised.train_rules = "year(born)";
  std::string warnings;
  const auto found = dedupe(people, job_, {.warn = [&](const std::string& text) { warnings += text; }});
  EXPECT_THAT(warnings, ::testing::Not(HasSubstr("0 pairs of records are too few")));
}

/// A scorer that knows the truth, about people whose comparisons do not tell them apart well.
TEST_F(DedupeTest, AScorerDecidesInsteadOfTheComparisons) {
  const io::Table people = fovea::testing::made_up_people(400, .3, Random(5));
  job_.matching.matching = {.compare = "surname:edits, city:edits", .block = "surname, city"};
  job_.matching.matching.threshold = .01;
  job_.options.gold = "person";
  EXPECT_LT(dedupe(people, job_).metrics->pairs.precision(), .9);
  std::set<std::pair<std::uint32_t, std::uint32_t>> asked;
  job_.scorer = [&](RowPair pair) {
    EXPECT_LT(pair.first, pair.second);
    EXPECT_TRUE(asked.emplace(pair.first, pair.second).second) << "twice";
    return people.cell(pair.first, 5) == people.cell(pair.second, 5) ? 8. : -8.;
  };
  job_.matching.matching.threshold = .5;
  const DedupeResult found = dedupe(people, job_);
  EXPECT_EQ(found.metrics->pairs.precision(), 1);
  EXPECT_GT(found.metrics->pairs.recall(), .4);
  EXPECT_EQ(found.asked, asked.size());
  EXPECT_THAT(found.brief(), HasSubstr("asked about"));
}

TEST_F(DedupeTest, ACommandScoresPairs) {
  job_.options.output = output_;
  const auto clusters_by = [&](const std::string& command) {
    job_.options.score = command;
    dedupe_file(job_, {});
    const io::Table written = io::read_table(output_);
    std::set<std::string> clusters;
    for (std::size_t row = 0; row < written.row_count(); ++row) clusters.emplace(written.cell(row, 5));
    return clusters.size();
  };
  const std::string seen = folder_ / "seen";
  EXPECT_EQ(clusters_by("while read -r line; do echo \"$line\" >> " + seen + "; echo -3; done"), 7u);
  const std::string lines = fovea::testing::read_file(seen);
  EXPECT_THAT(lines,
              HasSubstr(R"({"first":{"id":"1","given":"Anna","surname":"Meyer","born":"1980-02-11","city":"Bonn"},)"
                        R"("second":{"id":"2",)"));
  EXPECT_THAT(lines, HasSubstr(R"("city":null)"));
  EXPECT_EQ(clusters_by("while read -r line; do echo ' 2.5 '; done"), 4u);
  EXPECT_THAT(message_of<InputError>([&] { clusters_by("while read -r line; do echo likely; done"); }),
              HasSubstr("answered 'likely' about this record"));
  EXPECT_THAT(message_of<InputError>([&] { clusters_by("exit 2"); }), HasSubstr("ended with exit code 2"));
  job_.options.checkpoint = folder_ / "checkpoint";
  EXPECT_THAT(message_of<UsageError>([&] { clusters_by("cat"); }), HasSubstr("'checkpoint'"));
}

TEST_F(DedupeTest, WarnsOfWhatConnectsTooMuch) {
  const io::Table people = fovea::testing::made_up_people(2500, .1, Random(7));
  job_.matching.matching = {.compare = "name:edits, surname:edits, born:edits", .block = "initial(name), city"};
  job_.matching.matching.threshold = 1e-9;
  std::string warnings;
  const auto run = [&] {
    warnings.clear();
    return dedupe(people, job_, {.warn = [&](const std::string& text) { warnings += text; }});
  };
  run();
  EXPECT_THAT(warnings, HasSubstr("matching pairs connect 1 group(s) of over 2000 records"));
  EXPECT_THAT(warnings, HasSubstr("rule 'initial(name)'"));
  job_.matching.matching.threshold = .5;
  run();
  EXPECT_EQ(warnings, "");
}

TEST_F(DedupeTest, RecordsNeedNoIdsInMemory) {
  EXPECT_THAT(dedupe(table(), job_).clusters, SizeIs(7));
  job_.options.id = "surname";
  EXPECT_THROW(dedupe(table(), job_), InputError);
}

TEST_F(DedupeTest, RefusesWhatIsForFiles) {
  job_.options.clusters = output_;
  EXPECT_THROW(dedupe(table(), job_), UsageError);
  job_.options.clusters.clear();
  job_.matching.model.profile = true;
  EXPECT_THROW(dedupe(table(), job_), UsageError);
  job_.matching.model.profile = false;
  EXPECT_THROW(dedupe(io::Table("empty", {"name", "born"}), job_), InputError);
  job_.matching.model_json = "{}";
  job_.matching.matching = {};
  EXPECT_THAT(fovea::testing::message_of<InputError>([&] { dedupe(table(), job_); }), HasSubstr("the model"));
}

TEST_F(DedupeTest, LinksNameTheRowsOfBothTables) {
  io::Table second("second", table().columns());
  const std::vector<std::string_view> bernd = {"x", "Bernt", "Schulz", "1975-07-30", "Ulm"},
                                      anna = {"y", "Anna", "Meyer", "1980-02-11", "Bonn"};
  second.add_row(bernd, 1);
  second.add_row(anna, 2);
  LinkJob job;
  job.matching.model_json = dedupe(table(), job_).model;
  const LinkResult result = link(table(), second, job);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;
  for (const ProbablePair& one : result.links) rows.emplace_back(one.pair.rows.first, one.pair.rows.second);
  EXPECT_THAT(rows, Contains(std::pair(0u, 1u)));
  EXPECT_THAT(rows, Contains(std::pair(3u, 0u)));
  for (const auto& [first, of_second] : rows) EXPECT_EQ(of_second, first == 2 || first == 3 ? 0u : 1u);
}

}  // namespace
}  // namespace fovea::linkage
