// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/review/review.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/io/table/unique_ids.h"
#include "fovea/linkage/job/explain.h"
#include "fovea/linkage/matching/labelled_pairs.h"

namespace fovea::linkage {
namespace {

/// The table of answers, in memory and in its file.
class Answers {
 public:
  Answers(std::string path, const io::Table& records, std::size_t id_column, const io::IdIndex& ids)
      : path_(std::move(path)), records_(records), id_column_(id_column) {
    if (!std::filesystem::exists(path_)) {
      io::check_table_can_be_written(path_, kColumns);
      return;
    }
    const io::Table table = io::read_table(path_);
    if (table.columns() != kColumns)
      throw InputError({.file = path_},
                       "is not a table of answers: these have the columns first_id, second_id and match",
                       "Name another file by option 'answers'");
    pairs_ = read_labelled_pairs(table, RecordNames{&ids, records.row_count()});
  }

  std::size_t size() const { return pairs_.size(); }

  void add(const LabelledRowPair& pair) {
    pairs_.push_back(pair);
    write();
  }
  void remove_last() {
    pairs_.pop_back();
    write();
  }

  /// As read_labelled_pairs() takes them.
  io::Table table() const {
    io::Table table(path_, kColumns);
    for (const LabelledRowPair& pair : pairs_)
      table.add_row(cells(pair), 1 + static_cast<std::int64_t>(table.row_count()));
    return table;
  }

 private:
  std::array<std::string_view, 3> cells(const LabelledRowPair& pair) const {
    return {records_.cell(pair.rows.first, id_column_), records_.cell(pair.rows.second, id_column_),
            pair.is_match ? "1" : "0"};
  }

  void write() const {
    const auto writer = io::make_table_writer(path_, kColumns);
    for (const LabelledRowPair& pair : pairs_) writer->add_row(cells(pair));
    writer->finish();
  }

  inline static const std::vector<std::string> kColumns = {"first_id", "second_id", "match"};

  std::string path_;
  const io::Table& records_;
  std::size_t id_column_;
  std::vector<LabelledRowPair> pairs_;
};

/// One call of review().
class Review {
 public:
  Review(const ReviewJob& job, const AskFunction& ask, const Run& run)
      : job_(job),
        ask_(ask),
        run_(run),
        table_(io::read_table(job.file, job.reading, run.threads)),
        id_column_(job.options.id.empty() ? 0 : table_.column(job.options.id)),
        ids_(io::unique_ids(table_, id_column_)),
        answers_(job.options.answers, table_, id_column_, ids_) {}

  ReviewResult run() {
    if (!job_.options.questions.empty()) io::check_table_can_be_written(job_.options.questions, columns_of_questions());
    DedupeJob finding = job_.matching_job();
    finding.matching.model.save_model = "";
    const DedupeResult found = dedupe_with_answers(std::move(finding), run_);
    model_ = found.model;
    const std::vector<ProbablePair> questions = choose(found.pairs);
    if (!job_.options.questions.empty()) {
      write(questions);
    } else {
      ask(questions);
      if (!job_.matching.model.save_model.empty() && answers_.size() > 0 && !run_.is_cancelled()) learn_from_answers();
    }
    result_.answers = answers_.size();
    return result_;
  }

 private:
  /// A limit of time is one of computing: that which a person takes to answer does not count.
  void learn_from_answers() const {
    Run run = run_;
    run.started = Stop::Clock::now();
    dedupe_with_answers(job_.matching_job(), run);
  }

  DedupeResult dedupe_with_answers(DedupeJob job, const Run& run) const {
    job.options.id = table_.columns()[id_column_];
    const io::Table known = answers_.table();
    if (answers_.size() > 0) job.pair_labels = &known;
    return dedupe(table_, std::move(job), run);
  }

  std::vector<ProbablePair> choose(const std::vector<ProbablePair>& pairs) const {
    std::vector<RowPair> rows;
    for (const ProbablePair& pair : pairs) rows.push_back(pair.pair.rows);
    std::vector<ProbablePair> chosen;
    for (const std::size_t place : most_useful(rows, job_.options.count)) chosen.push_back(pairs[place]);
    return chosen;
  }

  void ask(const std::vector<ProbablePair>& questions) {
    std::vector<ReviewAnswer> given;
    while (given.size() < questions.size() && !run_.is_cancelled()) {
      const ProbablePair& pair = questions[given.size()];
      const ReviewAnswer answer = ask_(question(pair, given.size() + 1, questions.size()));
      if (answer == ReviewAnswer::kEnd) break;
      if (answer == ReviewAnswer::kBack) {
        if (given.empty()) continue;
        if (given.back() != ReviewAnswer::kSkip) answers_.remove_last();
        given.pop_back();
        continue;
      }
      if (answer != ReviewAnswer::kSkip) answers_.add({pair.pair.rows, answer == ReviewAnswer::kMatch});
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
                            .ids = {table_.cell(rows[0], id_column_), table_.cell(rows[1], id_column_)},
                            .columns = table_.columns(),
                            .cells = {},
                            .probability = pair.probability,
                            .explain = {}};
    for (const std::size_t i : {0, 1})
      for (std::size_t column = 0; column < table_.column_count(); ++column)
        question.cells[i].push_back(table_.cell(rows[i], column));
    question.explain = [this, rows, ids = question.ids] {
      return linkage::explain({table_, rows[0], std::string(ids[0])}, {table_, rows[1], std::string(ids[1])}, model_);
    };
    return question;
  }

  /// Both cells of each column side by side, without those of the ids, which come first.
  std::vector<std::string> columns_of_questions() const {
    std::vector<std::string> columns = {"first_id", "second_id", "probability", "match"};
    for (std::size_t column = 0; column < table_.column_count(); ++column)
      if (column != id_column_)
        for (const char* which : {"first", "second"})
          columns.push_back(fmt::format("{} {}", which, table_.columns()[column]));
    return columns;
  }

  void write(const std::vector<ProbablePair>& questions) const {
    const auto writer = io::make_table_writer(job_.options.questions, columns_of_questions());
    for (const ProbablePair& pair : questions) {
      const auto [first, second] = pair.pair.rows;
      const std::string probability = fmt::format("{:.4f}", pair.probability);
      std::vector<std::string_view> cells = {table_.cell(first, id_column_), table_.cell(second, id_column_),
                                             probability, ""};
      for (std::size_t column = 0; column < table_.column_count(); ++column)
        if (column != id_column_)
          for (const std::uint32_t row : {first, second}) cells.push_back(table_.cell(row, column));
      writer->add_row(cells);
    }
    writer->finish();
  }

  const ReviewJob& job_;
  const AskFunction& ask_;
  const Run& run_;
  const io::Table table_;
  const std::size_t id_column_;
  const io::IdIndex ids_;
  Answers answers_;
  std::string model_;
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

std::vector<std::size_t> most_useful(std::span<const RowPair> pairs, std::size_t count) {
  constexpr int kMostOfOneRecord = 2;
  std::unordered_map<std::uint32_t, int> uses;
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < pairs.size() && chosen.size() < count; ++i) {
    int &first = uses[pairs[i].first], &second = uses[pairs[i].second];
    if (first >= kMostOfOneRecord || second >= kMostOfOneRecord) continue;
    ++first;
    ++second;
    chosen.push_back(i);
  }
  return chosen;
}

ReviewResult review(const ReviewJob& job, const AskFunction& ask, const Run& run) {
  if (job.matching.only_tells()) throw UsageError("option 'explain' and option 'profile' are those of 'fovea dedupe'");
  return Review(job, ask, run).run();
}

}  // namespace fovea::linkage
