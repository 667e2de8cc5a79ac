// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/review/review_session.h"

#include "fovea/linkage/job/explain.h"
#include "fovea/linkage/job/useful_pairs.h"

namespace fovea::linkage {

ReviewSession::ReviewSession(const ReviewJob& job, const Run& run)
    : job_(job),
      run_(run),
      table_(io::read_table(job.file, job.reading, run.threads)),
      id_column_(job.options.id.empty() ? 0 : table_.column(job.options.id)),
      ids_(io::unique_ids(table_, id_column_)),
      answers_(job.options.answers, table_, id_column_, ids_) {}

std::vector<ProbablePair> ReviewSession::find_questions(const std::function<void(const report::Page&)>& take_page) {
  DedupeJob finding = job_.matching_job();
  finding.matching.model.save_model = "";
  finding.take_page = take_page;
  finding.useful_first = job_.options.count;
  const DedupeResult found = dedupe_with_answers(std::move(finding), run_);
  model_ = found.model;
  std::vector<ProbablePair> chosen;
  for (const std::size_t place : most_useful(found.pairs, job_.options.count)) chosen.push_back(found.pairs[place]);
  return chosen;
}

void ReviewSession::learn_from_answers() const {
  if (job_.matching.model.save_model.empty() || answers_.size() == 0 || run_.is_cancelled()) return;
  Run run = run_;
  run.started = Stop::Clock::now();
  dedupe_with_answers(job_.matching_job(), run);
}

MatchExplanation ReviewSession::explain(std::size_t first, std::size_t second) const {
  return linkage::explain({table_, first, std::string(id(first))}, {table_, second, std::string(id(second))}, model_);
}

DedupeResult ReviewSession::dedupe_with_answers(DedupeJob job, const Run& run) const {
  job.options.id = table_.columns()[id_column_];
  const io::Table known = answers_.table();
  if (answers_.size() > 0) job.pair_labels = &known;
  return dedupe(table_, std::move(job), run);
}

}  // namespace fovea::linkage
