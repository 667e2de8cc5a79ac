// SPDX-License-Identifier: Apache-2.0
// fovea dedupe and fovea link, on made-up people.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "fovea/io/table/read_table.h"
#include "fovea/io/table/table_writer.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace fovea::cli {
namespace {

using fovea::testing::made_up_people;
using fovea::testing::run_fovea;
using fovea::testing::write_rows;

class DedupeTest : public ::testing::Test {
 protected:
  DedupeTest() { write_rows(people_, made_up_people(400, .1, Random(3)), 0, 1); }

  std::vector<std::string> command(std::vector<std::string> more) const {
    std::vector<std::string> all = {"dedupe",    people_,
                                    "--compare", "name:edits, surname:edits, born:edits, city:edits",
                                    "--block",   "surname, name, born+city"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  double pair_f1(const std::string& clusters) const {
    const auto eval = run_fovea({"eval", "clusters", clusters, "--gold", "person", "--json"});
    EXPECT_EQ(eval.status, 0) << eval.err;
    return nlohmann::json::parse(eval.out)["pairs"]["f1"];
  }

  const fovea::testing::TemporaryFolder folder_;
  const std::string people_ = folder_ / "people.csv", clusters_ = folder_ / "clusters.csv";
};

TEST_F(DedupeTest, FindsThePeople) {
  const auto run = run_fovea(command({"-o", clusters_}));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_GT(pair_f1(clusters_), .9);
  EXPECT_THAT(fovea::testing::read_file(clusters_), StartsWith("id,name,surname,born,city,person,cluster\n1,"));
}

TEST_F(DedupeTest, ASavedModelGivesTheSameClusters) {
  const std::string model = folder_ / "model.er", again = folder_ / "again.csv";
  EXPECT_EQ(run_fovea(command({"-o", clusters_, "--save-model", model})).status, 0);
  const auto run = run_fovea({"dedupe", people_, "--model", model, "-o", again});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(fovea::testing::read_file(again), fovea::testing::read_file(clusters_));
  EXPECT_THAT(run_fovea(command({"--model", model})).err, HasSubstr("--model excludes --compare"));
}

/// The lines of several tables, sorted.
std::vector<std::string> sorted_lines(const std::vector<std::string>& files) {
  std::set<std::string> lines;  // each header once
  for (const std::string& file : files) {
    std::istringstream text(fovea::testing::read_file(file));
    for (std::string line; std::getline(text, line);) lines.insert(line);
  }
  return {lines.begin(), lines.end()};
}

TEST_F(DedupeTest, APartGetsTheClustersOfTheWholeByItsModel) {
  // One rule, so that blocks are components; those of a city are too large to be solved exactly.
  const std::string model = folder_ / "model.er";
  const std::string parts[] = {folder_ / "even.csv", folder_ / "odd.csv"};
  const io::Table table = made_up_people(400, .1, Random(3));
  for (const int half : {0, 1}) {
    const auto writer = io::make_table_writer(parts[half], table.columns());
    std::vector<std::string_view> cells(table.column_count());
    for (std::size_t row = 0; row < table.row_count(); ++row) {
      for (std::size_t c = 0; c < cells.size(); ++c) cells[c] = table.cell(row, c);
      if (cells[4].empty() || cells[4][0] % 2 == half) writer->add_row(cells);
    }
    writer->finish();
  }
  const auto learned = run_fovea({"dedupe", people_, "--compare", "surname, surname:words, born:edits@size(city)",
                                  "--block", "city", "--draw-by", "id", "--save-model", model, "-o", clusters_});
  EXPECT_EQ(learned.status, 0) << learned.err;
  /// The clusters of a table, and its pairs with their scores and probabilities.
  const auto found = [&](const std::vector<std::string>& tables, const std::vector<std::string>& more) {
    std::vector<std::string> clusters, pairs;
    for (const std::string& part : tables) {
      clusters.push_back(part + ".clusters.csv");
      pairs.push_back(part + ".pairs.csv");
      std::vector<std::string> words = {"dedupe",        part,      "--model",    model,     "-o",
                                        clusters.back(), "--pairs", pairs.back(), "--start", "singletons",
                                        "--sweeps",      "1",       "--samples",  "3"};
      words.insert(words.end(), more.begin(), more.end());
      const auto run = run_fovea(words);
      EXPECT_EQ(run.status, 0) << run.err;
    }
    return std::pair(sorted_lines(clusters), sorted_lines(pairs));
  };
  const auto whole = found({people_}, {});
  EXPECT_TRUE(found({parts[0], parts[1]}, {}) == whole);
  EXPECT_FALSE(found({parts[0], parts[1]}, {"--statistics", "table"}) == whole);
  EXPECT_FALSE(found({parts[0], parts[1]}, {"--draw-by", "row"}) == whole);
}

TEST_F(DedupeTest, StatisticsAreSavedAddedUpAndGiven) {
  const io::Table table = made_up_people(400, .1, Random(3));
  const std::string odd = folder_ / "odd.csv", even = folder_ / "even.csv", again = folder_ / "again.csv";
  write_rows(even, table, 0, 2);
  write_rows(odd, table, 1, 2);
  const std::string whole = folder_ / "whole.stats", one = folder_ / "one.stats", two = folder_ / "two.stats";
  const std::string model = folder_ / "model.er";
  EXPECT_EQ(run_fovea(command({"-o", clusters_, "--save-model", model, "--save-statistics", whole})).status, 0);
  for (const auto& [part, file] : {std::pair(odd, one), std::pair(even, two)})
    EXPECT_EQ(run_fovea({"dedupe", part, "--model", model, "--save-statistics", file, "-o", again}).status, 0);
  for (const std::string& files : {whole, one + "," + two, two + "," + one}) {
    const auto run = run_fovea(command({"--statistics", files, "-o", again}));
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(fovea::testing::read_file(again), fovea::testing::read_file(clusters_)) << files;
  }
  const auto other =
      run_fovea({"dedupe", people_, "--compare", "name,city", "--block", "surname", "--statistics", one});
  EXPECT_EQ(other.status, 3);
  EXPECT_THAT(other.err, AllOf(HasSubstr("one.stats"), HasSubstr("know nothing of 'name:exact'")));
  EXPECT_EQ(run_fovea(command({"--statistics", "table," + one})).status, 2);
  EXPECT_EQ(run_fovea(command({"--statistics", model})).status, 3);
  EXPECT_EQ(run_fovea(command({"--save-statistics", people_})).status, 2) << "the table itself";
  const auto larger = run_fovea({"dedupe", people_, "--model", model, "--statistics", one, "-o", again});
  EXPECT_THAT(larger.err, HasSubstr("more than the"));
  const auto link = run_fovea({"link", odd, even, "--model", model, "--save-statistics", one, "-o", again});
  EXPECT_EQ(link.status, 0) << link.err;
  EXPECT_TRUE(fovea::testing::read_file(one) == fovea::testing::read_file(whole)) << "of both tables";
}

TEST_F(DedupeTest, NewRecordsJoinOldClusters) {
  const io::Table table = made_up_people(400, .1, Random(3));
  const std::string old = folder_ / "old.csv", more = folder_ / "more.csv", updated = folder_ / "updated.csv";
  write_rows(old, table, 0, 2);
  write_rows(more, table, 1, 2);
  const std::string model = folder_ / "model.er";
  EXPECT_EQ(run_fovea(command({"-o", clusters_, "--save-model", model})).status, 0);
  EXPECT_EQ(run_fovea({"dedupe", old, "--model", model, "-o", clusters_}).status, 0);
  const auto run = run_fovea({"dedupe", more, "--model", model, "--clusters", clusters_, "-o", updated});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("joined existing clusters"));
  EXPECT_GT(pair_f1(updated), .9);
  EXPECT_THAT(fovea::testing::read_file(updated), StartsWith(fovea::testing::read_file(clusters_)))
      << "nothing is renamed";
  EXPECT_EQ(run_fovea({"dedupe", more, "--clusters", clusters_}).status, 2) << "without a model";
  const auto json = run_fovea({"dedupe", more, "--model", model, "--clusters", clusters_, "-o", updated, "--json"});
  EXPECT_GT(nlohmann::json::parse(json.out)["joined"], 0);
  EXPECT_THAT(run_fovea({"dedupe", more, "--model", model, "--clusters", clusters_, "--gold", "person"}).err,
              HasSubstr("--clusters excludes"));
}

TEST_F(DedupeTest, WritesDatabases) {
  const std::string database = folder_ / "people.db", again = folder_ / "again.csv";
  EXPECT_EQ(run_fovea(command({"-o", database, "--output-table", "person"})).status, 0);
  const auto run = run_fovea({"dedupe", database, "--table", "person", "--compare",
                              "name:edits, surname:edits, born:edits, city:edits", "--block",
                              "surname, name, born+city", "--cluster-column", "second", "-o", again});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto eval = run_fovea({"eval", "clusters", again, "--gold", "cluster", "--json"});
  EXPECT_EQ(nlohmann::json::parse(eval.out)["pairs"]["f1"], 1) << "the same clusters";
}

TEST_F(DedupeTest, ProfilesAndExplains) {
  const auto profile = run_fovea(command({"--profile"}));
  EXPECT_THAT(profile.out, AllOf(HasSubstr("largest block"), HasSubstr("name:edits"), HasSubstr("one edit")));
  EXPECT_EQ(nlohmann::json::parse(run_fovea(command({"--profile", "--json"})).out)["rules"][0]["rule"], "surname");
  EXPECT_THAT(run_fovea(command({"--explain", "1,2"})).out, AllOf(HasSubstr("prior"), HasSubstr("probability")));
  const auto json = nlohmann::json::parse(run_fovea(command({"--explain", "1,2", "--json"})).out);
  EXPECT_EQ(json["ids"][0], "1");
  const auto unknown = run_fovea(command({"--explain", "1,Nobody"}));
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("no record has the id 'Nobody'"));
}

TEST_F(DedupeTest, BadInputAndUsage) {
  const auto column = run_fovea({"dedupe", people_, "--compare", "nme", "--block", "name"});
  EXPECT_EQ(column.status, 3);
  EXPECT_THAT(column.err, AllOf(HasSubstr("'nme'"), HasSubstr("'name'")));
  const auto ids = run_fovea(command({"--id", "city"}));
  EXPECT_EQ(ids.status, 3);
  EXPECT_THAT(ids.err, HasSubstr("Give every row its own id"));
  for (const auto& [option, value] : std::map<std::string, std::string>{
           {"--exactness", "bounded"}, {"--cluster-column", "city"}, {"-o", "clusters.what"}}) {
    const auto early = run_fovea(command({option, value}));
    EXPECT_EQ(early.status, 2) << early.err;
    EXPECT_THAT(early.err, HasSubstr(value));
  }
  EXPECT_EQ(run_fovea(command({"-o", folder_ / "nowhere/clusters.csv"})).status, 3);
  fovea::testing::write_file(clusters_, "as it was");
  EXPECT_EQ(run_fovea(command({"-o", clusters_, "--id", "city"})).status, 3);
  EXPECT_EQ(fovea::testing::read_file(clusters_), "as it was");
  const auto large = run_fovea(command({"--max-block", "2", "-o", clusters_}));
  EXPECT_THAT(large.err, HasSubstr("leaves out"));
}

TEST_F(DedupeTest, KeepsWithinItsLimits) {
  const auto clusters_with = [&](std::vector<std::string> limits) {
    limits.insert(limits.begin(), {"dedupe", people_, "--compare", "name:edits, surname:edits, born:edits", "--block",
                                   "city", "--start", "singletons", "-o", clusters_});
    const auto run = run_fovea(limits);
    EXPECT_EQ(run.status, 0) << run.err;
    return fovea::testing::read_file(clusters_);
  };
  const std::string some = clusters_with({"--sweeps", "20"}), all = clusters_with({});
  EXPECT_NE(some, all);
  EXPECT_EQ(clusters_with({"--budget", "20 sweeps"}), some);
  EXPECT_EQ(clusters_with({"--budget", "1e9 transitions", "--time-limit", "10min"}), all);
  for (const auto& [option, value] : std::map<std::string, std::string>{
           {"--budget", "5 factors"}, {"--time-limit", "1s/item"}, {"--time-limit", "soon"}})
    EXPECT_EQ(run_fovea(command({option, value})).status, 2) << value;
  const auto late = run_fovea(command({"--time-limit", "1us", "-o", clusters_}));
  EXPECT_EQ(late.status, 0);
  EXPECT_THAT(late.err, HasSubstr("% of the pairs of records had been compared"));
  EXPECT_EQ(std::ranges::count(fovea::testing::read_file(clusters_), '\n'), std::ranges::count(all, '\n'))
      << "a usable table, however short the time";
}

/// Without lists, the program prints those that it proposes, as options that do the same.
TEST_F(DedupeTest, PrintsWhatItProposes) {
  const auto proposed = run_fovea({"dedupe", people_, "--gold", "person", "-o", clusters_});
  EXPECT_EQ(proposed.status, 0) << proposed.err;
  const std::string table = fovea::testing::read_file(clusters_);
  const std::size_t compare = proposed.err.find("--compare '"), block = proposed.err.find("' --block '");
  ASSERT_NE(compare, std::string::npos) << proposed.err;
  ASSERT_NE(block, std::string::npos) << proposed.err;
  const std::size_t list = compare + 11, rules = block + 11;
  const std::string comparisons = proposed.err.substr(list, block - list),
                    blocking = proposed.err.substr(rules, proposed.err.find("'\n", rules) - rules);
  const auto given = run_fovea(
      {"dedupe", people_, "--gold", "person", "--compare", comparisons, "--block", blocking, "-o", clusters_});
  EXPECT_EQ(given.status, 0) << given.err;
  EXPECT_EQ(fovea::testing::read_file(clusters_), table);
  EXPECT_THAT(given.err, Not(HasSubstr("proposed")));
  EXPECT_THAT(comparisons + blocking, Not(HasSubstr("person")));
}

TEST_F(DedupeTest, JsonKeepsItsTypes) {
  const std::string records = folder_ / "people.jsonl", clusters = folder_ / "clusters.jsonl";
  fovea::testing::write_file(records, R"({"id":1,"name":"Ann","n":1.0,"x":true,"tags":["a",2]}
{"id":"2","name":"","n":null,"x":"true"}
)");
  EXPECT_EQ(run_fovea({"dedupe", records, "--compare", "name,x", "--block", "name", "-o", clusters}).status, 0);
  EXPECT_EQ(fovea::testing::read_file(clusters),
            R"({"id":1,"name":"Ann","n":1.0,"x":true,"tags":["a",2],"cluster":1}
{"id":"2","name":"","n":null,"x":"true","tags":null,"cluster":"2"}
)");
}

TEST_F(DedupeTest, InspectShowsModelsAndStatistics) {
  const std::string model = folder_ / "people.er", statistics = folder_ / "people.stats";
  EXPECT_EQ(run_fovea(command({"--save-model", model, "--save-statistics", statistics, "-o", clusters_})).status, 0);
  const auto text = run_fovea({"inspect", model});
  EXPECT_THAT(text.out, AllOf(HasSubstr("blocking rule"), HasSubstr("born+city"), HasSubstr("prior"),
                              HasSubstr("name:edits"), HasSubstr("one edit")))
      << text.err;
  const auto json = nlohmann::json::parse(run_fovea({"inspect", model, "--json"}).out);
  EXPECT_EQ(json["comparisons"][0]["levels"][4]["level"], "equal");
  EXPECT_EQ(json["statistics"]["records"],
            nlohmann::json::parse(run_fovea({"inspect", statistics, "--json"}).out)["records"]);
  EXPECT_THAT(run_fovea({"inspect", statistics}).out, AllOf(HasSubstr("statistics of"), HasSubstr("surname:edits")));
  EXPECT_EQ(run_fovea({"inspect", model, "--weights"}).status, 2);
  fovea::testing::write_file(model, "{\"kind\": \"other\"}");
  EXPECT_THAT(run_fovea({"inspect", model}).err, HasSubstr("not a match model"));
}

TEST_F(DedupeTest, NoInputIsWrittenOver) {
  const std::string before = fovea::testing::read_file(people_);
  const auto run = run_fovea(command({"-o", people_}));
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("would replace what is read as TABLE"));
  EXPECT_EQ(fovea::testing::read_file(people_), before);
}

