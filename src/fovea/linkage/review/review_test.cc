// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/review/review.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fovea/base/error.h"
#include "fovea/io/table/read_table.h"
#include "tests/support/expect_error.h"
#include "tests/support/people_table.h"
#include "tests/support/temporary_folder.h"

namespace fovea::linkage {
namespace {

using ::testing::SizeIs;
using enum ReviewAnswer;

class ReviewTest : public ::testing::Test {
 protected:
  ReviewTest() {
    testing::write_rows(people_, testing::made_up_people(800, .25, Random(7)));
    job_.file = people_;
    job_.options.answers = answers_;
    job_.options.count = 12;
    job_.matching.matching = {.compare = "name:edits, surname:edits, born:edits, city",
                              .block = "surname, name, born, city"};
  }

  /// Gives these answers in turn, then ends; returns the ids of the pairs that were asked about.
  std::vector<std::string> answer(std::vector<ReviewAnswer> answers) {
    std::vector<std::string> asked;
    result_ = review(job_,
                     [&](const ReviewQuestion& question) {
                       asked.push_back(std::string(question.ids[0]) + "-" + std::string(question.ids[1]));
                       return asked.size() > answers.size() ? kEnd : answers[asked.size() - 1];
                     },
                     {});
    return asked;
  }

  /// The answers in the file, by the ids of their pairs.
  std::map<std::string, std::string> saved() const {
    std::map<std::string, std::string> answers;
    const io::Table table = io::read_table(answers_);
    for (std::size_t row = 0; row < table.row_count(); ++row)
      answers[std::string(table.cell(row, 0)) + "-" + std::string(table.cell(row, 1))] = table.cell(row, 2);
    return answers;
  }

  const testing::TemporaryFolder folder_;
  const std::string people_ = folder_ / "people.csv", answers_ = folder_ / "answers.csv";
  ReviewJob job_;
  ReviewResult result_;
};

TEST_F(ReviewTest, SavesAnswersAndGoesOnWhereItEnded) {
  const std::vector<std::string> asked = answer({kMatch, kSkip, kNoMatch});
  ASSERT_THAT(asked, SizeIs(4));
  using Saved = std::map<std::string, std::string>;
  EXPECT_EQ(saved(), (Saved{{asked[0], "1"}, {asked[2], "0"}}));
  EXPECT_EQ(result_.brief(), "2 new answers: 1 matches, 1 others, 1 skipped; 2 answers in all");
  const std::vector<std::string> later = answer({kMatch});
  EXPECT_EQ(std::ranges::count(later, asked[0]) + std::ranges::count(later, asked[2]), 0);
  EXPECT_EQ(saved().size(), 3u);
  EXPECT_EQ(result_.answers, 3u);
}

TEST_F(ReviewTest, GoesBackToTheQuestionBefore) {
  const std::vector<std::string> asked = answer({kMatch, kBack, kNoMatch, kSkip, kBack, kBack, kMatch});
  EXPECT_EQ(asked[0], asked[2]);
  EXPECT_EQ(asked[3], asked[1]);
  EXPECT_EQ(asked[6], asked[0]);
  EXPECT_EQ(saved(), (std::map<std::string, std::string>{{asked[0], "1"}}));
  EXPECT_EQ(answer({kBack}).size(), 2u) << "the first question has none before it";
}

TEST_F(ReviewTest, AsksAsOftenAsWantedAndAboutEachRecordTwiceAtMost) {
  const std::vector<std::string> asked = answer(std::vector<ReviewAnswer>(20, kSkip));
  EXPECT_THAT(asked, SizeIs(12));
  EXPECT_EQ(std::set<std::string>(asked.begin(), asked.end()).size(), 12u);
}

TEST_F(ReviewTest, QuestionsShowBothRecords) {
  review(job_,
         [&](const ReviewQuestion& question) {
           EXPECT_EQ(question.number, 1u);
           EXPECT_EQ(question.count, 12u);
           EXPECT_EQ(question.cells[0].size(), question.columns.size());
           EXPECT_EQ(question.cells[1][0], question.ids[1]);
           EXPECT_THAT(question.explain().text(), HasSubstr("surname:edits"));
           return kEnd;
         },
         {});
}

TEST_F(ReviewTest, WritesATableToFillIn) {
  job_.options.questions = folder_ / "questions.csv";
  EXPECT_THAT(answer({}), SizeIs(0));
  const io::Table table = io::read_table(job_.options.questions);
  EXPECT_EQ(table.row_count(), 12u);
  EXPECT_THAT(table.columns(), ::testing::IsSupersetOf({"first_id", "second_id", "probability", "match",
                                                        "first surname", "second surname"}));
  EXPECT_FALSE(std::filesystem::exists(answers_));
}

TEST_F(ReviewTest, WritesTheModelThatAnswersCorrect) {
  job_.matching.model.save_model = folder_ / "model.er";
  answer({kNoMatch, kMatch});
  EXPECT_THAT(testing::read_file(job_.matching.model.save_model), HasSubstr("surname:edits"));
  std::filesystem::remove(job_.matching.model.save_model);
  std::filesystem::remove(answers_);
  answer({});
  EXPECT_FALSE(std::filesystem::exists(job_.matching.model.save_model)) << "there is nothing to learn from";
}

TEST_F(ReviewTest, TimeThatAnswersTakeIsNotLimited) {
  job_.matching.model.save_model = folder_ / "model.er";
  job_.limits.time_limit = "2s";
  review(job_,
         [&](const ReviewQuestion& question) {
           if (question.number > 1) return kEnd;
           std::this_thread::sleep_for(std::chrono::milliseconds(2100));
           return kMatch;
         },
         {});
  EXPECT_TRUE(std::filesystem::exists(job_.matching.model.save_model));
}

TEST_F(ReviewTest, RefusesATableThatIsNotOneOfAnswers) {
  job_.options.answers = people_;
  EXPECT_THAT(message_of<InputError>([&] { answer({}); }), HasSubstr("is not a table of answers"));
}

}  // namespace
}  // namespace fovea::linkage
