// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/generated_authors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "fovea/base/error.h"
#include "fovea/io/stream.h"
#include "tests/support/author_figures.h"
#include "tests/support/data.h"
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

namespace {

using testing::AuthorFigures;
using testing::AuthorRecord;
using testing::AuthorRecords;

std::string text_of(int records, std::uint64_t seed = 1) {
  const GeneratedAuthors authors({.records = records}, Random(seed));
  std::string text(GeneratedAuthors::kHeader);
  for (std::size_t paper = 0; paper < authors.papers().papers.size(); ++paper) authors.append_paper(paper, text);
  return text;
}

AuthorRecords read(io::ByteSource source) {
  AuthorRecords all;
  io::LineReader lines(std::move(source));
  EXPECT_TRUE(lines.next());
  EXPECT_EQ(std::string(lines.line()) + '\n', GeneratedAuthors::kHeader);
  while (lines.next()) all.add(lines.line());
  return all;
}

AuthorRecords generated(int records, std::uint64_t seed = 1) {
  const std::string text = text_of(records, seed);
  return read(io::ByteSource::from_memory(text, "generated"));
}

TEST(GeneratedAuthorsTest, IsAFunctionOfItsSeed) {
  EXPECT_EQ(text_of(3000), text_of(3000));
  EXPECT_NE(text_of(3000), text_of(3000, 2));
}

TEST(GeneratedAuthorsTest, HasAsManyRecordsAsAskedFor) {
  for (const int records : {1, 2, 3, 10, 999, 12345}) {
    const AuthorRecords all = generated(records);
    ASSERT_EQ(all.records.size(), static_cast<std::size_t>(records));
    for (std::size_t i = 0; i < all.records.size(); ++i) EXPECT_EQ(all.records[i].field[0], std::to_string(i + 1));
  }
}

TEST(GeneratedAuthorsTest, CoAuthorsAreThoseOfThePaper) {
  const AuthorRecords all = generated(3000);
  std::map<std::uint32_t, std::multiset<std::string>> on_paper;
  const auto abbreviated = [](const AuthorRecord& m) {
    return testing::in_lower_case(m.first_name().substr(0, 1) + " " + m.last_name());
  };
  for (const auto& m : all.records) on_paper[m.paper].insert(abbreviated(m));
  for (const auto& m : all.records) {
    std::multiset<std::string> names = {abbreviated(m)};
    std::istringstream coauthors(m.field[6]);
    for (std::string name; std::getline(coauthors, name, '|');) names.insert(name);
    EXPECT_EQ(names, on_paper[m.paper]);
  }
}

TEST(GeneratedAuthorsTest, APaperHasOneStyleYearVenueAndTitle) {
  std::map<std::uint32_t, std::set<std::string>> first_lengths, rest;
  const AuthorRecords all = generated(3000);
  for (const auto& m : all.records) {
    first_lengths[m.paper].insert(m.is_in_full ? "in full" : "initials");
    rest[m.paper].insert(m.year() + '\t' + m.field[5] + '\t' + m.field[7]);
  }
  for (const auto& [paper, styles] : first_lengths) EXPECT_EQ(styles.size(), 1u);
  for (const auto& [paper, values] : rest) EXPECT_EQ(values.size(), 1u);
}

// Neighbours in the file are of one community no more often than two papers drawn at random.
TEST(GeneratedAuthorsTest, FileOrderSaysNothing) {
  const GeneratedAuthors authors({.records = 50000}, Random(1));
  const auto& papers = authors.papers().papers;
  const double n = static_cast<double>(papers.size());
  std::map<std::uint32_t, double> sizes;
  double neighbours = 0, chance = 0;
  for (std::size_t i = 0; i < papers.size(); ++i) {
    ++sizes[papers[i].community];
    neighbours += i > 0 && papers[i].community == papers[i - 1].community;
  }
  for (const auto& [community, size] : sizes) chance += size / n * (size - 1) / (n - 1);
  ASSERT_LT(chance, 0.3);
  EXPECT_NEAR(neighbours / (n - 1), chance, 4.9 * std::sqrt(chance * (1 - chance) / (n - 1)));  // rate 1e-6
}

TEST(GeneratedAuthorsTest, AuthorsPerPaperFollowTheirLaw) {
  std::vector<double> law(kAuthorsPerPaper.begin(), kAuthorsPerPaper.end());
  const double total = std::accumulate(law.begin(), law.end(), 0.0);
  for (double& p : law) p /= total;
  const GeneratedAuthors authors({.records = 100000}, Random(1));
  std::vector<std::uint64_t> counts(law.size());
  for (std::size_t i = 0; i < authors.papers().papers.size(); ++i) ++counts[authors.papers().authors_of(i).size() - 1];
  EXPECT_TRUE(testing::counts_follow(counts, law));
}

TEST(GeneratedAuthorsTest, PapersPerAuthorFollowAPowerLaw) {
  constexpr double kExponent = 1.75;
  constexpr int kMost = 270, kCells = 20;
  const GeneratedAuthors authors({.records = 100000}, Random(1));
  std::vector<std::uint32_t> papers(authors.author_count());
  for (const std::uint32_t author : authors.papers().authors) ++papers[author];
  std::vector<double> law(kCells);  // 1, 2, ..., 19, more
  double total = 0;
  for (int k = 1; k <= kMost; ++k) {
    law[std::min(k, kCells) - 1] += std::pow(k, -kExponent);
    total += std::pow(k, -kExponent);
  }
  for (double& p : law) p /= total;
  std::vector<std::uint64_t> counts(kCells);
  for (const std::uint32_t k : papers) ++counts[std::min<std::uint32_t>(k, kCells) - 1];
  EXPECT_TRUE(testing::counts_follow(counts, law));
}

/// A line of the header's table.
struct Figure {
  const char* name;
  double of_anthology;
  double mean, deviation;  ///< of generated corpora: that of kMeasured of them, and the standard deviation of one
  double (*get)(const AuthorFigures&);
};

constexpr double kMeasured = 32;
constexpr Figure kFigures[] = {
    {"same author: a co-author", .203, .1997, .0068, [](const AuthorFigures& f) { return f.same_entity.coauthor; }},
    {"same author: the venue", .109, .1179, .0020, [](const AuthorFigures& f) { return f.same_entity.venue; }},
    {"same author: first name", .941, .9417, .0071, [](const AuthorFigures& f) { return f.same_entity.first; }},
    {"others: a co-author", .008, .0083, .0018, [](const AuthorFigures& f) { return f.other.coauthor; }},
    {"others: the venue", .068, .0692, .0063, [](const AuthorFigures& f) { return f.other.venue; }},
    {"others: first name", .009, .0098, .0036, [](const AuthorFigures& f) { return f.other.first; }},
    {"past co-author", .469, .4976, .0065, [](const AuthorFigures& f) { return f.coauthor_reuse; }},
    {"past venue", .461, .4588, .0032, [](const AuthorFigures& f) { return f.venue_reuse; }},
};

// The generator has the stated means (its seeds differ from those that they were measured on), which are within 10 % of
// the Anthology's figures. 6.1 is what Student's t with 31 degrees of freedom exceeds at a rate of 1e-6.
TEST(GeneratedAuthorsTest, HasTheFiguresOfTheAnthology) {
  constexpr int kCorpora = 2;
  std::vector<AuthorFigures> figures;
  for (int seed = 1; seed <= kCorpora; ++seed)
    figures.push_back(testing::figures_of(generated(AuthorsOptions().records, static_cast<std::uint64_t>(seed))));
  for (const Figure& figure : kFigures) {
    EXPECT_NEAR(figure.mean, figure.of_anthology, .1 * figure.of_anthology) << figure.name;
    double mean = 0;
    for (const AuthorFigures& f : figures) mean += figure.get(f) / kCorpora;
    const double tolerance = 6.1 * figure.deviation * std::sqrt(1.0 / kCorpora + 1 / kMeasured);
    EXPECT_NEAR(mean, figure.mean, tolerance) << figure.name;
  }
}

// The code that measures the generator finds in the real corpus the figures that the generator is to follow.
TEST(GeneratedAuthorsTest, TheFiguresAreThoseOfTheAnthology) {
  FOVEA_DATA_OR_SKIP(path, "entity_resolution/acl187k_abbrev.tsv.gz");
  const AuthorFigures figures = testing::figures_of(read(io::ByteSource(path)));
  for (const Figure& figure : kFigures)
    EXPECT_NEAR(figure.get(figures), figure.of_anthology, 0.03 * figure.of_anthology + 0.0005) << figure.name;
}

// Surname and first initial are a good answer, but not the right one. Deterministic; the bounds say what "good" means.
TEST(GeneratedAuthorsTest, BlocksAreNotYetTheAnswer) {
  const double f1 = testing::b_cubed_f1_of_blocks(generated(100000));
  EXPECT_GT(f1, 0.80);
  EXPECT_LT(f1, 0.95);
}

TEST(GeneratedAuthorsTest, RefusesBadOptions) {
  EXPECT_THROW(GeneratedAuthors({.records = 0}, Random(1)), UsageError);
  EXPECT_THROW(GeneratedAuthors({.records = -5}, Random(1)), UsageError);
}

}  // namespace

}  // namespace fovea::linkage