TEST_F(DedupeTest, DatabasesKeepTheirTypes) {
  const std::string records = folder_ / "people.jsonl", first = folder_ / "first.db", second = folder_ / "second.db",
                    clusters = folder_ / "clusters.jsonl";
  fovea::testing::write_file(records, R"({"id":1,"name":"Ann","n":1.5,"zip":"01234","at":{"a":[1]}}
{"id":2,"name":"","n":null,"zip":"5","at":null}
)");
  const auto dedupe = [&](const std::string& from, std::vector<std::string> more) {
    more.insert(more.begin(), {"dedupe", from, "--compare", "name,zip", "--block", "name", "-q"});
    const auto run = run_fovea(more);
    EXPECT_EQ(run.status, 0) << run.err;
  };
  dedupe(records, {"-o", first, "--output-table", "t"});
  dedupe(first, {"-o", second, "--output-table", "t", "--cluster-column", "again"});
  dedupe(second, {"-o", clusters, "--cluster-column", "last"});
  EXPECT_EQ(fovea::testing::read_file(clusters),
            R"({"id":1,"name":"Ann","n":1.5,"zip":"01234","at":"{\"a\":[1]}","cluster":1,"again":1,"last":1}
{"id":2,"name":"","n":null,"zip":"5","at":null,"cluster":2,"again":2,"last":2}
)");
}

