// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/generated_people.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/linkage/similarity/dates.h"
#include "tests/support/statistics.h"

namespace fovea::linkage {
namespace {

using P = GeneratedPeople;

std::vector<P::Cells> people_of(const PeopleOptions& options, std::uint64_t seed = 1) {
  const GeneratedPeople people(options, Random(seed));
  std::vector<P::Cells> rows(people.record_count());
  for (std::size_t record = 0; record < rows.size(); ++record) people.write(record, rows[record]);
  return rows;
}

std::map<std::string, std::uint64_t> counts_of(const std::vector<P::Cells>& rows, P::Column column) {
  std::map<std::string, std::uint64_t> counts;
  for (const P::Cells& row : rows) ++counts[row[column]];
  return counts;
}

TEST(GeneratedPeopleTest, HasAsManyRecordsAsAskedFor) {
  for (const int records : {1, 2, 7, 12345}) {
    const auto rows = people_of({.records = records});
    ASSERT_EQ(rows.size(), static_cast<std::size_t>(records));
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i][P::kId], std::to_string(i + 1));
  }
}

TEST(GeneratedPeopleTest, IsAFunctionOfItsSeedAndARecordOfItsNumber) {
  const auto rows = people_of({.records = 2000});
  EXPECT_EQ(rows, people_of({.records = 2000}));
  EXPECT_NE(rows, people_of({.records = 2000}, 2));
  const GeneratedPeople people({.records = 2000}, Random(1));
  P::Cells cells;
  people.write(1999, cells);
  EXPECT_EQ(cells, rows[1999]);
  people.write(0, cells);
  EXPECT_EQ(cells, rows[0]);
}

TEST(GeneratedPeopleTest, RecordsPerPersonFollowTheGeometricLaw) {
  for (const double mean : {0.5, 2.0}) {
    const auto rows = people_of({.records = 60000, .duplicates = mean});
    const double more = mean / (1 + mean);
    std::vector<double> law;
    for (int k = 0; k < 5; ++k) law.push_back((1 - more) * std::pow(more, k));
    law.push_back(std::pow(more, 5));
    std::vector<std::uint64_t> counts(6);
    for (const auto& [entity, records] : counts_of(rows, P::kEntity)) ++counts[std::min<std::uint64_t>(records - 1, 5)];
    EXPECT_TRUE(testing::counts_follow(counts, law)) << mean;
  }
  for (const auto& [entity, records] : counts_of(people_of({.records = 3000, .duplicates = 0}), P::kEntity))
    EXPECT_EQ(records, 1u);
}

// Without mistakes, a person's records agree in everything that does not change.
TEST(GeneratedPeopleTest, TheTruthIsConsistent) {
  std::map<std::string, P::Cells> first_of;
  std::size_t moved = 0, married = 0;
  for (const P::Cells& row : people_of({.records = 20000, .duplicates = 2, .errors = 0})) {
    const P::Cells& first = first_of.try_emplace(row[P::kEntity], row).first->second;
    for (const P::Column column : {P::kGiven, P::kSex, P::kBorn}) EXPECT_EQ(row[column], first[column]);
    moved += row[P::kStreet] != first[P::kStreet];
    married += row[P::kSurname] != first[P::kSurname];
    const std::string number = row[P::kHousehold].substr(1);
    EXPECT_TRUE(row[P::kEntity].substr(1) == number || row[P::kEntity].substr(1).starts_with(number + "."));
  }
  EXPECT_GT(moved, 2000u);
  EXPECT_GT(married, 200u);
}

TEST(GeneratedPeopleTest, WithoutErrorsNothingIsMissing) {
  for (const P::Cells& row : people_of({.records = 3000, .errors = 0}))
    for (std::size_t column = 0; column < P::kColumnCount; ++column)
      EXPECT_TRUE(row[column] != "" || column == P::kEmail) << P::columns()[column];
}

