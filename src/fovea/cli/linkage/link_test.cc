// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fovea/io/table/read_table.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace fovea::cli {
namespace {

using fovea::testing::made_up_people;
using fovea::testing::run_fovea;
using fovea::testing::write_rows;

class LinkTest : public ::testing::Test {
 protected:
  static std::vector<std::string> command(const std::vector<std::string>& files, const std::vector<std::string>& more) {
    std::vector<std::string> all = {"link"};
    all.insert(all.end(), files.begin(), files.end());
    all.insert(all.end(), {"--compare", "name:edits, surname:edits, born:edits, city:edits", "--block",
                           "surname, name, born+city"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  const fovea::testing::TemporaryFolder folder_;
};

TEST_F(LinkTest, LinksTwoTables) {
  const io::Table table = made_up_people(400, .1, Random(3));
  const std::string first = folder_ / "first.csv", second = folder_ / "second.csv", links = folder_ / "links.csv";
  write_rows(first, table, 0, 2);
  write_rows(second, table, 1, 2);
  std::vector<std::string> link = command({first, second}, {"--one-to-one", "-o", links});
  const auto run = run_fovea(link);
  EXPECT_EQ(run.status, 0) << run.err;
  const std::string text = fovea::testing::read_file(links);
  EXPECT_THAT(text, StartsWith("first_id,second_id,score,probability\n"));
  std::size_t together = 0;  // people with a record in each table, on neighbouring rows
  for (std::size_t row = 1; row < table.row_count(); ++row) together += table.cell(row, 5) == table.cell(row - 1, 5);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(text, '\n')), static_cast<double>(together), 30);

  link.emplace_back("--json");
  const auto summary = nlohmann::json::parse(run_fovea(link).out);
  EXPECT_EQ(summary["links"].get<long>() + 1, std::ranges::count(text, '\n'));
  const auto& tables = summary["tables"];
  EXPECT_EQ(tables[0]["linked"], summary["links"]) << "one to one";
  EXPECT_EQ(tables[0]["records"].get<std::size_t>() + tables[1]["records"].get<std::size_t>(), table.row_count());
  link.pop_back();
  std::vector<std::string> piped = link;
  piped.insert(piped.end(), {"-o", "-", "--json"});
  EXPECT_EQ(run_fovea(piped).status, 2) << "two things on standard output";

  link.insert(link.end(), {"--explain", "1,2"});
  EXPECT_THAT(run_fovea(link).out, HasSubstr("probability"));
  link.back() = "2,1";
  EXPECT_THAT(run_fovea(link).err, HasSubstr("no record has the id '2'"));
}

TEST_F(LinkTest, LinksThreeTables) {
  const io::Table table = made_up_people(600, .2, Random(3));
  const std::string links = folder_ / "links.csv";
  std::vector<std::string> files;
  for (std::size_t t = 0; t < 3; ++t) {
    files.push_back(folder_ / fmt::format("{}.csv", t));
    write_rows(files.back(), table, t, 3);
  }
  std::vector<std::string> command_line = command(files, {"--one-to-one", "--gold", "person", "-o", links, "--json"});
  const auto run = run_fovea(command_line);
  ASSERT_EQ(run.status, 0) << run.err;
  const auto summary = nlohmann::json::parse(run.out);
  EXPECT_EQ(summary["tables"].size(), 3u);
  EXPECT_GT(summary["metrics"]["f1"], .9);
  const io::Table written = io::read_table(links);
  EXPECT_THAT(written.columns(),
              ElementsAre("first_table", "first_id", "second_table", "second_id", "score", "probability"));
  std::map<std::string, int> pairs_of_tables;
  for (std::size_t row = 0; row < written.row_count(); ++row)
    ++pairs_of_tables[std::string(written.cell(row, 0)) + std::string(written.cell(row, 2))];
  EXPECT_EQ(pairs_of_tables.size(), 3u) << "12, 13 and 23";
  command_line.insert(command_line.end(), {"--must-link", links, "-o", folder_ / "more.csv"});
  EXPECT_THAT(run_fovea(command_line).err, HasSubstr("do not say of which tables they are"));
}

}  // namespace
}  // namespace fovea::cli
