// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/matching_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "fovea/base/error.h"
#include "fovea/base/text.h"
#include "fovea/linkage/columns/bare_names.h"
#include "fovea/linkage/columns/column_expression.h"
#include "fovea/linkage/comparison/collect_statistics.h"
#include "fovea/linkage/comparison/date_arguments.h"
#include "fovea/linkage/matching/adapt_matching.h"
#include "fovea/linkage/matching/authors_preset.h"
#include "fovea/linkage/matching/match_explanation.h"

namespace fovea::linkage {

RecordMatching Matching::prepare(const io::Table& table, const PairScope& scope, const Run& run) {
  if (job_.model.adapt && !job_.reads_model()) throw UsageError("option 'adapt' needs option 'model'");
  if (job_.reads_model()) {
    if (!job_.matching.compare.empty() || !job_.matching.block.empty() || job_.model.profile)
      throw UsageError(
          "option 'model' excludes option 'compare', option 'block' and option 'profile': the model has its own");
    MatchModelDescription description = read_model();
    job_.matching.compare = description.compare();
    job_.matching.block = description.block();
    job_.matching.max_block = description.max_block;
    given_ = std::move(description.parameters);
    statistics_ = std::move(description.statistics);
    if (!draw_by_) draw_by_ = description.draw_by;
  } else if (job_.model.preset == Preset::kAuthors) {
    apply_preset(table);
  }
  if (job_.matching.compare.empty() || job_.matching.block.empty()) propose_lists(table, run);
  job_.matching.compare = with_quoted_names(job_.matching.compare, table);
  job_.matching.block = with_quoted_names(job_.matching.block, table);
  if (const std::string& format = job_.matching.date_format; !format.empty()) {
    job_.matching.compare = with_date_format(job_.matching.compare, format, table);
    job_.matching.block = with_date_format(job_.matching.block, format, table);
  }
  read_statistics();
  RecordMatching matching(table, job_.matching, scope, statistics_, run.threads);
  if (!job_.model.save_statistics.empty())
    collect_statistics(job_.matching.compare, table).save(job_.model.save_statistics);
  if (given_) check_levels(*given_, matching.comparisons(), job_.model.model);
  for (const std::string& warning : matching.warnings()) run.warn_of(warning);
  for (const std::string& note : matching.notes()) run.note_that(note);
  if (statistics_ && !job_.model.adapt && table.row_count() > statistics_->records)
    run.note_that(
        fmt::format("{} records, more than the {} whose statistics are used: if these are not of the same kind, option "
                    "'statistics' 'table' counts in the records themselves, and option 'adapt' fits the model to them",
                    table.row_count(), statistics_->records));
  return matching;
}

DateFormat Matching::date_format() const {
  const std::string& format = job_.matching.date_format;
  return format.empty() ? DateFormat() : DateFormat(format);
}

void Matching::propose_lists(const io::Table& table, const Run& run) {
  proposal_ =
      propose_matching(table, left_out_, {job_.matching.compare, job_.matching.block}, run.random.child("proposal"));
  job_.matching.compare = proposal_->compare;
  job_.matching.block = proposal_->block;
  run.note_that("proposed: " + proposal_->text());
}

MatchModelDescription Matching::read_model() const {
  return job_.model_json.empty() ? read_match_model(job_.model.model) : parse_match_model(job_.model_json, "the model");
}

void Matching::read_statistics() {
  constexpr const char* kOfTable = "table";
  const std::vector<std::string>& files = job_.model.statistics;
  if (files.empty()) return;
  statistics_ = nullptr;
  if (std::ranges::find(files, kOfTable) != files.end()) {
    if (files.size() > 1)
      throw UsageError("option 'statistics': 'table' cannot be added to files; write ./table for a file of that name");
    return;
  }
  MatchStatistics sum = MatchStatistics::load(files.front());
  for (std::size_t i = 1; i < files.size(); ++i) sum.merge(MatchStatistics::load(files[i]));
  statistics_ = std::make_shared<const MatchStatistics>(sum.reduced());
}

void Matching::check_columns(const io::Table& table) const {
  const MatchModelDescription description = read_model();
  const io::Table columns(table.name(), table.columns());  // without the rows, whose values need not be prepared
  (void)parse_comparisons(description.compare(), columns);
  (void)parse_blocking_rules(description.block(), columns);
}

void Matching::apply_preset(const io::Table& table) {
  constexpr int kMaxBlock = 100000;  // namesakes must be told apart, however many there are
  MatchingPreset preset = authors_preset(table);
  if (job_.matching.compare.empty()) job_.matching.compare = std::move(preset.comparisons);
  if (job_.matching.block.empty()) job_.matching.block = std::move(preset.blocking);
  if (!job_.matching.max_block) job_.matching.max_block = kMaxBlock;
}

std::optional<MatchModel> Matching::model(const RecordMatching& matching, const Run& run) const {
  const MatchParameters parameters = given_ ? adapted(matching, run) : learn(matching, run);
  if (job_.model.profile) return std::nullopt;
  if (!job_.model.save_model.empty()) write_match_model(job_.model.save_model, describe(parameters, matching));
  return MatchModel(matching.comparisons(), parameters);
}

MatchParameters Matching::adapted(const RecordMatching& matching, const Run& run) const {
  if (!job_.model.adapt) return *given_;
  const AdaptedMatching adapted = adapt_matching(MatchModel(matching.comparisons(), *given_), matching.rules(),
                                                 matching.candidates(), run.child("adapting"));
  run.note_that(adapted.brief());
  return adapted.parameters;
}

MatchModelDescription Matching::describe(const MatchParameters& parameters, const RecordMatching& matching) const {
  MatchModelDescription description = matching.describe(parameters);
  description.draw_by = draw_by();
  return description;
}

std::string Matching::json_of(const MatchModel& model, const RecordMatching& matching) const {
  return match_model_json(describe(model.parameters(), matching));
}

UnsupervisedMatching Matching::fit(const RecordMatching& matching, const Run& run) const {
  const Run child = run.child("matching");
  const io::Table& table = matching.table();
  const std::string text =
      job_.unsupervised.train_rules.empty() ? rules_to_learn_from(matching, run) : job_.unsupervised.train_rules;
  if (text.empty())
    return fit_unsupervised(matching.comparisons(), matching.rules(), matching.candidates(), job_.unsupervised, child);
  std::string quoted = with_quoted_names(text, table);
  if (const std::string& format = job_.matching.date_format; !format.empty())
    quoted = with_date_format(quoted, format, table);
  const auto rules = parse_blocking_rules(quoted, table);
  return fit_unsupervised(matching.comparisons(), rules, matching.pairs_of(rules), job_.unsupervised, child);
}

std::string Matching::rules_to_learn_from(const RecordMatching& matching, const Run& run) const {
  constexpr std::uint64_t kMostPairs = 10'000;  // for each record: then matches are too rare among them to be learned
  const io::Table& table = matching.table();
  for (std::size_t rule = 0; rule < matching.rules().size(); ++rule)
    if (matching.candidates().pair_count(rule) < kMostPairs * table.row_count()) return "";
  std::set<std::string> not_compared(table.columns().begin(), table.columns().end());
  for (const Comparison& comparison : matching.comparisons())
    for (const std::size_t column : comparison.columns()) not_compared.erase(table.columns()[column]);
  const std::string rules = propose_train_rules(table, not_compared, run.random.child("proposal"));
  if (!rules.empty())
    run.note_that(fmt::format(
        "matches are too rare among the pairs of these rules to learn from them; learning from: {}", rules));
  return rules;
}

MatchParameters Matching::known_without_labels(const RecordMatching& matching, const Run& run) const {
  if (given_) return adapted(matching, run);
  if (matching.candidates().empty()) return matching.nothing_known();
  return fit(matching, run).parameters(matching.comparisons(), job_.term_frequency);
}

MatchParameters Matching::learn(const RecordMatching& matching, const Run& run) const {
  const bool json = job_.as_json;
  // Before pairs are compared, which may take a long time.
  if (job_.model.profile && !json) tell(profile_blocking(matching.rules(), matching.candidates()));
  if (matching.candidates().empty()) return matching.nothing_known();
  const UnsupervisedMatching learned = fit(matching, run);
  if (!learned.is_complete)
    run.warn_of(fmt::format("the time limit left time to learn from {} comparisons only", learned.compared_pairs));
  constexpr std::uint64_t kFewPairs = 20;
  if (learned.candidate_pairs < kFewPairs)
    run.warn_of(
        fmt::format("{} pairs of records are too few to learn from: the weights of levels of agreement are little more "
                    "than guesses. Give labels, a model, or more records",
                    learned.candidate_pairs));
  else if (learned.is_guess)
    run.warn_of(
        "the table has no duplicates to learn from: the weights of levels of agreement are assumed. Give labels, a "
        "model, or more records");
  for (const std::string& related : describe_related(matching.comparisons(), learned)) run.note_that(related);
  for (const RuleFit& rule : learned.rules)
    if (rule.is_degenerate && !learned.is_guess)
      run.note_that(fmt::format("rule '{}' is not learned from: hardly any of its pairs seem to match", rule.rule));
  if (job_.model.profile && json)
    tell(profile_json(matching.comparisons(), matching.rules(), matching.candidates(), learned) + "\n");
  else if (job_.model.profile) tell(fmt::format("\n{}", profile_matching(matching.comparisons(), learned)));
  return learned.parameters(matching.comparisons(), job_.term_frequency);
}

void Matching::explain(const MatchModel& model, const io::Table& table,
                       const std::function<std::optional<std::size_t>(int, std::string_view)>& row_of) const {
  const auto names = split_expression(job_.model.explain, ',');
  const auto first = unquoted(names.front()), second = unquoted(names.back());
  if (names.size() != 2 || !first || !second)
    throw UsageError(
        "option 'explain' takes the ids of two records, in double quotes if they contain special characters: option "
        "'explain' 17,4711");
  const IdPair ids = {*first, *second};
  std::array<std::uint32_t, 2> rows{};
  for (const int i : {0, 1}) {
    const auto row = row_of(i, ids[i]);
    if (!row) throw UsageError(fmt::format("option 'explain': no record has the id '{}'", ids[i]));
    rows[i] = static_cast<std::uint32_t>(*row);
  }
  const MatchExplanation explanation = explain_match(model, table, {rows[0], rows[1]}, ids);
  tell(job_.as_json ? explanation.json() + "\n" : explanation.text());
}

}  // namespace fovea::linkage