// The probability is that of min(1, rate * carelessness), with an exponential carelessness.
TEST(GeneratedPeopleTest, CellsAreMissingAtTheirRates) {
  const auto rows = people_of({.records = 50000});
  const std::map<P::Column, double> rates = {{P::kPhone, kRecordErrorRates.phone_missing},
                                             {P::kBorn, kRecordErrorRates.born_missing},
                                             {P::kStreet, kRecordErrorRates.address_missing},
                                             {P::kSex, kRecordErrorRates.sex_missing}};
  for (const auto& [column, rate] : rates) {
    const double share = rate * (1 - std::exp(-1 / rate));
    const std::uint64_t missing = counts_of(rows, column)[""];
    const std::vector<std::uint64_t> counts = {missing, rows.size() - missing};
    const std::vector<double> law = {share, 1 - share};
    EXPECT_TRUE(testing::counts_follow(counts, law)) << P::columns()[column];
  }
}

TEST(GeneratedPeopleTest, CellsHaveTheFormThatTheColumnsPromise) {
  for (const P::Cells& row : people_of({.records = 20000, .errors = 5})) {
    EXPECT_TRUE(row[P::kBorn].empty() || parse_date(row[P::kBorn])) << row[P::kBorn];
    EXPECT_TRUE(parse_date(row[P::kUpdated]));
    EXPECT_TRUE(row[P::kPostcode].empty() || row[P::kPostcode].size() == 5);
    EXPECT_TRUE(row[P::kSex].empty() || row[P::kSex] == "F" || row[P::kSex] == "M");
    for (const std::string& cell : row) EXPECT_EQ(cell.find_first_of(",\"\t\n"), std::string::npos) << cell;
  }
}

// Neighbours in the file are of one household no more often than two records drawn at random.
TEST(GeneratedPeopleTest, FileOrderSaysNothing) {
  const auto rows = people_of({.records = 20000, .duplicates = 20});
  const double n = static_cast<double>(rows.size());
  double neighbours = 0, chance = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) neighbours += rows[i][P::kEntity] == rows[i - 1][P::kEntity];
  for (const auto& [entity, count] : counts_of(rows, P::kEntity))
    chance += static_cast<double>(count) / n * static_cast<double>(count - 1) / (n - 1);
  EXPECT_NEAR(neighbours, chance * n, 4.9 * std::sqrt(chance * n) + 1);  // rate 1e-6
}

/// The share of pairs of records of one person of which the rule holds.
template <class Rule>
double share_of_pairs(const std::vector<P::Cells>& rows, const Rule& rule) {
  std::map<std::string, std::vector<const P::Cells*>> records_of;
  for (const P::Cells& row : rows) records_of[row[P::kEntity]].push_back(&row);
  double pairs = 0, holds = 0;
  for (const auto& [entity, records] : records_of)
    for (std::size_t i = 0; i < records.size(); ++i)
      for (std::size_t j = 0; j < i; ++j, ++pairs) holds += rule(*records[i], *records[j]);
  return holds / pairs;
}

// Deterministic; the bounds say how hard the default register is: one rule of blocking is not enough, three nearly are.
TEST(GeneratedPeopleTest, OneRuleOfBlockingIsNotEnough) {
  const auto rows = people_of({.records = 50000});
  const auto agree = [](P::Column column) {
    return [column](const P::Cells& a, const P::Cells& b) { return a[column] != "" && a[column] == b[column]; };
  };
  const auto born = agree(P::kBorn), phone = agree(P::kPhone), given = agree(P::kGiven), surname = agree(P::kSurname);
  const double by_born = share_of_pairs(rows, born), by_phone = share_of_pairs(rows, phone);
  const double by_any = share_of_pairs(rows, [&](const P::Cells& a, const P::Cells& b) {
    return born(a, b) || phone(a, b) || (given(a, b) && surname(a, b));
  });
  EXPECT_NEAR(by_born, 0.89, 0.01);
  EXPECT_NEAR(by_phone, 0.19, 0.02);
  EXPECT_NEAR(by_any, 0.958, 0.006);
}

TEST(GeneratedPeopleTest, RefusesBadOptions) {
  EXPECT_THROW(GeneratedPeople({.records = 0}, Random(1)), UsageError);
  EXPECT_THROW(GeneratedPeople({.duplicates = -1}, Random(1)), UsageError);
  EXPECT_THROW(GeneratedPeople({.errors = -0.5}, Random(1)), UsageError);
  EXPECT_THROW(GeneratedPeople({.errors = std::nan("")}, Random(1)), UsageError);
}

}  // namespace
}  // namespace fovea::linkage