TEST_F(DedupeTest, ColumnsWithSignsAreQuoted) {
  fovea::testing::write_file(people_, "id,\"City, State\",dob:year,a+b,f(x)\n\"1,2\",Ulm,1980,p,q\n3,Ulm,1980,p,q\n");
  const std::string model = folder_ / "people.er";
  const auto run = run_fovea(
      {"dedupe", people_, "--compare", R"x("City, State":jaro_winkler@size("City, State"),dob:year)x", "--block",
       R"x("City, State"+dob:year,a+b,initial("f(x)"))x", "--save-model", model, "-o", clusters_, "--id", "id"});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto again = run_fovea({"dedupe", people_, "--model", model, "--id", "id", "--explain", R"("1,2",3)"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("dob:year"));
}

TEST_F(DedupeTest, ColumnsWithSignsNeedQuotesOnlyWhereInDoubt) {
  fovea::testing::write_file(people_, "id,Name,\"City, State\",f(x),dob:year\n1,anna,oslo,q,1990\n2,ana,oslo,q,1990\n");
  const std::string model = folder_ / "people.er";
  const auto run = run_fovea({"dedupe", people_, "--compare", "Name:edits,City, State,f(x):edits,dob:year:number",
                              "--block", "City, State, f(x)+dob:year", "--gold", "\"City, State\"", "--id", "\"id\"",
                              "--save-model", model, "-o", clusters_});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(run_fovea({"dedupe", people_, "--model", model, "-o", clusters_}).status, 0);
  const auto city = run_fovea({"dedupe", people_, "--compare", "City", "--block", "Name"});
  EXPECT_THAT(city.err, HasSubstr("put names with special characters in double quotes, like \"City, State\""));
}

TEST_F(DedupeTest, UnreadableCellsAreCountedOrRefused) {
  std::string rows = "id,name,born,city\n";
  for (int i = 0; i < 60; ++i) rows += fmt::format("{},Ann,{},Ulm\n", i, i % 3 == 0 ? "23/06/41" : "1941-06-23");
  fovea::testing::write_file(people_, rows);
  const auto dedupe = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"dedupe", people_, "--compare", "name,born:date", "--block", "city+year(born)"});
    return run_fovea(more);
  };
  const auto some = dedupe({"-o", clusters_});
  EXPECT_EQ(some.status, 0) << some.err;
  EXPECT_THAT(some.err, HasSubstr("people.csv:2: 'born:date': 20 of 60 cells are not dates, the first '23/06/41'"));
  EXPECT_THAT(some.err, HasSubstr("Give --date-format dmy if"));
  EXPECT_EQ(dedupe({"-o", clusters_, "--date-format", "dmy", "-q"}).err, "");
  EXPECT_THAT(dedupe({"--profile", "--date-format", "dmy"}).out, HasSubstr("born:date(dmy)"));
  const auto most = dedupe({"-o", clusters_, "--date-format", "%d/%m/%y"});
  EXPECT_EQ(most.status, 3) << "now the others cannot be read";
  EXPECT_THAT(most.err, HasSubstr("people.csv:3: 'born:date(%d/%m/%y)': 40 of 60 cells are not dates"));
  EXPECT_EQ(dedupe({"--date-format", "usa"}).status, 2);
}

