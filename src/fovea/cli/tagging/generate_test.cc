// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "fovea/io/table/read_table.h"
#include "fovea/linkage/generate/generated_authors.h"
#include "fovea/linkage/generate/generated_people.h"
#include "fovea/tagging/format/conll.h"
#include "fovea/tagging/generate/generated_corpus.h"
#include "fovea/tagging/generate/generated_letters.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace fovea::cli {
namespace {

using fovea::testing::run_fovea;

TEST(GenerateTagsTest, WritesTheCorpusThatItsOptionsName) {
  const fovea::testing::TemporaryFolder folder;
  const std::string file = folder / "corpus.txt";
  ASSERT_EQ(
      run_fovea({"generate", "tags", "--sentences", "7", "--labels", "5", "--part", "2", "--seed", "9", "-o", file})
          .status,
      0);
  const tagging::GeneratedCorpus corpus({.sentences = 7, .labels = 5, .part = 2}, Random(9).child("language"));
  tagging::ConllReader reader{io::ByteSource(file)};
  tagging::ItemSequence sentence;
  for (std::size_t i = 0; i < 7; ++i) {
    ASSERT_TRUE(reader.next(sentence));
    const auto expected = corpus.sentence(i);
    ASSERT_EQ(sentence.size(), expected.words.size());
    for (std::size_t t = 0; t < sentence.size(); ++t) {
      EXPECT_EQ(sentence.cell(t, 0), expected.words[t]);
      EXPECT_EQ(sentence.cell(t, 1), corpus.label_name(expected.labels[t]));
    }
  }
  EXPECT_FALSE(reader.next(sentence));
}

TEST(GenerateTagsTest, AnInterruptedCorpusIsNotWritten) {
  const fovea::testing::TemporaryFolder folder;
  EXPECT_EQ(run_fovea({"generate", "tags", "-o", folder / "corpus.txt"}, true).status, 130);
  EXPECT_EQ(folder.file_count(), 0u);
}

std::string contents(const std::string& file) {
  std::string text;
  io::ByteSource source(file);
  std::array<char, 1 << 14> buffer;
  while (const std::size_t read = source.read(buffer)) text.append(buffer.data(), read);
  return text;
}

TEST(GenerateLettersTest, WritesTheWordsThatItsOptionsName) {
  const fovea::testing::TemporaryFolder folder;
  const std::string file = folder / "letters.tsv";
  ASSERT_EQ(run_fovea({"generate", "letters", "--words", "3", "--part", "2", "--seed", "9", "-o", file}).status, 0);
  const tagging::GeneratedLetters letters({.words = 3, .part = 2}, Random(9).child("hand"));
  std::string expected;
  for (std::uint64_t i = 0; i < 3; ++i) letters.append_word(i, expected);
  EXPECT_EQ(contents(file), expected);
}

TEST(GenerateAuthorsTest, WritesTheRecordsThatItsOptionsName) {
  const fovea::testing::TemporaryFolder folder;
  const std::string file = folder / "mentions.tsv.gz";
  ASSERT_EQ(run_fovea({"generate", "authors", "--mentions", "50", "--seed", "9", "-o", file}).status, 0);
  const linkage::GeneratedAuthors authors({.records = 50}, Random(9).child("bibliography"));
  std::string expected(linkage::GeneratedAuthors::kHeader);
  for (std::size_t paper = 0; paper < authors.papers().papers.size(); ++paper) authors.append_paper(paper, expected);
  EXPECT_EQ(contents(file), expected);
}

TEST(GenerateAuthorsTest, AnInterruptedBibliographyIsNotWritten) {
  const fovea::testing::TemporaryFolder folder;
  EXPECT_EQ(run_fovea({"generate", "authors", "-o", folder / "mentions.tsv"}, true).status, 130);
  EXPECT_EQ(folder.file_count(), 0u);
}

TEST(GenerateAuthorsTest, RefusesNoRecords) {
  const auto outcome = run_fovea({"generate", "authors", "--mentions", "0"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("mentions"), std::string::npos);
}

std::string people_csv(int records, std::uint64_t seed) {
  const linkage::GeneratedPeople people({.records = records}, Random(seed).child("register"));
  std::string text;
  const auto append = [&](const auto& cells) {
    for (const auto& cell : cells) text += (&cell == &*cells.begin() ? "" : ",") + cell;
    text += '\n';
  };
  append(linkage::GeneratedPeople::columns());
  linkage::GeneratedPeople::Cells cells;
  for (std::size_t record = 0; record < people.record_count(); ++record) {
    people.write(record, cells);
    append(cells);
  }
  return text;
}

TEST(GeneratePeopleTest, WritesTheRecordsThatItsOptionsNameOnAnyNumberOfThreads) {
  const fovea::testing::TemporaryFolder folder;
  for (const char* threads : {"1", "3"}) {
    const std::string file = folder / "people.csv";
    ASSERT_EQ(
        run_fovea({"generate", "people", "--records", "5000", "--seed", "9", "--threads", threads, "-o", file}).status,
        0);
    EXPECT_EQ(contents(file), people_csv(5000, 9));
  }
}

TEST(GeneratePeopleTest, WritesADatabase) {
  const fovea::testing::TemporaryFolder folder;
  const std::string file = folder / "people.db";
  ASSERT_EQ(run_fovea({"generate", "people", "--records", "20", "--output-table", "register", "-o", file}).status, 0);
  EXPECT_EQ(io::read_table(file, {.table = "register"}).row_count(), 20u);
}

TEST(GeneratePeopleTest, AnInterruptedRegisterIsNotWritten) {
  const fovea::testing::TemporaryFolder folder;
  EXPECT_EQ(run_fovea({"generate", "people", "-o", folder / "people.csv"}, true).status, 130);
  EXPECT_EQ(folder.file_count(), 0u);
}

TEST(GeneratePeopleTest, RefusesNoRecordsAndUnknownFormats) {
  const auto outcome = run_fovea({"generate", "people", "--records", "0"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("records"), std::string::npos);
  EXPECT_EQ(run_fovea({"generate", "people", "-o", "people.xyz"}).status, 2);
}

TEST(GenerateTagsTest, RefusesOneLabel) { EXPECT_EQ(run_fovea({"generate", "tags", "--labels", "1"}).status, 2); }

}  // namespace
}  // namespace fovea::cli
