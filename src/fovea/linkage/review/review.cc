// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/review/review.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fovea/base/error.h"
#include "fovea/io/table/table_writer.h"
#include "fovea/linkage/review/review_session.h"

namespace fovea::linkage {
namespace {

/// One call of review().
class Review {
 public:
  Review(const ReviewJob& job, const AskFunction& ask, const Run& run)
      : job_(job), ask_(ask), run_(run), session_(job, run) {}

  ReviewResult run() {
    if (!job_.options.questions.empty()) io::check_table_can_be_written(job_.options.questions, columns_of_questions());
    const std::vector<ProbablePair> questions = session_.find_questions();
    if (!job_.options.questions.empty()) {
      write(questions);
    } else {
      ask(questions);
      session_.learn_from_answers();
    }
    result_.answers = session_.answers().size();
    return result_;
  }

 private:
  void ask(const std::vector<ProbablePair>& questions) {
    std::vector<ReviewAnswer> given;
    while (given.size() < questions.size() && !run_.is_cancelled()) {
      const ProbablePair& pair = questions[given.size()];
      const ReviewAnswer answer = ask_(question(pair, given.size() + 1, questions.size()));
      if (answer == ReviewAnswer::kEnd) break;
      if (answer == ReviewAnswer::kBack) {
        if (given.empty()) continue;
        if (given.back() != ReviewAnswer::kSkip) session_.answers().remove_last();
        given.pop_back();
        continue;
      }
      if (answer != ReviewAnswer::kSkip) session_.answers().add({pair.pair.rows, answer == ReviewAnswer::kMatch});
      given.push_back(answer);
    }
    const auto count = [&](ReviewAnswer answer) { return static_cast<std::size_t>(std::ranges::count(given, answer)); };
    result_.matches = count(ReviewAnswer::kMatch);
    result_.others = count(ReviewAnswer::kNoMatch);
    result_.skipped = count(ReviewAnswer::kSkip);
  }

  ReviewQuestion question(const ProbablePair& pair, std::size_t number, std::size_t count) const {
    const std::array<std::size_t, 2> rows = {pair.pair.rows.first, pair.pair.rows.second};
    ReviewQuestion question{.number = number,
                            .count = count,
                            .ids = {session_.id(rows[0]), session_.id(rows[1])},
                            .columns = session_.table().columns(),
                            .cells = {},
                            .probability = pair.probability,
                            .explain = {}};
    for (const std::size_t i : {0, 1})
      for (std::size_t column = 0; column < session_.table().column_count(); ++column)
        question.cells[i].push_back(session_.table().cell(rows[i], column));
    question.explain = [this, rows] { return session_.explain(rows[0], rows[1]); };
    return question;
  }

  /// Both cells of each column side by side, without those of the ids, which come first.
  std::vector<std::string> columns_of_questions() const {
    std::vector<std::string> columns = {"first_id", "second_id", "probability", "match"};
    for (std::size_t column = 0; column < session_.table().column_count(); ++column)
      if (column != session_.id_column())
        for (const char* which : {"first", "second"})
          columns.push_back(fmt::format("{} {}", which, session_.table().columns()[column]));
    return columns;
  }

  void write(const std::vector<ProbablePair>& questions) const {
    const io::Table& table = session_.table();
    const auto writer = io::make_table_writer(job_.options.questions, columns_of_questions());
    for (const ProbablePair& pair : questions) {
      const auto [first, second] = pair.pair.rows;
      const std::string probability = fmt::format("{:.4f}", pair.probability);
      std::vector<std::string_view> cells = {session_.id(first), session_.id(second), probability, ""};
      for (std::size_t column = 0; column < table.column_count(); ++column)
        if (column != session_.id_column())
          for (const std::uint32_t row : {first, second}) cells.push_back(table.cell(row, column));
      writer->add_row(cells);
    }
    writer->finish();
  }

  const ReviewJob& job_;
  const AskFunction& ask_;
  const Run& run_;
  ReviewSession session_;
  ReviewResult result_;
};

}  // namespace

std::string ReviewResult::brief() const {
  return fmt::format("{} new answers: {} matches, {} others, {} skipped; {} answers in all", matches + others, matches,
                     others, skipped, answers);
}

std::string ReviewResult::json() const {
  return nlohmann::ordered_json{{"matches", matches}, {"others", others}, {"skipped", skipped}, {"answers", answers}}
      .dump();
}

DedupeJob ReviewJob::matching_job() const {
  DedupeJob job;
  job.matching = matching;
  job.limits = limits;
  job.keeps_pairs = true;
  return job;
}

void check(const ReviewJob& job) {
  if (job.matching.only_tells()) throw UsageError("option 'explain' and option 'profile' are those of 'fovea dedupe'");
}

ReviewResult review(const ReviewJob& job, const AskFunction& ask, const Run& run) {
  check(job);
  return Review(job, ask, run).run();
}

}  // namespace fovea::linkage