TEST_F(DedupeTest, ModelsKnowHowDatesAreWritten) {
  fovea::testing::write_file(people_, "id,born,name\n1,12/31/80,Ann\n2,12/31/80,Ann\n3,12/30/80,Bo\n");
  const std::string model = folder_ / "people.er";
  const auto learn = run_fovea({"dedupe", people_, "--compare", "born:date(1d, 1y), name", "--block", "year(born)",
                                "--date-format", "mdy", "--save-model", model, "-o", clusters_});
  EXPECT_EQ(learn.status, 0) << learn.err;
  const auto again = run_fovea({"dedupe", people_, "--model", model, "--explain", "1,3"});
  EXPECT_THAT(again.out, AllOf(HasSubstr("born:date(1d, 1y, mdy)"), HasSubstr("within 1 day"))) << again.err;
  fovea::testing::write_file(people_, "id,born,name\n1,31.12.80,Ann\n3,30.12.80,Bo\n");
  EXPECT_EQ(run_fovea({"dedupe", people_, "--model", model, "--explain", "1,3"}).status, 3);
  const auto other = run_fovea({"dedupe", people_, "--model", model, "--explain", "1,3", "--date-format", "dmy"});
  EXPECT_THAT(other.out, HasSubstr("within 1 day")) << other.err;
}

