// SPDX-License-Identifier: Apache-2.0
// Tables that are handled part by part, against the same tables in memory.
#include "fovea/linkage/job/spilled_dedupe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "fovea/base/error.h"
#include "fovea/linkage/generate/generated_authors.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class SpilledDedupeTest : public ::testing::Test {
 protected:
  /// The job with the model that it learns.
  DedupeJob with_model(DedupeJob job) {
    job.matching.model.save_model = folder_ / "model.er";
    job.options.output = folder_ / "learning.csv";
    dedupe_file(job, {});
    DedupeJob found{.file = job.file, .clustering = job.clustering};
    found.matching.model.model = folder_ / "model.er";
    found.options.draw_by = job.options.draw_by;
    return found;
  }

  /// Both ways write the same bytes, on one and several threads, and nothing stays on the disk.
  void expect_same(DedupeJob job) {
    job.options.output = folder_ / "whole.csv";
    dedupe_file(job, {});
    const std::string whole = bytes_of_file(job.options.output);
    EXPECT_THAT(whole, Not(IsEmpty()));
    for (const int threads : {1, 3}) {
      DedupeJob by_parts = job;
      by_parts.options.output = folder_ / "parts.csv";
      by_parts.spilling.spill = folder_ / "spill";
      by_parts.spilling.memory_limit = "1MB";
      dedupe_file(by_parts, {.threads = threads});
      EXPECT_EQ(bytes_of_file(by_parts.options.output), whole);
      EXPECT_TRUE(std::filesystem::is_empty(folder_ / "spill"));
    }
  }

  DedupeJob people(int count = 3000) {
    fovea::testing::write_rows(folder_ / "people.csv", fovea::testing::made_up_people(count, .2, Random(3)));
    DedupeJob job{.file = folder_ / "people.csv"};
    job.matching.matching = {.compare = "name:jaro_winkler, surname:jaro_winkler, born, city:edits",
                             .block = "surname+born, soundex(surname)+city, any(word, name, 60)"};
    return job;
  }

  const fovea::testing::TemporaryFolder folder_;
};

TEST_F(SpilledDedupeTest, ClustersAreThoseOfTheWhole) { expect_same(with_model(people())); }

TEST_F(SpilledDedupeTest, SoAreConfidencesAndBlocksThatAreLeftOut) {
  DedupeJob job = people();
  job.matching.matching.max_block = 12;
  job.matching.matching.threshold = .5;
  DedupeJob model = with_model(job);
  model.clustering.samples = 10;
  model.matching.matching.threshold = .1;
  expect_same(model);
}

/// A single rule, by which blocks are clustered as they are, except for those that are too large.
TEST_F(SpilledDedupeTest, SoAreThoseOfASingleRule) {
  DedupeJob job = people();
  job.matching.matching.block = "surname";
  job.matching.matching.max_block = 25;
  expect_same(with_model(job));
}

/// By the preset, whose scores depend on how many namesakes there are; a single rule, and draws by id.
TEST_F(SpilledDedupeTest, SoAreThoseOfAuthors) {
  const GeneratedAuthors authors({.records = 3000}, Random(5));
  std::string text(GeneratedAuthors::kHeader);
  for (std::size_t paper = 0; paper < authors.papers().papers.size(); ++paper) authors.append_paper(paper, text);
  DedupeJob job{.file = folder_.write("authors.tsv", text)};
  job.matching.model.preset = Preset::kAuthors;
  expect_same(with_model(job));
  job.options.draw_by = DrawBy::kId;
  expect_same(with_model(job));
}

TEST_F(SpilledDedupeTest, RefusesWhatNeedsTheWholeTable) {
  const DedupeJob whole = with_model(people(200));
  DedupeJob job = whole;
  job.options.output = folder_ / "out.csv";
  job.spilling.spill = folder_ / "spill";
  const auto refused = [&](auto&& change) {
    DedupeJob other = job;
    change(other);
    dedupe_file(other, {});
  };
  EXPECT_THAT(message_of<UsageError>([&] { refused([](DedupeJob& j) { j.options.gold = "person"; }); }),
              HasSubstr("option 'spill' excludes option 'gold'"));
  EXPECT_THAT(message_of<UsageError>([&] { refused([](DedupeJob& j) { j.matching.model.model = ""; }); }),
              HasSubstr("needs option 'model'"));
  EXPECT_THAT(message_of<UsageError>([&] { refused([](DedupeJob& j) { j.file = "-"; }); }),
              HasSubstr("cannot be read"));
  EXPECT_THAT(message_of<UsageError>([&] { refused([](DedupeJob& j) { j.spilling.memory_limit = "much"; }); }),
              HasSubstr("memory-limit"));
  EXPECT_FALSE(std::filesystem::exists(job.options.output));
}

