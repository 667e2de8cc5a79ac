// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/paper_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tests/support/statistics.h"

namespace fovea::linkage {
namespace {

PaperTable papers_of(const std::vector<std::uint32_t>& papers, std::uint64_t seed = 1) {
  PaperTable table;
  append_papers({.number = 4, .region = 2, .first_author = 100, .papers_of = papers}, Random(seed), table);
  return table;
}

/// 1, 2, ..., 40 papers, ten authors each.
std::vector<std::uint32_t> many_authors() {
  std::vector<std::uint32_t> papers(400);
  for (std::uint32_t i = 0; i < 400; ++i) papers[i] = 1 + i % 40;
  return papers;
}

TEST(PaperNetworkTest, EveryAuthorWritesAsManyPapersAsAskedFor) {
  for (const auto& papers : {many_authors(), {1}, {5}, {270, 1}, {3, 3, 3}}) {
    std::vector<std::uint32_t> found(papers.size());
    for (const std::uint32_t author : papers_of(papers).authors) ++found.at(author - 100);
    EXPECT_EQ(found, papers);
  }
}

TEST(PaperNetworkTest, NobodyIsOnAPaperTwice) {
  const PaperTable table = papers_of(many_authors());
  for (std::size_t paper = 0; paper < table.papers.size(); ++paper) {
    const auto authors = table.authors_of(paper);
    EXPECT_EQ(std::set(authors.begin(), authors.end()).size(), authors.size());
    EXPECT_GE(authors.size(), 1u);
  }
}

TEST(PaperNetworkTest, PapersComeInTheOrderOfYearsAndHaveVenues) {
  const PaperTable table = papers_of(many_authors());
  std::uint16_t year = kFirstYear;
  for (const PaperRecord& paper : table.papers) {
    EXPECT_EQ(paper.community, 4u);
    EXPECT_LE(year, paper.year);
    EXPECT_LE(paper.year, kLastYear);
    EXPECT_LT(paper.venue, kVenues);
    year = paper.year;
  }
  EXPECT_EQ(kVenues, 944);
}

TEST(PaperNetworkTest, IsAFunctionOfTheStreamAndAppends) {
  EXPECT_EQ(papers_of(many_authors()).authors, papers_of(many_authors()).authors);
  EXPECT_NE(papers_of(many_authors()).authors, papers_of(many_authors(), 2).authors);
  PaperTable table = papers_of({2, 2});
  const std::size_t before = table.papers.size();
  const std::vector<std::uint32_t> more = {1};
  append_papers({.number = 5, .region = 2, .first_author = 102, .papers_of = more}, Random(1), table);
  ASSERT_EQ(table.papers.size(), before + 1);
  EXPECT_EQ(table.papers.back().begin, 4u);
  EXPECT_EQ(table.authors_of(before)[0], 102u);
}

TEST(PaperNetworkTest, AuthorsPerPaperFollowTheirLaw) {
  std::vector<double> law(kAuthorsPerPaper.begin(), kAuthorsPerPaper.end());
  const double total = std::accumulate(law.begin(), law.end(), 0.0);
  for (double& p : law) p /= total;
  const PaperTable table = papers_of(many_authors());
  std::vector<std::uint64_t> counts(law.size());
  constexpr std::size_t kLast = 50;  // a community that runs out of authors has smaller papers
  for (std::size_t paper = 0; paper + kLast < table.papers.size(); ++paper)
    ++counts[table.authors_of(paper).size() - 1];
  EXPECT_TRUE(testing::counts_follow(counts, law));
}

}  // namespace
}  // namespace fovea::linkage