TEST_F(DedupeTest, TooFewPairsAreWarnedOf) {
  fovea::testing::write_file(people_, "id,name,surname,born,city\n1,Ann,Ng,1980,Ulm\n2,Ann,Ng,1980,Ulm\n");
  EXPECT_THAT(run_fovea(command({"-o", clusters_})).err, HasSubstr("1 pairs of records are too few to learn from"));
}

TEST_F(DedupeTest, WithoutPairsNothingMatches) {
  fovea::testing::write_file(people_, "id,name,surname,born,city\n1,Ann,Ng,1980,Ulm\n2,Bo,Li,1990,Bonn\n");
  const auto run = run_fovea(command({"-o", clusters_}));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("no two records agree in any blocking rule"));
  EXPECT_THAT(fovea::testing::read_file(clusters_), HasSubstr("2,Bo,Li,1990,Bonn,2\n"));
  fovea::testing::write_file(people_, "id,name,surname,born,city\n");
  EXPECT_EQ(run_fovea(command({})).status, 3);
}

TEST_F(DedupeTest, WritesDoubtfulPairsAndASummary) {
  const std::string pairs = folder_ / "pairs.csv";
  const auto run = run_fovea(
      command({"-o", clusters_, "--pairs", pairs, "--samples", "50", "--gold", "person", "--json", "--seed", "7"}));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_GT(nlohmann::json::parse(run.out)["metrics"]["pairs"]["f1"], .9);
  EXPECT_THAT(fovea::testing::read_file(clusters_), HasSubstr("confidence,cluster\n"));
  std::istringstream lines(fovea::testing::read_file(pairs));
  std::string line;
  std::getline(lines, line);
  double last = 0;
  std::size_t count = 0;
  for (; std::getline(lines, line); ++count) {
    const double doubt = std::abs(std::stod(line.substr(line.rfind(',') + 1)) - .5);
    EXPECT_GE(doubt, last) << "the most doubtful first";
    last = doubt;
  }
  EXPECT_GT(count, 100u);
  EXPECT_THAT(run_fovea(command({"--json"})).err, HasSubstr("give the table of clusters a file"));
}