TEST_F(SpilledDedupeTest, RefusesIdsThatAreMissingOrOccurTwice) {
  DedupeJob job = with_model(people(200));
  job.options.output = folder_ / "out.csv";
  job.spilling.spill = folder_ / "spill";
  const std::string header = "id,name,surname,born,city,person\n";
  job.file = folder_.write("twice.csv", header + "7,a,b,1,c,\n8,a,b,1,c,\n7,a,b,1,c,\n");
  EXPECT_THAT(message_of<InputError>([&] { dedupe_file(job, {}); }),
              HasSubstr("twice.csv:4: the id '7' is that of record 1, too"));
  job.file = folder_.write("none.csv", header + "7,a,b,1,c,\n,a,b,1,c,\n");
  EXPECT_THAT(message_of<InputError>([&] { dedupe_file(job, {}); }), HasSubstr("none.csv:3: a record without an id"));
  job.file = folder_.write("empty.csv", header);
  EXPECT_THAT(message_of<InputError>([&] { dedupe_file(job, {}); }), HasSubstr("without records"));
  EXPECT_FALSE(std::filesystem::exists(job.options.output));
}

/// Stopped in each stage, and started again.
TEST_F(SpilledDedupeTest, GoesOnFromWholeStages) {
  DedupeJob job = with_model(people());
  job.clustering.samples = 5;
  job.options.output = folder_ / "whole.csv";
  dedupe_file(job, {});
  const std::string whole = bytes_of_file(job.options.output);
  job.options.output = folder_ / "parts.csv";
  job.spilling.spill = folder_ / "spill";
  for (const std::string stage : {"comparing", "clustering", "writing"}) {
    CancelToken cancelled;
    const auto stop = [&](const Progress& progress) {
      if (progress.phase == stage) cancelled.cancel();
    };
    EXPECT_THROW(dedupe_file(job, {.stop = {.cancel = &cancelled}, .threads = 1, .progress = stop}), CancelledError);
    EXPECT_FALSE(std::filesystem::exists(job.options.output));
    EXPECT_EQ(std::filesystem::is_empty(folder_ / "spill"), stage == "comparing") << "only states are left";
    std::set<std::string> phases;
    const auto note = [&](const Progress& progress) { phases.emplace(progress.phase); };
    DedupeJob other = job;
    other.matching.matching.threshold = .6;  // another job does not go on from this one's state
    other.options.output = folder_ / "other.csv";
    dedupe_file(other, {.progress = note});
    EXPECT_TRUE(phases.contains("comparing"));
    phases.clear();
    dedupe_file(job, {.progress = note});
    EXPECT_EQ(bytes_of_file(job.options.output), whole) << stage;
    EXPECT_EQ(phases.contains("comparing"), stage == "comparing") << stage;
    EXPECT_EQ(phases.contains("clustering"), stage != "writing") << stage;
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "spill"));
    std::filesystem::remove(job.options.output);
  }
}

TEST_F(SpilledDedupeTest, AStopLeavesNothingBehind) {
  DedupeJob job = with_model(people());
  job.options.output = folder_ / "out.csv";
  job.spilling.spill = folder_ / "spill";
  CancelToken cancelled;
  cancelled.cancel();
  EXPECT_THROW(dedupe_file(job, {.stop = {.cancel = &cancelled}}), CancelledError);
  job.limits.time_limit = "1e-6s";
  EXPECT_THROW(dedupe_file(job, {}), LimitError);
  EXPECT_FALSE(std::filesystem::exists(job.options.output));
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "spill"));
}

}  // namespace
}  // namespace fovea::linkage
