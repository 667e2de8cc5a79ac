// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/run.h"
#include "fovea/base/words.h"
#include "fovea/io/table/table.h"
#include "fovea/linkage/matching/match_model.h"
#include "fovea/linkage/matching/record_matching.h"
#include "fovea/linkage/matching/unsupervised_matching.h"
#include "fovea/linkage/propose/propose_matching.h"
#include "fovea/linkage/similarity/date_format.h"

namespace fovea::linkage {

/// Lists of comparisons and blocking rules that are known to work.
enum class Preset { kAuthors };
constexpr auto words_of(Preset) { return std::array{Word{Preset::kAuthors, "authors"}}; }

/// Source and destination of a match model, and what else to report about it.
struct ModelOptions {
  std::optional<Preset> preset;
  std::string model = "", save_model = "", explain = "", save_statistics = "";
  std::vector<std::string> statistics = {};
  bool profile = false, adapt = false;

  static void describe(auto&& visit) {
    visit(&ModelOptions::preset,
          option("preset",
                 "Lists for option 'compare' and option 'block' that are known to work. 'authors' is for authors of "
                 "papers, by name or first and last, and by coauthors, title, venue, paper and affiliation where there "
                 "are such columns."));
    visit(
        &ModelOptions::model,
        input_file("model",
                   "Match model to use instead of learning one. It has its own option 'compare' and option 'block'."));
    visit(
        &ModelOptions::adapt,
        option(
            "adapt",
            "Adapt the model that is read to these records, without labels: comparisons of which it knows nothing, as "
            "its own records had no values there, are learned from what it knows, and the share of matches is "
            "estimated again, which falls as tables grow."));
    visit(&ModelOptions::save_model, output_file("save-model", "Where to write the match model, as JSON."));
    visit(
        &ModelOptions::statistics,
        input_file("statistics",
                   "Files of statistics on how frequent values and words are and on numbers of namesakes; several are "
                   "added up. If omitted, the model's statistics are used, or those of the records without a model; "
                   "'table' stands for those of the records."));
    visit(&ModelOptions::save_statistics,
          output_file("save-statistics", "Where to write the statistics of these records, for option 'statistics'."));
    visit(&ModelOptions::explain,
          option("explain", "Only explain why two records, given by their ids, match or do not.", "ID,ID"));
    visit(&ModelOptions::profile,
          option("profile", "Only report the pairs of each blocking rule and the weights of levels of agreement."));
  }
};

/// Called with results as they come, before the end of a long job.
using TellFunction = std::function<void(const std::string&)>;

/// Parts that `dedupe` and `link` share: how records are compared, a model that is learned or read, and what is
/// reported about it.
struct MatchingJob {
  MatchingOptions matching = {};
  ModelOptions model = {};
  UnsupervisedOptions unsupervised = {};
  TermFrequencyOptions term_frequency = {};
  std::string model_json = "";  ///< a match model in memory instead of a file, as DedupeResult and LinkResult have it
  bool as_json = false;         ///< profile and explanation are JSON
  TellFunction tell = {};       ///< receives them

  bool reads_model() const { return !model.model.empty() || !model_json.empty(); }
  bool explains() const { return !model.explain.empty(); }
  /// True if no clusters or links are asked for.
  bool only_tells() const { return model.profile || explains(); }
};

/// Carries a MatchingJob out, step by step.
class Matching {
 public:
  explicit Matching(MatchingJob job) : job_(std::move(job)) {}

  const MatchingJob& job() const { return job_; }
  double least_score() const { return job_.matching.least_score(); }
  /// That of option 'date-format'.
  DateFormat date_format() const;

  /// Uses parameters that were learned elsewhere, instead of learning them without labels.
  void use(MatchParameters parameters) {
    given_ = std::move(parameters);
    job_.model.adapt = false;
  }
  void save_model(const std::string& path) { job_.model.save_model = path; }

  /// Names columns that no proposal may use, such as ids and labels; empty names are passed over.
  void leave_out(const std::vector<std::string>& columns) { left_out_.insert(columns.begin(), columns.end()); }
  /// The lists that were proposed because they were not given; nullopt if both were.
  const std::optional<MatchingProposal>& proposal() const { return proposal_; }

  /// Says what random draws follow from; nullopt: what the model says.
  void set_draw_by(std::optional<DrawBy> draw_by) { draw_by_ = draw_by; }
  DrawBy draw_by() const { return draw_by_.value_or(DrawBy::kRow); }

  /// Reads the model if there is one, and passes on the warnings of RecordMatching. `table` must outlive the result.
  RecordMatching prepare(const io::Table& table, const PairScope& scope, const Run& run);

  /// The model, learned from the records unless it was read. nullopt if the user only wanted a profile, which is then
  /// reported.
  std::optional<MatchModel> model(const RecordMatching& matching, const Run& run) const;

  /// The model that model() returned, as JSON: what option 'save-model' writes.
  std::string json_of(const MatchModel& model, const RecordMatching& matching) const;

  /// Parameters of the model that was read, or learned without labels, to be corrected by labels.
  MatchParameters known_without_labels(const RecordMatching& matching, const Run& run) const;

  /// Explains the pair of records whose ids the user named; row_of(i, id) is the row of the i-th record, i = 0 or 1, or
  /// nullopt.
  void explain(const MatchModel& model, const io::Table& table,
               const std::function<std::optional<std::size_t>(int, std::string_view)>& row_of) const;

  /// Throws InputError for a table that lacks a column of the model that is read.
  void check_columns(const io::Table& table) const;

 private:
  MatchModelDescription read_model() const;
  void apply_preset(const io::Table& table);
  void propose_lists(const io::Table& table, const Run& run);
  void read_statistics();
  MatchModelDescription describe(const MatchParameters& parameters, const RecordMatching& matching) const;
  MatchParameters adapted(const RecordMatching& matching, const Run& run) const;
  MatchParameters learn(const RecordMatching& matching, const Run& run) const;
  /// Rules of which each brings together few enough pairs to learn from, if those of option 'block' do not; else "".
  std::string rules_to_learn_from(const RecordMatching& matching, const Run& run) const;
  UnsupervisedMatching fit(const RecordMatching& matching, const Run& run) const;
  void tell(const std::string& text) const {
    if (job_.tell) job_.tell(text);
  }

  MatchingJob job_;
  std::optional<MatchParameters> given_;               // read, or learned by the caller
  std::shared_ptr<const MatchStatistics> statistics_;  // read; null: those of the table
  std::optional<DrawBy> draw_by_;
  std::set<std::string> left_out_;
  std::optional<MatchingProposal> proposal_;
};

}  // namespace fovea::linkage