TEST_F(DedupeTest, LearnsFromLabels) {
  const std::string model = folder_ / "model.er";
  const auto learned = run_fovea(command({"--labels", "person", "-o", model}));
  EXPECT_EQ(learned.status, 0) << learned.err;
  EXPECT_THAT(learned.err, HasSubstr("labelled pairs: log loss of those held out"));
  EXPECT_EQ(run_fovea({"dedupe", people_, "--model", model, "-o", clusters_}).status, 0);
  EXPECT_GT(pair_f1(clusters_), .95);
  EXPECT_EQ(run_fovea(command({"--labels", "person", "--profile"})).status, 2);
}

TEST_F(DedupeTest, LearnsFromLabelledPairs) {
  const io::Table table = made_up_people(400, .1, Random(3));
  std::string pairs = "first_id,second_id,match\n";
  for (std::size_t row = 1; row < table.row_count(); ++row)
    pairs += fmt::format("{},{},{}\n", row, row + 1, static_cast<int>(table.cell(row, 5) == table.cell(row - 1, 5)));
  const std::string file = folder_ / "pairs.csv";
  fovea::testing::write_file(file, pairs);
  const auto run = run_fovea(command({"--labelled-pairs", file, "-o", clusters_}));
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_GT(pair_f1(clusters_), .8);
  EXPECT_EQ(run_fovea(command({"--labelled-pairs", file, "--labels", "person", "-o", clusters_})).status, 2);
}

