// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace fovea::cli {
namespace {

using fovea::testing::run_fovea;

class ReviewTest : public ::testing::Test {
 protected:
  ReviewTest() { fovea::testing::write_rows(people_, fovea::testing::made_up_people(400, .2, Random(3))); }

  /// Runs the command with this standard input.
  fovea::testing::Outcome review(const std::string& typed, const std::vector<std::string>& more = {}) const {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    EXPECT_EQ(::write(ends[1], typed.data(), typed.size()), static_cast<ssize_t>(typed.size()));
    ::close(ends[1]);
    const int before = ::dup(STDIN_FILENO);
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
    std::vector<std::string> words = {"review",    people_,
                                      "--compare", "name:edits, surname:edits, born:edits, city",
                                      "--block",   "surname, name, born",
                                      "--answers", answers_};
    words.insert(words.end(), more.begin(), more.end());
    auto outcome = run_fovea(words);
    ::dup2(before, STDIN_FILENO);
    ::close(before);
    return outcome;
  }

  const fovea::testing::TemporaryFolder folder_;
  const std::string people_ = folder_ / "people.csv", answers_ = folder_ / "answers.csv";
};

TEST_F(ReviewTest, AsksUntilTheInputEndsAndSavesAnswers) {
  const auto run = review("y\nperhaps\nNO\nno\nwhy\ns\n", {"--json"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, AllOf(HasSubstr("Pair 1 of 100"), HasSubstr("surname"), HasSubstr("One entity? yes, no, skip")));
  EXPECT_THAT(run.err, HasSubstr("prior")) << "of the explanation";
  EXPECT_EQ(run.out, "{\"matches\":1,\"others\":1,\"skipped\":1,\"answers\":2}\n");
  const std::string saved = fovea::testing::read_file(answers_);
  EXPECT_THAT(saved, StartsWith("first_id,second_id,match\n"));
  EXPECT_THAT(saved, AllOf(HasSubstr(",1\n"), HasSubstr(",0\n")));
}

TEST_F(ReviewTest, RefusesATableOnStandardInput) { EXPECT_EQ(run_fovea({"review", "-"}).status, 2); }

}  // namespace
}  // namespace fovea::cli
