// SPDX-License-Identifier: Apache-2.0
// Updates in memory, against updates from file to file.
#include "fovea/linkage/job/update.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "fovea/linkage/job/explain.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

class UpdateTest : public ::testing::Test {
 protected:
  UpdateTest() {
    const io::Table people = testing::made_up_people(400, .1, Random(3));
    testing::write_rows(old_, people, 0, 2);
    testing::write_rows(more_, people, 1, 2);
    DedupeJob learn;
    learn.file = old_;
    learn.options.output = clusters_;
    learn.matching.matching = {.compare = "name:edits, surname:edits, born:edits, city:edits",
                               .block = "surname, name, born+city"};
    learn.matching.model.save_model = model_;
    dedupe_file(learn, {});
    job_.matching.model_json = testing::read_file(model_);
  }

  /// Adds the new records to the clusters of the old ones.
  DedupeJob file_job() const {
    DedupeJob job;
    job.file = more_;
    job.matching.model.model = model_;
    job.options.clusters = clusters_;
    job.options.output = updated_;
    return job;
  }

  const testing::TemporaryFolder folder_;
  const std::string old_ = folder_ / "old.csv", more_ = folder_ / "more.csv", clusters_ = folder_ / "clusters.csv",
                    updated_ = folder_ / "updated.csv", model_ = folder_ / "people.er";
  DedupeJob job_;
};

TEST_F(UpdateTest, MemoryAndFilesGiveTheSameClusters) {
  DedupeJob to_file = file_job();
  dedupe_file(to_file, {});
  const io::Table written = io::read_table(updated_), old = io::read_table(clusters_);
  for (const char* id : {"", "id"}) {
    job_.options.id = id;
    const IncrementalClusters found = update(old, io::read_table(more_), job_);
    ASSERT_EQ(found.clusters.size(), written.row_count());
    EXPECT_GT(found.joined, 50u);
    const std::size_t column = old.column("cluster");
    for (std::size_t row = 0; row < written.row_count(); ++row)
      EXPECT_EQ(written.cell(found.clusters[row], written.column("cluster")),
                written.cell(row, written.column("cluster")));
    for (std::size_t row = 0; row < old.row_count(); ++row)
      EXPECT_EQ(old.cell(row, column), old.cell(found.clusters[row], column)) << "old records stay where they are";
  }
}

TEST_F(UpdateTest, WritesOneRecordForEachClusterUnderItsOldName) {
  DedupeJob to_file = file_job();
  dedupe_file(to_file, {});
  const io::Table records = io::read_table(updated_);
  std::map<std::string, std::size_t> sizes;
  for (std::size_t row = 0; row < records.row_count(); ++row)
    ++sizes[std::string(records.cell(row, records.column("cluster")))];
  to_file.options.golden = "name:longest";
  dedupe_file(to_file, {});
  const io::Table golden = io::read_table(updated_);
  ASSERT_EQ(golden.row_count(), sizes.size());
  for (std::size_t row = 0; row < golden.row_count(); ++row) {
    const std::string name(golden.cell(row, golden.column("cluster")));
    EXPECT_EQ(golden.cell(row, golden.column("cluster_size")), std::to_string(sizes.at(name))) << name;
  }
}

TEST_F(UpdateTest, RefusesWhatItCannotDo) {
  const io::Table old = io::read_table(clusters_), more = io::read_table(more_);
  const auto refusal = [&](DedupeJob job) {
    return testing::message_of<UsageError>([&] { update(old, more, std::move(job)); });
  };
  EXPECT_THAT(refusal({}), HasSubstr("needs option 'model'"));
  DedupeJob sampling = job_;
  sampling.clustering.samples = 5;
  EXPECT_THAT(refusal(sampling), HasSubstr("excludes"));
  job_.options.cluster_column = "who";
  EXPECT_THAT(testing::message_of<InputError>([&] { update(old, more, job_); }), HasSubstr("'who'"));
  job_.options.cluster_column = "cluster";
  EXPECT_THAT(testing::message_of<InputError>([&] { update(old, old, job_); }), HasSubstr("column of clusters"));
  job_.options.id = "id";
  EXPECT_THAT(testing::message_of<InputError>([&] { update(old, io::read_table(old_), job_); }), HasSubstr("already"));
}

TEST_F(UpdateTest, ExplanationsNeedNoOtherRecords) {
  const io::Table old = io::read_table(old_), more = io::read_table(more_);
  DedupeJob both;
  both.file = old_;
  both.matching.model.model = model_;
  both.matching.as_json = true;
  std::string told;
  both.matching.tell = [&](const std::string& text) { told = text; };
  for (std::size_t row = 0; row + 1 < 60; ++row) {
    both.matching.model.explain = std::string(old.cell(row, 0)) + "," + std::string(old.cell(row + 1, 0));
    dedupe_file(both, {});
    const MatchExplanation alone = explain({old, row, std::string(old.cell(row, 0))},
                                           {old, row + 1, std::string(old.cell(row + 1, 0))}, job_.matching.model_json);
    EXPECT_EQ(alone.json() + "\n", told);
  }
  const MatchExplanation across = explain({old, 0, "a"}, {more, 0, "b"}, job_.matching.model_json);
  ASSERT_EQ(across.terms.size(), 4u);
  EXPECT_EQ(across.terms[1].first, old.cell(0, old.column("surname")));
  EXPECT_EQ(across.terms[1].second, more.cell(0, more.column("surname")));
  double sum = across.prior_log_odds;
  for (const MatchExplanation::Term& term : across.terms) sum += term.sum();
  EXPECT_NEAR(sum, across.score, 1e-9);
  const io::Table other("other", {"title"});
  EXPECT_THROW(update(old, other, job_), InputError);
}

}  // namespace
}  // namespace fovea::linkage