TEST_F(DedupeTest, FewChosenPairsMakeNothingWorse) {
  EXPECT_EQ(run_fovea(command({"-o", clusters_})).status, 0);
  const double without = pair_f1(clusters_);
  const io::Table table = made_up_people(400, .1, Random(3));
  std::string pairs = "first_id,second_id,match\n";
  int chosen[2] = {};
  for (std::size_t row = 1; row < table.row_count(); ++row)
    if (const bool is_match = table.cell(row, 5) == table.cell(row - 1, 5); chosen[is_match]++ < 20)
      pairs += fmt::format("{},{},{}\n", row, row + 1, static_cast<int>(is_match));
  const std::string file = folder_ / "pairs.csv";
  fovea::testing::write_file(file, pairs);
  EXPECT_EQ(run_fovea(command({"--labelled-pairs", file, "-o", clusters_})).status, 0);
  EXPECT_GE(pair_f1(clusters_), without);
}

TEST_F(DedupeTest, PresetsFindTheirColumns) {
  const std::string items = folder_ / "mentions.tsv", model = folder_ / "authors.er";
  EXPECT_EQ(run_fovea({"generate", "authors", "--mentions", "3000", "-o", items}).status, 0);
  const auto learned = run_fovea({"dedupe", items, "--preset", "authors", "--labels", "entity", "-o", model});
  EXPECT_EQ(learned.status, 0) << learned.err;
  EXPECT_EQ(run_fovea({"generate", "authors", "--mentions", "3000", "--seed", "2", "-o", items}).status, 0);
  const auto run = run_fovea({"dedupe", items, "--model", model, "--gold", "entity", "--json", "-o", clusters_});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_GT(nlohmann::json::parse(run.out)["metrics"]["b_cubed"]["f1"], .95);
  EXPECT_EQ(run_fovea({"dedupe", people_, "--preset", "editors"}).status, 2);
}

}  // namespace
}  // namespace fovea::cli
